// SPDX-License-Identifier: MIT
// What the session does to compare plans: kept runs, what standard methods give, the plan that is shown.
#include "gui/session.h"
#include "gui/words.h"
#include "service/comparison.h"
#include "service/comparison_runs.h"
#include "service/file_plan.h"

#include <algorithm>

namespace opscape {
namespace {

const QString kCompareLane = QStringLiteral("compare");

ShownRunPtr shownOf(Outcome outcome) {
    return std::make_shared<const ShownRun>(std::make_shared<const Outcome>(std::move(outcome)));
}

std::vector<OutcomePtr> outcomesOf(const std::vector<ShownRunPtr>& runs) {
    std::vector<OutcomePtr> outcomes;
    for (const ShownRunPtr& run : runs)
        outcomes.push_back(run->outcome);
    return outcomes;
}

/// Why a plan that was just made is not among the runs; empty when it is.
std::string whyNotKept(const Outcome& outcome) {
    for (const Diagnostic& entry : outcome.diagnostics.entries()) {
        if (entry.code == "run-not-kept" && !entry.examples.empty())
            return fmt::format("The plan of {} is compared, but not kept as a run: {}", outcome.run.optimizer,
                               entry.examples.front());
    }
    return {};
}

bool isBy(const ShownRun& run, const std::vector<std::string>& methods) {
    return run.start == nullptr && std::ranges::find(methods, run.outcome->run.optimizer) != methods.end();
}

} // namespace

void Session::compareRuns(const std::vector<qint64>& ids) {
    m_jobs.start(kCompareLane, tr("Comparing %1 runs").arg(ids.size()),
                 [this, ids, opened = m_opened, shown = m_shown,
                  loading = m_loading](const RunContext& context) -> JobRunner::Deliver {
                     std::vector<ShownRunPtr> runs;
                     for (const qint64 id : ids) {
                         if (context.stopRequested())
                             return {};
                         if (shown && shown->outcome->run.id == id) { // so that its edits are followed
                             runs.push_back(shown);
                             continue;
                         }
                         auto outcome =
                             loading.get()->restore(id, runs.empty() ? opened : runs.front()->outcome->opened);
                         if (!outcome)
                             return [this, error = outcome.error()] { say(Severity::Error, error.message); };
                         runs.push_back(shownOf(std::move(*outcome)));
                     }
                     if (const auto can = checkComparable(outcomesOf(runs)); !can)
                         return [this, error = can.error()] { say(Severity::Error, error.message); };
                     return [this, runs = std::move(runs)] {
                         if (!m_opened || m_opened->graph->hash() != runs.front()->problem().graph->hash())
                             setShown(runs.front()); // their graph is not the one that is open
                         setComparison(runs);
                     };
                 });
}

void Session::compareStandard() {
    const std::vector<std::string> methods{"metis", "expert", "heft"};
    std::vector<ShownRunPtr> others;
    const bool isPreview = m_shown && m_shown->preview && m_shown->outcome->run.optimizer != kAsInFile;
    if (m_shown && !isPreview && !m_shown->goesOn && !isBy(*m_shown, methods))
        others.push_back(m_shown);
    if (m_shown && m_shown->start != nullptr && others.empty())
        others.push_back(m_shown); // edited by hand
    gatherComparison(others, methods, tr("Comparing with METIS, expert and HEFT"));
}

void Session::compareWith(const std::string& method) {
    std::vector<ShownRunPtr> others = m_comparison;
    std::erase_if(others, [&method](const ShownRunPtr& run) { return isBy(*run, {method}); });
    if (others.empty() && m_shown && !isBy(*m_shown, {method}))
        others.push_back(m_shown);
    if (others.size() >= kMostCompared)
        return say(Severity::Info,
                   fmt::format("{} plans are compared already; end the comparison, or compare fewer, to "
                               "set them against {}.",
                               others.size(), method));
    gatherComparison(others, {method}, tr("Comparing with %1").arg(qs(method)));
}

void Session::gatherComparison(const std::vector<ShownRunPtr>& others, const std::vector<std::string>& methods,
                               const QString& title) {
    if (!m_opened)
        return;
    ClusterChoice choice = m_start.cluster;
    if (m_shown)
        choice = {m_shown->cluster().id(), m_shown->problem().cluster, m_shown->cluster().linkModel()};
    m_jobs.start(kCompareLane, title,
                 [this, others, methods, choice, opened = m_opened, optimize = elsewhere(),
                  loading = m_loading](const RunContext& given) -> JobRunner::Deliver {
                     const auto cluster = choice.load(*opened);
                     if (!cluster)
                         return [this, error = cluster.error()] { say(Severity::Error, error.message); };
                     std::vector<ShownRunPtr> runs = others;
                     std::string why;
                     for (std::size_t i = 0; i < methods.size() && !given.stopRequested(); ++i) {
                         RunContext context = given;
                         context.progress = [&given, i, n = methods.size()](Progress progress) {
                             const double part = std::max(0.0, progress.fraction);
                             progress.fraction = (static_cast<double>(i) + part) / static_cast<double>(n);
                             given.report(progress);
                         };
                         if (auto kept = keptOutcome(*loading.get(), opened, **cluster, methods[i])) {
                             runs.push_back(shownOf(*std::move(kept)));
                             continue;
                         }
                         OptimizeRequest request;
                         request.optimizer = methods[i];
                         auto outcome = optimize(*loading.get(), {{}, opened, *cluster}, request, context);
                         if (!outcome) {
                             why = outcome.error().message;
                             continue;
                         }
                         if (const std::string lost = whyNotKept(*outcome); !lost.empty())
                             why = lost;
                         runs.push_back(shownOf(std::move(*outcome)));
                     }
                     return [this, why, opened, runs = std::move(runs)] {
                         if (runs.size() > 1 && opened == m_opened)
                             setComparison(runs);
                         if (!why.empty()) // after that: what was said before is over with a new comparison
                             say(Severity::Warning, why);
                         emit runsTouched();
                     };
                 });
    m_jobs.awaitLate(kCompareLane); // the best plan of what was stopped is worth comparing
}

void Session::compareWithStart() {
    if (m_shown && m_shown->start)
        setComparison({m_shown->start, m_shown});
}

void Session::addShownToComparison() {
    if (!m_shown || m_comparison.empty())
        return;
    std::vector<ShownRunPtr> runs = m_comparison;
    runs.push_back(m_shown);
    if (const auto can = checkComparable(outcomesOf(runs)); !can)
        return say(Severity::Info, can.error().message);
    setComparison(std::move(runs));
}

void Session::clearComparison() { setComparison({}); }

void Session::setComparison(std::vector<ShownRunPtr> runs) {
    m_comparison = std::move(runs);
    const auto shown = std::find(m_comparison.rbegin(), m_comparison.rend(), m_shown);
    m_editedAt = shown == m_comparison.rend() ? -1 : static_cast<int>(m_comparison.rend() - shown) - 1;
    emit comparisonChanged();
}

void Session::followInComparison(const ShownRunPtr& run) {
    if (m_editedAt < 0 || m_comparison[static_cast<std::size_t>(m_editedAt)] == run)
        return;
    m_comparison[static_cast<std::size_t>(m_editedAt)] = run;
    emit comparisonFollowed();
}

} // namespace opscape
