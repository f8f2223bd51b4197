// SPDX-License-Identifier: MIT
#include "sample_graphs.h"

#include <opscape/base/paths.h>
#include <opscape/cost/op_cost.h>
#include <opscape/io/format.h>
#include <opscape/io/opscape_json.h>

#include <gmock/gmock.h>

#include <set>

namespace opscape {
namespace {

std::filesystem::path bundled(const std::string& file) {
    return std::filesystem::path(OPSCAPE_SOURCE_DIR) / "data/graphs" / file;
}

TEST(SampleGraphs, TheBundledFilesAreWhatTheGeneratorMakes) {
    for (const SampleGraph& sample : sampleGraphs()) {
        const auto bytes = readFile(bundled(sample.file));
        ASSERT_TRUE(bytes) << bytes.error().message;
        EXPECT_TRUE(*bytes == writeOpscapeJson(sample.graph)) << sample.file << " differs: run make_samples";
    }
}

TEST(SampleGraphs, TheBundledFilesAreReadWithoutProblems) {
    for (const SampleGraph& sample : sampleGraphs()) {
        const auto file = readGraph(bundled(sample.file));
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->graph, sample.graph);
        EXPECT_TRUE(file->diagnostics.empty()) << file->diagnostics.entries()[0].summary;
    }
}

TEST(SampleGraphs, TheTextbookGraphsHaveOneTensorPerEdge) {
    for (const char* name : {"textbook_a.json", "textbook_b.json"}) {
        const auto file = readGraph(bundled(name));
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->graph.opCount(), 10u);
        EXPECT_EQ(file->graph.edgeCount(), 15u);
        EXPECT_EQ(file->graph.tensorCount(), 15u);
    }
    const auto a = readGraph(bundled("textbook_a.json"));
    EXPECT_EQ(TimesByKind(a->graph.op(OpId(0)).timeNs)["P3"], 9000);
    EXPECT_EQ(a->graph.tensorBytes(TensorId(8)), 27000); // T4-T8
}

TEST(SampleGraphs, TheLanguageModelHasRulesForAllOpsAndItsUpdatesBesideItsWeights) {
    const auto file = readGraph(bundled("rnnlm4_small.json"));
    ASSERT_TRUE(file) << file.error().message;
    const Graph& graph = file->graph;
    EXPECT_GE(graph.opCount(), 500u);
    EXPECT_LE(graph.opCount(), 1000u);
    std::array<std::size_t, 3> phases{};
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        EXPECT_TRUE(opCost(graph, OpId(i)).known) << op.type;
        ++phases[static_cast<std::size_t>(op.phase)];
        if (op.type != "Momentum")
            continue;
        const int group = graph.colocationGroup(OpId(i));
        ASSERT_GE(group, 0) << op.name;
        const auto& members = graph.colocationGroups()[static_cast<std::size_t>(group)];
        ASSERT_EQ(members.size(), 2u);
        EXPECT_EQ(graph.inputs(members[0])[0], graph.inputs(members[1])[0]) << "both read the weight";
    }
    EXPECT_THAT(phases, testing::Each(testing::Gt(10u)));
    // Three products per cell and step, as in every backward pass: one forward, two backward.
    double products = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (graph.op(OpId(i)).type == "MatMul" || graph.op(OpId(i)).type == "Gemm")
            products += opCost(graph, OpId(i)).flops;
    }
    EXPECT_EQ(products, 3.0 * 6 * 2 * 128 * (4 * 2048.0 * 4096 + 1024.0 * 10000));
}

} // namespace
} // namespace opscape
