// SPDX-License-Identifier: MIT
#include <opscape/rl/train/judge.h>
#include <opscape/rl/train/rollout.h>

#include <algorithm>

namespace opscape::rl {
namespace {

constexpr SearchBudget kNoEnd{1'000'000'000'000'000, 0};

} // namespace

Judge::Judge(const Problem& problem, const RunContext& context, int threads) : m_context(context) {
    for (int thread = 0; thread < std::max(1, threads); ++thread)
        m_runs.push_back(std::make_unique<SearchRun>(problem, m_quiet, kNoEnd));
}

std::vector<std::optional<Score>> Judge::score(std::span<const Plan> plans) {
    std::vector<std::optional<Score>> scores(plans.size());
    std::vector<std::uint8_t> isDone(plans.size());
    inParallel(static_cast<int>(m_runs.size()), static_cast<int>(plans.size()), [&](int thread, int index) {
        if (m_context.stopRequested())
            return;
        const auto i = static_cast<std::size_t>(index);
        scores[i] = m_runs[static_cast<std::size_t>(thread)]->score(plans[i]);
        isDone[i] = 1;
    });
    m_simulations += std::ranges::count(isDone, 1);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (scores[i] && (!m_best || scores[i]->betterThan(m_best->score)))
            m_best = {plans[i], *scores[i]};
    }
    return scores;
}

} // namespace opscape::rl
