// SPDX-License-Identifier: MIT
// Short questions to a graph as read, for tests of readers.
#pragma once

#include <opscape/io/format.h>

#include <gtest/gtest.h>

#include <stdexcept>

namespace opscape::test {

/// The file, or a failed test with its sentence and an empty file.
inline GraphFile sound(Result<GraphFile> file) {
    if (file)
        return std::move(*file);
    ADD_FAILURE() << file.error().message;
    return {};
}

inline std::vector<std::string> opNames(const Graph& graph) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        names.push_back(graph.op(OpId(i)).name);
    return names;
}

inline const Op& opNamed(const Graph& graph, std::string_view name) {
    const OpId id = graph.findOp(name);
    if (!id.valid())
        throw std::runtime_error("no op " + std::string(name));
    return graph.op(id);
}

/// "a -> b 12": every reader of every tensor with its bytes, then "a => b" for control, in the order of the ids.
inline std::vector<std::string> edgesOf(const Graph& graph) {
    std::vector<std::string> edges;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        if (!graph.producer(TensorId(t)).valid())
            continue;
        for (const OpId to : graph.consumers(TensorId(t)))
            edges.push_back(fmt::format("{} -> {} {}", graph.op(graph.producer(TensorId(t))).name, graph.op(to).name,
                                        graph.tensorBytes(TensorId(t))));
    }
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const OpId to : graph.controlSuccessors(OpId(i)))
            edges.push_back(fmt::format("{} => {}", graph.op(OpId(i)).name, graph.op(to).name));
    }
    return edges;
}

} // namespace opscape::test
