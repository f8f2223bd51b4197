// SPDX-License-Identifier: MIT
#include "gui/views/compare_graph.h"

#include "gui/words.h"
#include "render/difference_marks.h"

#include <opscape/base/units.h>

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace opscape {

CompareGraph::CompareGraph(Session& session, const Look& look, QWidget* parent)
    : GraphWidget(session, look, parent),
      m_session(session),
      m_look(look) {
    setObjectName(QStringLiteral("compareGraph"));
    setLegendShown(false); // the letters are those of the graph pane, and there is little room
}

void CompareGraph::show(const Shown& shown) {
    m_marks = shown.marks;
    if (shown.placed.scene == scene())
        setPlaced(shown.placed);
    else
        setScene(shown.placed);
}

void CompareGraph::paintEvent(QPaintEvent* event) {
    GraphWidget::paintEvent(event);
    if (!scene() || !m_marks || m_marks->size() != scene()->nodes.size())
        return;
    QPainter painter(this);
    paintDifferenceMarks(painter, size(), camera(), *scene(), *m_marks, m_look.theme());
}

bool CompareGraph::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || !scene() || !placed().run)
        return GraphWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int node = nodeAt(*scene(), camera().toWorld(help->pos()));
    if (node < 0) {
        QToolTip::hideText();
        return true;
    }
    const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
    const ShownRun* run = placed().run.get();
    QString tip = n.op.valid() ? opTip(*m_session.opened(), run, n.op) : scopeTip(*m_session.opened(), run, n.scope);
    if (m_marks && (*m_marks)[static_cast<std::size_t>(node)] > 0)
        tip += u'\n' + (n.op.valid() ? tr("On another device in another plan")
                                     : tr("%1 of the ops are on another device in another plan")
                                           .arg(qs(formatCount((*m_marks)[static_cast<std::size_t>(node)]))));
    QToolTip::showText(help->globalPos(), tip, this, nodeRect(node).toAlignedRect());
    return true;
}

} // namespace opscape
