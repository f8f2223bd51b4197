// SPDX-License-Identifier: MIT
// Small graphs for the layout tests, written as lists of names and edges.
#pragma once

#include <opscape/base/random.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/layout/graph_layout.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace opscape {

/// Ops in the order of their names; every op that feeds another has one output of 1 KiB.
inline Graph makeGraph(const std::vector<std::string>& names, const std::vector<std::pair<int, int>>& edges) {
    GraphBuilder builder("test");
    std::vector<TensorId> output(names.size());
    for (const std::string& name : names) {
        Op op;
        op.name = name;
        op.type = "Op";
        builder.addOp(std::move(op));
    }
    for (const auto& [from, to] : edges) {
        TensorId& tensor = output[static_cast<std::size_t>(from)];
        if (!tensor.valid()) {
            Tensor value;
            value.name = names[static_cast<std::size_t>(from)] + ":0";
            value.bytes = 1024;
            tensor = builder.addOutput(OpId(static_cast<std::size_t>(from)), std::move(value));
        }
        builder.addInput(OpId(static_cast<std::size_t>(to)), tensor);
    }
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    EXPECT_TRUE(graph.has_value()) << (graph ? "" : graph.error().message);
    return graph ? *std::move(graph) : Graph();
}

/// A random graph with nested scopes; edges run from lower to higher ops.
inline Graph randomGraph(std::uint64_t seed, int ops) {
    Random random(seed);
    std::vector<std::string> names;
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < ops; ++i) {
        std::string name;
        for (std::uint32_t depth = random.below(4); depth > 0; --depth)
            name += fmt::format("s{}/", random.below(3));
        names.push_back(fmt::format("{}op_{}", name, i));
        for (std::uint32_t k = random.below(4); k > 0 && i > 0; --k)
            edges.emplace_back(static_cast<int>(random.below(static_cast<std::uint32_t>(i))), i);
    }
    return makeGraph(names, edges);
}

inline ExpandedScopes everyScope(const ScopeTree& scopes) {
    ExpandedScopes all;
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s)
        all.insert(ScopeId(s));
    return all;
}

} // namespace opscape
