// SPDX-License-Identifier: MIT
#include "gui/views/graph_widget.h"

#include "gui/views/graph_accessible.h"
#include "gui/views/graph_walk.h"
#include "gui/views/overlay.h"
#include "gui/words.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kLeastScale = 1e-4;
constexpr int kStillMs = 140;           ///< after the last move the picture is drawn with all there is
constexpr double kSelectionMargin = 40; ///< pixels around a selection that is centred on

QRectF toRect(const LayoutRect& r) { return {r.x, r.y, r.width, r.height}; }

} // namespace

GraphWidget::GraphWidget(Session& session, const Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_drawLane(QStringLiteral("draw the graph %1").arg(reinterpret_cast<quintptr>(this))) {
    installGraphAccessibility(); // before anything is told of this widget
    setObjectName(QStringLiteral("graphWidget"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Graph"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_still.setSingleShot(true);
    m_still.setInterval(kStillMs);
    connect(&m_still, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
    connect(&session, &Session::shownChanged, this, [this] {
        if (m_fitted) // now there is a legend beside it
            fit();
        update();
    });
    connect(&session, &Session::selectionChanged, this, &GraphWidget::selectionMoved);
}

void GraphWidget::setScene(Placed placed, ScopeId anchor) {
    const auto cornerOf = [&](int node) {
        return toRect(scene()->nodes[static_cast<std::size_t>(node)].rect).topLeft();
    };
    const int before = anchor.valid() && scene() ? nodeOfScope(anchor) : -1;
    const QPointF kept = before >= 0 ? m_camera.toScreen(cornerOf(before)) : QPointF();
    m_placed = std::move(placed);
    m_hovered = -1;
    const int after = anchor.valid() && scene() ? nodeOfScope(anchor) : -1;
    if (before >= 0 && after >= 0) {
        m_fitted = false;
        m_camera.origin = cornerOf(after) - kept / m_camera.scale;
    } else if (!anchor.valid() || m_fitted) {
        fit();
    }
    update();
    emit coloursChanged();
    emit sceneChanged();
}

void GraphWidget::setPlaced(Placed placed) {
    if (placed.scene != scene())
        return;
    const bool other = !m_placed.colours || placed.colours->by() != m_placed.colours->by() ||
                       placed.colours->title() != m_placed.colours->title();
    if (other || m_isolated >= static_cast<int>(placed.colours->classes().size()))
        m_isolated = -1;
    m_placed = std::move(placed);
    if (m_fitted) // the legend beside it may have another size
        fit();
    update();
    emit coloursChanged();
}

void GraphWidget::isolate(int of) {
    m_isolated = of;
    update();
    emit coloursChanged();
}

void GraphWidget::setFound(std::vector<OpId> ops) {
    if (ops == m_found)
        return;
    m_found = std::move(ops);
    update();
}

GraphShown GraphWidget::shown() const {
    return {m_session.opened(),        m_placed, m_isolated, m_criticalShown,
            m_session.selection().ops, m_found,  m_hovered,  m_legendShown};
}

void GraphWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = m_look.theme();
    if (!m_session.opened() || !scene()) {
        painter.fillRect(rect(), theme.background);
        paintNotice(painter, rect(), theme, m_session.opened() ? tr("Laying out the graph…") : QString());
        return;
    }
    m_frame.paint(painter, {shown(), m_camera, size(), devicePixelRatioF(), theme}, m_still.isActive());
    if (m_moved && (m_drag == Drag::ZoomBox || m_drag == Drag::SelectBox))
        paintRubberBand(painter, QRectF(m_pressed, m_last).normalized(), m_look.accent());
    if (hasFocus())
        paintFocusFrame(painter, rect(), m_look.accent());
    drawWanted();
}

void GraphWidget::drawWanted() {
    const auto& wanted = m_frame.wanted();
    if (!wanted || (m_session.jobs().busy(m_drawLane) && m_drawing && m_drawing->isLike(*wanted)))
        return;
    m_drawing = wanted;
    m_session.jobs().start(
        m_drawLane, tr("Drawing the graph"),
        [this, ground = *wanted](const RunContext& context) -> JobRunner::Deliver {
            const QImage image = GraphFrame::drawGround(ground, [&](double) { return !context.stopRequested(); });
            if (image.isNull())
                return {};
            return [this, ground, image] {
                m_frame.take(ground, image);
                update();
            };
        },
        false, this);
}

void GraphWidget::moved() {
    m_fitted = false;
    m_session.jobs().abandon(m_drawLane); // what it draws is out of sight
    m_still.start();
    update();
}

void GraphWidget::resizeEvent(QResizeEvent*) {
    if (m_fitted)
        fit();
}

void GraphWidget::fit() {
    m_fitted = true;
    update();
    if (!scene())
        return;
    const QRectF world(0, 0, scene()->width, scene()->height);
    m_camera = GraphCamera::fit(world, size());
    const QRectF legend = GraphFrame::legendArea(size(), shown().view());
    if (const QRectF seen(m_camera.toScreen({0, 0}), world.size() * m_camera.scale); !seen.intersects(legend))
        return;
    // Beside the legend or below it, wherever there is more room.
    m_camera = GraphCamera::fit(world, QSizeF(legend.left(), height()));
    GraphCamera below = GraphCamera::fit(world, QSizeF(width(), height() - legend.bottom()));
    if (below.scale > m_camera.scale) {
        below.origin.ry() -= legend.bottom() / below.scale;
        m_camera = below;
    }
}

void GraphWidget::zoomAt(QPointF screen, double factor) {
    const QPointF world = m_camera.toWorld(screen);
    m_camera.scale = std::clamp(m_camera.scale * factor, kLeastScale, kMostScale);
    m_camera.origin = world - screen / m_camera.scale;
    moved();
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
    QRectF all = toRect(scene()->nodes[static_cast<std::size_t>(node)].rect);
    for (const OpId op : m_session.selection().ops) {
        if (const int other = scene()->nodeOf(op); other >= 0)
            all = all.united(toRect(scene()->nodes[static_cast<std::size_t>(other)].rect));
    }
    const GraphCamera whole = GraphCamera::fit(all, size(), kSelectionMargin, std::max(m_camera.scale, 1.0));
    GraphCamera camera = m_camera;
    camera.scale = whole.scale;
    camera.origin = all.center() - QPointF(width(), height()) / 2 / camera.scale;
    setCamera(camera);
}

void GraphWidget::centreOn(QPointF world) { m_camera.origin = world - QPointF(width(), height()) / 2 / m_camera.scale; }

void GraphWidget::showCritical(bool on) {
    m_criticalShown = on;
    update();
}

int GraphWidget::nodeAtScreen(QPointF position) const {
    return scene() ? nodeAt(*scene(), m_camera.toWorld(position)) : -1;
}

int GraphWidget::nodeOfScope(ScopeId scope) const {
    const auto it =
        std::ranges::find_if(scene()->nodes, [scope](const SceneNode& n) { return !n.op.valid() && n.scope == scope; });
    return it == scene()->nodes.end() ? -1 : static_cast<int>(it - scene()->nodes.begin());
}

QRectF GraphWidget::nodeRect(int node) const {
    const QRectF world = toRect(scene()->nodes[static_cast<std::size_t>(node)].rect);
    return {m_camera.toScreen(world.topLeft()), world.size() * m_camera.scale};
}

int GraphWidget::selectedNode() const {
    const Selection& selection = m_session.selection();
    if (!scene() || selection.ops.empty())
        return -1;
    if (selection.scope.valid()) {
        if (const int node = nodeOfScope(selection.scope); node >= 0)
            return node;
    }
    return scene()->nodeOf(selection.ops.front());
}

void GraphWidget::selectNode(int node, bool add) {
    const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
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
    for (const SceneNode& node : scene()->nodes) {
        if (node.expanded || !world.intersects(toRect(node.rect)))
            continue;
        const auto more = node.op.valid() ? std::vector{node.op} : m_session.opened()->scopes->opsBelow(node.scope);
        ops.insert(ops.end(), more.begin(), more.end());
    }
    m_session.selectOps(std::move(ops));
}

void GraphWidget::selectClass(int of) {
    std::vector<OpId> ops;
    for (std::size_t i = 0; i < m_session.opened()->graph->opCount(); ++i) {
        if (m_placed.colours->classOf(OpId(i)) == of)
            ops.push_back(OpId(i));
    }
    m_session.selectOps(std::move(ops));
}

void GraphWidget::clicked(QPointF position, bool add) {
    if (const int of = m_frame.legendRowAt(position); of >= 0) {
        add ? selectClass(of) : isolate(of == m_isolated ? -1 : of);
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
    const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
    const auto& selected = m_session.selection().ops;
    const auto below = n.op.valid() ? std::vector{n.op} : m_session.opened()->scopes->opsBelow(n.scope);
    if (!std::ranges::includes(selected, below))
        selectNode(node);
}

void GraphWidget::walk(int key) {
    if (!scene() || scene()->nodes.empty())
        return;
    const int from = selectedNode();
    const int to = from < 0 ? firstNode(*scene()) : neighbourOf(*scene(), from, key);
    if (to >= 0)
        selectNode(to);
}

void GraphWidget::selectionMoved() {
    if (const int node = selectedNode(); node >= 0) {
        keepInView(node);
        const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
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
    if (event->type() == QEvent::ToolTip && scene()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int node = nodeAtScreen(help->pos());
        if (node < 0) {
            QToolTip::hideText();
            return true;
        }
        const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
        const ShownRun* run = m_session.shown().get();
        QString tip =
            n.op.valid() ? opTip(*m_session.opened(), run, n.op) : scopeTip(*m_session.opened(), run, n.scope);
        if (m_placed.colours->isScale()) {
            const std::string figures = n.op.valid()
                                            ? m_placed.colours->classOf(n.op) >= 0
                                                  ? m_placed.colours->valueText(m_placed.colours->value(n.op))
                                                  : std::string()
                                            : aggregateText(*m_placed.colours, m_placed.placement->aggregate(node));
            if (!figures.empty())
                tip += u'\n' + qs(m_placed.colours->title() + ": " + figures);
        }
        QToolTip::showText(help->globalPos(), tip, this, nodeRect(node).toAlignedRect());
        return true;
    }
    return QWidget::event(event);
}

} // namespace opscape
