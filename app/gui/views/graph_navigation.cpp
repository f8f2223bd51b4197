// SPDX-License-Identifier: MIT
#include "gui/views/graph_navigation.h"

#include "gui/shown_text.h"
#include "gui/widgets/key_help.h"
#include "gui/widgets/pane_command.h"

#include <opscape/base/units.h>

#include <QEvent>
#include <QMenu>

namespace opscape {
namespace {

constexpr int kRestMs = 500;

} // namespace

GraphNavigation::GraphNavigation(GraphPane& pane, Session& session, Look& look, QSettings& settings)
    : QObject(&pane),
      m_pane(pane),
      m_session(session),
      m_look(look),
      m_kept(settings) {
    command(tr("&Back to the view before"), {Qt::ALT | Qt::Key_Left, QKeySequence(Qt::Key_Back)}, [this] { back(); });
    command(tr("For&ward again"), {Qt::ALT | Qt::Key_Right, QKeySequence(Qt::Key_Forward)}, [this] { forward(); });
    makeKept(tr("&Keep this view"), tr("As view &%1"), Qt::ControlModifier | Qt::ShiftModifier, &GraphNavigation::keep);
    makeKept(tr("&Go to a kept view"), tr("View &%1"), Qt::AltModifier, &GraphNavigation::goToKept);
    m_commands << nullptr;
    command(tr("Select the &neighbours too, hop by hop"), {Qt::Key_N}, [this] { grow(EdgeDirection::Both, 1); });
    command(tr("Select the inpu&ts too"), {Qt::Key_I}, [this] { grow(EdgeDirection::Inputs, 1); });
    command(tr("Select the outp&uts too"), {Qt::Key_O}, [this] { grow(EdgeDirection::Outputs, 1); });
    command(tr("One hop l&ess"), {Qt::SHIFT | Qt::Key_N}, [this] { grow(m_direction, -1); });

    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &GraphNavigation::recordPlace);
    pane.canvas().installEventFilter(this);
    connect(&pane, &GraphPane::leaving, this, &GraphNavigation::recordPlace);
    connect(&pane, &GraphPane::came, this, &GraphNavigation::recordPlace);
    connect(&session, &Session::openedChanged, this, [this] {
        m_rest.stop();
        m_history.clear();
        m_seeds.clear();
        m_grown.clear();
    });
}

QAction* GraphNavigation::command(const QString& text, const QList<QKeySequence>& keys,
                                  const std::function<void()>& act) {
    m_commands << addPaneCommand(&m_pane, &m_pane.canvas(), m_look, text, {}, keys, act);
    return m_commands.back();
}

void GraphNavigation::makeKept(const QString& title, const QString& each, Qt::KeyboardModifiers keys,
                               void (GraphNavigation::*act)(int)) {
    auto* menu = new QMenu(title, &m_pane);
    for (int number = 1; number <= kKept; ++number) {
        const QKeySequence key(QKeyCombination(keys, static_cast<Qt::Key>(Qt::Key_0 + number)));
        menu->addAction(addPaneCommand(&m_pane, &m_pane.canvas(), m_look, each.arg(number), {}, {key},
                                       [this, act, number] { (this->*act)(number); }));
    }
    helpAsOne(*menu);
    m_commands << menu->menuAction();
}

bool GraphNavigation::eventFilter(QObject* watched, QEvent* event) {
    // Every picture of another part of the graph, whatever moved it.
    if (event->type() == QEvent::Paint) {
        const GraphCamera& now = m_pane.canvas().camera();
        if (now.origin != m_painted.origin || now.scale != m_painted.scale) {
            m_painted = now;
            m_rest.start();
        }
    }
    return QObject::eventFilter(watched, event);
}

void GraphNavigation::recordPlace() {
    m_rest.stop();
    if (m_pane.canvas().scene() && !m_pane.isGoing())
        m_history.arrived(m_pane.seen());
}

void GraphNavigation::back() {
    recordPlace();
    if (const auto place = m_history.back())
        m_pane.goTo(*place);
    else
        emit remarked(tr("This is the first view"));
}

void GraphNavigation::forward() {
    recordPlace();
    if (const auto place = m_history.forward())
        m_pane.goTo(*place);
    else
        emit remarked(tr("This is the last view"));
}

void GraphNavigation::keep(int number) {
    if (!m_pane.canvas().scene())
        return;
    m_kept.keep(*m_session.opened(), number, m_pane.seen());
    emit remarked(tr("Kept as view %1; Alt+%1 comes back to it").arg(number));
}

void GraphNavigation::goToKept(int number) {
    if (!m_pane.canvas().scene())
        return;
    const auto place = m_kept.find(*m_session.opened(), number);
    if (!place)
        return emit remarked(tr("There is no view %1; Ctrl+Shift+%1 keeps one").arg(number));
    recordPlace();
    m_pane.goTo(*place);
    emit remarked(tr("View %1").arg(number));
}

void GraphNavigation::grow(EdgeDirection direction, int hops) {
    const std::vector<OpId>& selected = m_session.selection().ops;
    if (!m_session.opened() || selected.empty())
        return emit remarked(tr("Select an op first"));
    if (selected != m_grown || (hops > 0 && direction != m_direction)) { // it begins here
        m_seeds = selected;
        m_hops = 0;
        m_direction = direction;
    }
    m_hops = std::max(0, m_hops + hops);
    m_grown = neighbourhood(*m_session.opened()->graph, m_seeds, m_hops, m_direction);
    m_session.selectOps(m_grown);
    emit remarked(tr("%1 within %2").arg(countedText(m_grown.size(), "op"), countedText(m_hops, "hop")));
}

} // namespace opscape
