// SPDX-License-Identifier: MIT
// What an op needs beside its inputs.
#pragma once

#include <opscape/graph/graph.h>

namespace opscape {

/// What it writes and its scratch memory.
[[nodiscard]] inline std::int64_t ownBytes(const Graph& graph, OpId op) {
    std::int64_t bytes = graph.op(op).workspaceBytes;
    for (const TensorId tensor : graph.outputs(op))
        bytes += graph.tensorBytes(tensor);
    return bytes;
}

} // namespace opscape
