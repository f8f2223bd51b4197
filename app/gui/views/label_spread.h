// SPDX-License-Identifier: MIT
// Labels beside a chart that would lie on one another are moved apart.
#pragma once

#include <vector>

namespace opscape {

/// Where labels go whose middles are wanted at `wanted`, pixels, ascending: at least `apart` from one another and
/// within [top, bottom], in the same order, as near to the wanted places as pushing allows. Where there is not enough
/// room they lie closer.
[[nodiscard]] std::vector<double> spreadLabels(const std::vector<double>& wanted, double apart, double top,
                                               double bottom);

} // namespace opscape
