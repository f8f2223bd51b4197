// SPDX-License-Identifier: MIT
// Graphs in GraphML. A node is an op named by its id, an edge a tensor that is read. What a node's data say goes by the
// attr.name of their keys: type (else label), device, time_ns (also cost or time: ns), flops, bytes (of its outputs),
// bytes_moved, workspace_bytes, phase and colocation are known, the rest is kept. Of an edge: bytes, tensor (a name;
// its sourceport stands for it) and control=true. A node with a graph in it is a scope, and an op only where an edge
// ends at it.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool isGraphml(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readGraphml(std::string_view bytes, const std::string& origin);

} // namespace opscape
