// SPDX-License-Identifier: MIT
#include "gui/views/outline_pane.h"

#include "gui/shown_text.h"
#include "gui/views/device_delegate.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QVBoxLayout>

namespace opscape {
namespace {

const QString kLane = QStringLiteral("outline");
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
      m_search(new QueryEdit([this] { return m_source.subject(); })),
      m_note(new QLabel),
      m_tree(new QTreeView),
      m_source(SearchSource::of(session)) {
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
    m_tree->setIndentation(10); // names of ops many groups deep need the room
    m_tree->setExpandsOnDoubleClick(true);
    m_tree->setItemDelegateForColumn(OutlineModel::Device, new DeviceDelegate(look, this));
    QHeaderView* columns = m_tree->header();
    columns->setStretchLastSection(false);
    columns->ensurePolished();
    columns->setSectionResizeMode(OutlineModel::Name, QHeaderView::Stretch);
    columns->setSectionResizeMode(OutlineModel::Ops, QHeaderView::Interactive);
    columns->setSectionResizeMode(OutlineModel::Time, QHeaderView::Interactive);
    columns->setSectionResizeMode(OutlineModel::Device, QHeaderView::Fixed);
    columns->resizeSection(OutlineModel::Ops, std::max(62, columns->sectionSizeHint(OutlineModel::Ops)));
    columns->resizeSection(OutlineModel::Time, 64);
    columns->resizeSection(OutlineModel::Device, 42);
    m_hint = new EmptyHint(m_tree, {});

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
    connect(&m_typing, &QTimer::timeout, this, &OutlinePane::search);
    connect(m_search, &QLineEdit::textChanged, this, [this] { m_typing.start(kTypingPauseMs); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        m_focusNext = true;
        search();
    });
    connect(m_tree, &QTreeView::activated, this, &OutlinePane::revealRequested);
    connect(m_tree->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OutlinePane::selectedHere);
    connect(&session, &Session::openedChanged, this, &OutlinePane::graphChanged);
    connect(&session, &Session::shownChanged, this, &OutlinePane::runChanged);
    connect(&session, &Session::selectionChanged, this, &OutlinePane::selectedElsewhere);
    sayHowMany();
}

void OutlinePane::focusSearch() {
    m_search->setFocus();
    m_search->selectAll();
}

void OutlinePane::graphChanged() {
    m_syncing = true; // a model that is reset loses its selection; that is not the person's wish
    m_model->setGraph(m_session.opened());
    m_syncing = false;
    m_shownText.clear();
    if (m_model->rowCount() <= kFewRows)
        m_tree->expandToDepth(0);
    search();
}

void OutlinePane::runChanged() {
    m_model->setRun(m_session.shown());
    if (m_query.asksPlan())
        search();
}

void OutlinePane::search() {
    m_typing.stop();
    auto query = Query::parse(m_search->text().toStdString());
    m_query = query ? *query : Query();
    const SearchSubject* subject = m_source.subject();
    if (!query || m_query.empty() || subject == nullptr) {
        m_session.jobs().abandon(kLane);
        if (query)
            return show({}, {});
        return show(std::vector<OpId>(), qs(query.error().message));
    }
    m_session.jobs().start(
        kLane, tr("Filtering the outline"),
        [this, searched = *subject, sought = m_query](const RunContext& context) -> JobRunner::Deliver {
            auto ops = sought.match(searched.facts(), context.stop);
            return [this, ops = std::move(ops)] {
                ops ? show(*ops, {}) : show(std::vector<OpId>(), qs(ops.error().message));
            };
        },
        false, this);
}

void OutlinePane::show(std::optional<std::vector<OpId>> ops, const QString& wrong) {
    const bool again = m_model->filtered() && ops && m_shownText == m_search->text();
    const std::vector<ScopeId> open = scopesThatAre(true), closed = scopesThatAre(false);
    const int scrolled = m_tree->verticalScrollBar()->value();
    if (!m_model->filtered())
        m_openUnsought = open;
    m_shownText = m_search->text();
    m_syncing = true;
    m_model->setFound(std::move(ops));
    if (m_model->filtered() && m_model->matchCount() <= kMostOpened) {
        m_tree->expandAll();
        if (again)
            setOpen(closed, false);
    } else {
        setOpen(again ? open : m_openUnsought, true);
    }
    m_syncing = false;
    m_note->setText(wrong);
    m_note->setVisible(!wrong.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, m_look.error());
    m_note->setPalette(colours);
    m_search->setAccessibleDescription(wrong);
    sayHowMany();
    copySelection(!again);
    if (again)
        m_tree->verticalScrollBar()->setValue(scrolled);
    if (!std::exchange(m_focusNext, false))
        return;
    m_tree->setFocus();
    if (!m_tree->currentIndex().isValid() && m_model->rowCount() > 0)
        m_tree->setCurrentIndex(m_model->index(0, 0));
}

void OutlinePane::sayHowMany() {
    const auto& opened = m_session.opened();
    m_header->setRemark(!opened               ? QString()
                        : m_model->filtered() ? tr("%1 found").arg(countText(m_model->matchCount()))
                                              : countedText(opened->scopes->scopeCount() - 1, "group"));
    m_hint->setText(!opened                         ? tr("No graph is open.")
                    : opened->graph->opCount() == 0 ? tr("The graph has no ops.")
                    : m_note->text().isEmpty()      ? tr("No op fits the filter.")
                                                    : tr("The filter cannot be understood."));
}

std::vector<ScopeId> OutlinePane::scopesThatAre(bool open) const {
    std::vector<ScopeId> scopes;
    const std::size_t count = m_session.opened() ? m_session.opened()->scopes->scopeCount() : 0;
    for (std::size_t s = 1; s < count; ++s) {
        if (const QModelIndex row = m_model->indexOf(ScopeId(s)); row.isValid() && m_tree->isExpanded(row) == open)
            scopes.emplace_back(s);
    }
    return scopes;
}

void OutlinePane::setOpen(const std::vector<ScopeId>& scopes, bool open) {
    for (const ScopeId scope : scopes) {
        if (const QModelIndex row = m_model->indexOf(scope); row.isValid())
            m_tree->setExpanded(row, open);
    }
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

void OutlinePane::selectedElsewhere() { copySelection(true); }

void OutlinePane::copySelection(bool reveals) {
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
        m_tree->setAutoScroll(reveals); // coming into sight, a row opens the scopes around it
        selected->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
        m_tree->setAutoScroll(true);
        if (reveals)
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
