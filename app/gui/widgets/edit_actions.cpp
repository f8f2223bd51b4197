// SPDX-License-Identifier: MIT
#include "gui/widgets/edit_actions.h"

#include "gui/words.h"

#include <algorithm>

namespace opscape {
namespace {

constexpr std::size_t kKeys = 9;            ///< devices that have a key
constexpr std::size_t kMostLookedAt = 2000; ///< ops of a selection, for the marks in the menus

} // namespace

EditActions::EditActions(Session& session, QWidget* window)
    : QObject(window),
      m_session(session),
      m_context(new QMenu(window)),
      m_moves(new QMenu(tr("&Move to"), window)),
      m_swaps(new QMenu(tr("&Swap its device with"), window)),
      m_order(new QMenu(tr("P&riority"), window)) {
    m_context->setObjectName(QStringLiteral("editMenu"));
    addDevices(kKeys);
    add(tr("&Pin where it is"), Qt::Key_H, EditKind::Pin);
    add(tr("&Unpin"), Qt::SHIFT | Qt::Key_H, EditKind::Unpin);
    m_order->addAction(add(tr("Run &earlier"), Qt::CTRL | Qt::Key_Up, EditKind::Earlier));
    m_order->addAction(add(tr("Run &later"), Qt::CTRL | Qt::Key_Down, EditKind::Later));
    m_order->addAction(add(tr("Run &first"), Qt::CTRL | Qt::SHIFT | Qt::Key_Up, EditKind::First));
    m_order->addAction(add(tr("Run l&ast"), Qt::CTRL | Qt::SHIFT | Qt::Key_Down, EditKind::Last));
    add(tr("&Fuse into one kernel"), Qt::Key_U, EditKind::Fuse);
    add(tr("U&nfuse"), Qt::SHIFT | Qt::Key_U, EditKind::Unfuse);
    addTo(m_context);
    connect(&session, &Session::shownChanged, this, &EditActions::refresh);
    connect(&session, &Session::selectionChanged, this, &EditActions::refresh);
    refresh();
}

QAction* EditActions::add(const QString& text, const QKeySequence& key, EditKind kind) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, [this, kind] { m_session.edit(kind); });
    m_onSelection << action;
    return action;
}

void EditActions::addDevices(std::size_t count) {
    for (std::size_t d = m_move.size(); d < count; ++d) {
        auto* move = new QAction(tr("Device %1").arg(d + 1), this);
        if (d < kKeys) {
            move->setShortcut(QKeySequence(static_cast<int>(Qt::Key_1) + static_cast<int>(d)));
            move->setShortcutContext(Qt::WidgetShortcut);
        }
        move->setCheckable(true);
        connect(move, &QAction::triggered, this, [this, d] {
            m_session.edit(EditKind::Move, DeviceId(d));
            refresh(); // the mark says where the selection is, not what was clicked
        });
        auto* swap = new QAction(this);
        connect(swap, &QAction::triggered, this, [this, d] {
            const ShownRunPtr& run = m_session.shown();
            m_session.edit(EditKind::Swap, run->deviceOf(m_session.selection().ops.front()), DeviceId(d));
        });
        m_moves->addAction(move);
        m_swaps->addAction(swap);
        m_move.push_back(move);
        m_swap.push_back(swap);
        for (QWidget* pane : m_panes)
            pane->addAction(move);
    }
}

void EditActions::attach(QWidget* pane, const QList<QAction*>& more) {
    m_panes << pane;
    for (QAction* move : m_move)
        pane->addAction(move);
    pane->addActions(m_onSelection);
    pane->setContextMenuPolicy(Qt::CustomContextMenu);
    QMenu* menu = m_context;
    if (!more.isEmpty()) {
        menu = new QMenu(pane);
        menu->setObjectName(QStringLiteral("paneMenu"));
        addTo(menu);
        menu->addSeparator();
        for (QAction* action : more)
            action != nullptr ? menu->addAction(action) : (void)menu->addSeparator();
    }
    connect(pane, &QWidget::customContextMenuRequested, this,
            [menu, pane](const QPoint& at) { menu->popup(pane->mapToGlobal(at)); });
}

void EditActions::addTo(QMenu* menu) const {
    menu->addMenu(m_moves);
    menu->addMenu(m_swaps);
    menu->addAction(m_onSelection[0]); // pin
    menu->addAction(m_onSelection[1]);
    menu->addSeparator();
    menu->addMenu(m_order);
    menu->addAction(m_onSelection[m_onSelection.size() - 2]); // fuse
    menu->addAction(m_onSelection.back());
}

void EditActions::refresh() {
    const ShownRun* run = m_session.shown().get();
    const auto& ops = m_session.selection().ops;
    const bool able = run != nullptr && !ops.empty();
    const std::size_t devices = run != nullptr ? run->cluster().deviceCount() : 0;
    addDevices(devices);
    std::vector<std::size_t> here(devices);
    for (std::size_t i = 0; able && i < ops.size() && i < kMostLookedAt; ++i)
        ++here[run->deviceOf(ops[i]).index()];
    const bool onOne = std::ranges::count_if(here, [](std::size_t n) { return n > 0; }) == 1;
    for (std::size_t d = 0; d < m_move.size(); ++d) {
        const bool there = d < devices;
        const QString name = there ? deviceText(run->cluster(), DeviceId(d)) : tr("Device %1").arg(d + 1);
        m_move[d]->setText(name);
        m_move[d]->setVisible(there || run == nullptr);
        m_move[d]->setEnabled(able && there);
        m_move[d]->setChecked(there && here[d] > 0);
        m_swap[d]->setText(name);
        m_swap[d]->setVisible(there);
        m_swap[d]->setEnabled(able && there && onOne && here[d] == 0);
    }
    m_swaps->setEnabled(able && onOne && devices > 1);
    m_moves->setEnabled(able);
    m_order->setEnabled(able);
    for (QAction* action : m_onSelection)
        action->setEnabled(able);
}

} // namespace opscape
