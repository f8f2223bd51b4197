// SPDX-License-Identifier: MIT
#include "gantt_canvas.h"

#include "lane_columns.h"
#include "time_axis.h"

#include <opscape/base/units.h>
#include <opscape/layout/graph_layout.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kWide = 3;       ///< pixels from which a bar is drawn on its own
constexpr double kEdged = 5;      ///< pixels from which it has an edge
constexpr double kFaintest = 0.2; ///< a column with a rare short bar is at least this strong
constexpr double kTextSize = 11;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

std::string_view lastPart(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string_view::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

} // namespace

GanttCanvas::GanttCanvas(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                         const GanttView& what, const Theme& theme)
    : m_painter(painter),
      m_view(view),
      m_camera(camera),
      m_data(data),
      m_what(what),
      m_theme(theme),
      m_labels(painter) {}

QRectF GanttCanvas::plot() const {
    return {m_camera.labelWidth, kGanttAxisHeight, std::max(0.0, m_view.width() - m_camera.labelWidth),
            std::max(0.0, m_view.height() - kGanttAxisHeight)};
}

QRectF GanttCanvas::laneBox(const Lane& lane) const {
    return {m_camera.labelWidth, kGanttAxisHeight + lane.top - m_camera.scrollY, plot().width(), lane.height};
}

bool GanttCanvas::inView(const Lane& lane) const {
    const QRectF box = laneBox(lane);
    return box.bottom() > kGanttAxisHeight && box.top() < m_view.height();
}

QRectF GanttCanvas::barBox(const Lane& lane, const Bar& bar, double least) const {
    const QRectF box = laneBox(lane);
    // Limits keep coordinates sane when zoomed far in; nothing beyond them is seen.
    const double left = std::clamp(m_camera.toX(static_cast<double>(bar.startNs)), box.left() - 50, box.right() + 50);
    const double right = std::clamp(m_camera.toX(static_cast<double>(bar.endNs)), box.left() - 50, box.right() + 50);
    return {left, box.top(), std::max(least, right - left), box.height()};
}

void GanttCanvas::grid() {
    const QRectF area = plot();
    m_painter.setPen(QPen(m_theme.grid, 1));
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    for (const TimeTick& tick :
         timeTicks(m_camera.toNs(area.left()), m_camera.toNs(area.right()), 90 * m_camera.nsPerPixel)) {
        const double x = m_camera.toX(tick.ns);
        if (!tick.label.isEmpty())
            m_painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
    m_painter.setRenderHint(QPainter::Antialiasing, true);
}

void GanttCanvas::lanes() {
    m_painter.save();
    m_painter.setClipRect(plot());
    for (const Lane& lane : m_data.lanes()) {
        if (!inView(lane))
            continue;
        if (lane.kind == GanttData::LaneKind::Memory)
            memory(lane);
        else
            bars(lane);
    }
    m_painter.restore();
}

void GanttCanvas::bars(const Lane& lane) {
    const QRectF box = laneBox(lane);
    // The lane's ground says where it is idle; it ends with the step.
    const double end =
        std::clamp(m_camera.toX(static_cast<double>(m_data.schedule().makespanNs)), box.left(), box.right());
    const double begin = std::clamp(m_camera.toX(0), box.left(), box.right());
    m_painter.fillRect(QRectF(begin, box.top(), end - begin, box.height()), m_theme.frameFill);

    const double wideNs = kWide * m_camera.nsPerPixel;
    const auto columns = static_cast<std::size_t>(std::ceil(box.width()));
    const std::vector<LaneColumn> merged =
        mergeBars(lane.bars, m_camera.toNs(box.left()), m_camera.nsPerPixel, columns, wideNs);
    std::vector<QRgb> shades(columns); // 0 where nothing runs
    for (std::size_t c = 0; c < columns; ++c) {
        const LaneColumn& column = merged[c];
        const double share = kFaintest + (1 - kFaintest) * column.busy;
        if (column.busy > 0)
            shades[c] = Theme::mix(m_theme.device(DeviceId(column.device)), m_theme.frameFill, share).rgb();
    }
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t c = 0; c < columns;) {
        std::size_t stop = c + 1;
        while (stop < columns && shades[stop] == shades[c])
            ++stop;
        // One pixel further than it goes where the next run paints over it: a viewer that smooths shows no seams then.
        const double seam = stop < columns && shades[stop] != 0 ? 1 : 0;
        if (shades[c] != 0)
            m_painter.fillRect(QRectF(box.left() + static_cast<double>(c), box.top(),
                                      static_cast<double>(stop - c) + seam, box.height()),
                               QColor(shades[c]));
        c = stop;
    }
    m_painter.setRenderHint(QPainter::Antialiasing, true);

    const double from = m_camera.toNs(box.left()), to = m_camera.toNs(box.right());
    auto bar = std::ranges::upper_bound(lane.bars, to, {}, [](const Bar& b) { return static_cast<double>(b.startNs); });
    // Wide bars cannot be many; those that began before the view are found by walking back over all that are.
    std::vector<const Bar*> wide;
    for (const Bar& b : std::span(lane.bars.begin(), bar)) {
        if (static_cast<double>(b.endNs) > from && static_cast<double>(b.endNs - b.startNs) > wideNs)
            wide.push_back(&b);
    }
    for (const Bar* b : wide)
        wideBar(lane, *b, barBox(lane, *b, kWide));
}

void GanttCanvas::wideBar(const Lane& lane, const Bar& bar, const QRectF& box) {
    const QColor fill = m_theme.device(DeviceId(bar.device));
    m_painter.fillRect(box, fill);
    if (box.width() >= kEdged) {
        const QColor edge = Theme::mix(fill, m_theme.dark ? QColor(Qt::black) : QColor(Qt::white), 0.55);
        m_painter.fillRect(QRectF(box.right() - 1, box.top(), 1, box.height()), edge);
    }
    if (box.width() < 22)
        return;
    const std::string_view name = lastPart(m_data.nameOf(lane, bar));
    const bool isOp = lane.kind == GanttData::LaneKind::Device;
    const std::string_view label = isOp ? boxText(name, m_data.problem().graph->op(OpId(bar.index)).type).first : name;
    const QRectF seen = box & plot();
    m_labels.draw(seen.adjusted(4, 0, -4, 0), Qt::AlignHCenter, text(label),
                  lane.height >= 30 ? kTextSize : kTextSize - 1, Theme::textOn(fill));
}

QString GanttCanvas::shareText(std::int64_t busyNs) const {
    const std::int64_t makespan = m_data.schedule().makespanNs;
    return makespan <= 0 ? QStringLiteral("0%") // of a graph without ops
                         : QStringLiteral("%1%").arg(
                               std::llround(100.0 * static_cast<double>(busyNs) / static_cast<double>(makespan)));
}

void GanttCanvas::laneLabels() {
    const double width = m_camera.labelWidth;
    m_painter.fillRect(QRectF(0, 0, width, m_view.height()), m_theme.background);
    for (const Lane& lane : m_data.lanes()) {
        if (!inView(lane))
            continue;
        const QRectF box(8, laneBox(lane).top(), width - 16, lane.height);
        const Schedule& schedule = m_data.schedule();
        if (lane.kind == GanttData::LaneKind::Device) {
            const QColor colour = m_theme.device(DeviceId(lane.index));
            const QRectF badge(box.left(), box.center().y() - 9, 18, 18);
            m_painter.setPen(Qt::NoPen);
            m_painter.setBrush(colour);
            m_painter.drawRoundedRect(badge, 4, 4);
            m_labels.draw(badge, Qt::AlignHCenter, Theme::deviceLetter(DeviceId(lane.index)), 12, Theme::textOn(colour),
                          true);
            const QRectF words(badge.right() + 7, box.top(), box.right() - badge.right() - 7, box.height());
            m_labels.draw({words.left(), words.top(), words.width(), words.height() / 2 + 1}, Qt::AlignLeft,
                          text(lane.label), 12, m_theme.text, true);
            if (lane.index < schedule.devices.size())
                m_labels.draw({words.left(), words.center().y() - 1, words.width(), words.height() / 2}, Qt::AlignLeft,
                              QStringLiteral("%1 busy").arg(shareText(schedule.devices[lane.index].busyNs)), 10,
                              m_theme.dimText);
        } else if (lane.kind == GanttData::LaneKind::Memory) {
            const DeviceReport& report = schedule.devices[lane.index];
            const QRectF words = box.adjusted(25, 0, 0, 0);
            const QString peak = text(formatBytes(report.peakBytes));
            if (capacityMatters(lane.index)) {
                const QColor colour = report.overBytes > 0 ? m_theme.capacity : m_theme.dimText;
                m_labels.draw({words.left(), words.top(), words.width(), words.height() / 2}, Qt::AlignLeft, peak, 10,
                              colour, report.overBytes > 0);
                m_labels.draw({words.left(), words.center().y() - 1, words.width(), words.height() / 2}, Qt::AlignLeft,
                              QStringLiteral("of %1").arg(text(
                                  formatBytes(m_data.problem().cluster->kindOf(DeviceId(lane.index)).memoryBytes))),
                              10, m_theme.dimText);
            } else {
                m_labels.draw(words, Qt::AlignLeft, QStringLiteral("peak %1").arg(peak), 10, m_theme.dimText);
            }
        } else {
            const QString share =
                lane.index < schedule.channels.size() ? shareText(schedule.channels[lane.index].busyNs) : QString();
            const double shareWidth = m_labels.width(share, 10) + 4;
            m_labels.draw({box.left(), box.top(), box.width() - shareWidth, box.height()}, Qt::AlignLeft,
                          text(lane.label), 10, m_theme.text);
            m_labels.draw(box, Qt::AlignRight, share, 10, m_theme.dimText);
        }
    }
    m_painter.setPen(QPen(m_theme.frame, 1));
    m_painter.drawLine(QPointF(width - 0.5, 0), QPointF(width - 0.5, m_view.height()));
}

void GanttCanvas::axis() {
    const QRectF area = plot();
    m_painter.fillRect(QRectF(0, 0, m_view.width(), kGanttAxisHeight), m_theme.background);
    m_painter.setPen(QPen(m_theme.frame, 1));
    m_painter.drawLine(QPointF(0, kGanttAxisHeight - 0.5), QPointF(m_view.width(), kGanttAxisHeight - 0.5));
    // The end of the step is said in full; ticks too close to it are left bare.
    const double end = m_camera.toX(static_cast<double>(m_data.schedule().makespanNs));
    const QString endText = text(formatTime(m_data.schedule().makespanNs));
    const double endWidth = m_labels.width(endText, kTextSize, true) + 4;
    const bool showEnd = end >= area.left() && end <= area.right() && m_data.schedule().makespanNs > 0;
    const double endLeft =
        std::clamp(end - endWidth / 2, area.left(), std::max(area.left(), area.right() - endWidth - 2));
    double free = area.left(); // labels end here so far
    for (const TimeTick& tick :
         timeTicks(m_camera.toNs(area.left()), m_camera.toNs(area.right()), 90 * m_camera.nsPerPixel)) {
        const double x = m_camera.toX(tick.ns);
        if (x < area.left() || x > area.right())
            continue;
        const bool major = !tick.label.isEmpty();
        m_painter.setPen(QPen(m_theme.dimText, 1));
        m_painter.drawLine(QPointF(x, kGanttAxisHeight - (major ? 7 : 4)), QPointF(x, kGanttAxisHeight - 1));
        const double width = m_labels.width(tick.label, kTextSize);
        const double left = std::max(area.left() + 2, x - width / 2);
        if (!major || left < free || left + width > area.right() - 2 ||
            (showEnd && left < endLeft + endWidth + 6 && left + width > endLeft - 6))
            continue;
        m_labels.draw({left, 2, width + 1, kGanttAxisHeight - 11}, Qt::AlignLeft, tick.label, kTextSize,
                      m_theme.dimText);
        free = left + width + 8;
    }
    if (showEnd)
        m_labels.draw({endLeft, 2, endWidth, kGanttAxisHeight - 11}, Qt::AlignHCenter, endText, kTextSize, m_theme.text,
                      true);
}

} // namespace opscape
