// SPDX-License-Identifier: MIT
// Why a device does nothing: its idle time, cut into spans with a reason each. The spans of a device and what it runs
// cover the step without a gap, so busy time and idle time by reason add up to the makespan exactly.
#pragma once

#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <array>

namespace opscape {

enum class IdleReason : std::uint8_t {
    Input,      ///< the input that comes last is still being made on another device
    Channel,    ///< that input is made, but waits for a channel
    Transfer,   ///< that input is on its way
    Send,       ///< an op is ready, but data is being sent from the device, which blocks it
    Order,      ///< an op is ready, but the fixed order puts another one first, which is not
    NothingLeft ///< the device has run all of its ops
};
constexpr std::size_t kIdleReasons = 6;

/// "input", "channel", "transfer", "send", "order", "nothing_left".
[[nodiscard]] std::string_view toString(IdleReason reason);

struct IdleSpan {
    IdleReason reason = IdleReason::NothingLeft;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    OpId op;                    ///< the op that waits; invalid when nothing is left
    OpId by;                    ///< Input, Channel, Transfer: the op that makes the input; Order: the op put first
    std::uint32_t transfer = 0; ///< index into Schedule::transfers. Input, Channel, Transfer: brings it; Send: blocks
    std::uint32_t behind = kNobody; ///< Channel: the transfer that went last before it; kNobody where none is known
    static constexpr std::uint32_t kNobody = 0xffffffffu;
};

struct DeviceIdle {
    std::array<std::int64_t, kIdleReasons> ns{}; ///< by reason; their sum is DeviceReport::idleNs
    std::vector<IdleSpan> spans;                 ///< in order of time

    [[nodiscard]] std::int64_t of(IdleReason reason) const { return ns[static_cast<std::size_t>(reason)]; }
};

/// Per device. The schedule is one of Detail::Full, of this plan.
[[nodiscard]] std::vector<DeviceIdle> idleTimes(const Problem& problem, const Plan& plan, const Schedule& schedule);
/// "gpu:1 idled 1.20 ms: Conv_3 waited for x (1.5 MiB) on its way from gpu:0.", for one span.
[[nodiscard]] std::string explain(const Problem& problem, const Plan& plan, const Schedule& schedule, DeviceId device,
                                  const IdleSpan& span);

} // namespace opscape
