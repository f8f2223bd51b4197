// SPDX-License-Identifier: MIT
// The mouse and the keys on the picture of a schedule.
#include "gui/views/gantt_widget.h"
#include "gui/views/gantt_words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.3;
constexpr int kDragStart = 4;

} // namespace

GanttHit GanttWidget::hitAt(QPointF position) const { return ganttHit(data(), *m_stack, m_camera, position); }

void GanttWidget::mousePressEvent(QMouseEvent* event) {
    if (!m_run)
        return;
    const QPointF position = event->position();
    if (event->button() == Qt::RightButton) { // what a menu is opened on is what it is about
        const GanttHit hit = hitAt(position);
        if (hit.bar < 0)
            return;
        const GanttTarget target =
            targetOf(data(), {static_cast<std::uint32_t>(hit.lane), static_cast<std::uint32_t>(hit.bar)});
        if (!target.op.valid() || !std::ranges::binary_search(m_session.selection().ops, target.op))
            select(target);
    }
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressed = m_last = position;
    m_moved = false;
    const Qt::KeyboardModifiers keys = event->modifiers();
    const bool onLabel = position.x() < m_camera.labelWidth;
    m_dragLane = onLabel ? m_stack->laneAt(position.y(), m_camera.scrollY) : -1;
    if (event->button() == Qt::MiddleButton || keys.testFlag(Qt::AltModifier))
        m_drag = Drag::Pan;
    else if (onLabel)
        m_drag = m_dragLane >= 0 ? Drag::Lane : Drag::Pan;
    else if (keys.testFlag(Qt::ControlModifier))
        m_drag = Drag::ZoomBox;
    else
        m_drag = keys.testFlag(Qt::ShiftModifier) || m_measureNext ? Drag::Ruler : Drag::Range;
    m_dragNs = m_drag == Drag::Ruler ? snapped(position) : timeAt(position.x());
}

void GanttWidget::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    if (m_drag == Drag::None)
        return;
    m_moved = m_moved || (*m_pointer - m_pressed).manhattanLength() >= kDragStart;
    if (m_moved)
        dragged(*m_pointer);
}

void GanttWidget::dragged(QPointF position) {
    const auto between = [&](std::int64_t ns) { return TimeRange{std::min(m_dragNs, ns), std::max(m_dragNs, ns)}; };
    if (m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
        m_camera.startNs -= (position.x() - m_last.x()) * m_camera.nsPerPixel;
        m_scroll->setValue(m_scroll->value() - static_cast<int>(position.y() - m_last.y()));
        m_fitted = false;
        settle();
    } else if (m_drag == Drag::Range) {
        m_range = between(timeAt(position.x())); // told once it stands
    } else if (m_drag == Drag::Ruler) {
        m_ruler = between(snapped(position));
    }
    m_last = position;
    update();
}

void GanttWidget::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::None || !m_run)
        return;
    unsetCursor();
    if (!m_moved) {
        if (event->button() == Qt::LeftButton)
            clicked(event->position());
        return;
    }
    m_moved = false;
    if (drag == Drag::Range)
        emit rangeChanged();
    else if (drag == Drag::Ruler)
        m_measureNext = false;
    else if (drag == Drag::Lane)
        dropLane(event->position());
    else if (drag == Drag::ZoomBox) {
        const double from = m_camera.toNs(std::min(m_pressed.x(), event->position().x()));
        const double to = m_camera.toNs(std::max(m_pressed.x(), event->position().x()));
        m_camera.nsPerPixel = (to - from) / laneWidth();
        m_camera.startNs = from;
        m_fitted = false;
        settle();
    }
    update();
}

void GanttWidget::clicked(QPointF position) {
    const GanttHit hit = hitAt(position);
    if (hit.bar >= 0) {
        select(targetOf(data(), {static_cast<std::uint32_t>(hit.lane), static_cast<std::uint32_t>(hit.bar)}));
        return;
    }
    const bool onMemory =
        hit.lane >= 0 && data().lanes()[static_cast<std::size_t>(hit.lane)].kind == GanttData::LaneKind::Memory;
    if (!onMemory) {
        clearLooks();
        m_session.select({});
        return;
    }
    const DeviceId device(data().lanes()[static_cast<std::size_t>(hit.lane)].index);
    const std::int64_t peakNs = data().schedule().devices[device.index()].peakNs;
    const bool onPeak = std::abs(m_camera.toX(peakNs) - position.x()) <= 6 || position.x() < m_camera.labelWidth;
    m_selecting = true; // what is listed is selected, but the view stays
    emit memoryAsked(device, onPeak ? peakNs : timeAt(position.x()));
    m_selecting = false;
}

void GanttWidget::dropLane(QPointF position) {
    const double scrollY = m_camera.scrollY;
    int before = -1;
    for (const LaneStack::Slot& slot : m_stack->inOrder()) {
        if (slot.isShown && slot.isPinned == m_stack->slotOf(m_dragLane).isPinned &&
            m_stack->yOf(slot, scrollY) + slot.height / 2 > position.y()) {
            before = slot.lane;
            break;
        }
    }
    if (before != m_dragLane)
        putLane(m_dragLane, before);
}

void GanttWidget::leaveEvent(QEvent*) { m_pointer.reset(); }

void GanttWidget::wheelEvent(QWheelEvent* event) {
    const QPointF delta =
        event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
    if (event->modifiers() & Qt::ControlModifier) {
        zoomAt(event->position().x(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    } else {
        const bool scrolls = m_scroll->isVisible() && !(event->modifiers() & Qt::ShiftModifier);
        if (scrolls)
            m_scroll->setValue(m_scroll->value() - static_cast<int>(delta.y()));
        m_camera.startNs -= (delta.x() + (scrolls ? 0 : delta.y())) * m_camera.nsPerPixel;
        if (!scrolls || delta.x() != 0) {
            m_fitted = false;
            settle();
        }
    }
    event->accept();
}

void GanttWidget::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        stepBar(-1);
        break;
    case Qt::Key_Right:
        stepBar(1);
        break;
    case Qt::Key_Up:
        stepLane(-1);
        break;
    case Qt::Key_Down:
        stepLane(1);
        break;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        m_scroll->triggerAction(event->key() == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub
                                                               : QAbstractSlider::SliderPageStepAdd);
        break;
    case Qt::Key_Escape:
        if (!clearLooks())
            event->ignore();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool GanttWidget::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const bool isEscape = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (isEscape && (m_range || m_ruler || m_momentNs >= 0 || m_segment >= 0 || m_measureNext)) {
            event->accept(); // before it clears the selection it clears what is looked at
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && m_run) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip =
            ganttTip(*m_run, hitAt(help->pos()), std::llround(m_camera.toNs(help->pos().x())), m_criticalShown);
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace opscape
