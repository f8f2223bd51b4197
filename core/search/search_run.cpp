// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/search/search_run.h>

#include <cmath>

namespace opscape {
namespace {

/// A plan that is over by a share s of a device's memory costs 5% + 2s more: the step keeps a cool search from leaning
/// against the limit from the wrong side.
constexpr double kOverAtAll = 0.05;
constexpr double kOverByShare = 2;
constexpr auto kReportEvery = std::chrono::milliseconds(50);

} // namespace

SearchRun::SearchRun(const Problem& problem, const RunContext& context, SearchBudget budget)
    : m_cluster(*problem.cluster),
      m_context(context),
      m_budget(budget),
      m_simulator(problem) {}

std::optional<Score> SearchRun::score(const Plan& plan) {
    ++m_simulations;
    if (!m_simulator.run(plan, Detail::Makespan, m_schedule))
        return std::nullopt;
    return judge(plan);
}

std::optional<Score> SearchRun::scoreWithin(const Plan& plan, std::int64_t limitNs, bool earlyAbort) {
    std::optional<Score> score;
    if (earlyAbort) {
        ++m_simulations;
        const auto within = m_simulator.runWithin(plan, limitNs, m_schedule);
        if (within && *within)
            score = judge(plan);
        else
            report();
    } else {
        score = this->score(plan);
    }
    return score && score->costNs <= limitNs ? score : std::nullopt;
}

std::optional<Score> SearchRun::times(const Plan& plan) {
    ++m_simulations;
    if (!m_simulator.run(plan, Detail::Times, m_schedule))
        return std::nullopt;
    return judge(plan);
}

Score SearchRun::judge(const Plan& plan) {
    Score score{m_schedule.makespanNs, m_schedule.makespanNs, m_schedule.feasible};
    if (!score.feasible) {
        double over = kOverAtAll;
        for (std::size_t d = 0; d < m_schedule.devices.size(); ++d) {
            const std::int64_t bytes = m_schedule.devices[d].overBytes;
            if (bytes > 0)
                over += kOverByShare * static_cast<double>(bytes) /
                        static_cast<double>(m_cluster.kindOf(DeviceId(d)).memoryBytes);
        }
        score.costNs += std::llround(over * static_cast<double>(score.makespanNs));
    }
    if (!m_best || score.betterThan(m_best->score))
        m_best = {plan, score};
    report();
    return score;
}

double SearchRun::spent() const {
    if (m_budget.simulations > 0)
        return static_cast<double>(m_simulations) / static_cast<double>(m_budget.simulations);
    const std::chrono::duration<double> elapsed = Clock::now() - m_begin;
    return m_budget.seconds > 0 ? elapsed.count() / m_budget.seconds : 1;
}

void SearchRun::report() {
    const Clock::time_point now = Clock::now();
    if (now - m_reported < kReportEvery)
        return;
    m_reported = now;
    m_context.report({std::min(1.0, spent()), m_best ? m_best->score.makespanNs : -1, m_simulations, m_stage,
                      !m_best || m_best->score.feasible});
}

Result<Plan> SearchRun::finish() {
    if (!m_best)
        return fail("no plan was found that can run.");
    std::string stage = m_stage;
    if (!m_best->score.feasible) {
        if (m_simulator.run(m_best->plan, Detail::Makespan, m_schedule))
            stage = "no plan was found that fits: " + outOfMemoryReport(m_cluster, m_schedule);
    }
    m_context.report({1, m_best->score.makespanNs, m_simulations, stage, m_best->score.feasible});
    return m_best->plan;
}

} // namespace opscape
