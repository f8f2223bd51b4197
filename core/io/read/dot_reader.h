// SPDX-License-Identifier: MIT
// Graphs in Graphviz' DOT language. A node is an op named by its id, an edge a tensor that is read. Of a node's
// attributes type (else its label, without markup), device, time_ns (also cost or time: ns), flops, bytes (of its
// outputs), bytes_moved, workspace_bytes, phase and colocation are known; what is there for the drawing is left out,
// the rest is kept. Of an edge: bytes, tensor (a name; the port at the tail stands for it) and control=true. Subgraphs
// named cluster... are scopes, named by their labels.
//
// The language is read here and not by Graphviz' own parser, which needs 2.7 times the file beside the graph and more than
// twice the time for a million nodes, serves one thread at a time and prints its errors.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

[[nodiscard]] bool isDot(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readDot(std::string_view bytes, const std::string& origin);

} // namespace opscape
