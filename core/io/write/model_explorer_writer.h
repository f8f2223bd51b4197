// SPDX-License-Identifier: MIT
// For Google's Model Explorer: a graph in its JSON (namespaces from name scopes, what is known of an op as attributes,
// outputs with type and shape), and node data, which it lays over a graph that it has open: times or devices of ops.
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/write/graph_to_write.h>

namespace opscape {

[[nodiscard]] Result<WrittenGraph> writeModelExplorer(const GraphToWrite& what);
/// Nanoseconds per op, with colours from the shortest to the longest.
[[nodiscard]] Result<WrittenGraph> writeModelExplorerTimes(const GraphToWrite& what);
/// The device of each op, each device in a colour of its own.
[[nodiscard]] Result<WrittenGraph> writeModelExplorerDevices(const GraphToWrite& what);

} // namespace opscape
