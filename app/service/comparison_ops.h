// SPDX-License-Identifier: MIT
// Where two plans of one graph place ops differently, and what that costs: by simulation, how the step time of the one
// changes when some of these ops alone take the device that the other has them on. Qt-free.
#pragma once

#include "workbench.h"

#include <opscape/search/units.h>
#include <opscape/sim/simulator.h>

#include <span>

namespace opscape {

/// The device of the same name in another cluster; invalid where it has none.
[[nodiscard]] DeviceId sameDevice(const Cluster& from, DeviceId device, const Cluster& to);

/// An op that two plans have on devices of different names.
struct OpDifference {
    OpId op;
    DeviceId a;              ///< in the first plan's cluster
    DeviceId b;              ///< in the second one's
    std::uint32_t group = 0; ///< index into PlanDifferences::groups
};

struct PlanDifferences {
    std::vector<OpDifference> ops; ///< ascending
    /// Ops that differ together: joined by edges of the graph and on the same pair of devices. By their first op.
    std::vector<std::vector<OpId>> groups;
};

/// Both are plans of the same graph.
[[nodiscard]] std::size_t countDifferences(const Outcome& a, const Outcome& b);
[[nodiscard]] PlanDifferences differencesOf(const Outcome& a, const Outcome& b);

struct MoveCost {
    std::int64_t changeNs = 0; ///< of the first plan's step time; negative: it would be shorter
    bool feasible = true;      ///< it still fits in memory
};

/// Used by one thread at a time.
class MoveCosts {
public:
    MoveCosts(std::shared_ptr<const Outcome> a, std::shared_ptr<const Outcome> b);

    /// The ops alone take their devices of the second plan, and with them what the first plan has fused with them or
    /// the graph wants in one place. The error says why that cannot be.
    [[nodiscard]] Result<MoveCost> of(std::span<const OpId> ops);

private:
    std::shared_ptr<const Outcome> m_a, m_b;
    Problem m_problem; ///< without pins
    Result<PlacementUnits> m_units;
    Simulator m_simulator;
    Plan m_plan;
    Schedule m_schedule;
};

} // namespace opscape
