// SPDX-License-Identifier: MIT
// A row of a lane as pixel columns: for each column the share of its time that is busy, exactly, and the share that
// each class of op has in it. Memory curves likewise: the least and the most in use.
#pragma once

#include "gantt_data.h"
#include "op_colours.h"

#include <functional>
#include <vector>

namespace opscape {

struct GanttCamera;

struct ColumnPart {
    int of = 0;       ///< class of the colours, or the device where there are none
    double share = 0; ///< of the column's time
};

/// Columns side by side that look the same: one, or those that a single bar fills.
struct ColumnRun {
    std::size_t from = 0, to = 0;      ///< columns
    double busy = 0;                   ///< share of the time covered, above 0 and at most 1
    std::span<const ColumnPart> parts; ///< by class, together `busy`
};

/// Which columns, and which spans count.
struct ColumnRequest {
    double startNs = 0, nsPerColumn = 1;
    std::size_t columns = 0;
    double leaveOutNs = 0; ///< spans at least that long are left out; 0: none
};

/// The class that a span has its colour from.
[[nodiscard]] inline int classOf(const GanttData::Span& span, const OpColours* colours) {
    return colours != nullptr ? colours->classOf(OpId(span.op)) : static_cast<int>(span.device);
}

/// Tells every run with anything in it, from left to right.
void mergeSpans(const std::vector<GanttData::Span>& spans, const ColumnRequest& request, const OpColours* colours,
                const std::function<void(const ColumnRun&)>& tell);

struct MemoryColumn {
    double left = 0, right = 0; ///< pixels; several columns in one where nothing changes
    double least = 0, most = 0; ///< bytes
};

/// From pixel `left` to pixel `right`: no peak is lost between pixels, however many changes there are.
[[nodiscard]] std::vector<MemoryColumn> mergeMemory(const std::vector<MemoryStep>& steps, const GanttCamera& camera,
                                                    double left, double right);

} // namespace opscape
