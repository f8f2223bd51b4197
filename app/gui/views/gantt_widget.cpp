// SPDX-License-Identifier: MIT
#include "gui/views/gantt_widget.h"

#include "gui/views/overlay.h"
#include "gui/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kZoomStep = 1.3;
constexpr double kLeastNsPerPixel = 0.02;
constexpr int kDragStart = 4;

} // namespace

GanttWidget::GanttWidget(Session& session, const Look& look, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setObjectName(QStringLiteral("ganttWidget"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumSize(160, 80);
    setAccessibleName(tr("Schedule"));
    m_scroll->hide();
    m_scroll->setFocusPolicy(Qt::NoFocus);
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        m_camera.scrollY = value;
        update();
    });
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
    connect(&session, &Session::selectionChanged, this, &GanttWidget::selectionMoved);
}

void GanttWidget::setRun(ShownRunPtr run) {
    // Whoever has zoomed in stays where they are with each better plan of a run that goes on, and with each edit.
    const bool follows = m_run && run && (m_run->goesOn || m_run->start != nullptr || run->start != nullptr);
    const bool stays = !m_fitted && follows && m_run->outcome->opened == run->outcome->opened;
    m_run = std::move(run);
    m_spanNs = m_run ? m_run->outcome->schedule.makespanNs : 0;
    layoutScrollBar();
    if (stays)
        update();
    else
        fitQuietly();
}

void GanttWidget::setSpan(std::int64_t endNs) {
    m_spanNs = std::max(endNs, m_run ? m_run->outcome->schedule.makespanNs : 0);
    fitQuietly();
}

void GanttWidget::setMark(std::int64_t ns) {
    m_markNs = ns;
    update();
}

void GanttWidget::follow(double startNs, double nsPerPixel, bool fitted) {
    m_camera.startNs = startNs;
    m_camera.nsPerPixel = nsPerPixel;
    m_fitted = fitted;
    update();
}

void GanttWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = m_look.theme();
    painter.fillRect(rect(), theme.background);
    if (!m_run || m_run->gantt.lanes().empty()) {
        paintNotice(painter, rect(), theme, m_notice);
    } else {
        GanttView what;
        what.selected = &m_session.selection().ops;
        what.critical = m_criticalShown ? &m_run->critical : nullptr;
        what.markNs = m_markNs;
        paintGantt(painter, QSizeF(width() - barMargin(), height()), m_camera, m_run->gantt, what, theme);
    }
    if (m_moved && m_drag == Drag::ZoomBox)
        paintRubberBand(painter, QRectF(QPointF(m_pressed.x(), 0), QPointF(m_last.x(), height())).normalized(),
                        m_look.accent());
    if (hasFocus())
        paintFocusFrame(painter, rect(), m_look.accent());
}

void GanttWidget::resizeEvent(QResizeEvent*) {
    layoutScrollBar();
    if (m_fitted)
        fitQuietly();
    else
        clampCamera();
}

void GanttWidget::layoutScrollBar() {
    const double over = m_run ? ganttHeight(m_run->gantt) - height() : 0;
    m_scroll->setVisible(over > 0);
    m_scroll->setGeometry(width() - m_scroll->sizeHint().width(), 0, m_scroll->sizeHint().width(), height());
    m_scroll->setRange(0, std::max(0, static_cast<int>(std::ceil(over))));
    m_scroll->setPageStep(height());
    m_scroll->setSingleStep(20);
    m_camera.scrollY = m_scroll->value();
}

void GanttWidget::fit() {
    fitQuietly();
    settle();
}

void GanttWidget::fitQuietly() {
    const double scroll = m_camera.scrollY;
    m_camera = GanttCamera::fit(std::max<std::int64_t>(1, m_spanNs), width() - barMargin(), m_camera.labelWidth);
    m_camera.scrollY = scroll;
    m_fitted = true;
    update();
}

void GanttWidget::clampCamera() {
    const double span = static_cast<double>(std::max<std::int64_t>(1, m_spanNs));
    m_camera.nsPerPixel =
        std::clamp(m_camera.nsPerPixel, kLeastNsPerPixel, std::max(kLeastNsPerPixel, 2 * span / laneWidth()));
    const double seen = laneWidth() * m_camera.nsPerPixel;
    m_camera.startNs = std::clamp(m_camera.startNs, -seen / 2, std::max(-seen / 2, span - seen / 2));
}

void GanttWidget::settle() {
    clampCamera();
    update();
    emit moved(m_camera.startNs, m_camera.nsPerPixel, m_fitted);
}

void GanttWidget::zoomAt(double x, double factor) {
    const double ns = m_camera.toNs(x);
    m_camera.nsPerPixel /= factor;
    clampCamera();
    m_camera.startNs = ns - (x - m_camera.labelWidth) * m_camera.nsPerPixel;
    m_fitted = false;
    settle();
}

void GanttWidget::zoomBy(double factor) {
    // About the selected bar where it is in view, else about the middle.
    const GanttHit hit = selectedBar();
    double x = m_camera.labelWidth + laneWidth() / 2;
    if (hit.bar >= 0) {
        const double at = m_camera.toX(static_cast<double>(bar(hit).startNs + bar(hit).endNs) / 2);
        if (at > m_camera.labelWidth && at < width())
            x = at;
    }
    zoomAt(x, factor);
}

void GanttWidget::panBy(double fractionOfView) {
    m_camera.startNs += fractionOfView * laneWidth() * m_camera.nsPerPixel;
    m_fitted = false;
    settle();
}

const GanttData::Bar& GanttWidget::bar(GanttHit hit) const {
    return m_run->gantt.lanes()[static_cast<std::size_t>(hit.lane)].bars[static_cast<std::size_t>(hit.bar)];
}

GanttHit GanttWidget::selectedBar() const {
    const Selection& selection = m_session.selection();
    if (!m_run)
        return {};
    if (!selection.ops.empty() && selection.ops.back().index() < m_run->problem().graph->opCount())
        return ganttBarOf(m_run->gantt, selection.ops.front());
    if (selection.transfer >= 0 && m_run == m_session.shown()) {
        const auto& lanes = m_run->gantt.lanes();
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            if (lanes[l].kind != GanttData::LaneKind::Channel)
                continue;
            const auto it = std::ranges::find(lanes[l].bars, static_cast<std::uint32_t>(selection.transfer),
                                              &GanttData::Bar::index);
            if (it != lanes[l].bars.end())
                return {static_cast<int>(l), static_cast<int>(it - lanes[l].bars.begin())};
        }
    }
    return {};
}

void GanttWidget::selectBar(GanttHit hit) {
    if (m_run->gantt.lanes()[static_cast<std::size_t>(hit.lane)].kind == GanttData::LaneKind::Device)
        m_session.selectOps({OpId(bar(hit).index)});
    else if (m_run == m_session.shown())
        m_session.selectTransfer(static_cast<int>(bar(hit).index));
    else // a transfer of a compared run: what both know of it is the op that made the tensor
        m_session.selectOps({m_run->outcome->schedule.transfers[bar(hit).index].producer});
}

void GanttWidget::centreOnSelection() {
    const GanttHit hit = selectedBar();
    if (hit.bar < 0)
        return;
    const auto start = static_cast<double>(bar(hit).startNs), end = static_cast<double>(bar(hit).endNs);
    const double middle = m_camera.labelWidth + laneWidth() / 2;
    if (std::abs(m_camera.toX((start + end) / 2) - middle) < 2)
        m_camera.nsPerPixel = std::max(1.0, end - start) / (laneWidth() / 3);
    clampCamera();
    m_camera.startNs = (start + end) / 2 - laneWidth() / 2 * m_camera.nsPerPixel;
    m_fitted = false;
    settle();
}

void GanttWidget::stepBar(int by) {
    if (!m_run)
        return;
    GanttHit hit = selectedBar();
    const auto& lanes = m_run->gantt.lanes();
    if (hit.bar < 0) {
        const auto lane = std::ranges::find_if(lanes, [](const GanttData::Lane& l) { return !l.bars.empty(); });
        if (lane == lanes.end())
            return;
        hit = {static_cast<int>(lane - lanes.begin()), 0};
    } else {
        hit.bar += by;
        if (hit.bar < 0 || hit.bar >= static_cast<int>(lanes[static_cast<std::size_t>(hit.lane)].bars.size()))
            return;
    }
    selectBar(hit);
    bringIntoView(hit);
}

void GanttWidget::stepLane(int by) {
    const GanttHit hit = selectedBar();
    if (hit.bar < 0)
        return stepBar(0);
    const auto& lanes = m_run->gantt.lanes();
    const std::int64_t at = bar(hit).startNs;
    for (int l = hit.lane + by; l >= 0 && l < static_cast<int>(lanes.size()); l += by) {
        const auto& bars = lanes[static_cast<std::size_t>(l)].bars;
        if (bars.empty())
            continue;
        const auto next = std::ranges::upper_bound(bars, at, {}, &GanttData::Bar::startNs);
        const GanttHit to{l, std::max(0, static_cast<int>(next - bars.begin()) - 1)};
        selectBar(to);
        return bringIntoView(to);
    }
}

void GanttWidget::bringIntoView(GanttHit hit) {
    const double x = m_camera.toX(static_cast<double>(bar(hit).startNs + bar(hit).endNs) / 2);
    if (x > m_camera.labelWidth && x < m_camera.labelWidth + laneWidth())
        return;
    m_camera.startNs += (x - m_camera.labelWidth - laneWidth() / 2) * m_camera.nsPerPixel;
    m_fitted = false;
    settle();
}

void GanttWidget::showCritical(bool on) {
    m_criticalShown = on;
    update();
}

void GanttWidget::selectionMoved() {
    if (const GanttHit hit = selectedBar(); hit.bar >= 0)
        bringIntoView(hit);
    update();
}

void GanttWidget::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::RightButton && m_run) { // what a menu is opened on is what it is about
        const GanttHit hit = ganttHit(m_run->gantt, m_camera, event->position());
        const bool isOp = hit.bar >= 0 &&
                          m_run->gantt.lanes()[static_cast<std::size_t>(hit.lane)].kind == GanttData::LaneKind::Device;
        if (isOp && !std::ranges::binary_search(m_session.selection().ops, OpId(bar(hit).index)))
            selectBar(hit);
    }
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressed = m_last = event->position();
    m_moved = false;
    m_drag = event->modifiers().testFlag(Qt::ControlModifier) ? Drag::ZoomBox : Drag::Pan;
}

void GanttWidget::mouseMoveEvent(QMouseEvent* event) {
    if (m_drag == Drag::None)
        return;
    const QPointF position = event->position();
    m_moved = m_moved || (position - m_pressed).manhattanLength() >= kDragStart;
    if (!m_moved)
        return;
    if (m_drag == Drag::Pan) {
        setCursor(Qt::ClosedHandCursor);
        m_camera.startNs -= (position.x() - m_last.x()) * m_camera.nsPerPixel;
        m_scroll->setValue(m_scroll->value() - static_cast<int>(position.y() - m_last.y()));
        m_fitted = false;
        settle();
    }
    m_last = position;
    update();
}

void GanttWidget::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (drag == Drag::None || !m_run)
        return;
    if (!m_moved) {
        const GanttHit hit = ganttHit(m_run->gantt, m_camera, event->position());
        if (hit.bar >= 0)
            selectBar(hit);
        else
            m_session.select({});
    } else if (drag == Drag::ZoomBox) {
        const double from = m_camera.toNs(std::min(m_pressed.x(), event->position().x()));
        const double to = m_camera.toNs(std::max(m_pressed.x(), event->position().x()));
        m_camera.nsPerPixel = (to - from) / laneWidth();
        m_camera.startNs = from;
        m_fitted = false;
        settle();
    }
    m_moved = false;
}

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
    case Qt::Key_Home:
        fit();
        break;
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
    default:
        QWidget::keyPressEvent(event);
    }
}

bool GanttWidget::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && m_run) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const GanttHit hit = ganttHit(m_run->gantt, m_camera, help->pos());
        if (hit.bar < 0) {
            QToolTip::hideText();
            return true;
        }
        const bool isOp = m_run->gantt.lanes()[static_cast<std::size_t>(hit.lane)].kind == GanttData::LaneKind::Device;
        QToolTip::showText(help->globalPos(),
                           isOp ? opTip(*m_run->outcome->opened, m_run.get(), OpId(bar(hit).index))
                                : transferTip(*m_run, bar(hit).index),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace opscape
