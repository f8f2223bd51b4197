// SPDX-License-Identifier: MIT
// Simulates many plans at once, one simulator per thread, and keeps the best. Which thread took which plan does not
// show in the result.
#pragma once

#include <opscape/search/search_run.h>

#include <memory>
#include <span>

namespace opscape::rl {

class Judge {
public:
    /// Must not outlive the problem and the context.
    Judge(const Problem& problem, const RunContext& context, int threads);

    /// None where a plan cannot run, or was not looked at because the run is to stop.
    [[nodiscard]] std::vector<std::optional<Score>> score(std::span<const Plan> plans);

    /// Of all plans so far, the first one on a tie.
    [[nodiscard]] const std::optional<ScoredPlan>& best() const { return m_best; }
    void restoreBest(std::optional<ScoredPlan> best) { m_best = std::move(best); }
    [[nodiscard]] std::int64_t simulations() const { return m_simulations; }
    void addSimulations(std::int64_t count) { m_simulations += count; }

private:
    const RunContext& m_context;
    RunContext m_quiet;                             ///< of the simulators, which report nothing themselves
    std::vector<std::unique_ptr<SearchRun>> m_runs; ///< per thread
    std::optional<ScoredPlan> m_best;
    std::int64_t m_simulations = 0;
};

} // namespace opscape::rl
