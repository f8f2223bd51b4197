// SPDX-License-Identifier: MIT
// Bars too narrow to be drawn one by one, merged into pixel columns: for each column the share of its time that is busy
// and the device that is busy longest in it.
#pragma once

#include "gantt_picture.h"

#include <vector>

namespace opscape {

struct LaneColumn {
    double busy = 0;          ///< share of the column's time covered by bars, 0 to 1; overlaps count once
    std::uint32_t device = 0; ///< of the largest part
};

/// Columns of `nsPerColumn` from `startNs` on, of the bars that are at most `widestNs` long.
[[nodiscard]] std::vector<LaneColumn> mergeBars(const std::vector<GanttData::Bar>& bars, double startNs,
                                                double nsPerColumn, std::size_t columns, double widestNs);

} // namespace opscape
