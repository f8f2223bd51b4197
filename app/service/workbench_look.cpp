// SPDX-License-Identifier: MIT
#include "file_plan.h"
#include "workbench_parts.h"

#include <opscape/task/optimizer.h>

namespace opscape {

Result<Outcome> Workbench::firstLook(std::shared_ptr<const OpenedGraph> opened, std::shared_ptr<const Cluster> cluster,
                                     const std::string& optimizer, bool keepFiles, const RunContext& context) const {
    return guarded([&]() -> Result<Outcome> {
        Diagnostics guesses; // told when the plan is simulated
        Problem problem = makeProblem(opened->graph, cluster, guesses);
        FilePlan own = FilePlan::of(*opened, problem);
        Plan plan = Plan::allOn(DeviceId(0), opened->graph->opCount());
        int revision = 0;
        if (!own.placesAll()) {
            const auto info = m_registry.optimizer(optimizer);
            auto method = m_registry.makeOptimizer(optimizer);
            if (!info || !method)
                return fail(info ? method.error() : info.error());
            revision = (*info)->revision;
            problem.decide = (*info)->decides;
            if ((*info)->honoursPins)
                problem.pins = own.device;
            auto solved = (*method)->solve(problem, Options((*info)->options), context);
            problem.pins.clear();
            if (!solved)
                return fail(solved.error());
            plan = std::move(*solved);
        }
        if (!own.empty()) {
            auto whole = own.completed(problem, plan);
            if (!whole)
                return fail(whole.error());
            plan = std::move(*whole);
        }
        auto outcome = own.empty() ? simulatePlan(opened, cluster, plan, false, {}, optimizer)
                                   : simulatePlan(opened, cluster, plan, keepFiles, own.sentence(optimizer), kAsInFile);
        if (!outcome)
            return outcome;
        if (own.empty())
            outcome->run.revision = revision;
        outcome->diagnostics.merge(own.diagnostics);
        return outcome;
    });
}

} // namespace opscape
