// SPDX-License-Identifier: MIT
// How long a change by hand takes to be seen: from the key that moves ops to another device until the window has drawn
// the new schedule.
#pragma once

#include "gui/main_window.h"

namespace opscape::bench {

inline constexpr std::size_t kLargeEdit = 20'000; ///< or all that there are

struct WhatIfTimes {
    double scheduleMs = 0; ///< from the key to the new schedule: step time, memory, Gantt chart
    double drawnMs = 0;    ///< until every pane has drawn it
    double cpuMs = 0;      ///< as scheduleMs, in processor time of all threads: holds on a busy machine too
    double largeMs = 0;    ///< as scheduleMs, of kLargeEdit ops at once
    double largeCpuMs = 0; ///< in processor time
};

/// Medians over edits of several sizes, all but one far smaller than kLargeEdit, on the wall but for the last. A graph
/// is open and placed; the window is shown. All edits are undone at the end.
[[nodiscard]] WhatIfTimes whatIfTimes(Session& session, MainWindow& window);

} // namespace opscape::bench
