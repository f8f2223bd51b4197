// SPDX-License-Identifier: MIT
// Judges edited plans one after the other: what does not change from edit to edit is worked out once, the simulator is
// kept. To be used by one thread at a time.
#pragma once

#include "edit/edited_plan.h"
#include "service/workbench.h"

#include <opscape/sim/simulator.h>

namespace opscape {

class PlanJudge {
public:
    /// `start` is a plan of the same graph on the same cluster.
    explicit PlanJudge(std::shared_ptr<const Outcome> start);

    /// The plan must be valid. The outcome carries the pins and is not kept as a run.
    [[nodiscard]] Result<Outcome> judge(const EditedPlan& edited);

private:
    std::shared_ptr<const Outcome> m_start;
    Diagnostics m_diagnostics; ///< of the cost model
    Problem m_problem;         ///< without pins
    Simulator m_simulator;
    Bounds m_bounds;
    std::vector<std::uint32_t> m_boundsOf; ///< the fusion groups they hold for
};

} // namespace opscape
