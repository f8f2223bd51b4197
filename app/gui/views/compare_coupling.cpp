// SPDX-License-Identifier: MIT
#include "gui/views/compare_coupling.h"

#include <QEvent>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

bool isLike(const GraphCamera& a, const GraphCamera& b) {
    return std::abs(a.scale - b.scale) < 1e-9 * a.scale &&
           QPointF(a.origin - b.origin).manhattanLength() * a.scale < 0.01;
}

/// The whole of what another picture sees, as large as it fits; exactly the same where they are of one size.
GraphCamera seeingTheSame(const GraphWidget& leader, const GraphWidget& follower) {
    if (leader.size() == follower.size())
        return leader.camera();
    const QSizeF seen = QSizeF(leader.size()) / leader.camera().scale;
    GraphCamera camera;
    camera.scale = std::min(follower.width() / seen.width(), follower.height() / seen.height());
    const QPointF middle = leader.camera().origin + QPointF(seen.width(), seen.height()) / 2;
    camera.origin = middle - QPointF(follower.width(), follower.height()) / 2 / camera.scale;
    return camera;
}

} // namespace

void CompareCoupling::note(Member& member) {
    member.known = member.graph->camera();
    member.fitted = member.graph->fitted();
    member.size = member.graph->size();
    member.scene = member.graph->scene();
}

void CompareCoupling::add(GraphWidget* graph) {
    graph->installEventFilter(this);
    m_members.push_back({graph, {}, true, {}, nullptr});
    note(m_members.back());
}

void CompareCoupling::remove(GraphWidget* graph) {
    graph->removeEventFilter(this);
    std::erase_if(m_members, [graph](const Member& m) { return m.graph == graph; });
}

void CompareCoupling::lead(GraphWidget* leader) {
    for (Member& member : m_members) {
        if (!member.graph)
            continue;
        if (member.graph != leader && member.graph->scene() && leader->scene() && !leader->size().isEmpty()) {
            if (leader->fitted())
                member.graph->fit();
            else
                member.graph->setCamera(seeingTheSame(*leader, *member.graph));
        }
        note(member);
    }
}

bool CompareCoupling::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Paint)
        return false;
    const auto member = std::ranges::find_if(m_members, [watched](const Member& m) { return m.graph == watched; });
    if (member == m_members.end() || !member->graph->scene())
        return false;
    const GraphWidget& graph = *member->graph;
    // Another size, or another scene that is fitted again, is no movement: everyone sees to that alone.
    if (graph.size() != member->size || (graph.scene() != member->scene && graph.fitted()))
        note(*member);
    else if (graph.fitted() != member->fitted || !isLike(graph.camera(), member->known))
        lead(member->graph);
    return false;
}

} // namespace opscape
