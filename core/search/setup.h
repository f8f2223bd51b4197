// SPDX-License-Identifier: MIT
// What every search does first: group the ops, and know which decisions are its to take. What the problem does not ask
// for (placement, scheduling, fusion) stays as it is in the start plan, or at its default.
#pragma once

#include <opscape/search/fbi.h>
#include <opscape/search/heuristics.h>

namespace opscape {

class SearchSetup {
public:
    /// The problem must outlive it. Fails on pins that contradict each other.
    [[nodiscard]] static Result<SearchSetup> make(const Problem& problem);

    [[nodiscard]] const Problem& problem() const { return *m_problem; }
    [[nodiscard]] const OpGroups& groups() const { return m_groups; }
    [[nodiscard]] bool placesOps() const { return m_placesOps; }
    /// Whether priorities are to be searched: they are asked for, and the objective depends on them.
    [[nodiscard]] bool ordersOps() const { return m_ordersOps && m_problem->objective == Objective::StepTime; }

    /// The placement with the priorities of upward rank, or in the queues of the start plan when ordering is not asked
    /// for. Fused as the start plan.
    [[nodiscard]] Plan planFor(std::vector<DeviceId> device) const;
    /// The start plan, with pinned ops moved to their pins; without one, everything on the fastest device (on the
    /// first, when placement is not asked for).
    [[nodiscard]] const Plan& start() const { return m_start; }

    /// Scores the start plan and the quick placements, as far as the budget goes; best first. Empty when none can run.
    [[nodiscard]] std::vector<ScoredPlan> scoreStarts(SearchRun& run) const;

private:
    explicit SearchSetup(const Problem& problem) : m_problem(&problem) {}

    [[nodiscard]] Plan pinnedStart() const;

    const Problem* m_problem;
    OpGroups m_groups;
    std::vector<std::int64_t> m_ranks, m_rankPriorities;
    bool m_placesOps = true, m_ordersOps = true;
    Plan m_start;
};

} // namespace opscape
