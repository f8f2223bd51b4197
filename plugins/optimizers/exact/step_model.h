// SPDX-License-Identifier: MIT
// The problem as the exact search sees it: units (ops, or the fused groups of the start plan) in flat tables, with what
// a transfer takes between any two devices, where a unit may go, and which devices can be exchanged for one another
// without changing anything.
#pragma once

#include <opscape/search/units.h>
#include <opscape/sim/unit_graph.h>

namespace opscape {

class StepModel {
public:
    struct Input {
        std::uint32_t producer, slot;
    };

    /// `fixed`: per op where it has to go, invalid where it is free.
    StepModel(const Problem& problem, UnitGraph unitGraph, const PlacementUnits& groups,
              std::span<const DeviceId> fixed);

    [[nodiscard]] std::int64_t unitNs(std::size_t unit, std::size_t device) const {
        return m_unitNs[unit * devices + device];
    }
    /// At least this long from the end of the unit there to the end of the step (core/sim/optimistic_costs.h).
    [[nodiscard]] std::int64_t tailNs(std::size_t unit, std::size_t device) const {
        return m_tailNs[unit * devices + device];
    }
    /// Without contention; 0 within a device.
    [[nodiscard]] std::int64_t sentNs(std::size_t slot, std::size_t from, std::size_t to) const {
        return m_sentNs[(slot * devices + from) * devices + to];
    }

    UnitGraph graph;
    std::size_t units = 0, devices = 0;
    std::vector<std::vector<Input>> inputs;            ///< per unit: what it waits for, data and signals
    std::vector<std::vector<std::uint32_t>> residents; ///< per unit: those it reads
    std::vector<std::uint32_t> groupOf;                ///< per unit: units of one group share a device
    std::vector<std::uint32_t> groupSize;              ///< per group
    std::vector<DeviceId> groupDevice;                 ///< per group: where it has to go, invalid where it is free
    std::vector<std::int64_t> fastestNs, leastTailNs;  ///< per unit, over the devices it may go to
    std::vector<std::uint32_t> byTail;                 ///< units, the longest leastTailNs first
    std::vector<std::uint32_t> twin;                   ///< per device: the lowest one it can be exchanged for
    std::vector<std::int64_t> memoryBytes;             ///< per device

private:
    void findGroups(const PlacementUnits& placement, std::span<const DeviceId> fixed);
    void findTimes(const Problem& problem);
    void findTwins(const Cluster& cluster);

    std::vector<std::int64_t> m_unitNs, m_tailNs, m_sentNs;
};

} // namespace opscape
