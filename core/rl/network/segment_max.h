// SPDX-License-Identifier: MIT
// The maximum over the neighbours of every unit, per column: what GraphSAGE aggregates with. Plain loops over flat rows
// in a fixed order, forward and backward, several times faster than a scatter.
#pragma once

#include <opscape/rl/features/decision_graph.h>

namespace opscape::rl {

/// out[u][c] = max over n in neighbours of u of values[n][c], and which n it was (the first on a tie). A unit without
/// neighbours gets 0 and -1. All rows have `columns` numbers.
template <class Real>
void segmentMax(const Adjacency& neighbours, std::span<const Real> values, std::size_t columns, std::span<Real> out,
                std::span<std::int32_t> from);

/// Adds every gradient of `out` to the value that it came from.
template <class Real>
void segmentMaxBackward(std::span<const Real> gradient, std::span<const std::int32_t> from, std::size_t columns,
                        std::span<Real> valueGradient);

} // namespace opscape::rl
