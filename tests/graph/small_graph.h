// SPDX-License-Identifier: MIT
// Short ways to write graphs down in tests.
#pragma once

#include <opscape/graph/graph_builder.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace opscape::test {

inline Op op(std::string name, std::string type = "Op") {
    Op made;
    made.name = std::move(name);
    made.type = std::move(type);
    return made;
}

inline Tensor tensor(std::string name, Shape shape = {1}, TensorKind kind = TensorKind::Activation) {
    Tensor made;
    made.name = std::move(name);
    made.kind = kind;
    made.dtype = DType::F32;
    made.shapeKnown = true;
    made.shape = std::move(shape);
    return made;
}

/// Builds a graph that must be sound.
inline Graph built(GraphBuilder&& builder, Diagnostics* diagnostics = nullptr) {
    Diagnostics own;
    auto graph = std::move(builder).build(diagnostics != nullptr ? *diagnostics : own);
    EXPECT_TRUE(graph) << graph.error().message;
    return *std::move(graph);
}

/// One op per name, in order, and an edge for every pair of indices.
inline GraphBuilder ops(const std::vector<std::string>& names,
                        const std::vector<std::pair<std::size_t, std::size_t>>& edges = {}) {
    GraphBuilder builder("test");
    std::vector<TensorId> outputs;
    for (const std::string& name : names) {
        const OpId id = builder.addOp(op(name));
        outputs.push_back(builder.addOutput(id, tensor(name + ":0")));
    }
    for (const auto& [from, to] : edges)
        builder.addInput(OpId(to), outputs[from]);
    return builder;
}

/// A chain of n ops named name_0, name_1, ...
inline GraphBuilder chain(std::size_t n, const std::string& name = "op") {
    GraphBuilder builder("chain");
    builder.reserve(n, n);
    for (std::size_t i = 0; i < n; ++i) {
        const OpId id = builder.addOp(op(fmt::format("{}_{}", name, i)));
        if (i > 0)
            builder.addInput(id, TensorId(i - 1));
        builder.addOutput(id, tensor("t"));
    }
    return builder;
}

template <class Id>
std::vector<std::size_t> indices(std::span<const Id> ids) {
    std::vector<std::size_t> values;
    for (const Id id : ids)
        values.push_back(id.index());
    return values;
}

} // namespace opscape::test
