// SPDX-License-Identifier: MIT
// Mouse, wheel and keys on the picture of the graph.
#include "gui/views/graph_widget.h"

#include <QKeyEvent>
#include <QWheelEvent>

#include <cmath>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.25;
constexpr int kDragStart = 4; ///< pixels before a press is a drag

} // namespace

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
        m_drag = m_frame.minimapContains(event->position()) ? Drag::Minimap : Drag::Pan;
    if (m_drag == Drag::Minimap) {
        centreOn(m_frame.minimapToWorld(event->position()));
        moved();
    }
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
        moved();
    } else if (m_drag == Drag::Minimap) {
        centreOn(m_frame.minimapToWorld(position));
        moved();
    }
    if (m_moved || m_drag != Drag::Pan)
        m_last = position;
    update();
}

void GraphWidget::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (drag == Drag::None || drag == Drag::Minimap || !scene())
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
    const QPointF position = event->position();
    if (m_frame.legendRowAt(position) >= 0 || m_frame.minimapContains(position))
        return mousePressEvent(event); // two clicks there are two clicks
    const int node = event->button() == Qt::LeftButton ? nodeAtScreen(position) : -1;
    if (node < 0)
        return;
    const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
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
        moved();
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
        const SceneNode& n = scene()->nodes[static_cast<std::size_t>(node)];
        if (!n.op.valid())
            emit toggleRequested(n.scope, event->modifiers().testFlag(Qt::AltModifier));
        return;
    }
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace opscape
