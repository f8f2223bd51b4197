// SPDX-License-Identifier: MIT
// Simulated annealing over the levels of the op groups. The threshold that a candidate has to keep under is drawn
// before it is simulated, so that its simulation can end as soon as it is certain to fail, with the same decisions as
// without.
#pragma once

#include <opscape/search/moves.h>
#include <opscape/search/search_run.h>

namespace opscape {

/// Weights of the levels of OpGroups.
using LevelShares = std::array<double, OpGroups::kLevels>;

struct AnnealingStage {
    std::string name;
    double begin = 0, end = 1;              ///< of the budget
    double hot = .05, cold = .002;          ///< temperature as a share of the best cost, falling geometrically
    LevelShares levelsBegin{}, levelsEnd{}; ///< how often each level is drawn, changing linearly
    double priorityShare = 0;               ///< of moves that change a priority; the plan must have them
    double delayShare = .5;                 ///< of moves that start from a delay
    bool earlyAbort = true;                 ///< false: simulate every candidate to its end; for comparison only
};

class LocalSearch {
public:
    LocalSearch(const Problem& problem, const OpGroups& groups, SearchRun& run, Random& random);

    /// Walks from the plan until the stage's share of the budget is spent; returns the best plan on the way.
    [[nodiscard]] ScoredPlan anneal(const ScoredPlan& from, const AnnealingStage& stage);
    /// Of all stages so far.
    [[nodiscard]] std::int64_t accepted() const { return m_accepted; }

private:
    [[nodiscard]] std::size_t drawLevel(const AnnealingStage& stage, double progress);
    bool propose(Plan& plan, const AnnealingStage& stage, double progress);

    SearchRun& m_run;
    Random& m_random;
    Moves m_moves;
    std::vector<Delay> m_delays; ///< of the plan that the search is at
    bool m_knowsDelays = false;
    std::int64_t m_accepted = 0;
};

} // namespace opscape
