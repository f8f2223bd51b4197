// SPDX-License-Identifier: MIT
// A finished schedule seen by units: in which order each device ran them, and what each of them waited for last. What
// explains a schedule (critical path, idle time) starts from it.
#pragma once

#include <opscape/sim/schedule.h>
#include <opscape/sim/unit_graph.h>

#include <optional>

namespace opscape {

class UnitTrace {
public:
    using Unit = UnitGraph::Index;

    struct Input {
        Unit producer;
        std::optional<std::uint32_t> transfer; ///< what brought it, of Schedule::transfers; none within a device
    };

    /// All three must outlive it. The schedule is one of Detail::Full.
    UnitTrace(const Problem& problem, const Plan& plan, const Schedule& schedule);

    [[nodiscard]] Unit unitCount() const { return m_units.unitCount(); }
    [[nodiscard]] DeviceId deviceOf(Unit unit) const { return m_plan.device[m_units.firstOp[unit]]; }
    [[nodiscard]] const OpRun& runOf(Unit unit) const { return m_schedule.ops[m_units.firstOp[unit]]; }
    [[nodiscard]] OpId opOf(Unit unit) const { return OpId(m_units.firstOp[unit]); }
    /// What a queue goes by: the highest of a group's ops. The plan must have priorities.
    [[nodiscard]] std::int64_t priorityOf(Unit unit) const;
    /// The units of a device in order of time.
    [[nodiscard]] std::span<const Unit> lane(DeviceId device) const { return m_lanes[device.index()]; }

    /// The input, or signal, with which the unit became ready; of several the first. None when it waits for nobody.
    [[nodiscard]] std::optional<Input> lastInput(Unit unit) const;
    /// The transfer on a common channel whose end let this one start.
    [[nodiscard]] std::optional<std::uint32_t> wentBefore(const Transfer& waiting) const;
    /// The transfer of data out of the device that ended last after `fromNs` and not after `toNs`.
    [[nodiscard]] std::optional<std::uint32_t> lastSent(DeviceId device, std::int64_t fromNs, std::int64_t toNs) const;

private:
    /// A tensor goes to a device once, and so does a unit's control signal.
    using DestinationKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    static DestinationKey destinationKey(const Transfer& t) {
        return {t.tensor.value, t.tensor.valid() ? 0 : t.producer.value, t.to.value};
    }
    /// The input, when it is from this producer and came as the unit became ready.
    [[nodiscard]] std::optional<Input> ifLast(Unit unit, Unit producer, const DestinationKey& key) const;

    const Problem& m_problem;
    const Plan& m_plan;
    const Schedule& m_schedule;
    UnitGraph m_units;
    std::vector<std::vector<Unit>> m_lanes;              ///< per device
    std::vector<std::uint32_t> m_byDestination, m_byEnd; ///< transfers
};

/// "conv1:0 (1.5 MiB)", "an output of conv1 (1.5 MiB)", "the signal of conv1".
[[nodiscard]] std::string nameOf(const Problem& problem, const Transfer& transfer);

} // namespace opscape
