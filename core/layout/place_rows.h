// SPDX-License-Identifier: MIT
// Gives every node of ordered rows its x, so that long edges are straight and boxes lie near the middle of their
// neighbours.
#pragma once

#include <opscape/layout/layered_rows.h>

namespace opscape {

/// Middle of each node; the leftmost box or bend begins at 0. `width` is per node, bends included.
[[nodiscard]] std::vector<double> placeRows(const LayeredRows& rows, const std::vector<double>& width);

} // namespace opscape
