// SPDX-License-Identifier: MIT
// What is shown and where it is looked at; the mouse and the keys are in gantt_input.cpp.
#include "gui/views/gantt_widget.h"

#include "gui/views/gantt_words.h"
#include "gui/views/overlay.h"
#include "gui/words.h"
#include "render/raster_surface.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace opscape {

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
    setAttribute(Qt::WA_OpaquePaintEvent);
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
    const bool isSameGraph = m_run && run && m_run->outcome->opened == run->outcome->opened;
    const bool follows = isSameGraph && (m_run->goesOn || m_run->start != nullptr || run->start != nullptr);
    const bool stays = !m_fitted && follows;
    m_run = std::move(run);
    m_spanNs = m_run ? m_run->outcome->schedule.makespanNs : 0;
    m_segment = -1;
    m_momentDevice = {};
    m_momentNs = -1;
    m_measured.reset();
    if (!isSameGraph) { // what was marked means nothing there
        m_ruler.reset();
        setFound({});
        setRange({});
        setMarks({});
    }
    restack();
    if (stays)
        update();
    else
        fitQuietly();
    describe();
}

void GanttWidget::restack() {
    m_stack.reset();
    if (m_run)
        m_stack.emplace(data(), m_choice);
    layoutScrollBar();
    if (m_fitted)
        fitQuietly();
    update();
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

void GanttWidget::setColours(std::shared_ptr<const OpColours> colours, int isolated) {
    m_colours = std::move(colours);
    m_isolated = isolated;
    update();
}

void GanttWidget::setLanes(LaneChoice choice) {
    if (choice == m_choice)
        return;
    m_choice = std::move(choice);
    restack();
    emit lanesChanged();
}

void GanttWidget::setFound(const std::vector<OpId>& ops) {
    m_found.clear();
    if (!ops.empty() && m_run) {
        m_found.resize(m_run->problem().graph->opCount());
        for (const OpId op : ops) {
            if (op.index() < m_found.size())
                m_found[op.index()] = 1;
        }
    }
    update();
}

void GanttWidget::setRange(std::optional<TimeRange> range) {
    if (range == m_range)
        return;
    m_range = range;
    update();
    emit rangeChanged();
}

void GanttWidget::setMarks(std::vector<TimeMark> marks) {
    if (marks == m_marks)
        return;
    m_marks = std::move(marks);
    update();
    emit marksChanged();
}

void GanttWidget::setMoment(DeviceId device, std::int64_t ns) {
    m_momentDevice = device;
    m_momentNs = device.valid() ? ns : -1;
    update();
}

void GanttWidget::setSegment(int segment) {
    m_segment = segment;
    update();
}

GanttView GanttWidget::view() const {
    GanttView what;
    what.stack = m_stack ? &*m_stack : nullptr;
    what.selected = &m_session.selection().ops;
    what.transfer = m_run == m_session.shown() ? m_session.selection().transfer : -1;
    what.critical = m_criticalShown || m_segment >= 0 ? &m_run->critical : nullptr;
    what.segment = m_segment;
    what.colours = m_colours.get();
    what.isolated = m_isolated;
    what.found = m_found.empty() ? nullptr : &m_found;
    what.range = m_range;
    what.ruler = m_ruler;
    what.marks = m_marks;
    what.memoryDevice = m_momentDevice.valid() ? static_cast<int>(m_momentDevice.value) : -1;
    what.memoryNs = m_momentNs;
    what.markNs = m_markNs;
    return what;
}

void GanttWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = m_look.theme();
    if (!m_run || data().lanes().empty()) {
        painter.fillRect(rect(), theme.background);
        paintNotice(painter, rect(), theme, m_notice);
    } else {
        const double ratio = devicePixelRatioF();
        const QSize pixels = (QSizeF(size()) * ratio).toSize();
        if (m_image.size() != pixels)
            m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(ratio);
        RasterSurface surface(m_image, ratio);
        surface.rect({width() - barMargin(), 0, barMargin(), static_cast<double>(height())}, theme.background);
        paintGantt(surface, QSizeF(width() - barMargin(), height()), m_camera, data(), view(), theme);
        painter.setCompositionMode(QPainter::CompositionMode_Source);
        painter.drawImage(0, 0, m_image);
        painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
        if (m_stack->shownCount() == 0)
            paintNotice(painter, rect(), theme, tr("Every lane is hidden; the list of lanes (I) brings them back."));
    }
    paintDrag(painter);
    if (hasFocus())
        paintFocusFrame(painter, rect(), m_look.accent());
}

void GanttWidget::paintDrag(QPainter& painter) const {
    if (!m_moved)
        return;
    if (m_drag == Drag::ZoomBox)
        paintRubberBand(painter, QRectF(QPointF(m_pressed.x(), 0), QPointF(m_last.x(), height())).normalized(),
                        m_look.accent());
    if (m_drag == Drag::Lane)
        painter.fillRect(QRectF(0, m_last.y() - 1, width(), 2), m_look.accent());
}

void GanttWidget::resizeEvent(QResizeEvent*) {
    layoutScrollBar();
    if (m_fitted)
        fitQuietly();
    else
        clampCamera();
}

void GanttWidget::layoutScrollBar() {
    const double over = m_stack ? m_stack->height() - height() : 0;
    m_scroll->setVisible(over > 0);
    const int top = m_stack ? static_cast<int>(kGanttAxisHeight + m_stack->pinnedHeight()) : 0;
    const int width = m_scroll->sizeHint().width();
    m_scroll->setGeometry(this->width() - width, std::min(top, height()), width, std::max(0, height() - top));
    m_scroll->setRange(0, std::max(0, static_cast<int>(std::ceil(over))));
    m_scroll->setPageStep(std::max(1, height() - top));
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

void GanttWidget::clampCamera() { m_camera.clamp(m_spanNs, laneWidth()); }

void GanttWidget::settle() {
    clampCamera();
    update();
    emit moved(m_camera.startNs, m_camera.nsPerPixel, m_fitted);
}

void GanttWidget::zoomAt(double x, double factor) {
    m_camera.zoomAt(x, factor, m_spanNs, laneWidth());
    m_fitted = false;
    settle();
}

bool GanttWidget::pointerInPlot() const {
    return m_pointer && m_pointer->x() > m_camera.labelWidth && m_pointer->x() < m_camera.labelWidth + laneWidth();
}

void GanttWidget::zoomBy(double factor) {
    // At the pointer, else about the selected bar where it is in view, else about the middle.
    double x = m_camera.labelWidth + laneWidth() / 2;
    const GanttData::Place place = selectedPlace();
    if (pointerInPlot()) {
        x = m_pointer->x();
    } else if (place.valid()) {
        const GanttData::Bar& bar = data().bar(place);
        const double at = (m_camera.toX(bar.startNs) + m_camera.toX(bar.endNs)) / 2;
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

void GanttWidget::goTo(std::int64_t ns) {
    m_camera.startNs = static_cast<double>(ns) - laneWidth() / 2 * m_camera.nsPerPixel;
    m_fitted = false;
    settle();
}

void GanttWidget::centreOnSelection() {
    const auto time = selectedTime();
    if (!time)
        return;
    const auto start = static_cast<double>(time->fromNs), end = static_cast<double>(time->toNs);
    const double middle = m_camera.labelWidth + laneWidth() / 2;
    if (std::abs(m_camera.toX((start + end) / 2) - middle) < 2)
        m_camera.nsPerPixel = std::max(1.0, end - start) / (laneWidth() / 3);
    clampCamera();
    m_camera.startNs = (start + end) / 2 - laneWidth() / 2 * m_camera.nsPerPixel;
    m_fitted = false;
    if (const auto place = selectedPlace(); place.valid())
        bringLaneIntoView(static_cast<int>(place.lane));
    settle();
}

void GanttWidget::bringLaneIntoView(int lane) {
    if (!m_stack->shows(lane) || m_stack->slotOf(lane).isPinned)
        return;
    const LaneStack::Slot& slot = m_stack->slotOf(lane);
    const double top = kGanttAxisHeight + m_stack->pinnedHeight();
    const double y = m_stack->yOf(slot, m_camera.scrollY);
    if (y < top)
        m_scroll->setValue(static_cast<int>(m_camera.scrollY - (top - y) - 4));
    else if (y + slot.height > height())
        m_scroll->setValue(static_cast<int>(m_camera.scrollY + (y + slot.height - height()) + 4));
}

void GanttWidget::bringIntoView(GanttData::Place place) {
    if (!place.valid())
        return;
    bringLaneIntoView(static_cast<int>(place.lane));
    const GanttData::Bar& bar = data().bar(place);
    const double x = (m_camera.toX(bar.startNs) + m_camera.toX(bar.endNs)) / 2;
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
    if (!m_selecting && m_run)
        bringIntoView(selectedPlace());
    describe();
    update();
}

void GanttWidget::describe() {
    if (m_title.isEmpty())
        m_title = accessibleName();
    const QString selected = m_run ? barText(*m_run, selectedPlace()) : QString();
    setAccessibleName(selected.isEmpty() ? m_title : tr("%1, selected: %2").arg(m_title, selected));
    setAccessibleDescription(m_run ? scheduleText(*m_run) : QString());
}

} // namespace opscape
