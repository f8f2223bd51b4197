// SPDX-License-Identifier: MIT
// Kept runs made once more.
#include "gui/session.h"

namespace opscape {

void Session::withRun(qint64 id, std::function<void(const RunAgain&)> then) {
    m_jobs.start(QStringLiteral("again"), tr("Reading run %1").arg(id),
                 [this, id, then = std::move(then), opened = m_opened,
                  loading = m_loading](const RunContext&) -> JobRunner::Deliver {
                     auto again = opscape::runAgain(*loading.get(), id, opened);
                     if (!again)
                         return [this, error = again.error()] { say(Severity::Error, error.message); };
                     return [this, then, again = std::move(*again)] {
                         if (!m_opened || m_opened->graph->hash() != again.opened->graph->hash()) {
                             for (const char* lane : {"show", "run", "compare"})
                                 m_jobs.abandon(QLatin1String(lane)); // it was about the graph before
                             setOpened(again.opened);
                         }
                         then(again);
                     };
                 });
}

void Session::makeAgain(qint64 id) {
    withRun(id, [this](const RunAgain& again) {
        optimize(again.request, {again.cluster->id(), again.cluster, again.cluster->linkModel()});
    });
}

void Session::prepareAgain(qint64 id) {
    withRun(id, [this](const RunAgain& again) { emit againPrepared(again); });
}

} // namespace opscape
