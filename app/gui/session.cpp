// SPDX-License-Identifier: MIT
#include "gui/session.h"

#include "gui/words.h"
#include "service/file_plan.h"
#include "service/run_process.h"

#include <opscape/base/units.h>

#include <QFileInfo>

#include <algorithm>

namespace opscape {
namespace {

const QString kOpenLane = QStringLiteral("open");
const QString kShowLane = QStringLiteral("show"); ///< what is to be shown next
const QString kRunLane = QStringLiteral("run");   ///< the run that goes on; others may be looked at meanwhile
const QString kCompareLane = QStringLiteral("compare");
const QString kSaveLane = QStringLiteral("save");

ShownRunPtr prepare(Outcome outcome, bool preview = false) {
    auto run = std::make_shared<ShownRun>(std::make_shared<const Outcome>(std::move(outcome)));
    run->preview = preview;
    return run;
}

} // namespace

Result<std::shared_ptr<const Cluster>> ClusterChoice::load(const OpenedGraph& opened) const {
    auto cluster = ready ? Result<std::shared_ptr<const Cluster>>(ready) : chooseCluster(opened, pathOrName);
    if (cluster && linkModel)
        return std::make_shared<const Cluster>((*cluster)->withLinkModel(*linkModel));
    return cluster;
}

Session::Session(Start start, QObject* parent) : QObject(parent), m_start(std::move(start)) {
    if (m_start.database.empty())
        m_start.database = RunStore::defaultFile();
    if (m_start.runner.empty())
        m_start.runner = defaultRunner();
    connect(&m_jobs, &JobRunner::failed, this, [this](const QString& what) { emit said(Severity::Error, what); });
    connect(&m_best, &BestSoFar::found, this, &Session::setShown);
    connect(&m_whatIf, &WhatIf::judged, this, &Session::showEdited);
    connect(&m_whatIf, &WhatIf::changed, this, &Session::editsChanged);
    connect(&m_whatIf, &WhatIf::said, this, &Session::said);
    connect(&m_jobs, &JobRunner::changed, this, [this] { // also where the work was cancelled and goes on unheard
        if (!m_jobs.busy(kShowLane) && !m_jobs.busy(m_bestLane))
            m_best.stop();
    });

    auto promise = std::make_shared<std::promise<WorkbenchPtr>>();
    m_loading = promise->get_future().share();
    m_jobs.start(
        QStringLiteral("plugins"), tr("Loading plugins"),
        [this, promise, database = m_start.database](const RunContext&) -> JobRunner::Deliver {
            try {
                promise->set_value(std::make_shared<const Workbench>(database));
            } catch (...) {
                promise->set_exception(std::current_exception());
                throw;
            }
            return [this] {
                m_workbench = m_loading.get();
                emit ready();
            };
        },
        false);
}

void Session::openFile(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    m_jobs.start(kOpenLane, tr("Opening %1").arg(name), [this, path](const RunContext&) -> JobRunner::Deliver {
        return [this, path, opened = Workbench::openGraph(path.toStdString())] {
            if (!opened) {
                say(Severity::Error, opened.error().message);
                emit fileRefused(path);
                return;
            }
            for (const QString& lane : {kShowLane, kRunLane, kCompareLane})
                m_jobs.abandon(lane); // it was about the graph before
            takeOver();
            setOpened(*opened);
            emit fileOpened(path);
            placeOpened();
        };
    });
}

void Session::placeOpened() {
    const QString title =
        tr("Placing %1 with %2")
            .arg(QString::fromStdString(m_opened->graph->name()), QString::fromStdString(m_start.optimizer));
    m_jobs.start(kShowLane, title,
                 [this, opened = m_opened, start = m_start, loading = m_loading, optimize = elsewhere(),
                  contextOf = followBest()](const RunContext& given) -> JobRunner::Deliver {
                     const WorkbenchPtr workbench = loading.get();
                     const auto cluster = start.cluster.load(*opened);
                     if (!cluster)
                         return [this, error = cluster.error()] { say(Severity::Error, error.message); };
                     OptimizeRequest request;
                     request.optimizer = start.optimizer;
                     const RunContext context = contextOf(given, {workbench, opened, *cluster, request, {}});
                     auto outcome = start.keep
                                        ? optimize(*workbench, {{}, opened, *cluster}, request, context)
                                        : workbench->firstLook(opened, *cluster, start.optimizer, false, context);
                     std::string why;
                     if (!outcome) { // the graph is worth seeing all the same
                         why = outcome.error().message;
                         const Plan plan = Plan::allOn(DeviceId(0), opened->graph->opCount());
                         outcome = workbench->simulatePlan(opened, *cluster, plan, false);
                     }
                     if (!outcome)
                         return [this, why] { say(Severity::Error, why); };
                     return [this, why, keep = start.keep, run = prepare(std::move(*outcome), !start.keep)] {
                         setShown(run);
                         if (!why.empty())
                             say(Severity::Warning, why + " All ops are shown on the first device instead.");
                         if (keep)
                             emit runsTouched();
                     };
                 });
}

void Session::openRun(qint64 id) {
    takeOver();
    m_jobs.start(kShowLane, tr("Opening run %1").arg(id),
                 [this, id, opened = m_opened, loading = m_loading](const RunContext&) -> JobRunner::Deliver {
                     auto outcome = loading.get()->restore(id, opened);
                     if (!outcome)
                         return [this, error = outcome.error()] { say(Severity::Error, error.message); };
                     return [this, run = prepare(std::move(*outcome))] { setShown(run); };
                 });
}

void Session::optimize(const OptimizeRequest& request, const ClusterChoice& choice) {
    if (!m_opened)
        return;
    m_start.cluster = choice;
    for (const QString& lane : {kShowLane, kRunLane})
        m_jobs.abandon(lane);
    const QString lane = m_resultLane = m_bestLane = laneFor(request.optimizer);
    const QString title =
        tr("%1 on %2")
            .arg(QString::fromStdString(request.optimizer),
                 QString::fromStdString(choice.ready ? choice.ready->id()
                                                     : std::filesystem::path(choice.pathOrName).stem().string()));
    m_jobs.start(lane, title,
                 [this, request, choice, lane, opened = m_opened, loading = m_loading, optimize = elsewhere(),
                  contextOf = followBest()](const RunContext& given) -> JobRunner::Deliver {
                     const WorkbenchPtr workbench = loading.get();
                     const auto cluster = choice.load(*opened);
                     if (!cluster)
                         return [this, error = cluster.error()] { say(Severity::Error, error.message); };
                     RunContext context = contextOf(given, {workbench, opened, *cluster, request, {}});
                     context.seed = request.seed;
                     return deliver(optimize(*workbench, {{}, opened, *cluster}, request, context), lane,
                                    context.stopRequested());
                 });
    m_jobs.awaitLate(lane); // its best plan is worth seeing also when it is slow to stop
}

JobRunner::Deliver Session::deliver(Result<Outcome> outcome, const QString& lane, bool stopped) {
    if (!outcome) {
        return [this, error = outcome.error(), stopped] {
            say(stopped ? Severity::Info : Severity::Error, error.message);
            emit runsTouched();
        };
    }
    return [this, lane, run = prepare(std::move(*outcome))] {
        const bool isShown = lane == m_resultLane;
        if (isShown)
            setShown(run);
        reportRun(*run, isShown);
        emit runsTouched();
    };
}

std::function<RunContext(const RunContext&, const BestSoFar::Found&)> Session::followBest() {
    return [this, offer = m_best.follow()](const RunContext& given, const BestSoFar::Found& about) {
        RunContext context = given;
        context.baselines = [this](const auto&) { // the first that a run tells which learns
            QMetaObject::invokeMethod(this, &Session::learningBegan, Qt::QueuedConnection);
        };
        context.improved = [offer, about](const Plan& plan, std::int64_t) {
            BestSoFar::Found found = about;
            found.plan = plan;
            offer(std::move(found));
        };
        return context;
    };
}

void Session::reportRun(const ShownRun& run, bool isShown) {
    const RunRecord& record = run.outcome->run;
    const std::string time = formatTime(run.outcome->schedule.makespanNs);
    if (record.status == RunStatus::Finished && !isShown)
        say(Severity::Info,
            fmt::format("Run {} ({}) has finished: {} a step; it is under Runs.", record.id, record.optimizer, time));
    if (record.status == RunStatus::Cancelled)
        say(Severity::Info,
            fmt::format("Cancelled: the best plan so far, {} a step, is kept as run {}.", time, record.id));
    for (const Diagnostic& entry : run.outcome->diagnostics.entries()) {
        if (entry.code == "run-not-kept" && !entry.examples.empty())
            say(Severity::Warning, fmt::format("{}: {}", entry.summary, entry.examples.front()));
    }
    if (!run.outcome->schedule.feasible)
        say(Severity::Warning, outOfMemoryReport(run.cluster(), run.outcome->schedule));
}

void Session::setOpened(std::shared_ptr<const OpenedGraph> opened) {
    m_opened = std::move(opened);
    m_shown.reset();
    m_comparison.clear();
    m_editedAt = -1;
    m_selection = {};
    m_whatIf.reset();
    emit openedChanged();
    emit shownChanged();
    emit comparisonChanged();
    emit selectionChanged();
}

void Session::setShown(ShownRunPtr shown) {
    // A run of the graph that is open keeps the open one, and with it what is expanded and selected.
    const auto& opened = shown->outcome->opened;
    if (!m_opened || m_opened->graph->hash() != opened->graph->hash())
        setOpened(opened);
    m_shown = std::move(shown);
    if (!m_shown->goesOn)
        m_whatIf.follow(m_shown);
    emit shownChanged();
    if (m_selection.transfer >= 0) // transfers are those of one schedule
        select({});
}

void Session::showEdited(const ShownRunPtr& run) {
    const bool fitted = !m_shown || m_shown->outcome->schedule.feasible;
    m_shown = run;
    emit shownChanged();
    followInComparison(run);
    if (m_selection.transfer >= 0)
        select({});
    if (fitted && !run->outcome->schedule.feasible)
        say(Severity::Warning, outOfMemoryReport(run->cluster(), run->outcome->schedule));
}

void Session::takeOver() {
    m_best.stop();
    m_resultLane.clear();
}

void Session::edit(EditKind kind, DeviceId device, DeviceId other) {
    if (!m_shown)
        return;
    takeOver();
    if (m_shown->goesOn) // what is seen is what is edited
        m_whatIf.follow(m_shown);
    m_whatIf.edit(*m_shown, {kind, m_selection.ops, device, other});
}

void Session::undo() {
    takeOver();
    m_whatIf.undo();
}

void Session::redo() {
    takeOver();
    m_whatIf.redo();
}

void Session::saveShown() {
    if (!m_shown || m_shown->outcome->run.id > 0 || m_jobs.busy(kSaveLane))
        return;
    const RunRecord& record = m_shown->outcome->run;
    const bool asInFile = record.optimizer == kAsInFile && !m_shown->start;
    std::string notes = asInFile ? record.notes : fmt::format("Placed by {}.", record.optimizer);
    if (m_shown->start)
        notes = fmt::format("Edited by hand from {}, {} a step.", methodText(*m_shown->start).toStdString(),
                            formatTime(m_shown->start->outcome->schedule.makespanNs));
    m_jobs.start(kSaveLane, tr("Keeping the plan"),
                 [this, notes, method = std::string(asInFile ? kAsInFile : ""), shown = m_shown,
                  loading = m_loading](const RunContext&) -> JobRunner::Deliver {
                     auto outcome = loading.get()->simulatePlan(shown->outcome->opened, shown->problem().cluster,
                                                                shown->outcome->plan, true, notes, method);
                     if (!outcome)
                         return [this, error = outcome.error()] { say(Severity::Error, error.message); };
                     outcome->problem.pins = shown->problem().pins;
                     auto run = std::make_shared<ShownRun>(std::make_shared<const Outcome>(std::move(*outcome)));
                     run->start = shown->start;
                     return [this, shown, run] {
                         if (m_shown == shown) {
                             m_shown = run;
                             emit shownChanged();
                             emit editsChanged();
                             followInComparison(run);
                         }
                         if (run->outcome->run.id > 0)
                             say(Severity::Info, fmt::format("Kept as run {}: {} a step.", run->outcome->run.id,
                                                             formatTime(run->outcome->schedule.makespanNs)));
                         else
                             reportRun(*run, true);
                         emit runsTouched();
                     };
                 });
}

void Session::select(Selection selection) {
    std::ranges::sort(selection.ops);
    const auto repeated = std::ranges::unique(selection.ops);
    selection.ops.erase(repeated.begin(), repeated.end());
    if (selection == m_selection)
        return;
    m_selection = std::move(selection);
    emit selectionChanged();
}

void Session::selectOps(std::vector<OpId> ops) { select({std::move(ops), {}, -1}); }

void Session::selectScope(ScopeId scope) {
    if (m_opened)
        select({m_opened->scopes->opsBelow(scope), scope, -1});
}

void Session::selectTransfer(int transfer) { select({{}, {}, transfer}); }

} // namespace opscape
