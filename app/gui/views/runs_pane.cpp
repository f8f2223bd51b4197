// SPDX-License-Identifier: MIT
#include "gui/views/runs_pane.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QHeaderView>
#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr std::size_t kMostCompared = 4;

} // namespace

RunsPane::RunsPane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_header(new PaneHeader(tr("Runs"))),
      m_model(new RunsModel(this)),
      m_filter(new RunsFilter(this)),
      m_table(new QTableView),
      m_onlyThis(new QCheckBox(tr("This graph only"))),
      m_words(new QLineEdit),
      m_open(new QAction(tr("Open the run"), this)),
      m_compare(new QAction(tr("Compare the runs"), this)) {
    m_filter->setSourceModel(m_model);
    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RunsModel::Id, Qt::DescendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 9);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setStretchLastSection(true);
    constexpr std::array<int, RunsModel::ColumnCount> kWidths{56, 150, 90, 56, 96, 84, 92, 62, 100, 84, 84, 74, 150};
    for (int column = 0; column < RunsModel::ColumnCount; ++column)
        m_table->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    m_hint = new EmptyHint(m_table, {});

    m_open->setShortcut(Qt::Key_Return);
    m_compare->setShortcut(Qt::Key_C);
    look.dress(m_open, QStringLiteral("open"));
    look.dress(m_compare, QStringLiteral("compare"));
    for (QAction* action : {m_open, m_compare}) {
        action->setShortcutContext(Qt::WidgetShortcut);
        m_table->addAction(action);
    }
    m_onlyThis->setFocusPolicy(Qt::StrongFocus);
    m_words->setPlaceholderText(tr("Filter"));
    m_words->setAccessibleName(tr("Filter the runs"));
    m_words->setClearButtonEnabled(true);
    m_words->setFixedWidth(150);
    m_header->addTool(m_onlyThis);
    m_header->addTool(m_words);
    m_header->addTool(m_open);
    m_header->addTool(m_compare);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    setFocusProxy(m_table);

    connect(m_open, &QAction::triggered, this, &RunsPane::openSelected);
    connect(m_compare, &QAction::triggered, this, &RunsPane::compareSelected);
    connect(m_table, &QTableView::doubleClicked, this, &RunsPane::openSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPane::selectionMoved);
    connect(m_onlyThis, &QCheckBox::toggled, this, &RunsPane::narrow);
    connect(m_words, &QLineEdit::textChanged, this, &RunsPane::narrow);
    connect(&session, &Session::openedChanged, this, &RunsPane::narrow);
    connect(&session, &Session::shownChanged, this,
            [this] { m_model->setShown(m_session.shown() ? m_session.shown()->outcome->run.id : 0); });
    narrow();
    selectionMoved();
}

void RunsPane::setRuns(const RunList& runs) {
    m_failure.clear();
    m_model->setRuns(runs);
    narrow();
}

void RunsPane::setFailure(const QString& sentence) {
    m_failure = sentence;
    m_model->setRuns({});
    narrow();
}

void RunsPane::narrow() {
    m_onlyThis->setEnabled(m_session.opened() != nullptr);
    m_filter->setGraph(m_onlyThis->isChecked() && m_session.opened() ? qs(m_session.opened()->graph->hash())
                                                                     : QString());
    m_filter->setWords(m_words->text());
    const int all = m_model->rowCount(), seen = m_filter->rowCount();
    m_header->setRemark(seen == all ? tr("%1 kept").arg(qs(formatCount(all)))
                                    : tr("%1 of %2").arg(qs(formatCount(seen)), qs(formatCount(all))));
    m_hint->setText(
        !m_failure.isEmpty() ? m_failure
        : all > 0
            ? tr("None of the %1 runs fits the filter.").arg(qs(formatCount(all)))
            : tr("No runs yet. Ctrl+R optimizes the placement of the graph that is open; every run is kept here."));
}

std::vector<qint64> RunsPane::selectedRuns() const {
    std::vector<qint64> ids;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        ids.push_back(row.data(RunsModel::RunIdRole).toLongLong());
    std::ranges::sort(ids);
    return ids;
}

void RunsPane::selectionMoved() {
    const std::vector<qint64> runs = selectedRuns();
    m_open->setEnabled(runs.size() == 1);
    m_compare->setEnabled(runs.size() >= 2 && runs.size() <= kMostCompared);
    emit selectedRunsChanged(runs);
}

void RunsPane::openSelected() {
    if (const auto ids = selectedRuns(); ids.size() == 1)
        m_session.openRun(ids.front());
}

void RunsPane::compareSelected() {
    if (const auto ids = selectedRuns(); ids.size() >= 2 && ids.size() <= kMostCompared)
        m_session.compareRuns(ids);
}

} // namespace opscape
