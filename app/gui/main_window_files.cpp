// SPDX-License-Identifier: MIT
#include "gui/graph_export.h"
#include "gui/main_window.h"
#include "gui/views/compare_pane.h"
#include "gui/views/gantt_pane.h"
#include "gui/views/graph_pane.h"
#include "gui/views/models_pane.h"
#include "gui/views/runs_pane.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/run_dialog.h"
#include "gui/widgets/start_page.h"
#include "gui/widgets/zoo_dialog.h"
#include "gui/words.h"
#include "service/run_file.h"
#include "service/zoo_source.h"

#include <opscape/io/format.h>

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>

namespace opscape {
namespace {

const QString kRecentKey = QStringLiteral("files/recent");
const QString kFolderKey = QStringLiteral("files/folder");
const QString kPictureFolderKey = QStringLiteral("files/pictureFolder");
constexpr int kMostRecent = 10;

QString openFilter() {
    QStringList all, each;
    for (const GraphFormat& format : graphFormats()) {
        QStringList patterns;
        for (const QString& extension : qs(format.extensions).split(u' ', Qt::SkipEmptyParts))
            patterns << QStringLiteral("*.%1").arg(extension);
        all << patterns;
        each << QStringLiteral("%1 (%2)").arg(qs(format.title), patterns.join(u' '));
    }
    each.prepend(MainWindow::tr("Graphs (%1)").arg(all.join(u' ')));
    each << MainWindow::tr("All files (*)");
    return each.join(QStringLiteral(";;"));
}

QStringList localFiles(const QMimeData* data) {
    QStringList paths;
    for (const QUrl& url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

/// The absolute path of a file; a model of the zoo as it is.
QString whole(const QString& path) {
    return ZooSource::isMeant(path.toStdString()) ? path : QFileInfo(path).absoluteFilePath();
}

} // namespace

void MainWindow::openDialog() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a graph"), m_settings.value(kFolderKey).toString(), openFilter());
    if (!path.isEmpty())
        openFiles({path});
}

void MainWindow::openZooDialog() {
    auto* dialog = new ZooDialog(m_look, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { openFiles({dialog->source()}); });
    dialog->open();
}

void MainWindow::importTimesDialog() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Import measured times"), m_settings.value(kFolderKey).toString(),
                                     tr("Times (*.csv *.json *.gz *.pb *.pbtxt);;All files (*)"));
    if (!path.isEmpty())
        m_session.importTimes(path);
}

void MainWindow::openFiles(const QStringList& given) {
    QStringList paths;
    for (const QString& path : given) {
        if (path.endsWith(qs(kRunFileExtension)))
            m_runs->importRuns(path);
        else if (path.endsWith(qs(rl::kModelExtension)))
            findChild<ModelsPane*>()->importModel(path);
        else
            paths << path;
    }
    if (paths.isEmpty())
        return;
    // The first is opened; the others wait in the list of recent files, the next one on top.
    for (qsizetype i = paths.size() - 1; i > 0; --i)
        remember(whole(paths[i]));
    if (paths.size() > 1) {
        connect(
            &m_session, &Session::fileOpened, this,
            [this, others = paths.size() - 1](const QString& path) {
                m_messages->say(Severity::Info, tr("%1 is open; the other %2 are under File, Open recent.")
                                                    .arg(QFileInfo(path).fileName())
                                                    .arg(others));
            },
            Qt::SingleShotConnection);
    }
    const QString path = whole(paths.front());
    if (!ZooSource::isMeant(path.toStdString()))
        m_settings.setValue(kFolderKey, QFileInfo(path).absolutePath());
    m_session.openFile(path);
}

QStringList MainWindow::recentFiles() const { return m_settings.value(kRecentKey).toStringList(); }

void MainWindow::remember(const QString& path) {
    QStringList recent = recentFiles();
    recent.removeAll(path);
    recent.prepend(path);
    m_settings.setValue(kRecentKey, QStringList(recent.mid(0, kMostRecent)));
    recentChanged();
}

void MainWindow::recentChanged() {
    const QStringList recent = recentFiles();
    m_start->setRecent(recent);
    m_recentMenu->clear();
    m_recentMenu->setEnabled(!recent.isEmpty());
    for (qsizetype i = 0; i < recent.size(); ++i) {
        const QString number = i < 9 ? QStringLiteral("&%1  ").arg(i + 1) : QString();
        QAction* action =
            m_recentMenu->addAction(number + QFileInfo(recent[i]).fileName().replace(u'&', QStringLiteral("&&")));
        action->setToolTip(recent[i]);
        connect(action, &QAction::triggered, this, [this, path = recent[i]] { openFiles({path}); });
    }
    m_recentMenu->setToolTipsVisible(true);
    if (recent.isEmpty())
        return;
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("&Forget them")), &QAction::triggered, this, [this] {
        m_settings.remove(kRecentKey);
        recentChanged();
    });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFiles(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openFiles(localFiles(event->mimeData()));
}

void MainWindow::showRunDialog(bool keepPins, const RunAgain* again) {
    auto* dialog = new RunDialog(m_session, m_look, m_settings, this);
    dialog->setKeepPins(keepPins);
    if (again != nullptr)
        dialog->fillFrom(*again);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this,
            [this, dialog] { m_session.optimize(dialog->request(), dialog->choice()); });
    dialog->open();
}

void MainWindow::compareRuns(const std::vector<qint64>& runs, const QString& view) {
    const QStringList views{QStringLiteral("graphs"), QStringLiteral("schedules"), QStringLiteral("delta"),
                            QStringLiteral("memory"), QStringLiteral("ops")};
    if (const auto index = views.indexOf(view); index >= 0)
        m_compare->choose(static_cast<ComparePane::View>(index));
    m_session.compareRuns(runs);
}

void MainWindow::exportDialog(Picture what) {
    const bool graph = what == Picture::GraphSeen || what == Picture::GraphWhole;
    const QString name = qs(m_session.opened()->graph->name()) +
                         (graph ? QStringLiteral("-graph.png") : QStringLiteral("-schedule.png"));
    const QString folder = m_settings.value(kPictureFolderKey).toString();
    const QString path = QFileDialog::getSaveFileName(this, graph ? tr("Export the graph") : tr("Export the schedule"),
                                                      folder.isEmpty() ? name : folder + u'/' + name,
                                                      graph ? tr("Pictures (*.png *.svg *.pdf *.dot)")
                                                            : tr("Pictures (*.png *.svg *.pdf);;Chrome trace, for "
                                                                 "Perfetto (*.json);;Table (*.csv)"));
    if (path.isEmpty())
        return;
    m_settings.setValue(kPictureFolderKey, QFileInfo(path).absolutePath());
    exportPicture(what, path);
}

void MainWindow::exportGraphDialog() {
    const QString name = qs(m_session.opened()->graph->name());
    const QString folder = m_settings.value(kPictureFolderKey).toString();
    QString filter;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export the graph"), folder.isEmpty() ? name : folder + u'/' + name,
                                     graphExportFilter(m_session.shown() != nullptr), &filter);
    if (path.isEmpty())
        return;
    m_settings.setValue(kPictureFolderKey, QFileInfo(path).absolutePath());
    exportGraph(path, filter);
}

void MainWindow::exportGraph(QString path, const QString& filter) {
    const auto format = graphExportFormat(path, filter);
    if (!format || m_session.opened() == nullptr) {
        m_messages->say(format ? Severity::Info : Severity::Error,
                        format ? tr("There is nothing to export yet; open a graph first.")
                               : qs(format.error().message));
        return;
    }
    m_session.jobs().start(
        QStringLiteral("export"), tr("Writing %1").arg(QFileInfo(path).fileName()),
        [this, path, format = *format, opened = m_session.opened(),
         shown = m_session.shown()](const RunContext&) -> JobRunner::Deliver {
            const auto written = writeGraphExport(*opened, shown ? shown->outcome.get() : nullptr, *format, path);
            return [this, written] {
                m_messages->say(written ? Severity::Info : Severity::Error,
                                written ? *written : qs(written.error().message));
            };
        },
        true, this);
    m_session.jobs().awaitLate(QStringLiteral("export"));
}

void MainWindow::exportPicture(Picture what, const QString& path) {
    const bool graph = what == Picture::GraphSeen || what == Picture::GraphWhole;
    if (graph ? m_graph->canvas().scene() == nullptr : m_session.shown() == nullptr) {
        m_messages->say(Severity::Info, tr("There is nothing to export yet; open a graph first."));
        return;
    }
    const PictureExport picture =
        graph ? graphPicture(m_graph->canvas(), m_look.theme(), what == Picture::GraphWhole)
              : schedulePicture(m_session, m_gantt->canvas(), m_look.theme(), what == Picture::ScheduleWhole);
    m_session.jobs().start(
        QStringLiteral("export"), tr("Writing %1").arg(QFileInfo(path).fileName()),
        [this, picture, path](const RunContext& context) -> JobRunner::Deliver {
            const auto written = picture(path.toStdString(), context);
            return [this, path, written, stopped = context.stopRequested()] {
                m_messages->say(written || stopped ? Severity::Info : Severity::Error,
                                written ? tr("Written to %1.").arg(path) : qs(written.error().message));
            };
        },
        true, this);
    m_session.jobs().awaitLate(QStringLiteral("export")); // what became of the file is said however late it is known
}

} // namespace opscape
