// SPDX-License-Identifier: MIT
// What the schedule says about the place under the pointer: a bar, the reason for a gap, memory at that moment.
#pragma once

#include "gui/shown_run.h"

#include <QString>

namespace opscape {

/// Several lines for a tooltip; empty where there is nothing to say. `bar`: -1 for none.
[[nodiscard]] QString ganttTip(const ShownRun& run, GanttHit hit, std::int64_t ns, bool withCritical);
/// Why a device does nothing at a moment; empty where it is busy or the step is over.
[[nodiscard]] QString idleText(const ShownRun& run, DeviceId device, std::int64_t ns);
/// Why a channel carries nothing at a moment.
[[nodiscard]] QString quietText(const ShownRun& run, ChannelId channel, std::int64_t ns);
/// Memory of a device at a moment, in one line.
[[nodiscard]] QString memoryText(const ShownRun& run, DeviceId device, std::int64_t ns);
/// The whole schedule in one sentence, for who does not see it.
[[nodiscard]] QString scheduleText(const ShownRun& run);
/// The bar of an op or a transfer in one line.
[[nodiscard]] QString barText(const ShownRun& run, GanttData::Place place);
/// Index of the segment of the critical path at a moment in a lane; -1 when the path is elsewhere.
[[nodiscard]] int criticalAt(const ShownRun& run, const GanttData::Lane& lane, std::int64_t ns);

} // namespace opscape
