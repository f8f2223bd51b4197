// SPDX-License-Identifier: MIT
// Measured times given to the graph that is open.
#include "gui/session.h"
#include "service/times_import.h"

#include <QFileInfo>

namespace opscape {

void Session::importTimes(const QString& path) {
    if (!m_opened)
        return;
    m_jobs.start(QStringLiteral("open"), tr("Importing times from %1").arg(QFileInfo(path).fileName()),
                 [this, path, opened = m_opened](const RunContext&) -> JobRunner::Deliver {
                     auto imported = opscape::importTimes(*opened, path.toStdString());
                     if (!imported)
                         return [this, error = imported.error()] { say(Severity::Error, error.message); };
                     return [this, imported = std::move(*imported)] {
                         for (const char* lane : {"show", "run", "compare"})
                             m_jobs.abandon(QLatin1String(lane)); // it was about the graph without the times
                         takeOver();
                         const Selection selected = m_selection; // the ops are the same ones
                         setOpened(imported.opened);
                         select({selected.ops, {}, -1});
                         say(Severity::Info, imported.sentence);
                         placeOpened();
                     };
                 });
}

} // namespace opscape
