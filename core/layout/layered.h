// SPDX-License-Identifier: MIT
// The layered engine for boxes whose rows are known: order, place, route.
#pragma once

#include <opscape/layout/ranks.h>

#include <cstdint>

namespace opscape {

/// A layout and, per box, the upper and lower limit of its row: between two rows there are no boxes.
struct Column {
    BoxLayout layout;
    std::vector<float> rowTop, rowBottom;
    std::int64_t crossings = 0; ///< of edges
};

[[nodiscard]] Column layoutLayered(const BoxProblem& problem, const Ranking& ranking);

} // namespace opscape
