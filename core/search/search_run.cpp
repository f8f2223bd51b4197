// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/search/search_run.h>

#include <cmath>
#include <utility>

namespace opscape {
namespace {

/// A plan that is over by a share s of a device's memory costs 5% + 2s more: the step keeps a cool search from leaning
/// against the limit from the wrong side.
constexpr double kOverAtAll = 0.05;
constexpr double kOverByShare = 2;
constexpr auto kReportEvery = std::chrono::milliseconds(50);

} // namespace

SearchRun::SearchRun(const Problem& problem, const RunContext& context, SearchBudget budget)
    : m_problem(problem),
      m_context(context),
      m_budget(budget),
      m_simulator(problem) {}

std::optional<Score> SearchRun::score(const Plan& plan) {
    if (isPipeline())
        return scorePipeline(plan);
    ++m_simulations;
    if (!m_simulator.run(plan, Detail::Makespan, m_schedule))
        return std::nullopt;
    return judgeSchedule(plan);
}

std::optional<Score> SearchRun::scoreWithin(const Plan& plan, std::int64_t limitNs, bool earlyAbort) {
    std::optional<Score> score;
    if (earlyAbort && !isPipeline()) {
        ++m_simulations;
        const auto within = m_simulator.runWithin(plan, limitNs, m_schedule);
        if (within && *within)
            score = judgeSchedule(plan);
        else
            report();
    } else {
        score = this->score(plan);
    }
    return score && score->costNs <= limitNs ? score : std::nullopt;
}

std::optional<Score> SearchRun::times(const Plan& plan) {
    if (isPipeline())
        return scorePipeline(plan);
    ++m_simulations;
    if (!m_simulator.run(plan, Detail::Times, m_schedule))
        return std::nullopt;
    return judgeSchedule(plan);
}

std::optional<Score> SearchRun::scorePipeline(const Plan& plan) {
    ++m_simulations;
    // Only a fixed order can keep a plan from running.
    if (plan.policy == QueuePolicy::Order && !m_simulator.run(plan, Detail::Makespan, m_schedule))
        return std::nullopt;
    m_pipeline = pipelineReport(m_problem, plan);
    return judge(plan, m_pipeline.periodNs, m_pipeline.feasible, m_pipeline.devices);
}

void SearchRun::delays(const Plan& plan, std::vector<Delay>& found) const {
    if (isPipeline())
        pipelineDelays(m_problem, plan, m_pipeline, found);
    else
        m_simulator.delays(found);
}

Score SearchRun::judgeSchedule(const Plan& plan) {
    return judge(plan, m_schedule.makespanNs, m_schedule.feasible, m_schedule.devices);
}

Score SearchRun::judge(const Plan& plan, std::int64_t timeNs, bool feasible, const auto& devices) {
    Score score{timeNs, timeNs, feasible};
    if (!feasible) {
        double over = kOverAtAll;
        for (std::size_t d = 0; d < devices.size(); ++d) {
            if (const std::int64_t bytes = devices[d].overBytes; bytes > 0)
                over += kOverByShare * static_cast<double>(bytes) /
                        static_cast<double>(m_problem.cluster->kindOf(DeviceId(d)).memoryBytes);
        }
        score.costNs += std::llround(over * static_cast<double>(timeNs));
    }
    if (!m_best || score.betterThan(m_best->score)) {
        m_best = {plan, score};
        m_isBestTold = !feasible;
    }
    report();
    return score;
}

double SearchRun::spent() const {
    if (m_budget.simulations > 0)
        return static_cast<double>(m_simulations) / static_cast<double>(m_budget.simulations);
    const std::chrono::duration<double> elapsed = m_context.now() - m_begin;
    return m_budget.seconds > 0 ? elapsed.count() / m_budget.seconds : 1;
}

void SearchRun::report() {
    const Clock::time_point now = Clock::now();
    if (now - m_reported < kReportEvery)
        return;
    m_reported = now;
    m_context.report({std::min(1.0, spent()), m_best ? m_best->score.timeNs : -1, m_simulations, m_stage,
                      !m_best || m_best->score.feasible});
    tellBest();
}

void SearchRun::tellBest() {
    if (!std::exchange(m_isBestTold, true) && m_context.improved)
        m_context.improved(m_best->plan, m_best->score.timeNs);
}

Result<Plan> SearchRun::finish() {
    if (!m_best)
        return fail("no plan was found that can run.");
    tellBest();
    std::string stage = m_stage;
    if (!m_best->score.feasible) {
        const Cluster& cluster = *m_problem.cluster;
        const std::string noneFits = "no plan was found that fits: ";
        if (isPipeline())
            stage = noneFits + outOfMemoryReport(cluster, pipelineReport(m_problem, m_best->plan));
        else if (m_simulator.run(m_best->plan, Detail::Makespan, m_schedule))
            stage = noneFits + outOfMemoryReport(cluster, m_schedule);
    }
    m_context.report({1, m_best->score.timeNs, m_simulations, stage, m_best->score.feasible});
    return m_best->plan;
}

} // namespace opscape
