// SPDX-License-Identifier: MIT
// What tests of readers ask a graph for, by the names of its ops.
#pragma once

#include "io/read/graph_facts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace opscape::test {

/// "-" for an input slot without a tensor.
inline std::vector<std::string> inputNames(const Graph& graph, std::string_view op) {
    std::vector<std::string> names;
    for (const TensorId tensor : graph.inputs(graph.findOp(op)))
        names.push_back(tensor.valid() ? graph.tensor(tensor).name : "-");
    return names;
}

inline std::vector<std::string> controlNames(const Graph& graph, std::string_view op) {
    std::vector<std::string> names;
    for (const OpId before : graph.controlPredecessors(graph.findOp(op)))
        names.push_back(graph.op(before).name);
    return names;
}

inline Tensor tensorNamed(const Graph& graph, std::string_view name) {
    for (std::size_t i = 0; i < graph.tensorCount(); ++i) {
        if (graph.tensor(TensorId(i)).name == name)
            return graph.tensor(TensorId(i));
    }
    ADD_FAILURE() << "no tensor " << name;
    return {};
}

inline AttributeValue attributeOf(const Graph& graph, std::string_view op, std::string_view name) {
    const auto& attributes = opNamed(graph, op).attributes;
    const auto found = std::ranges::find(attributes, name, &Attribute::name);
    EXPECT_NE(found, attributes.end()) << name << " of " << op;
    return found != attributes.end() ? found->value : AttributeValue();
}

inline std::string errorOf(const Result<GraphFile>& file) { return file ? "no error" : file.error().message; }

} // namespace opscape::test
