// SPDX-License-Identifier: MIT
// The layered engine for boxes whose rows are known and ordered: place, route.
#pragma once

#include <opscape/layout/layered_rows.h>

namespace opscape {

/// A layout and, per box, the upper and lower limit of its row: between two rows there are no boxes.
struct Column {
    BoxLayout layout;
    std::vector<float> rowTop, rowBottom;
};

[[nodiscard]] Column layoutLayered(const BoxProblem& problem, const LayeredRows& rows);

} // namespace opscape
