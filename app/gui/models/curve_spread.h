// SPDX-License-Identifier: MIT
// Several curves of the same kind as one: their mean, and the lowest and highest of them, where all of them are.
#pragma once

#include "gui/models/curve_columns.h"

namespace opscape {

struct CurveSpread {
    std::vector<double> x, mean, low, high;
};

/// At so many places, evenly from where the last one begins to where the first one ends. The best step time keeps its
/// value until the next point, other figures are joined by lines. Empty where the curves have no part in common.
[[nodiscard]] CurveSpread spreadOf(std::span<const CurveColumns* const> curves, CurveAxis axis, CurveFigure figure,
                                   int places);

} // namespace opscape
