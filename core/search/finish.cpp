// SPDX-License-Identifier: MIT
#include <opscape/search/finish.h>
#include <opscape/search/search_run.h>

namespace opscape {

Result<Plan> finished(const Problem& problem, const Plan& plan, const Finish& finish, const RunContext& context) {
    if (!finish.fuser && !finish.scheduler)
        return plan;
    std::vector<FusionGroupIds> proposals{plan.fusionGroup};
    if (finish.fuser)
        proposals = fusionProposals(problem, plan.device, *finish.fuser);
    const RunContext quiet;
    SearchRun run(problem, quiet, SearchBudget::unlimited());
    for (FusionGroupIds& groups : proposals) {
        Plan trial = plan;
        if (finish.fuser)
            setFusion(*problem.graph, trial, std::move(groups));
        if (finish.scheduler)
            trial = scheduled(problem, std::move(trial), *finish.scheduler, context);
        if (proposals.size() == 1)
            return trial;
        (void)run.score(trial); // the run keeps the best
    }
    return run.finish();
}

} // namespace opscape
