// SPDX-License-Identifier: MIT
#include <opscape/search/setup.h>
#include <opscape/sim/ranks.h>

#include <algorithm>

namespace opscape {

Result<SearchSetup> SearchSetup::make(const Problem& problem) {
    SearchSetup setup(problem);
    setup.m_placesOps = problem.decides("placement");
    setup.m_ordersOps = problem.decides("scheduling");
    setup.m_ranks = upwardRanks(problem);
    setup.m_rankPriorities = rankPriorities(problem);
    const std::span<const std::uint32_t> fusion =
        problem.start ? std::span<const std::uint32_t>(problem.start->fusionGroup) : std::span<const std::uint32_t>();
    auto groups = groupOps(problem, ScopeTree(*problem.graph), setup.m_ranks, fusion);
    if (!groups)
        return fail(std::move(groups.error()));
    setup.m_groups = std::move(*groups);
    if (problem.start) {
        setup.m_start = setup.pinnedStart();
    } else if (setup.m_placesOps) {
        setup.m_start = setup.planFor(onFastestDevice(problem, setup.m_groups));
    } else {
        std::vector<DeviceId> device(problem.graph->opCount(), DeviceId(0));
        for (std::size_t op = 0; op < device.size(); ++op) {
            if (const DeviceId pin = setup.m_groups.units.pinOf(OpId(op)); pin.valid())
                device[op] = pin;
        }
        setup.m_start = setup.planFor(std::move(device));
    }
    return setup;
}

Plan SearchSetup::pinnedStart() const {
    Plan plan = *m_problem->start;
    bool isMoved = false;
    for (std::size_t op = 0; op < plan.device.size(); ++op) {
        const DeviceId pin = m_groups.units.pinOf(OpId(op));
        if (!pin.valid() || plan.device[op] == pin)
            continue;
        plan.device[op] = pin;
        isMoved = true;
    }
    // Made for another placement, a fixed order might wait for itself; as priorities it cannot.
    if (isMoved && plan.policy == QueuePolicy::Order)
        plan.policy = QueuePolicy::Priority;
    return plan;
}

Plan SearchSetup::planFor(std::vector<DeviceId> device) const {
    Plan plan = m_problem->start.value_or(Plan());
    plan.device = std::move(device);
    if (m_ordersOps) {
        plan.policy = QueuePolicy::Priority;
        plan.priority = m_rankPriorities;
    }
    return plan;
}

std::vector<ScoredPlan> SearchSetup::scoreStarts(SearchRun& run) const {
    std::vector<ScoredPlan> scored;
    const auto add = [&](Plan plan) {
        if (!scored.empty() && run.isOver())
            return;
        if (const auto score = run.score(plan))
            scored.push_back({std::move(plan), *score});
    };
    run.setStage("starting plans");
    add(m_start);
    if (m_problem->start && m_ordersOps)
        add(planFor(m_start.device));
    if (m_placesOps) {
        for (NamedPlacement& placement : quickPlacements(*m_problem, m_groups, m_ranks, run.stop()))
            add(planFor(std::move(placement.device)));
    }
    std::ranges::stable_sort(scored,
                             [](const ScoredPlan& a, const ScoredPlan& b) { return a.score.betterThan(b.score); });
    return scored;
}

} // namespace opscape
