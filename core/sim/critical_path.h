// SPDX-License-Identifier: MIT
// Why the step takes as long as it does: a chain of op, transfer and wait segments, from time 0 to the end of the step
// without a gap, so that their lengths add up to the makespan exactly.
#pragma once

#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <span>

namespace opscape {

struct CriticalSegment {
    enum class Kind : std::uint8_t {
        Op,          ///< `op` runs
        Transfer,    ///< `transfer` is under way
        DeviceWait,  ///< `op` is ready but its device runs `behind`
        ChannelWait, ///< `transfer` is ready but a channel carries, or keeps free for, `behindTransfer`
        OrderWait,   ///< `op` is ready, its device idle, but the fixed order puts `behind` first, which is not ready
        SendWait     ///< `op` is ready, but `behindTransfer` is being sent from its device and blocks it
    };
    Kind kind = Kind::Op;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    OpId op;                          ///< the op that runs or waits; of a transfer, the op it is for
    DeviceId device;                  ///< where the op runs or waits; of a transfer, where it goes
    OpId behind;                      ///< DeviceWait: the last op to run before it; OrderWait: the op that comes first
    std::uint32_t behindCount = 0;    ///< DeviceWait: how many ops (or fused groups) ran meanwhile
    std::uint32_t transfer = 0;       ///< index into Schedule::transfers
    std::uint32_t behindTransfer = 0; ///< likewise; the last one to go before it
};

/// From the last op to end back to time 0, returned in order of time.
[[nodiscard]] std::vector<CriticalSegment> criticalPath(const Problem& problem, const Plan& plan,
                                                        const Schedule& schedule);
/// 1 for every op that runs on the path; one flag per op of the graph.
[[nodiscard]] std::vector<std::uint8_t> opsOnPath(std::span<const CriticalSegment> path, std::size_t opCount);
/// "Conv_3 waited 1.20 ms on gpu:1 behind Conv_2.", for one segment.
[[nodiscard]] std::string explain(const Problem& problem, const Schedule& schedule, const CriticalSegment& segment);

} // namespace opscape
