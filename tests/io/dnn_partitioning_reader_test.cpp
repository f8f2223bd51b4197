// SPDX-License-Identifier: MIT
// A small file as it should be, and one malformed file per thing that can be wrong, with the sentence a person reads.
#include "io/malformed.h"
#include "support/sentence.h"

#include <opscape/io/dnn_partitioning_reader.h>
#include <opscape/plan/problem.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

constexpr std::string_view kSound = R"({
  "maxSizePerFPGA": 1000.0, "maxFPGAs": 2, "maxCPUs": 1,
  "nodes": [
    {"id": 7, "supportedOnFpga": 1, "fpgaLatency": 1.5, "cpuLatency": 15, "isBackwardNode": 0, "colorClass": 3,
     "size": 100, "name": "first"},
    {"id": 2, "supportedOnFpga": 0, "fpgaLatency": 2, "cpuLatency": 20, "isBackwardNode": false, "size": 0},
    {"id": 9, "supportedOnFpga": true, "fpgaLatency": 0, "cpuLatency": 0, "isBackwardNode": 1, "colorClass": 3,
     "size": 50.0}
  ],
  "edges": [
    {"sourceId": 7, "destId": 2, "cost": 0.25},
    {"sourceId": 7, "destId": 9, "cost": 0.25},
    {"sourceId": 2, "destId": 9, "cost": 0.5}
  ]
})";

TEST(DnnPartitioningReader, ReadsNodesEdgesAndItsCluster) {
    ASSERT_TRUE(looksLikeDnnPartitioning(kSound));
    const auto file = readDnnPartitioning(kSound, "some/net.json");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->fileNodes, 3u);
    EXPECT_EQ(file->fileEdges, 3u);
    const Graph& graph = file->graph;
    ASSERT_EQ(graph.opCount(), 3u);
    EXPECT_EQ(graph.op(OpId(0)).name, "first");
    EXPECT_EQ(graph.op(OpId(1)).name, "node2");
    EXPECT_EQ(graph.op(OpId(2)).phase, Phase::Backward);
    EXPECT_EQ(graph.colocationGroups(), (std::vector<std::vector<OpId>>{{OpId(0), OpId(2)}}));
    EXPECT_EQ(graph.op(OpId(0)).timeNs, (TimesByKind{{"accelerator", 1'500'000}, {"cpu", 15'000'000}}));
    EXPECT_GE(TimesByKind(graph.op(OpId(1)).timeNs)["accelerator"], 1'000'000'000'000) << "not to be placed there";
    EXPECT_THAT(file->diagnostics.entries(), testing::ElementsAre(testing::Field(&Diagnostic::code, "cpu-only")));

    ASSERT_TRUE(file->cluster);
    const Cluster& cluster = *file->cluster;
    ASSERT_EQ(cluster.deviceCount(), 3u);
    EXPECT_EQ(cluster.device(DeviceId(2)).name, "cpu:0");
    EXPECT_EQ(cluster.kindOf(DeviceId(0)).memoryBytes, 1000);
    EXPECT_EQ(cluster.kindOf(DeviceId(2)).memoryBytes, 0) << "the CPU has all it needs";
    const TensorId sent = graph.outputs(OpId(0))[0];
    EXPECT_EQ(graph.consumers(sent).size(), 2u);
    EXPECT_EQ(cluster.transferNs(graph.tensorBytes(sent), DeviceId(0), DeviceId(1)), 250'000);
}

TEST(DnnPartitioningReader, UsesTheLargestCostWhereTheEdgesOfANodeDiffer) {
    std::string text(kSound);
    text.replace(text.find(R"("cost": 0.25)"), 12, R"("cost": 0.75)");
    const auto file = readDnnPartitioning(text, "net.json");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->graph.tensorBytes(file->graph.outputs(OpId(0))[0]), 750'000);
    ASSERT_EQ(file->diagnostics.entries().size(), 2u);
    const Diagnostic& cost = file->diagnostics.entries()[0];
    EXPECT_EQ(cost.code, "edge-cost");
    EXPECT_EQ(cost.examples[0], "edges[1]: node 7");
}

constexpr test::Malformed kCases[] = {
    {"NotJson", R"("nodes": [)", R"("nodes": ])", "net.json: line 3, column 12: not valid JSON."},
    {"CutOff", R"({"sourceId": 2, "destId": 9, "cost": 0.5}
  ]
})",
     R"({"sourceId": 2)", "net.json: line 13: the JSON ends before it is complete; the file seems to be cut off."},
    {"NotAnObject", kSound, R"([{"maxFPGAs": 1, "nodes": []}])", "net.json: the file must be an object."},
    {"NoMemory", R"("maxSizePerFPGA": 1000.0, )", "", "net.json: the file lacks the key \"maxSizePerFPGA\"."},
    {"MemoryNegative", "1000.0", "-1", "net.json: maxSizePerFPGA must be between 0 and 1000000000000000 bytes."},
    {"NoAcceleratorCount", R"("maxFPGAs": 2, )", "", "net.json: the file lacks the key \"maxFPGAs\"."},
    {"TooManyAccelerators", R"("maxFPGAs": 2)", R"("maxFPGAs": 65)",
     "net.json: maxFPGAs must be a whole number from 0 to 64."},
    {"NoCpuCount", R"(, "maxCPUs": 1)", "", "net.json: the file lacks the key \"maxCPUs\"."},
    {"CpuCountNotWhole", R"("maxCPUs": 1)", R"("maxCPUs": 1.5)",
     "net.json: maxCPUs must be a whole number from 0 to 64."},
    {"NoDevices", R"("maxFPGAs": 2, "maxCPUs": 1)", R"("maxFPGAs": 0, "maxCPUs": 0)",
     "net.json: maxFPGAs is 0 and so is maxCPUs: there must be a device to place nodes on."},
    {"NoNodes", R"("nodes": [)", R"("knots": [)", "net.json: the file lacks the key \"nodes\"."},
    {"NoEdges", R"("edges": [)", R"("links": [)", "net.json: the file lacks the key \"edges\"."},
    {"NodesNotAList", R"("nodes": [)", R"("nodes": 4, "knots": [)", "net.json: nodes must be a list."},
    {"NodeWithoutId", R"({"id": 2, )", "{", "net.json: nodes[1] lacks the key \"id\"."},
    {"IdTwice", R"("id": 9)", R"("id": 7)", "net.json: nodes[2].id is 7, which another node has already."},
    {"NoLatency", R"("fpgaLatency": 2, )", "", "net.json: nodes[1] lacks the key \"fpgaLatency\"."},
    {"LatencyNegative", R"("fpgaLatency": 2)", R"("fpgaLatency": -2)",
     "net.json: nodes[1].fpgaLatency must be between 0 and 1000000000 ms."},
    {"LatencyNotANumber", R"("cpuLatency": 20)", R"("cpuLatency": "20")",
     "net.json: nodes[1].cpuLatency must be a number."},
    {"LatencyTooLong", R"("cpuLatency": 20)", R"("cpuLatency": 2e9)",
     "net.json: nodes[1].cpuLatency must be between 0 and 1000000000 ms."},
    {"NoSize", R"(, "size": 0})", "}", "net.json: nodes[1] lacks the key \"size\"."},
    {"SizeNegative", R"("size": 0})", R"("size": -1})",
     "net.json: nodes[1].size must be between 0 and 1000000000000000 bytes."},
    {"FlagNeitherZeroNorOne", R"("supportedOnFpga": 0)", R"("supportedOnFpga": 2)",
     "net.json: nodes[1].supportedOnFpga must be a whole number from 0 to 1."},
    {"ClassNotWhole", R"("colorClass": 3,
     "size": 100)",
     R"("colorClass": "red",
     "size": 100)",
     "net.json: nodes[0].colorClass must be a whole number."},
    {"NameNotAText", R"("name": "first")", R"("name": 1)", "net.json: nodes[0].name must be a text."},
    {"EdgeWithoutCost", R"("destId": 9, "cost": 0.5)", R"("destId": 9)", "net.json: edges[2] lacks the key \"cost\"."},
    {"CostNegative", R"("cost": 0.5)", R"("cost": -0.5)",
     "net.json: edges[2].cost must be between 0 and 1000000000 ms."},
    {"EdgeFromNowhere", R"("sourceId": 2)", R"("sourceId": 3)",
     "net.json: edges[2].sourceId is 3, but there is no such node."},
    {"EdgeToNowhere", R"("destId": 2)", R"("destId": 3)", "net.json: edges[0].destId is 3, but there is no such node."},
    {"Cycle", R"("sourceId": 2, "destId": 9)", R"("sourceId": 2, "destId": 7)",
     "net.json: the graph has a cycle of 2 ops: first -> node2 -> first; a computation graph must be acyclic."},
};

class DnnPartitioningErrors : public testing::TestWithParam<test::Malformed> {};

TEST_P(DnnPartitioningErrors, NamesFileAndPlace) {
    test::expectRefused(kSound, GetParam(), readDnnPartitioning, "net.json");
}

INSTANTIATE_TEST_SUITE_P(Malformed, DnnPartitioningErrors, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.what); });

} // namespace
} // namespace opscape
