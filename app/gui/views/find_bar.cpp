// SPDX-License-Identifier: MIT
#include "gui/views/find_bar.h"

#include "gui/shown_text.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>

namespace opscape {
namespace {

constexpr int kTypingPauseMs = 120;
constexpr int kRowsSeen = 6;

} // namespace

FindBar::FindBar(Session& session, Look& look, QWidget* parent, const QString& name)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_source(SearchSource::of(session)),
      m_lane(name),
      m_field(new QueryEdit([this] { return m_source.subject(); })),
      m_count(new QLabel),
      m_note(new QLabel),
      m_list(new QTableView),
      m_model(new FindModel(this)) {
    m_field->setObjectName(name);
    m_field->setPlaceholderText(tr("Find ops: words, /expression/, type:MatMul device:1 time>2ms not critical"));
    m_field->setAccessibleName(tr("Find ops by a query"));
    m_field->installEventFilter(this);
    auto* glass = new QAction(m_field);
    look.dress(glass, QStringLiteral("search"));
    m_field->addAction(glass, QLineEdit::LeadingPosition);
    m_note->setObjectName(name + QStringLiteral("Note"));
    m_note->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->hide();

    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 6, 4);
    row->setSpacing(2);
    row->addWidget(m_field, 1);
    m_count->setObjectName(name + QStringLiteral("Count"));
    m_count->setContentsMargins(8, 0, 4, 0);
    row->addWidget(m_count);
    const auto button = [&](const QString& icon, const QString& what, const QString& keys, auto act) {
        auto* tool = new QToolButton;
        if (!icon.isEmpty())
            look.dress(tool, icon);
        tool->setAccessibleName(what);
        tool->setToolTip(QStringLiteral("%1  (%2)").arg(what, keys));
        tool->setFocusPolicy(Qt::TabFocus);
        connect(tool, &QToolButton::clicked, this, act);
        row->addWidget(tool);
        return tool;
    };
    button(QStringLiteral("chevron-up"), tr("Previous found op"), tr("Shift+F3"), [this] { step(-1); });
    button(QStringLiteral("chevron-down"), tr("Next found op"), tr("F3"), [this] { step(1); });
    QToolButton* all = button({}, tr("Select all found ops"), tr("Ctrl+Enter"), [this] { selectFound(); });
    all->setText(tr("All"));
    button(QStringLiteral("close"), tr("Close the search"), tr("Esc"), [this] { close(); });

    m_list->setObjectName(name == QLatin1String("find") ? QStringLiteral("found") : name + QStringLiteral("List"));
    m_list->setAccessibleName(tr("Found ops"));
    m_list->setModel(m_model);
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setShowGrid(false);
    m_list->setTabKeyNavigation(false);
    m_list->setWordWrap(false);
    m_list->verticalHeader()->hide();
    m_list->verticalHeader()->setDefaultSectionSize(m_list->fontMetrics().height() + 8);
    m_list->horizontalHeader()->hide();
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_list->horizontalHeader()->setSectionResizeMode(FindModel::Name, QHeaderView::Stretch);
    m_list->horizontalHeader()->resizeSection(FindModel::Type, 140);
    m_list->horizontalHeader()->resizeSection(FindModel::Device, 84);
    m_list->horizontalHeader()->resizeSection(FindModel::Time, 84);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->installEventFilter(this);
    m_list->hide();

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(m_note);
    layout->addWidget(m_list);
    m_note->setContentsMargins(10, 0, 10, 6);

    m_typing.setSingleShot(true);
    connect(&m_typing, &QTimer::timeout, this, &FindBar::search);
    connect(m_field, &QLineEdit::textChanged, this, [this] { m_typing.start(kTypingPauseMs); });
    connect(m_field, &QLineEdit::returnPressed, this, [this] { step(1); });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { goTo(now.row()); });
    connect(m_list, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (m_session.selection().ops != std::vector{found()[static_cast<std::size_t>(index.row())]})
            goTo(index.row()); // the one found last, but no longer selected
    });
    connect(m_model, &QAbstractItemModel::modelReset, this, &FindBar::marksChanged);
    connect(&session, &Session::openedChanged, this, &FindBar::graphChanged);
    connect(&session, &Session::shownChanged, this, &FindBar::runChanged);
    hide();
}

void FindBar::open() {
    show();
    if (m_stale)
        search();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void FindBar::showEvent(QShowEvent*) { emit marksChanged(); }

void FindBar::hideEvent(QHideEvent*) { emit marksChanged(); }

void FindBar::close() {
    m_field->hideOffers();
    hide();
    emit closed();
}

void FindBar::search() {
    m_typing.stop();
    m_stale = false;
    auto query = Query::parse(m_field->text().toStdString());
    if (!query)
        return refuse(qs(query.error().message));
    m_query = std::move(*query);
    const SearchSubject* subject = m_source.subject();
    if (m_query.empty() || subject == nullptr)
        return refuse({});
    m_searching = true;
    m_session.jobs().start(
        m_lane, tr("Searching"),
        [this, searched = *subject, query = m_query](const RunContext& context) -> JobRunner::Deliver {
            auto ops = query.match(searched.facts(), context.stop);
            return [this, searched, ops = std::move(ops)] {
                ops ? take(searched, *ops) : refuse(qs(ops.error().message));
            };
        },
        false, this);
}

void FindBar::take(const SearchSubject& searched, std::vector<OpId> ops) {
    m_searching = false;
    m_note->hide();
    m_model->setOps(searched, std::move(ops));
    m_model->setRun(m_session.shown()); // another one may have come while it was searched
    const int rows = std::min(kRowsSeen, m_model->rowCount());
    m_list->setFixedHeight(rows * m_list->verticalHeader()->defaultSectionSize() + 2);
    m_list->setVisible(rows > 0);
    showCount();
    if (const int by = std::exchange(m_stepNext, 0); by != 0)
        step(by);
}

void FindBar::refuse(const QString& sentence) {
    m_session.jobs().abandon(m_lane);
    m_searching = false;
    m_stepNext = 0;
    m_model->setOps({}, {});
    m_list->hide();
    m_count->clear();
    m_note->setText(sentence);
    m_note->setVisible(!sentence.isEmpty());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, m_look.error());
    m_note->setPalette(colours);
    m_field->setAccessibleDescription(sentence);
}

void FindBar::showCount() {
    const int row = m_list->currentIndex().row();
    const QString all = countText(found().size());
    m_count->setText(found().empty() ? tr("None found")
                     : row < 0       ? tr("%1 found").arg(all)
                                     : tr("%1 of %2").arg(countText(static_cast<std::size_t>(row) + 1), all));
    m_field->setAccessibleDescription(m_count->text());
}

void FindBar::step(int by) {
    if (!isVisible() && m_field->text().isEmpty())
        return open();
    show(); // and the focus stays where it is
    if (m_typing.isActive() || m_stale)
        search();
    if (m_searching) {
        m_stepNext = by;
        return;
    }
    const int count = m_model->rowCount();
    if (count == 0)
        return;
    const int row = m_list->currentIndex().row();
    const int next = row < 0 ? (by > 0 ? 0 : count - 1) : (row + by + count) % count;
    if (next == row)
        return goTo(row);
    m_list->setCurrentIndex(m_model->index(next, FindModel::Name));
}

void FindBar::goTo(int row) {
    showCount();
    if (row < 0)
        return;
    m_session.selectOps({found()[static_cast<std::size_t>(row)]});
    emit revealRequested();
}

void FindBar::selectFound() {
    if (!found().empty())
        m_session.selectOps(found());
}

void FindBar::graphChanged() {
    refuse({});
    m_stale = true;
    if (isVisible() && m_session.opened())
        search();
}

void FindBar::runChanged() {
    m_model->setRun(m_session.shown());
    if (!m_query.asksPlan())
        return;
    m_stale = true;
    if (isVisible())
        search();
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    const bool key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (!key || (watched != m_field && watched != m_list))
        return QWidget::eventFilter(watched, event);
    const auto* pressed = static_cast<QKeyEvent*>(event);
    const bool enter = pressed->key() == Qt::Key_Return || pressed->key() == Qt::Key_Enter;
    const bool down = pressed->key() == Qt::Key_Down && watched == m_field && m_list->isVisible();
    const bool ours = pressed->key() == Qt::Key_Escape || down ||
                      (enter && (watched == m_list || pressed->modifiers() != Qt::NoModifier));
    if (!ours)
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true; // the key is meant for the search, not for a command of the window
    if (pressed->key() == Qt::Key_Escape) {
        close();
    } else if (down) {
        m_list->setFocus();
        if (!m_list->currentIndex().isValid())
            step(1);
    } else if (pressed->modifiers().testFlag(Qt::ControlModifier)) {
        selectFound();
    } else {
        step(pressed->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1);
    }
    return true;
}

} // namespace opscape
