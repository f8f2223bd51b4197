// SPDX-License-Identifier: MIT
#include <opscape/task/optimizer.h>

#include <exception>
#include <opscape/plan/plan_check.h>

namespace opscape {

Result<Plan> Optimizer::solve(const Problem& problem, const Options& options, const RunContext& context) {
    if (problem.graph->opCount() == 0)
        return Plan{};
    if (problem.cluster->deviceCount() == 0)
        return fail("the cluster has no devices to place ops on.");
    try {
        auto plan = doSolve(problem, options, context);
        if (!plan)
            return plan;
        if (auto valid = checkPlan(problem, *plan); !valid)
            return fail("the optimizer returned an invalid plan: {}", valid.error().message);
        return plan;
    } catch (const std::bad_alloc&) {
        return fail("the optimizer ran out of memory; try fewer devices or a smaller graph.");
    } catch (const std::exception& error) {
        return fail("the optimizer failed: {}.", error.what());
    }
}

} // namespace opscape
