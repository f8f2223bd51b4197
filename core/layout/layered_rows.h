// SPDX-License-Identifier: MIT
// The layered graph between ranking and placement: boxes, the bends of edges that pass rows, and their order in each
// row.
#pragma once

#include <opscape/layout/ranks.h>

#include <cstdint>

namespace opscape {

struct LayeredRows {
    int boxes = 0;                       ///< nodes below this are the boxes, the others bends
    std::vector<int> rank;               ///< per node
    std::vector<std::vector<int>> order; ///< nodes of each row, from left to right
    std::vector<int> position;           ///< per node, in its row
    std::vector<std::vector<int>> up,
        down;                            ///< per node, its neighbours in the rows above and below, once for each edge
    std::vector<std::vector<int>> chain; ///< per edge: its nodes from the upper end to the lower

    [[nodiscard]] bool isBend(int node) const { return node >= boxes; }
    [[nodiscard]] std::size_t nodeCount() const { return rank.size(); }
};

/// Puts bends into long edges. Edges from one box share their bends, or edges to one box do, whichever has more of
/// them: a weight read by 66 steps gives one trunk with 66 branches. An edge too long for the budget of bends has none.
[[nodiscard]] LayeredRows makeRows(const BoxProblem& problem, const Ranking& ranking);

/// Orders every row so that few edges cross.
void orderRows(LayeredRows& rows);

/// Pairs of edges that cross.
[[nodiscard]] std::int64_t countCrossings(const LayeredRows& rows);

} // namespace opscape
