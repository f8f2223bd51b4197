// SPDX-License-Identifier: MIT
#include "gui/views/outline_pane.h"

#include "gui/views/device_delegate.h"
#include "gui/widgets/empty_hint.h"
#include "gui/words.h"

#include <opscape/base/units.h>

#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr int kTypingPauseMs = 120;
constexpr int kFewRows = 5;                ///< at the top: what is below them is shown at once
constexpr std::size_t kMostOpened = 400;   ///< search results whose scopes are opened by themselves
constexpr std::size_t kMostSelected = 500; ///< rows selected because of another pane

} // namespace

OutlinePane::OutlinePane(Session& session, Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_model(new OutlineModel(this)),
      m_header(new PaneHeader(tr("Outline"))),
      m_search(new QueryEdit([this] { return m_model->subject(); })),
      m_note(new QLabel),
      m_tree(new QTreeView) {
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Filter: words, type:Conv, device:B"));
    m_search->setAccessibleName(tr("Filter the outline"));
    m_search->installEventFilter(this);
    auto* glass = new QAction(m_search);
    look.dress(glass, QStringLiteral("search"));
    m_search->addAction(glass, QLineEdit::LeadingPosition);

    m_tree->setObjectName(QStringLiteral("outline"));
    m_tree->setAccessibleName(tr("Outline"));
    m_tree->setModel(m_model);
    m_tree->setUniformRowHeights(true);
    m_tree->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_tree->setAllColumnsShowFocus(true);
    m_tree->setIndentation(14);
    m_tree->setExpandsOnDoubleClick(true);
    m_tree->setItemDelegateForColumn(OutlineModel::Device, new DeviceDelegate(look, this));
    QHeaderView* columns = m_tree->header();
    columns->setStretchLastSection(false);
    columns->setSectionResizeMode(OutlineModel::Name, QHeaderView::Stretch);
    columns->setSectionResizeMode(OutlineModel::Ops, QHeaderView::Interactive);
    columns->setSectionResizeMode(OutlineModel::Time, QHeaderView::Interactive);
    columns->setSectionResizeMode(OutlineModel::Device, QHeaderView::Fixed);
    columns->resizeSection(OutlineModel::Ops, std::max(76, columns->sectionSizeHint(OutlineModel::Ops)));
    columns->resizeSection(OutlineModel::Time, 68);
    columns->resizeSection(OutlineModel::Device, 42);
    new EmptyHint(m_tree, tr("Nothing to list: no graph is open, or no op fits the search."));

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* searchRow = new QVBoxLayout;
    searchRow->setContentsMargins(8, 2, 8, 6);
    searchRow->addWidget(m_search);
    searchRow->addWidget(m_note);
    m_note->setObjectName(QStringLiteral("searchNote"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->hide();
    layout->addLayout(searchRow);
    layout->addWidget(m_tree, 1);
    setTabOrder(m_search, m_tree);

    m_typing.setSingleShot(true);
    connect(&m_typing, &QTimer::timeout, this, &OutlinePane::applyFilter);
    connect(m_search, &QLineEdit::textChanged, this, [this] { m_typing.start(kTypingPauseMs); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        m_typing.stop();
        applyFilter();
        m_tree->setFocus();
        if (!m_tree->currentIndex().isValid() && m_model->rowCount() > 0)
            m_tree->setCurrentIndex(m_model->index(0, 0));
    });
    connect(m_tree, &QTreeView::activated, this, &OutlinePane::revealRequested);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OutlinePane::selectedHere);
    connect(&session, &Session::openedChanged, this, &OutlinePane::graphChanged);
    connect(&session, &Session::shownChanged, this, [this] {
        m_model->setRun(m_session.shown());
        showFound();
    });
    connect(&session, &Session::selectionChanged, this, &OutlinePane::selectedElsewhere);
}

void OutlinePane::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

void OutlinePane::graphChanged() {
    m_model->setGraph(m_session.opened());
    applyFilter();
    if (m_model->rowCount() <= kFewRows)
        m_tree->expandToDepth(0);
}

void OutlinePane::applyFilter() {
    m_syncing = true; // a model that is reset loses its selection; that is not the person's wish
    m_model->setFilter(m_search->text());
    if (m_model->filtered() && m_model->matchCount() <= kMostOpened)
        m_tree->expandAll();
    m_syncing = false;
    showFound();
    selectedElsewhere();
}

void OutlinePane::showFound() {
    m_note->setText(m_model->filterError());
    m_note->setVisible(!m_model->filterError().isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, m_look.error());
    m_note->setPalette(colours);
    m_search->setAccessibleDescription(m_model->filterError());
    if (m_model->filtered())
        m_header->setRemark(tr("%1 found").arg(qs(formatCount(static_cast<std::int64_t>(m_model->matchCount())))));
    else if (m_session.opened())
        m_header->setRemark(
            tr("%1 groups")
                .arg(qs(formatCount(static_cast<std::int64_t>(m_session.opened()->scopes->scopeCount()) - 1))));
}

void OutlinePane::selectedHere() {
    if (m_syncing)
        return;
    m_syncing = true;
    const QModelIndexList rows = m_tree->selectionModel()->selectedRows();
    if (rows.size() == 1 && m_model->scopeAt(rows.front()).valid()) {
        m_session.selectScope(m_model->scopeAt(rows.front()));
    } else {
        std::vector<OpId> ops;
        for (const QModelIndex& row : rows) {
            if (const OpId op = m_model->opAt(row); op.valid()) {
                ops.push_back(op);
            } else {
                const auto below = m_session.opened()->scopes->opsBelow(m_model->scopeAt(row));
                ops.insert(ops.end(), below.begin(), below.end());
            }
        }
        m_session.selectOps(std::move(ops));
    }
    m_syncing = false;
}

void OutlinePane::selectedElsewhere() {
    if (m_syncing)
        return;
    m_syncing = true;
    const Selection& selection = m_session.selection();
    QItemSelection rows;
    if (selection.scope.valid()) {
        if (const QModelIndex index = m_model->indexOf(selection.scope); index.isValid())
            rows.select(index, index);
    } else if (selection.ops.size() <= kMostSelected) {
        for (const OpId op : selection.ops) {
            if (const QModelIndex index = m_model->indexOf(op); index.isValid())
                rows.select(index, index);
        }
    }
    QItemSelectionModel* selected = m_tree->selectionModel();
    selected->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.isEmpty()) {
        const QModelIndex first = rows.indexes().front();
        selected->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        m_tree->scrollTo(first);
    }
    m_syncing = false;
}

bool OutlinePane::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape &&
        !m_search->text().isEmpty()) {
        event->accept(); // it empties the field before it does anything else
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
            m_search->clear();
            return true;
        }
        if (key == Qt::Key_Down) {
            m_tree->setFocus();
            if (!m_tree->currentIndex().isValid())
                m_tree->setCurrentIndex(m_model->index(0, 0));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace opscape
