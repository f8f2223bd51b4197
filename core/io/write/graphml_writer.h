// SPDX-License-Identifier: MIT
// A graph as GraphML. A node's id is the name of its op; a scope is a node with a graph of its own inside, its label is
// the path. Keys of nodes: type, device, time_ns, flops, bytes_moved, workspace_bytes, phase, colocation; of edges:
// bytes, tensor (which output of the producer, from 0) and control.
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/write/graph_to_write.h>

namespace opscape {

[[nodiscard]] Result<WrittenGraph> writeGraphml(const GraphToWrite& what);

} // namespace opscape
