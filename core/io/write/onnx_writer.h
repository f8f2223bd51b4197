// SPDX-License-Identifier: MIT
// A graph as ONNX model, to be looked at and placed: ops as nodes, their types and shapes, weights without their values
// (as data kept in a file that is not written). Devices stand in device configurations of the nodes and, as what else a
// node cannot say (phase, colocation, times, work), in its metadata under "opscape.". A type that the standard does not
// have, or not with these inputs, is one of the domain "opscape".
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/write/graph_to_write.h>

namespace opscape {

[[nodiscard]] Result<WrittenGraph> writeOnnx(const GraphToWrite& what);

} // namespace opscape
