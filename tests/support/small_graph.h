// SPDX-License-Identifier: MIT
// A graph of a few ops in two branches, and its text, for tests that need any graph.
#pragma once

#include <opscape/graph/graph_builder.h>
#include <opscape/io/format.h>

#include <stdexcept>

namespace opscape::test {

/// in -> left, right -> join: matrix products under two name scopes, with a weight each.
inline Graph smallGraph(const std::string& name = "small") {
    GraphBuilder builder(name);
    const auto tensor = [](std::string label, TensorKind kind) {
        return Tensor{std::move(label), kind, DType::F32, true, {256, 256}, -1};
    };
    const auto add = [&](const std::string& label, const std::string& type, std::initializer_list<TensorId> inputs) {
        Op op;
        op.name = label;
        op.type = type;
        const OpId id = builder.addOp(std::move(op));
        for (const TensorId input : inputs)
            builder.addInput(id, input);
        return builder.addOutput(id, tensor(label + ":0", TensorKind::Activation));
    };
    const TensorId input = builder.addResident(tensor("input", TensorKind::Input));
    const TensorId weight = builder.addResident(tensor("weight", TensorKind::Weight));
    const TensorId in = add("body/in", "MatMul", {input, weight});
    const TensorId left = add("body/left", "MatMul", {in, weight});
    const TensorId right = add("body/right", "MatMul", {in, weight});
    add("join", "Add", {left, right});
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    if (!graph)
        throw std::runtime_error(graph.error().message);
    return std::move(*graph);
}

/// The graph as an Opscape JSON file in a folder.
inline std::filesystem::path writeSmallGraph(const std::filesystem::path& folder, const std::string& name = "small") {
    const std::filesystem::path file = folder / (name + ".json");
    if (auto written = writeGraph(smallGraph(name), file); !written)
        throw std::runtime_error(written.error().message);
    return file;
}

} // namespace opscape::test
