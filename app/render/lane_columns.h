// SPDX-License-Identifier: MIT
// Bars too narrow to be drawn one by one, merged into pixel columns: for each column the share of its time that is busy
// and the device that is busy longest in it. Memory curves likewise: the least and the most in use.
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

struct MemoryColumn {
    double left = 0, right = 0; ///< pixels; several columns in one where nothing changes
    double least = 0, most = 0; ///< bytes
};

/// From pixel `left` to pixel `right`: no peak is lost between pixels, however many changes there are.
[[nodiscard]] std::vector<MemoryColumn> mergeMemory(const std::vector<MemoryStep>& steps, const GanttCamera& camera,
                                                    double left, double right);

} // namespace opscape
