// SPDX-License-Identifier: MIT
// The ops around some ops: all that are reached over at most k edges.
#pragma once

#include <opscape/graph/graph.h>

#include <vector>

namespace opscape {

/// Which way edges are followed: to producers, to consumers, or both, where a path may turn.
enum class EdgeDirection : std::uint8_t { Inputs, Outputs, Both };

/// The ops themselves included; ascending. Each is given once.
[[nodiscard]] std::vector<OpId> neighbourhood(const Graph& graph, const std::vector<OpId>& ops, int hops,
                                              EdgeDirection direction);

} // namespace opscape
