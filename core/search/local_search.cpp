// SPDX-License-Identifier: MIT
// Annealing as Kirkpatrick, Gelatt and Vecchi (1983): a candidate is taken when its cost is at most that of the current
// plan plus T * -log(u), u uniform, which is the usual acceptance probability with u drawn first.
#include <opscape/search/local_search.h>

#include <cmath>

namespace opscape {

LocalSearch::LocalSearch(const Problem& problem, const OpGroups& groups, SearchRun& run, Random& random)
    : m_run(run),
      m_random(random),
      m_moves(problem, groups, random) {}

std::size_t LocalSearch::drawLevel(const AnnealingStage& stage, double progress) {
    LevelShares shares;
    double sum = 0;
    for (std::size_t level = 0; level < shares.size(); ++level) {
        shares[level] = stage.levelsBegin[level] * (1 - progress) + stage.levelsEnd[level] * progress;
        sum += shares[level];
    }
    double draw = m_random.uniform() * sum;
    std::size_t last = 0;
    for (std::size_t level = 0; level < shares.size(); ++level) {
        if (shares[level] <= 0)
            continue;
        last = level;
        draw -= shares[level];
        if (draw < 0)
            break;
    }
    return last;
}

bool LocalSearch::propose(Plan& plan, const AnnealingStage& stage, double progress) {
    const bool isPriority = stage.priorityShare > 0 && m_random.uniform() < stage.priorityShare;
    const bool fromDelay = isPriority || m_random.uniform() < stage.delayShare;
    if (fromDelay && !m_knowsDelays) {
        m_delays.clear();
        if (m_run.times(plan))
            m_run.delays(plan, m_delays);
        m_knowsDelays = true;
    }
    if (isPriority)
        return m_moves.movePriority(plan, m_delays);
    return m_moves.moveGroups(plan, drawLevel(stage, progress), fromDelay ? m_delays : std::span<const Delay>());
}

ScoredPlan LocalSearch::anneal(const ScoredPlan& from, const AnnealingStage& stage) {
    constexpr int kMostIdle = 2000; // moves in a row that change nothing: there is nothing to move
    m_run.setStage(stage.name);
    m_knowsDelays = false;
    ScoredPlan best = from;
    Plan plan = from.plan;
    std::int64_t costNs = from.score.costNs;
    int idle = 0;
    while (!m_run.isOver() && idle < kMostIdle) {
        const double progress = (m_run.spent() - stage.begin) / (stage.end - stage.begin);
        if (progress >= 1)
            break;
        if (!propose(plan, stage, std::max(0.0, progress))) {
            ++idle;
            continue;
        }
        idle = 0;
        const double temperature = stage.hot * std::pow(stage.cold / stage.hot, std::max(0.0, progress));
        const double slack = -temperature * std::log(std::max(1e-12, m_random.uniform()));
        const std::int64_t limitNs = costNs + static_cast<std::int64_t>(slack * static_cast<double>(best.score.costNs));
        const auto score = m_run.scoreWithin(plan, limitNs, stage.earlyAbort);
        if (!score) {
            m_moves.undo(plan);
            continue;
        }
        ++m_accepted;
        m_knowsDelays = false;
        costNs = score->costNs;
        if (score->betterThan(best.score))
            best = {plan, *score};
    }
    return best;
}

} // namespace opscape
