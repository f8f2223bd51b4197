// SPDX-License-Identifier: MIT
// One search under way: it simulates candidates, counts what has been spent of the budget, keeps the best plan, and
// tells whoever watches. A plan is judged by the objective of the problem, its step time or its period as a pipeline,
// stretched where memory runs out by the share of bytes that is missing, so that a search finds its way back; any plan
// that fits is better than any that does not. As a pipeline, what has to fit is the resident bytes.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/sim/pipeline.h>

#include <chrono>
#include <optional>

namespace opscape {

struct Score {
    std::int64_t timeNs = 0; ///< step time or period, as the objective says
    std::int64_t costNs = 0; ///< time and penalty; equal to the time when feasible
    bool feasible = true;

    [[nodiscard]] bool betterThan(const Score& other) const {
        return feasible != other.feasible ? feasible : costNs < other.costNs;
    }
    friend bool operator==(const Score&, const Score&) = default;
};

struct ScoredPlan {
    Plan plan;
    Score score;
};

/// What a search may spend. With a number of simulations its result is the same on any machine; time does not count
/// then.
struct SearchBudget {
    std::int64_t simulations = 0; ///< 0: by seconds
    double seconds = 0;

    /// For methods that end by themselves.
    [[nodiscard]] static constexpr SearchBudget unlimited() { return {1'000'000'000'000, 0}; }
};

class SearchRun {
public:
    /// The problem must outlive it.
    SearchRun(const Problem& problem, const RunContext& context, SearchBudget budget);

    /// None when the plan cannot run (a fixed order that deadlocks).
    [[nodiscard]] std::optional<Score> score(const Plan& plan);
    /// None also when the cost is above the limit. Gives up as soon as that is certain, unless told otherwise; for a
    /// period, which takes no simulation, there is nothing to give up.
    [[nodiscard]] std::optional<Score> scoreWithin(const Plan& plan, std::int64_t limitNs, bool earlyAbort = true);
    /// Score, and in schedule() when every op ran; that only where the objective is the step time.
    [[nodiscard]] std::optional<Score> times(const Plan& plan);
    [[nodiscard]] const Schedule& schedule() const { return m_schedule; }
    /// Where the plan loses time. To be called right after times() of the same plan.
    void delays(const Plan& plan, std::vector<Delay>& found) const;

    /// The best of all plans that were scored; none when none could run.
    [[nodiscard]] const std::optional<ScoredPlan>& best() const { return m_best; }
    /// The best plan, once the search is over; says so in a last report when it does not fit in memory.
    [[nodiscard]] Result<Plan> finish();

    [[nodiscard]] std::int64_t simulations() const { return m_simulations; }
    /// Share of the budget, 0 to 1.
    [[nodiscard]] double spent() const;
    /// The budget is spent, or whoever started it wants it to stop.
    [[nodiscard]] bool isOver() const { return m_context.stopRequested() || spent() >= 1; }
    [[nodiscard]] const std::stop_token& stop() const { return m_context.stop; }

    void setStage(std::string stage) { m_stage = std::move(stage); }

private:
    using Clock = RunPause::Clock;

    [[nodiscard]] bool isPipeline() const { return m_problem.objective == Objective::Pipeline; }
    [[nodiscard]] std::optional<Score> scorePipeline(const Plan& plan);
    Score judge(const Plan& plan, std::int64_t timeNs, bool feasible, const auto& devices);
    Score judgeSchedule(const Plan& plan);
    void report();
    void tellBest();

    const Problem& m_problem;
    const RunContext& m_context;
    SearchBudget m_budget;
    Simulator m_simulator;
    Schedule m_schedule;
    PipelineReport m_pipeline;
    std::optional<ScoredPlan> m_best;
    bool m_isBestTold = true; ///< whoever watches has it, or it does not fit
    std::int64_t m_simulations = 0;
    std::string m_stage;
    Clock::time_point m_begin = m_context.now(), m_reported;
};

} // namespace opscape
