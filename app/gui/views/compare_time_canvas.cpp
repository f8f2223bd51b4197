// SPDX-License-Identifier: MIT
#include "gui/views/compare_time_canvas.h"

#include "gui/views/overlay.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.3, kPanStep = 0.1;
constexpr int kDragStart = 4;

} // namespace

CompareTimeCanvas::CompareTimeCanvas(const Look& look, QWidget* parent)
    : QWidget(parent),
      m_look(look),
      m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 60);
    m_scroll->hide();
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        m_camera.scrollY = value;
        update();
    });
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
}

void CompareTimeCanvas::setContent(std::int64_t endNs, double height) {
    m_endNs = endNs;
    m_height = height;
    layoutScrollBar();
    if (m_fitted)
        fitQuietly();
    update();
}

double CompareTimeCanvas::laneWidth() const {
    return std::max(1.0, static_cast<double>(width()) - m_camera.labelWidth - barMargin());
}

void CompareTimeCanvas::follow(double startNs, double nsPerPixel, bool fitted) {
    if (fitted) {
        fitQuietly();
        return;
    }
    m_camera.startNs = startNs;
    m_camera.nsPerPixel = nsPerPixel;
    m_fitted = false;
    update();
}

void CompareTimeCanvas::fitQuietly() {
    const double scroll = m_camera.scrollY;
    m_camera = GanttCamera::fit(std::max<std::int64_t>(1, m_endNs), width() - barMargin(), m_camera.labelWidth);
    m_camera.scrollY = scroll;
    m_fitted = true;
    update();
}

void CompareTimeCanvas::fit() {
    fitQuietly();
    settle();
}

void CompareTimeCanvas::clampCamera() { m_camera.clamp(m_endNs, laneWidth()); }

void CompareTimeCanvas::settle() {
    if (!m_fitted)
        clampCamera();
    update();
    emit moved(m_camera.startNs, m_camera.nsPerPixel, m_fitted);
}

void CompareTimeCanvas::zoomAt(double x, double factor) {
    m_camera.zoomAt(x, factor, m_endNs, laneWidth());
    m_fitted = false;
    settle();
}

void CompareTimeCanvas::zoomBy(double factor) { zoomAt(m_camera.labelWidth + laneWidth() / 2, factor); }

void CompareTimeCanvas::panBy(double fractionOfView) {
    m_camera.startNs += fractionOfView * laneWidth() * m_camera.nsPerPixel;
    m_fitted = false;
    settle();
}

void CompareTimeCanvas::layoutScrollBar() {
    const double over = m_height - height();
    m_scroll->setVisible(over > 0);
    m_scroll->setGeometry(width() - m_scroll->sizeHint().width(), 0, m_scroll->sizeHint().width(), height());
    m_scroll->setRange(0, std::max(0, static_cast<int>(std::ceil(over))));
    m_scroll->setPageStep(height());
    m_scroll->setSingleStep(20);
    m_camera.scrollY = m_scroll->value();
}

void CompareTimeCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.theme().background);
    paintContent(painter, QSizeF(width() - barMargin(), height()));
    if (hasFocus())
        paintFocusFrame(painter, rect(), m_look.accent());
}

void CompareTimeCanvas::resizeEvent(QResizeEvent*) {
    layoutScrollBar();
    if (m_fitted)
        fitQuietly();
}

void CompareTimeCanvas::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_from = m_last = event->position();
    m_pressed = true;
    m_moved = false;
}

void CompareTimeCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!m_pressed)
        return;
    const QPointF position = event->position();
    m_moved = m_moved || (position - m_from).manhattanLength() >= kDragStart;
    if (m_moved) {
        setCursor(Qt::ClosedHandCursor);
        m_camera.startNs -= (position.x() - m_last.x()) * m_camera.nsPerPixel;
        m_scroll->setValue(m_scroll->value() - static_cast<int>(position.y() - m_last.y()));
        m_fitted = false;
        settle();
    }
    m_last = position;
}

void CompareTimeCanvas::mouseReleaseEvent(QMouseEvent* event) {
    unsetCursor();
    if (std::exchange(m_pressed, false) && !m_moved && event->button() == Qt::LeftButton)
        clicked(event->position());
}

void CompareTimeCanvas::wheelEvent(QWheelEvent* event) {
    const QPointF delta =
        event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : QPointF(event->pixelDelta());
    if (event->modifiers() & Qt::ControlModifier) {
        zoomAt(event->position().x(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    } else {
        const bool scrolls = m_scroll->isVisible() && !(event->modifiers() & Qt::ShiftModifier);
        if (scrolls)
            m_scroll->setValue(m_scroll->value() - static_cast<int>(delta.y()));
        const double along = delta.x() + (scrolls ? 0 : delta.y());
        m_camera.startNs -= along * m_camera.nsPerPixel;
        if (along != 0) {
            m_fitted = false;
            settle();
        }
    }
    event->accept();
}

void CompareTimeCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Home:
        fit();
        break;
    case Qt::Key_Left:
        panBy(-kPanStep);
        break;
    case Qt::Key_Right:
        panBy(kPanStep);
        break;
    case Qt::Key_Up:
        m_scroll->triggerAction(QAbstractSlider::SliderSingleStepSub);
        break;
    case Qt::Key_Down:
        m_scroll->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

bool CompareTimeCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace opscape
