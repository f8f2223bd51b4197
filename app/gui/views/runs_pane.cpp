// SPDX-License-Identifier: MIT
#include "gui/views/runs_pane.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace opscape {
namespace {

/// A cell that is being edited keeps what is typed when the list is read again meanwhile.
class EditDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        if (!editor->property(kFilled).toBool())
            QStyledItemDelegate::setEditorData(editor, index);
        editor->setProperty(kFilled, true);
    }

private:
    static constexpr const char* kFilled = "filled";
};

constexpr int kTypingPauseMs = 120;
constexpr int kFewestRows = 40; ///< that come with a listing, however small the pane is

/// A pin in the colour of the text.
QIcon pinIcon(const QColor& colour) {
    QPixmap pixmap(32, 32);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 3, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(colour);
    painter.drawLine(16, 18, 16, 28);
    painter.drawPolygon(QPolygonF{{11, 5}, {21, 5}, {20, 12}, {24, 18}, {8, 18}, {12, 12}});
    return pixmap;
}

} // namespace

RunsPane::RunsPane(Session& session, Look& look, RunWatcher& watcher, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_header(new PaneHeader(tr("Runs"))),
      m_model(new RunsModel(this)),
      m_changes(new RunChanges(session.database(), this)),
      m_table(new QTableView),
      m_onlyThis(new QCheckBox(tr("This graph only"))),
      m_words(new QueryEdit([this](std::string_view filter, std::size_t cursor) {
          return m_known ? runFilterCompletions(filter, cursor, *m_known) : std::vector<Completion>();
      })) {
    makeTable();
    m_hint = new EmptyHint(m_table, {});
    m_onlyThis->setFocusPolicy(Qt::StrongFocus);
    m_words->setObjectName(QStringLiteral("runsFilter"));
    m_words->setPlaceholderText(tr("Filter: words, tag:best, step<4ms"));
    m_words->setAccessibleName(tr("Filter the runs"));
    m_words->setToolTip(
        tr("Words are looked for in all that is said of a run. Fields are %1; and, or, not and brackets "
           "combine, as in: graph:rnnlm step<4ms date:2026-11 not died")
            .arg(qs(runFieldNames())));
    m_words->setFixedWidth(230);
    m_words->installEventFilter(this);
    m_header->addTool(m_onlyThis);
    m_header->addTool(m_words);
    makeCommands();
    m_header->addTool(m_open);
    m_header->addTool(m_compare);
    m_header->addTool(m_again);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_table);
    setFocusProxy(m_table);
    connectAll(watcher);
    dress();
    ask();
    selectionMoved();
}

void RunsPane::makeTable() {
    m_table->setObjectName(QStringLiteral("runs"));
    m_table->setAccessibleName(tr("Runs"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_table->setIconSize({14, 14});
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    QHeaderView* columns = m_table->horizontalHeader();
    columns->setHighlightSections(false);
    columns->setSectionsMovable(true);
    columns->setStretchLastSection(true);
    columns->setTextElideMode(Qt::ElideRight);
    columns->setSortIndicator(RunsModel::Id, Qt::DescendingOrder);
    m_table->setSortingEnabled(true);
    m_table->setItemDelegate(new EditDelegate(m_table));
}

void RunsPane::dress() {
    m_model->setPinIcon(pinIcon(m_look.theme().dark ? QColor(220, 220, 220) : QColor(70, 70, 70)));
    // Wide enough for what a column usually says, and always for its title, whatever the font.
    constexpr std::array<int, RunsModel::ColumnCount> kWidths{64,  150, 90, 56, 96,  84,  92,  62,
                                                              100, 84,  84, 74, 150, 120, 180, 110};
    QHeaderView* columns = m_table->horizontalHeader();
    columns->ensurePolished();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 9);
    for (int column = 0; column < RunsModel::ColumnCount; ++column) {
        const int least = columns->sectionSizeHint(column) + 6;
        const int wanted = std::max(least, kWidths[static_cast<std::size_t>(column)]);
        m_table->setColumnWidth(column, m_isSized ? std::max(least, m_table->columnWidth(column)) : wanted);
    }
    m_isSized = true;
}

void RunsPane::connectAll(RunWatcher& watcher) {
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingPauseMs);
    connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        if (index.flags().testFlag(Qt::ItemIsEditable))
            m_table->edit(index);
        else
            openSelected();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RunsPane::selectionMoved);
    connect(m_onlyThis, &QCheckBox::toggled, this, &RunsPane::ask);
    connect(m_words, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(&m_typing, &QTimer::timeout, this, &RunsPane::ask);
    m_scrolling.setSingleShot(true);
    m_scrolling.setInterval(kTypingPauseMs);
    connect(m_table->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { m_scrolling.start(); });
    connect(&m_scrolling, &QTimer::timeout, this, [this] {
        measureView();
        emit viewed(m_question.first, m_question.count);
    });
    connect(&m_session, &Session::openedChanged, this, [this] {
        if (m_onlyThis->isChecked())
            ask();
        m_onlyThis->setEnabled(m_session.opened() != nullptr);
    });
    connect(&m_session, &Session::shownChanged, this,
            [this] { m_model->setShown(m_session.shown() ? m_session.shown()->outcome->run.id : 0); });
    connect(&m_session, &Session::ready, this, &RunsPane::learnRevisions);
    connect(&m_look, &Look::changed, this, &RunsPane::dress);

    connect(m_model, &RunsModel::sortRequested, this, &RunsPane::ask);
    connect(m_model, &RunsModel::tagsEdited, this, &RunsPane::changeTags);
    connect(m_model, &RunsModel::notesEdited, this, [this](qint64 run, const QString& text) {
        m_changes->apply([run, notes = text.toStdString()](RunStore& store) { return store.setNotes(run, notes); });
    });
    // A table that became another one keeps what was selected, as far as it is listed still.
    connect(m_model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
        const qint64 current = m_table->currentIndex().data(RunsModel::RunIdRole).toLongLong();
        connect(
            m_model, &QAbstractItemModel::modelReset, this,
            [this, current, runs = selectedRuns()] { restoreSelection(runs, current); },
            static_cast<Qt::ConnectionType>(Qt::SingleShotConnection | Qt::QueuedConnection));
    });
    connect(&watcher, &RunWatcher::listed, this, [this](const RunListingPtr& listing) { showListing(*listing); });
    connect(&watcher, &RunWatcher::loaded, this, [this](const RunList& runs) { m_model->addRecords(*runs); });
    connect(&watcher, &RunWatcher::failed, this, &RunsPane::showFailure);
    connect(&watcher, &RunWatcher::worded, this, [this](const RunWordsPtr& words) { m_known = words; });
    connect(m_model, &RunsModel::needed, &watcher, &RunWatcher::load);
    connect(m_changes, &RunChanges::changed, &watcher, &RunWatcher::refresh);
    connect(m_changes, &RunChanges::changed, this, [this] {
        enableCommands();
        showRemark();
    });
    connect(m_changes, &RunChanges::refused, this, [this](const QString& sentence) {
        emit m_session.said(Severity::Error, tr("The change is not kept: %1").arg(sentence));
    });
    connect(this, &RunsPane::asked, &watcher, &RunWatcher::ask);
    connect(this, &RunsPane::viewed, &watcher, &RunWatcher::look);
}

void RunsPane::ask() {
    m_typing.stop();
    m_onlyThis->setEnabled(m_session.opened() != nullptr);
    auto condition = parseRunFilter(m_words->text().toStdString());
    m_mistake = condition ? QString() : qs(condition.error().message);
    if (!condition)
        return showRemark(); // what was found last stays
    const QHeaderView* columns = m_table->horizontalHeader();
    RunQuery& query = m_question.query;
    query.condition = std::move(*condition);
    query.graphHash = m_onlyThis->isChecked() && m_session.opened() ? m_session.opened()->graph->hash() : std::string();
    query.sort = RunsModel::fieldOf(std::max(0, columns->sortIndicatorSection()));
    query.ascending = columns->sortIndicatorOrder() == Qt::AscendingOrder;
    measureView();
    ++m_question.number;
    emit asked(m_question);
}

/// A listing brings along what is said of the rows in view.
void RunsPane::measureView() {
    const int height = std::max(1, m_table->verticalHeader()->defaultSectionSize());
    m_question.first = std::max(0, m_table->rowAt(0));
    m_question.count = std::max(kFewestRows, m_table->viewport()->height() / height + 2);
}

void RunsPane::showListing(const RunListing& listing) {
    if (listing.number != m_question.number)
        return; // to a question of before
    m_failure.clear();
    m_answered = listing.number;
    m_total = listing.total;
    m_model->setListing(listing);
    showRemark();
}

void RunsPane::showFailure(const QString& sentence) {
    if (sentence.isEmpty())
        return;
    m_failure = sentence;
    m_answered = m_question.number;
    m_total = 0;
    m_model->setListing({});
    showRemark();
}

bool RunsPane::settled() const {
    return m_answered == m_question.number && m_answered > 0 && !m_typing.isActive() && !m_model->waits() &&
           m_changes->idle();
}

void RunsPane::showRemark() {
    const int seen = m_model->rowCount();
    const auto count = [](auto number) { return qs(formatCount(static_cast<std::int64_t>(number))); };
    QString remark = seen == m_total ? tr("%1 kept").arg(count(seen)) : tr("%1 of %2").arg(count(seen), count(m_total));
    if (const std::size_t deleted = m_changes->deleted(); deleted > 0)
        remark += tr("; %1 deleted, Ctrl+Z brings back").arg(count(deleted));
    if (!m_failure.isEmpty())
        remark = tr("cannot be read"); // how many there are is not known
    m_header->setRemark(m_mistake.isEmpty() ? remark : m_mistake);
    m_hint->setText(
        !m_failure.isEmpty() ? m_failure
        : m_total > 0
            ? tr("None of the %1 runs fits the filter.").arg(count(m_total))
            : tr("No runs yet. Ctrl+R optimizes the placement of the graph that is open; every run is kept here."));
}

void RunsPane::learnRevisions() {
    std::map<std::string, int> revisions;
    for (const OptimizerInfo* info : m_session.workbench()->registry().optimizers())
        revisions[info->id] = info->revision;
    m_model->setRevisions(std::move(revisions));
}

std::vector<qint64> RunsPane::selectedRuns() const {
    std::vector<qint64> ids;
    for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
        ids.push_back(row.data(RunsModel::RunIdRole).toLongLong());
    std::ranges::sort(ids);
    return ids;
}

void RunsPane::restoreSelection(const std::vector<qint64>& runs, qint64 current) {
    QItemSelection selection;
    for (const qint64 run : runs) {
        if (const int row = m_model->rowOf(run); row >= 0)
            selection.select(m_model->index(row, 0), m_model->index(row, RunsModel::ColumnCount - 1));
    }
    if (const int row = m_model->rowOf(current); row >= 0)
        m_table->selectionModel()->setCurrentIndex(m_model->index(row, 0), QItemSelectionModel::NoUpdate);
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    selectionMoved(); // also where nothing is selected any more: a reset says nothing of it
}

void RunsPane::selectionMoved() {
    enableCommands();
    emit selectedRunsChanged(selectedRuns());
}

bool RunsPane::eventFilter(QObject* watched, QEvent* event) {
    const auto* key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride
                          ? static_cast<QKeyEvent*>(event)
                          : nullptr;
    if (key == nullptr)
        return QWidget::eventFilter(watched, event);
    if (watched == m_words && event->type() == QEvent::ShortcutOverride && key->key() == Qt::Key_Escape &&
        !m_words->text().isEmpty()) {
        event->accept(); // it empties the field before it does anything else
        return true;
    }
    if (watched == m_words && event->type() == QEvent::KeyPress) {
        if (key->key() == Qt::Key_Escape && !m_words->text().isEmpty()) {
            m_words->clear();
            return true;
        }
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Down || key->key() == Qt::Key_Escape) {
            m_words->hideOffers();
            m_table->setFocus();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace opscape
