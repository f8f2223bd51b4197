// SPDX-License-Identifier: MIT
// Forward-backward improvement: better priorities for a fixed placement (Li and Willis 1992; Tormos and Lova 2001, who
// found it in project scheduling; here with channels as resources too).
#pragma once

#include <opscape/search/reverse_schedule.h>
#include <opscape/search/search_run.h>

namespace opscape {

class ForwardBackward {
public:
    static constexpr int kRounds = 6;

    /// For plans with these fusion groups.
    ForwardBackward(const Problem& problem, std::span<const std::uint32_t> fusionGroup);

    /// The plan with QueuePolicy::Priority and the best priorities found. Never worse than it is given: where no
    /// priorities do as well, which only a fixed order can cause, it is returned as it came. Stops early when the run
    /// is over. None when the plan cannot run.
    [[nodiscard]] std::optional<ScoredPlan> improve(SearchRun& run, const Plan& plan, int rounds = kRounds);

    /// Upward rank under the placement: an op's own time on its device, and transfers only where it sends.
    [[nodiscard]] std::vector<std::int64_t> placedRanks(const Plan& plan) const;

private:
    const Problem& m_problem;
    UnitGraph m_graph;
    ReverseSchedule m_reverse;
    std::vector<std::int64_t> m_rankPriorities;
};

} // namespace opscape
