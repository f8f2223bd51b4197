// SPDX-License-Identifier: MIT
// An outcome made ready to be looked at: everything that panes would otherwise have to compute, worked out once on a
// worker thread. Views share it and never compute.
#pragma once

#include "render/gantt_picture.h"
#include "service/workbench.h"

#include <opscape/sim/critical_path.h>
#include <opscape/sim/idle.h>
#include <opscape/sim/memory_use.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace opscape {

/// What the ops of one scope come to under a plan.
struct ScopeTotal {
    std::int64_t timeNs = 0;
    DeviceId device;    ///< the one with the largest share of the time
    bool mixed = false; ///< there are others
};

struct ShownRun {
    explicit ShownRun(std::shared_ptr<const Outcome> shown);

    std::shared_ptr<const Outcome> outcome;
    GanttData gantt;
    std::vector<CriticalSegment> critical;
    std::vector<std::uint8_t> onCritical;  ///< per op
    std::vector<ScopeTotal> scopes;        ///< per scope
    std::vector<std::int64_t> deviceOps;   ///< per device, how many ops
    bool preview = false;                  ///< not kept as a run, e.g. placed on opening
    bool goesOn = false;                   ///< the best plan so far of a run that goes on
    std::shared_ptr<const ShownRun> start; ///< what it was edited from by hand; null when it was not

    [[nodiscard]] const Problem& problem() const { return outcome->problem; }
    [[nodiscard]] const Cluster& cluster() const { return *outcome->problem.cluster; }
    [[nodiscard]] DeviceId deviceOf(OpId op) const { return outcome->plan.device[op.index()]; }
    /// Time of the op on its device, ns.
    [[nodiscard]] std::int64_t opNs(OpId op) const { return problem().opNs(op, deviceOf(op)); }

    /// Why each device does nothing, and what lies in its memory: worked out when somebody first asks.
    [[nodiscard]] const std::vector<DeviceIdle>& idle() const;
    [[nodiscard]] const MemoryUse& memory() const;

private:
    mutable std::once_flag m_idleOnce, m_memoryOnce;
    mutable std::vector<DeviceIdle> m_idle;
    mutable std::optional<MemoryUse> m_memory;
};

using ShownRunPtr = std::shared_ptr<const ShownRun>;

} // namespace opscape
