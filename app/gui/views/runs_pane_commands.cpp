// SPDX-License-Identifier: MIT
// What the runs pane does to the runs that are selected.
#include "gui/views/runs_pane.h"
#include "gui/widgets/pane_command.h"
#include "gui/words.h"
#include "service/run_file.h"

#include <opscape/base/units.h>

#include <QFileDialog>
#include <QFileInfo>

#include <functional>

namespace opscape {
namespace {

constexpr std::size_t kMostCompared = 4;

std::vector<std::int64_t> idsOf(const std::vector<qint64>& runs) { return {runs.begin(), runs.end()}; }

QString fileFilter() { return RunsPane::tr("Runs (*%1)").arg(qs(kRunFileExtension)); }

} // namespace

void RunsPane::makeCommands() {
    const auto add = [this](const QString& text, const QString& icon, const QKeySequence& key, const auto& act) {
        m_commands << addPaneCommand(this, m_table, m_look, text, icon, {key}, act);
        return m_commands.back();
    };
    m_open = add(tr("Open the run"), QStringLiteral("open"), Qt::Key_Return, [this] { openSelected(); });
    m_compare = add(tr("Compare the runs"), QStringLiteral("compare"), Qt::Key_C, [this] { compareSelected(); });
    m_again = add(tr("Make the run again"), QStringLiteral("run"), Qt::Key_R,
                  [this] { m_session.makeAgain(selectedRuns().front()); });
    m_again->setToolTip(tr("Make the run again: same options, same seed"));
    m_change = add(tr("Make it again with other options…"), {}, Qt::Key_D,
                   [this] { m_session.prepareAgain(selectedRuns().front()); });
    m_commands << nullptr;
    m_pin = add(tr("Pin the runs on top, or let go"), {}, Qt::Key_P, [this] { pinSelected(); });
    m_tag = add(tr("Edit the tags of the runs"), {}, Qt::Key_T, [this] { editCell(RunsModel::Tags); });
    m_note = add(tr("Edit the notes of the run"), {}, Qt::Key_N, [this] { editCell(RunsModel::Notes); });
    m_delete = add(tr("Delete the runs"), {}, Qt::Key_Delete, [this] { deleteSelected(); });
    m_bringBack = add(tr("Bring back the deleted runs"), {}, {}, [this] { bringBack(); }); // Ctrl+Z is the window's
    m_commands << nullptr;
    m_export = add(tr("Export the runs…"), {}, Qt::Key_E, [this] { askWhereToExport(); });
    m_import = add(tr("Import runs…"), {}, Qt::Key_I, [this] { askWhatToImport(); });
    add(tr("Filter the runs"), {}, Qt::Key_F, [this] { m_words->setFocus(); });
}

void RunsPane::enableCommands() {
    const std::size_t selected = selectedRuns().size();
    const bool one = selected == 1, some = selected > 0;
    for (QAction* action : {m_open, m_note})
        action->setEnabled(one);
    for (QAction* action : {m_again, m_change})
        action->setEnabled(one && m_session.workbench() != nullptr);
    for (QAction* action : {m_pin, m_tag, m_delete, m_export})
        action->setEnabled(some);
    m_compare->setEnabled(selected >= 2 && selected <= kMostCompared);
    m_bringBack->setEnabled(m_changes->deleted() > 0);
}

void RunsPane::openSelected() {
    if (const auto ids = selectedRuns(); ids.size() == 1)
        m_session.openRun(ids.front());
}

void RunsPane::compareSelected() {
    if (const auto ids = selectedRuns(); ids.size() >= 2 && ids.size() <= kMostCompared)
        m_session.compareRuns(ids);
}

void RunsPane::pinSelected() {
    const auto runs = selectedRuns();
    const bool all = std::ranges::all_of(runs, [this](qint64 run) {
        const RunRecord* record = m_model->loaded(run);
        return record != nullptr && record->pinned;
    });
    m_changes->apply([ids = idsOf(runs), all](RunStore& store) { return store.setPinned(ids, !all); });
}

void RunsPane::deleteSelected() {
    if (const auto runs = selectedRuns(); !runs.empty())
        m_changes->discard(runs);
}

void RunsPane::bringBack() { m_changes->undo(); }

void RunsPane::editCell(RunsModel::Column column) {
    const auto selected = selectedRuns();
    if (selected.empty())
        return;
    const qint64 current = m_table->currentIndex().data(RunsModel::RunIdRole).toLongLong();
    const bool currentIsOne = std::ranges::binary_search(selected, current);
    const QModelIndex cell = m_model->index(m_model->rowOf(currentIsOne ? current : selected.back()), column);
    m_table->selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
    m_table->scrollTo(cell);
    if (m_model->loaded(cell.data(RunsModel::RunIdRole).toLongLong()) != nullptr)
        m_table->edit(cell);
}

/// Where several runs are selected, what was added to the edited one is added to all, and so with what was taken away.
void RunsPane::changeTags(qint64 run, const std::vector<std::string>& before, const std::vector<std::string>& after) {
    std::vector<std::string> added, dropped;
    const auto among = [](const std::vector<std::string>& tags) {
        return [&tags](const std::string& tag) { return std::ranges::find(tags, tag) != tags.end(); };
    };
    std::ranges::copy_if(after, std::back_inserter(added), std::not_fn(among(before)));
    std::ranges::copy_if(before, std::back_inserter(dropped), std::not_fn(among(after)));
    auto runs = selectedRuns();
    if (!std::ranges::binary_search(runs, run))
        runs = {run};
    m_changes->apply(
        [ids = idsOf(runs), added, dropped](RunStore& store) { return store.changeTags(ids, added, dropped); });
}

void RunsPane::askWhereToExport() {
    const auto runs = selectedRuns();
    if (runs.empty())
        return;
    const QString name = runs.size() == 1 ? tr("run-%1").arg(runs.front()) : tr("runs");
    QString path =
        QFileDialog::getSaveFileName(this, tr("Export the runs"), name + qs(kRunFileExtension), fileFilter());
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += qs(kRunFileExtension);
    exportRuns(runs, path);
}

void RunsPane::askWhatToImport() {
    if (const QString path = QFileDialog::getOpenFileName(this, tr("Import runs"), {}, fileFilter()); !path.isEmpty())
        importRuns(path);
}

void RunsPane::exportRuns(const std::vector<qint64>& runs, const QString& path) {
    m_session.jobs().start(
        QStringLiteral("exportRuns ") + path, tr("Writing %1").arg(QFileInfo(path).fileName()),
        [this, path, ids = idsOf(runs), database = m_session.database()](const RunContext&) -> JobRunner::Deliver {
            const auto written = opscape::exportRuns(database, ids, path.toStdString());
            return [this, path, written, count = static_cast<std::int64_t>(ids.size())] {
                emit m_session.said(written ? Severity::Info : Severity::Error,
                                    written
                                        ? tr("Written to %1: %2 %3, %4.")
                                              .arg(path, qs(formatCount(count)), count == 1 ? tr("run") : tr("runs"),
                                                   qs(formatBytes(static_cast<std::int64_t>(*written))))
                                        : qs(written.error().message));
            };
        },
        true, this);
}

void RunsPane::importRuns(const QString& path) {
    m_session.jobs().start(
        QStringLiteral("importRuns ") + path, tr("Reading %1").arg(QFileInfo(path).fileName()),
        [this, path, database = m_session.database()](const RunContext&) -> JobRunner::Deliver {
            const auto runs = opscape::importRuns(database, path.toStdString());
            return [this, runs] {
                emit m_session.said(runs ? Severity::Info : Severity::Error,
                                    qs(runs ? importReport(*runs) : runs.error().message));
                emit m_session.runsTouched();
            };
        },
        true, this);
}

} // namespace opscape
