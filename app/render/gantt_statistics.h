// SPDX-License-Identifier: MIT
// What happens in a range of time: how long each lane is busy, how many bars and bytes there are, which ops take most.
#pragma once

#include "gantt_picture.h"

namespace opscape {

struct LaneStatistics {
    int lane = 0;
    std::int64_t busyNs = 0, idleNs = 0; ///< idle: within the step
    std::int64_t bytes = 0; ///< sent in the range, of a transfer that reaches out its share; of memory the most
    std::size_t bars = 0;   ///< that run in the range for any time
};

struct OpTime {
    OpId op;
    std::int64_t ns = 0; ///< within the range; of a fused group its share of it
};

struct RangeStatistics {
    TimeRange range;
    std::vector<LaneStatistics> lanes; ///< of every lane, in the schedule's order
    std::vector<OpTime> ops;           ///< those that take most, at most as many as asked for
    std::size_t opCount = 0;           ///< that run in the range
    std::int64_t opNs = 0;             ///< of all of them
};

[[nodiscard]] RangeStatistics rangeStatistics(const GanttData& data, TimeRange range, std::size_t mostOps = 50);

} // namespace opscape
