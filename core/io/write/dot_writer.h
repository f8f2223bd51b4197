// SPDX-License-Identifier: MIT
// A whole graph in the language of Graphviz. Ops are nodes under their names, scopes are clusters; a node has type,
// device, cost (ns), phase, colocation, flops, bytes_moved and workspace_bytes as far as they are known, an edge the
// bytes of its tensor and which output of its producer that is (tensor, from 0), or control=true.
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/write/graph_to_write.h>

namespace opscape {

[[nodiscard]] Result<WrittenGraph> writeDot(const GraphToWrite& what);

} // namespace opscape
