// SPDX-License-Identifier: MIT
// Small traces made by hand, byte by byte where they are binary, and the published ones where they are there.
#include "graph_facts.h"
#include "io/malformed.h"

#include <opscape/io/read/chakra_reader.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::edgesOf;
using test::opNamed;
using test::opNames;
using test::sound;
using testing::ElementsAre;

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    return bytes + static_cast<char>(value);
}
std::string text(int field, const std::string& value) {
    return varint(static_cast<unsigned>(field) << 3 | 2) + varint(value.size()) + value;
}
std::string number(int field, std::uint64_t value) { return varint(static_cast<unsigned>(field) << 3) + varint(value); }
std::string message(const std::string& bytes) { return varint(bytes.size()) + bytes; }

std::string metadata() { return message(text(1, text(1, "schema") + text(29, "1.0.1"))); }

std::string isCpu(bool value) { return text(10, text(1, "is_cpu_op") + number(27, value ? 1 : 0)); }

/// An op, the kernel it launches, and a collective that waits for both.
std::string trace() {
    return metadata() +
           message(number(1, 7) + text(2, "aten::mul(0)") + number(3, 4) + text(4, varint(3)) + number(7, 318) +
                   text(9, text(1, "[[4, 5, 0, 64, 4, 'cuda:0'], True, [6, 7, 0, 10, 2, 'cuda:0']]")) + isCpu(true) +
                   text(10, text(1, "rf_id") + number(9, 2)) + text(10, text(1, "dims") + text(28, ""))) +
           message(number(1, 9) + text(2, "void at::native::(anonymous namespace)::fill<4>(int)") + number(3, 4) +
                   text(4, varint(7)) + text(5, varint(7)) + number(6, 5) + number(7, 4) + isCpu(false)) +
           message(number(1, 12) + text(2, "ncclAllReduce") + number(3, 7) + number(4, 12) + text(4, varint(9)) +
                   text(5, varint(7) + varint(9)) + isCpu(false) + text(10, text(1, "comm_size") + number(9, 1024)));
}

TEST(ChakraReader, ReadsNodesDependenciesDurationsAndSizes) {
    ASSERT_TRUE(isChakra(trace()));
    const GraphFile file = sound(readChakra(trace(), "some/rank.0.et"));
    const Graph& graph = file.graph;
    EXPECT_EQ(file.format, "chakra");
    EXPECT_EQ(file.fileNodes, 3u);
    EXPECT_EQ(file.fileEdges, 6u);
    const std::string kernel = "void at::native::(anonymous namespace)::fill<4>(int)";
    EXPECT_THAT(opNames(graph), ElementsAre("aten::mul(0)", kernel, "ncclAllReduce"));
    EXPECT_THAT(edgesOf(graph),
                ElementsAre("aten::mul(0) -> " + kernel + " 276", "aten::mul(0) -> ncclAllReduce 276",
                            kernel + " -> ncclAllReduce 0", "aten::mul(0) => " + kernel, kernel + " => ncclAllReduce"));
    const Op& mul = opNamed(graph, "aten::mul(0)");
    EXPECT_EQ(mul.type, "aten::mul");
    EXPECT_EQ(mul.timeNs, (TimesByKind{{"cpu", 318'000}}));
    EXPECT_THAT(mul.attributes, ElementsAre(Attribute{"id", std::int64_t{7}}, Attribute{"rf_id", std::int64_t{2}}));
    EXPECT_THAT(opNamed(graph, "ncclAllReduce").attributes,
                testing::Contains(Attribute{"node_type", std::string("COMM_COLL_NODE")}));
    EXPECT_EQ(opNamed(graph, kernel).type, "at::native::fill");
    EXPECT_EQ(opNamed(graph, kernel).timeNs, (TimesByKind{{"gpu", 4000}}));
    EXPECT_TRUE(opNamed(graph, "ncclAllReduce").timeNs.empty()) << "it was not measured";
    EXPECT_EQ(file.diagnostics.count("dangling-control"), 1u);
    EXPECT_EQ(file.diagnostics.count("cyclic-control"), 1u) << "the collective that waits for itself";
    EXPECT_EQ(file.diagnostics.count("list-attribute"), 1u);
}

TEST(ChakraReader, RefusesADamagedTraceAndSaysWhere) {
    const std::string whole = trace();
    const std::size_t first = metadata().size();
    const auto sentence = [](const std::string& bytes) {
        const auto file = readChakra(bytes, "net");
        return file ? std::string("no error") : file.error().message;
    };
    EXPECT_EQ(sentence(whole.substr(0, first + 20)),
              fmt::format("net: node 0 at byte {} is longer than what is left; the file seems to be cut off.", first));
    EXPECT_EQ(sentence(metadata() + message("\x07garbage")),
              fmt::format("net: node 0 at byte {} is damaged: its bytes are no message of a Chakra trace.", first));
    const std::string node = message(number(1, 7) + text(2, "a"));
    EXPECT_EQ(sentence(metadata() + node + node),
              fmt::format("net: node 1 at byte {} has the id 7, which another node has already.", first + node.size()));
    EXPECT_EQ(sentence(metadata()), "net: the file holds no node.");
    EXPECT_EQ(sentence("no trace"), "net: this is not a Chakra execution trace.");
    const auto waits = [](std::uint64_t id, std::uint64_t on) {
        return message(number(1, id) + text(2, fmt::format("n{}", id)) + number(5, on));
    };
    EXPECT_EQ(sentence(metadata() + waits(1, 2) + waits(2, 1)),
              "net: the graph has a cycle of 2 ops: n1 -> n2 -> n1; a computation graph must be acyclic.");
}

constexpr std::string_view kPytorch = R"({"schema": "1.0.2-chakra.0.0.4", "nodes": [
 {"id": 3, "name": "aten::mul", "ctrl_deps": 2, "inputs": {"values": [[5, 6, 0, 8, 4, "cpu"], 2.5]},
  "outputs": {"values": [[7, 8, 0, 8, 4, "cuda:0"]]}, "attrs": [{"name": "tid", "type": "uint64", "value": 1}]},
 {"id": 2, "name": "root", "ctrl_deps": 2, "inputs": {"values": []}, "outputs": {"values": []}, "attrs": []},
 {"id": 4, "name": "aten::stack", "ctrl_deps": 2, "inputs": {"values": [[[7, 8, 0, 8, 4, "cuda:0"], [9, 9, 0, 1, 4, "cpu"]]]},
  "outputs": {"values": []}}
]})";

TEST(ChakraReader, FollowsTheTensorsOfAPytorchTrace) {
    ASSERT_TRUE(looksLikeChakraJson(kPytorch));
    const GraphFile file = sound(readChakraJson(kPytorch, "some/net.json"));
    EXPECT_EQ(file.format, "chakra-json");
    EXPECT_THAT(edgesOf(file.graph),
                ElementsAre("aten::mul -> aten::stack 32", "root => aten::mul", "root => aten::stack"));
    EXPECT_EQ(opNamed(file.graph, "aten::mul").requestedDevice, "gpu");
}

constexpr test::Malformed kCases[] = {
    {"CutOff", "\n]}", "", "net: line 6: the JSON ends before it is complete; the file seems to be cut off."},
    {"NodesNotAList", "\"nodes\": [", "\"nodes\": 1, \"x\": [", "net: nodes must be a list."},
    {"NoNodes", "\"nodes\": [", "\"x\": [", "net: the file lacks the key \"nodes\"."},
    {"NoId", "\"id\": 3,", "", "net: nodes[0] lacks the key \"id\"."},
    {"NegativeId", "\"id\": 3,", "\"id\": -3,", "net: nodes[0].id must be a whole number of at least 0."},
    {"IdIsAWord", "\"id\": 3,", "\"id\": \"three\",", "net: nodes[0].id must be a whole number."},
    {"IdTwice", "\"id\": 2,", "\"id\": 3,", "net: nodes[1].id is 3, which another node has already."},
    {"NameIsANumber", "\"name\": \"root\"", "\"name\": 5", "net: nodes[1].name must be a text."},
    {"DependencyIsAWord", "\"ctrl_deps\": 2, \"inputs\": {\"values\": []}", "\"ctrl_deps\": [true]",
     "net: nodes[1].ctrl_deps[0] must be a whole number of at least 0."},
    {"HugeTensor", "[7, 8, 0, 8, 4, \"cuda:0\"]]}, \"attrs\"",
     "[7, 8, 0, 9000000000000000, 4, \"cuda:0\"]]}, \"attrs\"",
     "net: nodes[0].outputs.values[0][3] must be a whole number from 0 to 1099511627776."},
};

class ChakraErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(ChakraErrors, NamesFileAndPlace) { test::expectRefused(kPytorch, GetParam(), readChakraJson, "net"); }

INSTANTIATE_TEST_SUITE_P(Malformed, ChakraErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

TEST(ChakraReader, ReadsThePublishedTraces) {
    const std::filesystem::path folder = std::string(OPSCAPE_SHARED_DATA) + "/chakra";
    if (!std::filesystem::exists(folder))
        GTEST_SKIP() << "skipped: no shared/data";
    const GraphFile file = sound(readGraph(folder / "chakra.0.et"));
    EXPECT_EQ(file.format, "chakra");
    EXPECT_EQ(file.fileNodes, 3664u);
    EXPECT_EQ(file.graph.opCount(), 3664u);
    EXPECT_EQ(file.diagnostics.count("dangling-control"), 1277u);
    EXPECT_EQ(file.fileEdges, 181'878u + 3664 - 1277) << "data dependencies, and each node's one control dependency";
    EXPECT_EQ(file.graph.edgeCount() - file.graph.controlEdgeCount(), 181'878u);
    EXPECT_EQ(file.graph.controlEdgeCount() + file.diagnostics.count("cyclic-control"), 3664u - 1277);
    EXPECT_EQ(file.diagnostics.count("dangling-data"), 0u);

    const GraphFile small = sound(readGraph(folder / "small_chakra.0.json"));
    EXPECT_EQ(small.format, "chakra-json");
    EXPECT_EQ(small.fileNodes, 7u);
    EXPECT_EQ(small.fileEdges, 6u);
    EXPECT_EQ(small.diagnostics.count("dangling-control"), 7u);

    const GraphFile pytorch = sound(readGraph(folder / "1.0.2-chakra.0.0.4.json"));
    EXPECT_EQ(pytorch.format, "chakra-json");
    EXPECT_EQ(pytorch.fileNodes, 263u);
    EXPECT_EQ(pytorch.graph.controlEdgeCount(), 262u) << "of each node but the first its caller";
}

} // namespace
} // namespace opscape
