// SPDX-License-Identifier: MIT
// Upward rank (Topcuoglu, Hariri, Wu 2002): how long it is from the start of an op to the end of the step, by mean op
// and transfer times. The usual priority of list schedulers: what has most behind it goes first.
#pragma once

#include <opscape/plan/problem.h>

#include <span>

namespace opscape {

/// Means over devices and over ordered pairs of different devices. Instead of dividing, every rank is multiplied by
/// rankScale(), which keeps them exact integers: equal ranks are equal, and the order is the same everywhere.
[[nodiscard]] std::vector<std::int64_t> upwardRanks(const Problem& problem);
/// Downward rank, of the same paper and scaled alike: the longest way from the start of the step to the start of the
/// op.
[[nodiscard]] std::vector<std::int64_t> downwardRanks(const Problem& problem);
/// devices * (devices - 1), at least 1.
[[nodiscard]] std::int64_t rankScale(const Cluster& cluster);

/// Ops by descending rank; equal ones in topological order, so that producers always come before consumers.
[[nodiscard]] std::vector<OpId> rankOrder(const Problem& problem, std::span<const std::int64_t> ranks);

/// As a list scheduler takes ops: of those whose predecessors were all taken the one with the highest priority, a tie
/// by id.
[[nodiscard]] std::vector<OpId> readyOrder(const Graph& graph, std::span<const std::int64_t> priority);

/// opCount - place in rankOrder(), as priorities of a Plan.
[[nodiscard]] std::vector<std::int64_t> rankPriorities(const Problem& problem);
/// The same for plans with these fusion groups: the ops of a group share the rank of the group as one op.
[[nodiscard]] std::vector<std::int64_t> rankPriorities(const Problem& problem,
                                                       std::span<const std::uint32_t> fusionGroup);

} // namespace opscape
