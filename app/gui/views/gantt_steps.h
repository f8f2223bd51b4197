// SPDX-License-Identifier: MIT
// Steps from one bar of a schedule to another: along a lane, and along what an op waited for and what waits for it.
#pragma once

#include "render/gantt_lanes.h"

#include <opscape/sim/critical_path.h>

namespace opscape {

/// A bar by what it stands for.
struct GanttTarget {
    OpId op;           ///< invalid where it is a transfer, or nothing
    int transfer = -1; ///< index into Schedule::transfers
    [[nodiscard]] bool valid() const { return op.valid() || transfer >= 0; }
    friend bool operator==(const GanttTarget&, const GanttTarget&) = default;
};

[[nodiscard]] GanttTarget targetOf(const GanttData& data, GanttData::Place place);
[[nodiscard]] GanttData::Place placeOf(const GanttData& data, const GanttTarget& target);

/// The bar before or after in its lane; the same at the end of the lane.
[[nodiscard]] GanttData::Place barBeside(const GanttData& data, GanttData::Place from, int by);
/// The bar that runs at the same time in the next lane, up or down the screen, that has any.
[[nodiscard]] GanttData::Place barAcross(const GanttData& data, const LaneStack& stack, GanttData::Place from, int by);
/// The first bar of the topmost lane that has any.
[[nodiscard]] GanttData::Place firstBar(const GanttData& data, const LaneStack& stack);

/// What the bar waited for last: of an op the transfer or the op that made it ready, of a transfer its producer.
[[nodiscard]] GanttTarget causeOf(const GanttData& data, const GanttTarget& of);
/// What waits for it: the one on the critical path where there is one, else the first to start.
[[nodiscard]] GanttTarget effectOf(const GanttData& data, const std::vector<std::uint8_t>& onCritical,
                                   const GanttTarget& of);

} // namespace opscape
