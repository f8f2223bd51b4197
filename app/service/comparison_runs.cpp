// SPDX-License-Identifier: MIT
#include "comparison_runs.h"

namespace opscape {

Result<std::optional<RunRecord>> keptRunOf(const Workbench& workbench, const OpenedGraph& opened,
                                           const Cluster& cluster, const std::string& optimizer) {
    const auto info = workbench.registry().optimizer(optimizer);
    if (!info)
        return fail(info.error());
    const auto store = workbench.openStore();
    if (!store)
        return fail(store.error());
    const auto runs = store->list(opened.graph->hash());
    if (!runs)
        return fail(runs.error());
    const auto defaults = Options((*info)->options).toMap();
    const auto stands = [&](const RunRecord& run) {
        const bool finished = run.status == RunStatus::Finished && run.result;
        const bool sameWork = run.clusterHash == cluster.hash() && run.linkModel == toString(cluster.linkModel());
        const bool sameMethod = run.optimizer == optimizer && run.revision == (*info)->revision &&
                                run.objective == toString(Objective::StepTime) && !run.options.contains("fuser") &&
                                !run.options.contains("scheduler");
        return finished && sameWork && sameMethod && (run.learns || run.options == defaults);
    };
    std::optional<RunRecord> best;
    for (const RunRecord& run : *runs) { // newest first
        if (!stands(run))
            continue;
        const auto key = [](const RunRecord& r) { return std::pair(!r.result->feasible, r.result->makespanNs); };
        if (!best || (run.learns && key(run) < key(*best)))
            best = run;
    }
    return best;
}

std::optional<Outcome> keptOutcome(const Workbench& workbench, const std::shared_ptr<const OpenedGraph>& opened,
                                   const Cluster& cluster, const std::string& optimizer) {
    // A store that cannot be read is no reason not to compare: the new run says that it is not kept.
    const auto kept = keptRunOf(workbench, *opened, cluster, optimizer);
    if (!kept || !*kept)
        return std::nullopt;
    auto outcome = workbench.restore((*kept)->id, opened);
    return outcome ? std::optional(*std::move(outcome)) : std::nullopt;
}

Result<Outcome> keptOrNew(const Workbench& workbench, const std::shared_ptr<const OpenedGraph>& opened,
                          const std::shared_ptr<const Cluster>& cluster, const OptimizeRequest& request,
                          const RunContext& context, bool* wasKept) {
    auto kept = keptOutcome(workbench, opened, *cluster, request.optimizer);
    if (wasKept != nullptr)
        *wasKept = kept.has_value();
    if (kept)
        return *std::move(kept);
    return workbench.optimize(opened, cluster, request, context);
}

} // namespace opscape
