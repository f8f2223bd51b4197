// SPDX-License-Identifier: MIT
#include "graph_facts.h"
#include "io/malformed.h"

#include <opscape/io/read/model_explorer_reader.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::edgesOf;
using test::opNamed;
using test::opNames;
using test::sound;
using testing::ElementsAre;

constexpr std::string_view kSound = R"({"label": "net.tflite", "graphs": [{"id": "main", "nodes": [
  {"id": "2", "label": "tfl.add", "namespace": "model/head;", "incomingEdges": [
     {"sourceNodeId": "1", "sourceNodeOutputId": "1", "targetNodeInputId": "0"},
     {"sourceNodeId": "0", "targetNodeInputId": "1"}]},
  {"id": "0", "label": "tfl.conv_2d", "namespace": "", "attrs": [{"key": "stride", "value": "2"},
     {"key": "time_ns", "value": "1500"}, {"key": "device", "value": "gpu:1"}],
   "outputsMetadata": [{"id": "0", "attrs": [{"key": "tensor_shape", "value": "float32[1, 4,?]"}]}]},
  {"id": 1, "label": "tfl.split", "namespace": "model/body", "incomingEdges": [{"sourceNodeId": "0"}],
   "outputsMetadata": [{"id": "0", "attrs": []}, {"id": "1", "attrs": [{"key": "tensor_name", "value": "half"},
     {"key": "tensor_shape", "value": "int8[2,3]"}]}]}
]}]}
)";

TEST(ModelExplorerReader, ReadsNodesNamespacesAndOutputs) {
    ASSERT_TRUE(looksLikeModelExplorer(kSound));
    const GraphFile file = sound(readModelExplorer(kSound, "some/net.json"));
    const Graph& graph = file.graph;
    EXPECT_EQ(file.format, "model-explorer");
    EXPECT_EQ(graph.name(), "net.tflite");
    EXPECT_EQ(file.fileNodes, 3u);
    EXPECT_EQ(file.fileEdges, 3u);
    EXPECT_THAT(opNames(graph), ElementsAre("model/head/2", "0", "model/body/1"));
    EXPECT_EQ(opNamed(graph, "model/head/2").type, "tfl.add");
    const Op& conv = opNamed(graph, "0");
    EXPECT_EQ(conv.timeNs, (TimesByKind{{"gpu", 1500}}));
    EXPECT_EQ(conv.requestedDevice, "gpu:1");
    EXPECT_THAT(conv.attributes, ElementsAre(Attribute{"stride", std::int64_t{2}}));
    const auto inputs = graph.inputs(graph.findOp("model/head/2"));
    ASSERT_EQ(inputs.size(), 2u);
    EXPECT_EQ(graph.tensor(inputs[0]).name, "half");
    EXPECT_EQ(graph.tensorBytes(inputs[0]), 6);
    EXPECT_EQ(graph.tensor(inputs[1]).shape, (Shape{1, 4, kUnknownDim}));
    EXPECT_EQ(graph.tensor(inputs[1]).dtype, DType::F32);
    EXPECT_EQ(file.diagnostics.count("unknown-size"), 2u);
}

TEST(ModelExplorerReader, SeveralGraphsLieBesideOneAnother) {
    const GraphFile file = sound(readModelExplorer(
        R"([{"graphs": [{"id": "a", "nodes": [{"id": "x", "label": "x", "namespace": "s"}], "groupNodeAttributes": {}}]},
{"id": "b", "nodes": [{"id": "x", "label": "x", "subgraphIds": ["a"]},
 {"id": "y", "label": "y", "incomingEdges": [{"sourceNodeId": "x"}, {"sourceNodeId": "gone"}]},
 {"id": "z", "label": "z", "incomingEdges": [{"sourceNodeId": "y", "sourceNodeOutputId": "control"}]}]}])",
        "net"));
    EXPECT_THAT(opNames(file.graph), ElementsAre("a/s/x", "b/x", "b/y", "b/z"));
    EXPECT_THAT(edgesOf(file.graph), ElementsAre("b/x -> b/y 0", "b/y => b/z"));
    EXPECT_EQ(file.fileEdges, 2u);
    EXPECT_EQ(file.diagnostics.count("dangling-edge"), 1u);
    EXPECT_EQ(file.diagnostics.count("subgraph-ids"), 1u);
    EXPECT_EQ(file.diagnostics.count("group-attributes"), 1u);
}

TEST(ModelExplorerReader, ReadsTheGraphsOfItsOwnTests) {
    const std::filesystem::path folder = std::string(OPSCAPE_SHARED_DATA) + "/model-explorer";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "skipped: no shared/data";
    for (const char* name : {"test_graph_original.json", "test_graph_modified.json"}) {
        SCOPED_TRACE(name);
        const GraphFile file = sound(readGraph(folder / name));
        EXPECT_EQ(file.format, "model-explorer");
        EXPECT_EQ(file.fileNodes, 12u);
        EXPECT_EQ(file.fileEdges, 12u);
        EXPECT_EQ(file.graph.opCount(), 12u);
        EXPECT_TRUE(file.graph.findOp("root3/layer1/root3_layer1_n1").valid());
        EXPECT_EQ(file.diagnostics.count("dangling-edge"), 0u);
    }
}

constexpr test::Malformed kCases[] = {
    {"CutOff", "]}]}\n", "", "net: line 11: the JSON ends before it is complete; the file seems to be cut off."},
    {"NotJson", "\"graphs\":", "\"graphs\"", "net: line 1, column 34: not valid JSON."},
    {"NoGraphs", "\"graphs\": [", "\"charts\": [",
     "net: the file holds no graph: a list of \"graphs\", each with \"nodes\", must be there."},
    {"GraphsNotAList", "\"graphs\": [", "\"graphs\": 3, \"x\": [", "net: graphs must be a list."},
    {"NoNodes", "\"nodes\": [", "\"knots\": [", "net: graphs[0] lacks the key \"nodes\"."},
    {"NoId", "{\"id\": \"0\",", "{", "net: graphs[0].nodes[1] lacks the key \"id\"."},
    {"IdTwice", "{\"id\": \"0\",", "{\"id\": \"2\",",
     "net: graphs[0].nodes[1].id is 2, which another node has already."},
    {"IdOfWrongType", "{\"id\": \"0\",", "{\"id\": [],", "net: graphs[0].nodes[1].id must be a text."},
    {"EdgeWithoutSource", "{\"sourceNodeId\": \"0\"}", "{}",
     "net: graphs[0].nodes[2].incomingEdges[0] lacks the key \"sourceNodeId\"."},
    {"EdgesNotAList", "[{\"sourceNodeId\": \"0\"}]", "\"0\"", "net: graphs[0].nodes[2].incomingEdges must be a list."},
    {"Cycle", "[{\"sourceNodeId\": \"0\"}]", "[{\"sourceNodeId\": \"2\"}]",
     "net: the graph has a cycle of 2 ops: model/head/2 -> model/body/1 -> model/head/2; a computation graph must be "
     "acyclic."},
};

class ModelExplorerErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(ModelExplorerErrors, NamesFileAndPlace) { test::expectRefused(kSound, GetParam(), readModelExplorer, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, ModelExplorerErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

} // namespace
} // namespace opscape
