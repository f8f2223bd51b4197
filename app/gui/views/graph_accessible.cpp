// SPDX-License-Identifier: MIT
#include "gui/views/graph_accessible.h"

#include "gui/shown_text.h"
#include "gui/views/graph_widget.h"

#include <opscape/base/units.h>

#include <QAccessibleWidget>
#include <QPointer>

#include <map>

namespace opscape {
namespace {

/// A box. It may outlive its scene by a moment, and is invalid from then on.
class NodeAccessible final : public QAccessibleInterface {
public:
    NodeAccessible(GraphWidget& graph, int node) : m_graph(&graph), m_scene(graph.scene()), m_node(node) {}

    [[nodiscard]] bool isValid() const override { return m_graph != nullptr && m_graph->scene() == m_scene; }
    [[nodiscard]] QObject* object() const override { return nullptr; }
    [[nodiscard]] QWindow* window() const override {
        return m_graph != nullptr ? m_graph->window()->windowHandle() : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* parent() const override {
        return QAccessible::queryAccessibleInterface(m_graph);
    }
    [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
    [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    [[nodiscard]] int childCount() const override { return 0; }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    [[nodiscard]] QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    [[nodiscard]] QString text(QAccessible::Text what) const override {
        if (!isValid() || (what != QAccessible::Name && what != QAccessible::Description))
            return {};
        const SceneNode& node = m_scene->nodes[static_cast<std::size_t>(m_node)];
        const OpenedGraph& opened = *m_graph->session().opened();
        const ShownRun* run = m_graph->session().shown().get();
        if (what == QAccessible::Description)
            return node.op.valid() ? opTip(opened, run, node.op) : scopeTip(opened, run, node.scope);
        if (node.op.valid()) {
            const QString name = GraphWidget::tr("%1, %2").arg(seen(opened.graph->op(node.op).name),
                                                               seen(opened.graph->op(node.op).type));
            return run != nullptr && run->problem().pin(node.op).valid() ? GraphWidget::tr("%1, pinned").arg(name)
                                                                         : name;
        }
        const QString name = GraphWidget::tr("%1, %2 group of %3")
                                 .arg(seen(opened.scopes->path(node.scope)),
                                      node.expanded ? GraphWidget::tr("open") : GraphWidget::tr("closed"),
                                      countedText(opened.scopes->scope(node.scope).opsBelow, "op"));
        const auto& placement = m_graph->placed().placement;
        const std::uint32_t pinned = placement != nullptr ? placement->pinned(m_node) : 0;
        return pinned > 0 ? GraphWidget::tr("%1, %2 pinned").arg(name, countText(pinned)) : name;
    }
    [[nodiscard]] QRect rect() const override {
        if (!isValid())
            return {};
        const QRect box = m_graph->nodeRect(m_node).toAlignedRect();
        return {m_graph->mapToGlobal(box.topLeft()), box.size()};
    }
    [[nodiscard]] QAccessible::State state() const override {
        QAccessible::State state;
        state.invalid = !isValid();
        if (state.invalid)
            return state;
        const SceneNode& node = m_scene->nodes[static_cast<std::size_t>(m_node)];
        state.focusable = state.selectable = true;
        state.selected = m_graph->selectedNode() == m_node;
        state.focused = state.selected && m_graph->hasFocus();
        state.offscreen = !m_graph->nodeRect(m_node).intersects(m_graph->rect());
        state.expandable = !node.op.valid();
        state.expanded = node.expanded;
        state.collapsed = state.expandable && !node.expanded;
        return state;
    }

    [[nodiscard]] int node() const { return m_node; }

private:
    QPointer<GraphWidget> m_graph;
    std::shared_ptr<const GraphScene> m_scene;
    int m_node;
};

class GraphAccessible final : public QAccessibleWidget {
public:
    explicit GraphAccessible(GraphWidget& graph) : QAccessibleWidget(&graph, QAccessible::List), m_graph(graph) {}
    ~GraphAccessible() override { forget(); }

    void forget() {
        for (const auto& [node, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
        m_ids.clear();
    }

    [[nodiscard]] int childCount() const override {
        return m_graph.scene() ? static_cast<int>(m_graph.scene()->nodes.size()) : 0;
    }
    [[nodiscard]] QAccessibleInterface* child(int index) const override {
        if (index < 0 || index >= childCount())
            return nullptr;
        const auto known = m_ids.find(index);
        if (known != m_ids.end())
            return QAccessible::accessibleInterface(known->second);
        auto* made = new NodeAccessible(m_graph, index);
        m_ids[index] = QAccessible::registerAccessibleInterface(made);
        return made;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
        const auto* node = dynamic_cast<const NodeAccessible*>(child);
        return node != nullptr && node->isValid() ? node->node() : -1;
    }
    [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
        if (!m_graph.scene())
            return nullptr;
        const QPointF at = m_graph.mapFromGlobal(QPointF(x, y));
        return m_graph.rect().contains(at.toPoint()) ? child(nodeAt(*m_graph.scene(), m_graph.camera().toWorld(at)))
                                                     : nullptr;
    }
    [[nodiscard]] QAccessibleInterface* focusChild() const override {
        return m_graph.hasFocus() ? child(m_graph.selectedNode()) : nullptr;
    }

    [[nodiscard]] QString text(QAccessible::Text what) const override {
        const auto& opened = m_graph.session().opened();
        if (!opened || (what != QAccessible::Name && what != QAccessible::Value))
            return QAccessibleWidget::text(what);
        if (what == QAccessible::Name)
            return GraphWidget::tr("Graph %1: %2, %3; %4 shown")
                .arg(seen(opened->graph->name()), countedText(opened->graph->opCount(), "op"),
                     countedText(opened->graph->edgeCount(), "edge"), boxesText(childCount()));
        const std::size_t selected = m_graph.session().selection().ops.size();
        return selected == 0 ? GraphWidget::tr("Nothing selected")
                             : GraphWidget::tr("%1 selected").arg(countedText(selected, "op"));
    }

private:
    GraphWidget& m_graph;
    mutable std::map<int, QAccessible::Id> m_ids; ///< of the boxes that were asked for
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object) {
    auto* graph = qobject_cast<GraphWidget*>(object);
    return graph != nullptr ? new GraphAccessible(*graph) : nullptr;
}

GraphAccessible* accessibleOf(GraphWidget& graph) {
    return QAccessible::isActive() ? dynamic_cast<GraphAccessible*>(QAccessible::queryAccessibleInterface(&graph))
                                   : nullptr;
}

} // namespace

void installGraphAccessibility() {
    static const bool kInstalled = [] {
        QAccessible::installFactory(makeAccessible);
        return true;
    }();
    (void)kInstalled;
}

void announceNode(GraphWidget& graph, int node) {
    if (!QAccessible::isActive())
        return;
    QAccessibleEvent event(&graph, node >= 0 && graph.hasFocus() ? QAccessible::Focus : QAccessible::Selection);
    event.setChild(node);
    QAccessible::updateAccessibility(&event);
}

void announceScene(GraphWidget& graph) {
    if (GraphAccessible* accessible = accessibleOf(graph)) {
        accessible->forget();
        QAccessibleEvent event(&graph, QAccessible::ObjectReorder);
        QAccessible::updateAccessibility(&event);
    }
}

} // namespace opscape
