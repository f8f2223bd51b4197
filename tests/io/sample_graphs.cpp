// SPDX-License-Identifier: MIT
#include "sample_graphs.h"

#include "recurrent_model.h"

#include <opscape/graph/graph_builder.h>

#include <array>

namespace opscape {
namespace {

using Row = std::array<int, 3>;

/// Ten tasks with their times on the unrelated processors P1, P2 and P3, and edges (from, to, cost), tasks counted
/// from 1. One unit is 1000 ns: an edge is a tensor of its own whose bytes take the edge's cost over 10^9 bytes per
/// second.
Graph textbook(std::string name, const std::vector<Row>& times, const std::vector<Row>& edges) {
    constexpr std::int64_t kUnit = 1000;
    GraphBuilder builder(std::move(name));
    for (const Row& row : times) {
        Op op;
        op.name = fmt::format("T{}", builder.opCount() + 1);
        op.type = "Task";
        op.timeNs = {{"P1", row[0] * kUnit}, {"P2", row[1] * kUnit}, {"P3", row[2] * kUnit}};
        builder.addOp(std::move(op));
    }
    for (const auto& [from, to, cost] : edges) {
        Tensor tensor;
        tensor.name = fmt::format("T{}-T{}", from, to);
        tensor.bytes = cost * kUnit;
        const TensorId id = builder.addOutput(OpId(static_cast<std::size_t>(from) - 1), std::move(tensor));
        builder.addInput(OpId(static_cast<std::size_t>(to) - 1), id);
    }
    Diagnostics diagnostics;
    return std::move(builder).build(diagnostics).value();
}

} // namespace

std::vector<SampleGraph> sampleGraphs() {
    std::vector<SampleGraph> samples;
    samples.push_back({"textbook_a.json", textbook("textbook_a",
                                                   {{14, 16, 9},
                                                    {13, 19, 18},
                                                    {11, 13, 19},
                                                    {13, 8, 17},
                                                    {12, 13, 10},
                                                    {13, 16, 9},
                                                    {7, 15, 11},
                                                    {5, 11, 14},
                                                    {18, 12, 20},
                                                    {21, 7, 16}},
                                                   {{1, 2, 18},
                                                    {1, 3, 12},
                                                    {1, 4, 9},
                                                    {1, 5, 11},
                                                    {1, 6, 14},
                                                    {2, 8, 19},
                                                    {2, 9, 16},
                                                    {3, 7, 23},
                                                    {4, 8, 27},
                                                    {4, 9, 23},
                                                    {5, 9, 13},
                                                    {6, 8, 15},
                                                    {7, 10, 17},
                                                    {8, 10, 11},
                                                    {9, 10, 13}})});
    samples.push_back({"textbook_b.json", textbook("textbook_b",
                                                   {{22, 21, 36},
                                                    {22, 18, 18},
                                                    {32, 27, 43},
                                                    {7, 10, 4},
                                                    {29, 27, 35},
                                                    {26, 17, 24},
                                                    {14, 25, 30},
                                                    {29, 23, 36},
                                                    {15, 21, 8},
                                                    {13, 16, 33}},
                                                   {{1, 2, 17},
                                                    {1, 3, 31},
                                                    {1, 4, 29},
                                                    {1, 5, 13},
                                                    {1, 6, 7},
                                                    {2, 8, 3},
                                                    {2, 9, 30},
                                                    {3, 7, 16},
                                                    {4, 8, 11},
                                                    {4, 9, 7},
                                                    {5, 9, 57},
                                                    {6, 8, 5},
                                                    {7, 10, 9},
                                                    {8, 10, 42},
                                                    {9, 10, 7}})});
    samples.push_back({"rnnlm4_small.json", RecurrentModel({}).trainingStep("rnnlm4_small")});
    return samples;
}

} // namespace opscape
