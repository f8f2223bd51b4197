// SPDX-License-Identifier: MIT
// A schedule for other programs. CSV: one op or transfer a line. Chrome trace JSON, which Perfetto opens: devices and
// channels are threads, what overlaps in one has threads of its own so that slices nest, transfers are flow arrows,
// memory is a counter per device. Times are exact: nanoseconds in CSV, microseconds with three decimals in the trace.
#pragma once

#include <opscape/base/result.h>
#include <opscape/base/run_context.h>
#include <opscape/plan/problem.h>
#include <opscape/sim/schedule.h>

#include <limits>

namespace opscape {

/// Which part of a schedule is written: what runs in a range of time on some lanes. Empty flags stand for all.
struct ScheduleSlice {
    std::int64_t fromNs = 0;
    std::int64_t toNs = std::numeric_limits<std::int64_t>::max();
    std::vector<std::uint8_t> devices, channels, memory; ///< per device, per channel, per device
};

/// Columns: kind,name,type,lane,start_ns,end_ns,ready_ns,bytes,producer,from,to,fusion_group. An op's bytes are those
/// of its outputs; the lane of a transfer is the channels of its route, joined by " + ". Sorted by start.
[[nodiscard]] Result<std::string> writeScheduleCsv(const Problem& problem, const Plan& plan, const Schedule& schedule,
                                                   const ScheduleSlice& slice, const RunContext& context);
[[nodiscard]] Result<std::string> writeChromeTrace(const Problem& problem, const Plan& plan, const Schedule& schedule,
                                                   const ScheduleSlice& slice, const RunContext& context);

} // namespace opscape
