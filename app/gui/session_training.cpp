// SPDX-License-Identifier: MIT
// Trainings of the window: each in a process of its own (service/run_process.h), which a job here waits for. They may
// go on while other graphs and runs are looked at, and after the window is closed.
#include "gui/session.h"
#include "service/run_control.h"
#include "service/run_process.h"

#include <algorithm>

namespace opscape {
namespace {

const QString kTraining = QStringLiteral("training"); ///< lanes begin with it, one for each training

} // namespace

QString Session::laneFor(const std::string& optimizer) {
    const auto info = m_workbench ? m_workbench->registry().optimizer(optimizer)
                                  : Result<const OptimizerInfo*>(fail("the plugins are not loaded yet."));
    return info && (*info)->learns ? QStringLiteral("%1 %2").arg(kTraining).arg(++m_lastTraining)
                                   : QStringLiteral("run");
}

int Session::trainings() const {
    return static_cast<int>(
        std::ranges::count_if(m_jobs.jobs(), [](const JobRunner::Job& job) { return job.lane.startsWith(kTraining); }));
}

void Session::letTrainingsGoOn() { *m_letGo = true; }

Session::Optimize Session::elsewhere() const {
    return [runner = m_start.runner, letGo = m_letGo](const Workbench& workbench, const RunSubject& subject,
                                                      const OptimizeRequest& request,
                                                      const RunContext& context) -> Result<Outcome> {
        const auto info = workbench.registry().optimizer(request.optimizer);
        if (!info || !(*info)->learns)
            return workbench.optimize(subject.opened, subject.cluster, request, context);
        const auto run = workbench.begin(subject.opened, subject.cluster, request);
        if (!run)
            return fail(run.error());
        return carryOutElsewhere(workbench, runner, *run, subject, context, *letGo);
    };
}

void Session::resumeTraining(qint64 id) {
    const QString lane = QStringLiteral("%1 %2").arg(kTraining).arg(++m_lastTraining);
    m_resultLane.clear(); // what is looked at stays
    m_jobs.start(lane, tr("Run %1").arg(id),
                 [this, id, lane, opened = m_opened, loading = m_loading, runner = m_start.runner,
                  letGo = m_letGo](const RunContext& context) -> JobRunner::Deliver {
                     const auto workbench = loading.get();
                     const auto subject = workbench->reopen(id, opened);
                     auto outcome = subject ? carryOutElsewhere(*workbench, runner, id, *subject, context, *letGo)
                                            : Result<Outcome>(fail(subject.error()));
                     return deliver(std::move(outcome), lane, context.stopRequested());
                 });
    m_jobs.awaitLate(lane);
    emit runsTouched();
}

void Session::askTraining(qint64 id, RunWish wish) {
    m_jobs.start(
        QStringLiteral("ask"), tr("Run %1").arg(id),
        [this, id, wish, database = m_start.database](const RunContext&) -> JobRunner::Deliver {
            const auto store = RunStore::open(database);
            const auto asked = store ? askRun(*store, id, wish) : Result<>(fail(store.error()));
            if (asked)
                return {};
            return [this, error = asked.error()] { say(Severity::Error, error.message); };
        },
        false);
}

} // namespace opscape
