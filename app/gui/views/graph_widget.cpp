// SPDX-License-Identifier: MIT
#include "gui/views/graph_widget.h"

#include "gui/views/graph_accessible.h"
#include "gui/views/graph_walk.h"
#include "gui/views/overlay.h"
#include "gui/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPicture>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.25;
constexpr double kLeastScale = 1e-4, kMostScale = 12;
constexpr int kDragStart = 4; ///< pixels before a press is a drag
constexpr double kLegendMargin = 10;
constexpr double kSelectionMargin = 40; ///< pixels around a selection that is centred on

QRectF toRect(const LayoutRect& r) { return {r.x, r.y, r.width, r.height}; }

} // namespace

GraphWidget::GraphWidget(Session& session, const Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look) {
    installGraphAccessibility(); // before anything is told of this widget
    setObjectName(QStringLiteral("graphWidget"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Graph"));
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
    connect(&session, &Session::shownChanged, this, [this] {
        if (m_fitted) // now there is a legend beside it
            fit();
        update();
    });
    connect(&session, &Session::selectionChanged, this, &GraphWidget::selectionMoved);
}

void GraphWidget::setScene(std::shared_ptr<const GraphScene> scene, ScopeId anchor) {
    const int before = anchor.valid() && m_scene ? nodeOfScope(anchor) : -1;
    const QPointF kept =
        before >= 0 ? m_camera.toScreen(toRect(m_scene->nodes[static_cast<std::size_t>(before)].rect).topLeft())
                    : QPointF();
    m_scene = std::move(scene);
    m_hovered = -1;
    const int after = anchor.valid() && m_scene ? nodeOfScope(anchor) : -1;
    if (before >= 0 && after >= 0) {
        m_fitted = false;
        const QPointF world = toRect(m_scene->nodes[static_cast<std::size_t>(after)].rect).topLeft();
        m_camera.origin = world - kept / m_camera.scale;
    } else if (!anchor.valid() || m_fitted) {
        fit();
    }
    update();
}

void GraphWidget::setPlaced(Placed placed) {
    m_placed = std::move(placed);
    update();
}

GraphView GraphWidget::view() const {
    GraphView v;
    v.graph = m_session.opened()->graph.get();
    v.scopes = m_session.opened()->scopes.get();
    v.scene = m_scene.get();
    if (const ShownRun* run = m_session.shown().get()) {
        v.cluster = &run->cluster();
        v.plan = &run->outcome->plan;
        v.cost = run->problem().cost.get();
        v.critical = m_criticalShown ? &run->onCritical : nullptr;
        // After an edit the placement of the plan before stays in sight for the moment until its own is there.
        const bool edited = m_placed.run && (run->start != nullptr || m_placed.run->start != nullptr) &&
                            m_placed.run->problem().cluster == run->problem().cluster;
        if (m_placed.scene == m_scene && (m_placed.run == m_session.shown() || edited))
            v.placement = m_placed.placement.get();
    }
    v.selected = &m_session.selection().ops;
    v.hovered = m_hovered;
    return v;
}

void GraphWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = m_look.theme();
    painter.fillRect(rect(), theme.background);
    if (!m_session.opened() || !m_scene) {
        paintNotice(painter, rect(), theme, m_session.opened() ? tr("Laying out the graph…") : QString());
        return;
    }
    const GraphView what = view();
    paintGraph(painter, size(), m_camera, what, theme);
    m_legend.clear();
    if (what.plan != nullptr)
        m_legend = paintLegend(painter, {width() - kLegendMargin, kLegendMargin}, what, theme);
    if (m_moved && m_drag != Drag::None && m_drag != Drag::Pan)
        paintRubberBand(painter, QRectF(m_pressed, m_last).normalized(), m_look.accent());
    if (hasFocus())
        paintFocusFrame(painter, rect(), m_look.accent());
}

void GraphWidget::resizeEvent(QResizeEvent*) {
    if (m_fitted)
        fit();
}

void GraphWidget::fit() {
    m_fitted = true;
    update();
    if (!m_scene)
        return;
    const QRectF world(0, 0, m_scene->width, m_scene->height);
    m_camera = GraphCamera::fit(world, size());
    const QRectF legend = legendArea();
    if (const QRectF seen(m_camera.toScreen({0, 0}), world.size() * m_camera.scale); seen.intersects(legend))
        m_camera = GraphCamera::fit(world, QSizeF(legend.left(), height()));
}

QRectF GraphWidget::legendArea() const {
    if (!m_session.shown())
        return {};
    QPicture measured;
    QPainter painter(&measured);
    QRectF area;
    for (const QRectF& row : paintLegend(painter, {width() - kLegendMargin, kLegendMargin}, view(), m_look.theme()))
        area = area.united(row);
    return area.adjusted(-kLegendMargin, -kLegendMargin, kLegendMargin, kLegendMargin);
}

void GraphWidget::zoomAt(QPointF screen, double factor) {
    const QPointF world = m_camera.toWorld(screen);
    m_camera.scale = std::clamp(m_camera.scale * factor, kLeastScale, kMostScale);
    m_camera.origin = world - screen / m_camera.scale;
    m_fitted = false;
    update();
}

void GraphWidget::zoomBy(double factor) { zoomAt(rect().center(), factor); }

void GraphWidget::setCamera(const GraphCamera& camera) {
    m_camera = camera;
    m_fitted = false;
    update();
}

void GraphWidget::centreOnSelection() {
    const int node = selectedNode();
    if (node < 0)
        return;
    QRectF all = toRect(m_scene->nodes[static_cast<std::size_t>(node)].rect);
    for (const OpId op : m_session.selection().ops) {
        if (const int other = m_scene->nodeOf(*m_session.opened()->scopes, op); other >= 0)
            all = all.united(toRect(m_scene->nodes[static_cast<std::size_t>(other)].rect));
    }
    const GraphCamera whole = GraphCamera::fit(all, size(), kSelectionMargin, std::max(m_camera.scale, 1.0));
    GraphCamera camera = m_camera;
    camera.scale = whole.scale;
    camera.origin = all.center() - QPointF(width(), height()) / 2 / camera.scale;
    setCamera(camera);
}

void GraphWidget::showCritical(bool on) {
    m_criticalShown = on;
    update();
}

int GraphWidget::nodeAtScreen(QPointF position) const {
    return m_scene ? nodeAt(*m_scene, m_camera.toWorld(position)) : -1;
}

int GraphWidget::nodeOfScope(ScopeId scope) const {
    const auto it =
        std::ranges::find_if(m_scene->nodes, [scope](const SceneNode& n) { return !n.op.valid() && n.scope == scope; });
    return it == m_scene->nodes.end() ? -1 : static_cast<int>(it - m_scene->nodes.begin());
}

QRectF GraphWidget::nodeRect(int node) const {
    const QRectF world = toRect(m_scene->nodes[static_cast<std::size_t>(node)].rect);
    return {m_camera.toScreen(world.topLeft()), world.size() * m_camera.scale};
}

int GraphWidget::selectedNode() const {
    const Selection& selection = m_session.selection();
    if (!m_scene || selection.ops.empty())
        return -1;
    if (selection.scope.valid()) {
        if (const int node = nodeOfScope(selection.scope); node >= 0)
            return node;
    }
    return m_scene->nodeOf(*m_session.opened()->scopes, selection.ops.front());
}

void GraphWidget::selectNode(int node, bool add) {
    const SceneNode& n = m_scene->nodes[static_cast<std::size_t>(node)];
    if (add) {
        std::vector<OpId> ops = m_session.selection().ops;
        const auto more = n.op.valid() ? std::vector{n.op} : m_session.opened()->scopes->opsBelow(n.scope);
        const bool all = std::ranges::all_of(more, [&](OpId op) { return std::ranges::binary_search(ops, op); });
        if (all)
            std::erase_if(ops, [&](OpId op) { return std::ranges::binary_search(more, op); });
        else
            ops.insert(ops.end(), more.begin(), more.end());
        m_session.selectOps(std::move(ops));
    } else if (n.op.valid()) {
        m_session.selectOps({n.op});
    } else {
        m_session.selectScope(n.scope);
    }
}

void GraphWidget::selectInside(const QRectF& world) {
    std::vector<OpId> ops;
    for (const SceneNode& node : m_scene->nodes) {
        if (node.expanded || !world.intersects(toRect(node.rect)))
            continue;
        const auto more = node.op.valid() ? std::vector{node.op} : m_session.opened()->scopes->opsBelow(node.scope);
        ops.insert(ops.end(), more.begin(), more.end());
    }
    m_session.selectOps(std::move(ops));
}

void GraphWidget::clicked(QPointF position, bool add) {
    for (std::size_t device = 0; device < m_legend.size(); ++device) {
        if (!m_legend[device].contains(position))
            continue;
        std::vector<OpId> ops;
        const auto& placed = m_session.shown()->outcome->plan.device;
        for (std::size_t i = 0; i < placed.size(); ++i) {
            if (placed[i] == DeviceId(device))
                ops.push_back(OpId(i));
        }
        m_session.selectOps(std::move(ops));
        return;
    }
    if (const int node = nodeAtScreen(position); node >= 0)
        selectNode(node, add);
    else if (!add)
        m_session.select({});
}

/// What a menu is opened on is what it is about, unless it is part of what is selected already.
void GraphWidget::selectForMenu(QPointF position) {
    const int node = nodeAtScreen(position);
    if (node < 0)
        return;
    const SceneNode& n = m_scene->nodes[static_cast<std::size_t>(node)];
    const auto& selected = m_session.selection().ops;
    const auto below = n.op.valid() ? std::vector{n.op} : m_session.opened()->scopes->opsBelow(n.scope);
    if (!std::ranges::includes(selected, below))
        selectNode(node);
}

void GraphWidget::mousePressEvent(QMouseEvent* event) {
    m_pressed = m_last = event->position();
    m_moved = false;
    if (event->button() == Qt::MiddleButton)
        m_drag = Drag::Pan;
    else if (event->button() == Qt::RightButton)
        return selectForMenu(event->position());
    else if (event->button() != Qt::LeftButton)
        return;
    else if (event->modifiers() & Qt::ControlModifier)
        m_drag = Drag::ZoomBox;
    else if (event->modifiers() & Qt::ShiftModifier)
        m_drag = Drag::SelectBox;
    else
        m_drag = Drag::Pan;
}

void GraphWidget::mouseMoveEvent(QMouseEvent* event) {
    const QPointF position = event->position();
    if (m_drag == Drag::None) {
        const int node = nodeAtScreen(position);
        if (node != m_hovered) {
            m_hovered = node;
            update();
        }
        return;
    }
    m_moved = m_moved || (position - m_pressed).manhattanLength() >= kDragStart;
    if (m_moved && m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
        m_camera.origin -= (position - m_last) / m_camera.scale;
        m_fitted = false;
    }
    if (m_moved || m_drag != Drag::Pan)
        m_last = position;
    update();
}

void GraphWidget::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (drag == Drag::None || !m_scene)
        return;
    if (!m_moved) {
        if (event->button() == Qt::LeftButton)
            clicked(event->position(), drag != Drag::Pan);
        return;
    }
    m_moved = false;
    const QRectF screen = QRectF(m_pressed, event->position()).normalized();
    const QRectF world(m_camera.toWorld(screen.topLeft()), m_camera.toWorld(screen.bottomRight()));
    if (drag == Drag::ZoomBox) {
        m_camera = GraphCamera::fit(world, size(), 0, kMostScale);
        m_fitted = false;
    } else if (drag == Drag::SelectBox) {
        selectInside(world);
    }
    update();
}

void GraphWidget::mouseDoubleClickEvent(QMouseEvent* event) {
    const int node = event->button() == Qt::LeftButton ? nodeAtScreen(event->position()) : -1;
    if (node < 0)
        return;
    const SceneNode& n = m_scene->nodes[static_cast<std::size_t>(node)];
    if (n.op.valid())
        centreOnSelection();
    else
        emit toggleRequested(n.scope, event->modifiers().testFlag(Qt::AltModifier));
}

void GraphWidget::leaveEvent(QEvent*) {
    m_hovered = -1;
    update();
}

void GraphWidget::wheelEvent(QWheelEvent* event) {
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier) != m_wheelZooms;
    QPointF delta = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
    if (zooms) {
        zoomAt(event->position(),
               std::pow(kZoomStep, (event->angleDelta().y() != 0 ? event->angleDelta().y() : delta.y()) / 120.0));
    } else {
        if (event->modifiers() & Qt::ShiftModifier)
            delta = delta.transposed();
        m_camera.origin -= delta / m_camera.scale;
        m_fitted = false;
        update();
    }
    event->accept();
}

void GraphWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        walk(event->key());
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter: {
        const int node = selectedNode();
        if (node < 0)
            break;
        const SceneNode& n = m_scene->nodes[static_cast<std::size_t>(node)];
        if (!n.op.valid())
            emit toggleRequested(n.scope, event->modifiers().testFlag(Qt::AltModifier));
        return;
    }
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void GraphWidget::walk(int key) {
    if (!m_scene || m_scene->nodes.empty())
        return;
    const int from = selectedNode();
    const int to = from < 0 ? firstNode(*m_scene) : neighbourOf(*m_scene, from, key);
    if (to >= 0)
        selectNode(to);
}

void GraphWidget::selectionMoved() {
    if (const int node = selectedNode(); node >= 0) {
        keepInView(node);
        const SceneNode& n = m_scene->nodes[static_cast<std::size_t>(node)];
        setAccessibleDescription(n.op.valid() ? opTip(*m_session.opened(), m_session.shown().get(), n.op)
                                              : scopeTip(*m_session.opened(), m_session.shown().get(), n.scope));
    }
    update();
}

void GraphWidget::keepInView(int node) {
    const QRectF seen = nodeRect(node);
    const QRectF inner = QRectF(rect()).adjusted(24, 24, -24, -24);
    if (inner.intersects(seen))
        return;
    m_camera.origin += (seen.center() - inner.center()) / m_camera.scale;
    m_fitted = false;
}

bool GraphWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_scene) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int node = nodeAtScreen(help->pos());
        if (node < 0) {
            QToolTip::hideText();
            return true;
        }
        const SceneNode& n = m_scene->nodes[static_cast<std::size_t>(node)];
        const ShownRun* run = m_session.shown().get();
        QToolTip::showText(help->globalPos(),
                           n.op.valid() ? opTip(*m_session.opened(), run, n.op)
                                        : scopeTip(*m_session.opened(), run, n.scope),
                           this, nodeRect(node).toAlignedRect());
        return true;
    }
    return QWidget::event(event);
}

} // namespace opscape
