// SPDX-License-Identifier: MIT
// Gives every box a row: edges run downwards, except those that close a cycle.
#pragma once

#include <opscape/layout/box_layout.h>

namespace opscape {

struct Ranking {
    std::vector<int> rank; ///< row per box, from 0; the ends of an edge never share one
    int rows = 0;
};

/// Rows wider than `widest` are folded into several, unless they have few boxes.
[[nodiscard]] Ranking rankBoxes(const BoxProblem& problem, float widest);

} // namespace opscape
