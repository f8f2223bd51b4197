// SPDX-License-Identifier: MIT
#include <opscape/rl/train/base_plan.h>
#include <opscape/search/setup.h>
#include <opscape/task/constraints.h>

namespace opscape::rl {

Result<Plan> basePlan(const Problem& problem, std::span<const std::vector<const DecisionTask*>> phases) {
    if (problem.start && problem.pins.empty())
        return *problem.start;
    if (problem.start) { // a pin may be newer than the plan
        auto setup = SearchSetup::make(problem);
        if (!setup)
            return fail(setup.error());
        return setup->start();
    }
    Problem undecided = problem;
    undecided.decide.clear();
    auto devices = fixedDevices(undecided);
    if (!devices)
        return fail(devices.error());
    Plan plan;
    plan.device = std::move(*devices);
    std::vector<int> actions(problem.graph->opCount());
    for (const auto& phase : phases) {
        for (const DecisionTask* task : phase) {
            task->fallback(problem, actions);
            if (auto applied = task->apply(problem, actions, plan); !applied)
                return fail(applied.error());
        }
    }
    return plan;
}

} // namespace opscape::rl
