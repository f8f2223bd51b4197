// SPDX-License-Identifier: MIT
// What HEFT, CPOP and PEFT have in common: ops are placed one after the other, each where it ends first or where
// what is expected to follow is least, at the earliest time at which its inputs are there and the device has a gap wide
// enough, also between ops placed before (insertion). Transfers are taken as free of contention, so under the link
// model `none` the plan runs exactly as it was built.
//
// Beyond the papers: a colocation group goes where its first op goes, ops with a given device stay there, and devices
// without room by MemoryEstimate are passed over as long as another has room. Ties go to the lower device.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/search/memory_estimate.h>
#include <opscape/search/timeline.h>

#include <span>

namespace opscape {

class ListSchedule {
public:
    /// What is expected after the op, ns by device; added to its end when devices are compared. Empty: nothing.
    using Behind = std::function<std::span<const std::int64_t>(OpId)>;

    /// `fixed`: per op its given device, invalid where it is free. The problem must outlive it.
    ListSchedule(const Problem& problem, std::vector<DeviceId> fixed);

    /// Places all ops in this order, producers before consumers. Fails when it was told to stop.
    [[nodiscard]] Result<> place(std::span<const OpId> order, const RunContext& context, const Behind& behind = {});

    /// Order: every device exactly as it was built. Priority: what was placed first goes first.
    [[nodiscard]] Plan plan(QueuePolicy policy) const;

private:
    struct Run {
        std::int64_t startNs = 0, endNs = 0;
    };

    void arrive(std::int64_t endNs, std::int64_t bytes, DeviceId from);
    void placeOp(OpId op, std::span<const std::int64_t> behindNs);
    [[nodiscard]] std::vector<OpId> orderAsBuilt() const;

    const Problem& m_problem;
    std::size_t m_deviceCount;
    MemoryEstimate m_memory;
    std::vector<std::uint8_t> m_isFixed; ///< per op: its device was given
    std::vector<DeviceId> m_device;      ///< per op
    std::vector<OpId> m_placed;          ///< in the order in which they were
    std::vector<Run> m_runs;             ///< per op
    std::vector<Timeline> m_lanes;       ///< per device
    std::vector<std::int64_t> m_readyNs; ///< per device: when the op at hand could start there
    std::vector<std::int64_t> m_latencyNs;
    std::vector<double> m_bandwidth; ///< [from][to]
};

} // namespace opscape
