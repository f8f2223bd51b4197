// SPDX-License-Identifier: MIT
// The compared plans as a report that can be given to someone else.
#include "gui/views/compare_pane.h"
#include "gui/words.h"
#include "render/report.h"

#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>

namespace opscape {

void ComparePane::askForReport() {
    const ShownRunPtr shown = m_session.shown();
    if (!shown)
        return;
    const QString name = qs(shown->problem().graph->name()) + QStringLiteral("-report.html");
    const QString file = QFileDialog::getSaveFileName(this, tr("Write a report"),
                                                      m_reportFolder.isEmpty() ? name : m_reportFolder + u'/' + name,
                                                      tr("Web page (*.html *.htm);;PDF (*.pdf)"));
    if (file.isEmpty())
        return;
    m_reportFolder = QFileInfo(file).absolutePath();
    exportReport(file);
}

void ComparePane::exportReport(const QString& file) {
    std::vector<ShownRunPtr> runs = m_session.comparison();
    if (runs.empty() && m_session.shown())
        runs.push_back(m_session.shown());
    if (runs.empty())
        return;
    ReportRequest request;
    request.madeAt = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd HH:mm")).toStdString();
    for (const ShownRunPtr& run : runs)
        request.plans.push_back({methodText(*run).toStdString(), run->outcome});
    m_session.jobs().start(
        QStringLiteral("report"), tr("Writing %1").arg(QFileInfo(file).fileName()),
        [this, request, file](const RunContext& context) -> JobRunner::Deliver {
            const auto written = writeReport(file.toStdString(), request, context);
            return [this, file, written, stopped = context.stopRequested()] {
                emit m_session.said(written || stopped ? Severity::Info : Severity::Error,
                                    written ? tr("Written to %1.").arg(file) : qs(written.error().message));
            };
        },
        true, this);
}

} // namespace opscape
