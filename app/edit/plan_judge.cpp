// SPDX-License-Identifier: MIT
#include "edit/plan_judge.h"

namespace opscape {
PlanJudge::PlanJudge(std::shared_ptr<const Outcome> start)
    : m_start(std::move(start)),
      m_problem(makeProblem(m_start->problem.graph, m_start->problem.cluster, m_diagnostics)),
      m_simulator(m_problem),
      m_bounds(lowerBounds(m_problem, m_start->plan)),
      m_boundsOf(EditedPlan::of(m_start->plan).plan.fusionGroup) {
    m_problem.decide = m_start->problem.decide;
    m_problem.objective = m_start->problem.objective;
}

Result<Outcome> PlanJudge::judge(const EditedPlan& edited) {
    Outcome outcome;
    outcome.run = m_start->run;
    outcome.run.id = 0;
    outcome.run.kind = "simulate";
    outcome.run.status = RunStatus::Finished;
    outcome.run.learns = false;
    outcome.opened = m_start->opened;
    outcome.problem = m_problem;
    outcome.problem.pins = edited.givenPins();
    outcome.diagnostics = m_diagnostics;
    outcome.plan = edited.given();
    if (auto ran = m_simulator.run(outcome.plan, Detail::Full, outcome.schedule); !ran)
        return fail(std::move(ran.error()));
    if (edited.plan.fusionGroup != m_boundsOf) {
        m_bounds = lowerBounds(m_problem, outcome.plan);
        m_boundsOf = edited.plan.fusionGroup;
    }
    outcome.bounds = m_bounds;
    outcome.pipeline = pipelineReport(outcome.problem, outcome.plan);
    outcome.run.result = RunResult{outcome.schedule.makespanNs, outcome.bounds.bestNs, outcome.schedule.peakBytes,
                                   outcome.schedule.bytesMoved, outcome.schedule.feasible};
    return outcome;
}

} // namespace opscape
