// SPDX-License-Identifier: MIT
// The names of the lanes at the left and the time axis at the top.
#include "gantt_canvas.h"
#include "time_axis.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kTextSize = 11;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace

QString GanttCanvas::shareText(std::int64_t busyNs) const {
    const std::int64_t makespan = m_data.schedule().makespanNs;
    return makespan <= 0 ? QStringLiteral("0%") // of a graph without ops
                         : QStringLiteral("%1%").arg(
                               std::llround(100.0 * static_cast<double>(busyNs) / static_cast<double>(makespan)));
}

void GanttCanvas::deviceLabel(const Lane& lane, const QRectF& box) {
    const QColor colour = m_theme.device(DeviceId(lane.index));
    const QRectF badge(box.left(), box.center().y() - 9, 18, 18);
    m_surface.box(badge, 4, colour, Qt::transparent, 0);
    m_labels.draw(badge, Qt::AlignHCenter, Theme::deviceLetter(DeviceId(lane.index)), 12, Theme::textOn(colour), true);
    const QRectF words(badge.right() + 7, box.top(), box.right() - badge.right() - 7, box.height());
    m_labels.draw({words.left(), words.top(), words.width(), words.height() / 2 + 1}, Qt::AlignLeft, text(lane.label),
                  12, m_theme.text, true);
    if (lane.index < m_data.schedule().devices.size())
        m_labels.draw({words.left(), words.center().y() - 1, words.width(), words.height() / 2}, Qt::AlignLeft,
                      QStringLiteral("%1 busy").arg(shareText(m_data.schedule().devices[lane.index].busyNs)), 10,
                      m_theme.dimText);
}

void GanttCanvas::memoryLabel(const Lane& lane, const QRectF& box) {
    const DeviceReport& report = m_data.schedule().devices[lane.index];
    const std::int64_t capacity = m_data.problem().cluster->kindOf(DeviceId(lane.index)).memoryBytes;
    const QRectF words = box.adjusted(25, 0, 0, 0);
    const QString peak = QStringLiteral("peak %1").arg(text(formatBytes(report.peakBytes)));
    const QColor colour = report.overBytes > 0 ? m_theme.capacity : m_theme.dimText;
    if (capacity <= 0) {
        m_labels.draw(words, Qt::AlignLeft, peak, 10, colour);
        return;
    }
    m_labels.draw({words.left(), words.top(), words.width(), words.height() / 2}, Qt::AlignLeft, peak, 10, colour,
                  report.overBytes > 0);
    m_labels.draw({words.left(), words.center().y() - 1, words.width(), words.height() / 2}, Qt::AlignLeft,
                  QStringLiteral("of %1").arg(text(formatBytes(capacity))), 10, m_theme.dimText);
}

void GanttCanvas::channelLabel(const Lane& lane, const QRectF& box) {
    const auto& channels = m_data.schedule().channels;
    const QString share = lane.index < channels.size() ? shareText(channels[lane.index].busyNs) : QString();
    const double shareWidth = m_labels.width(share, 10) + 4;
    m_labels.draw({box.left(), box.top(), box.width() - shareWidth, box.height()}, Qt::AlignLeft, text(lane.label), 10,
                  m_theme.text);
    m_labels.draw(box, Qt::AlignRight, share, 10, m_theme.dimText);
}

void GanttCanvas::laneLabels(bool pinned) {
    const QRectF area = region(pinned);
    if (area.isEmpty())
        return;
    const double width = m_camera.labelWidth;
    m_surface.rect({0, area.top(), width, area.height()}, m_theme.background);
    for (const Slot& slot : m_stack.inOrder()) {
        if (slot.isPinned != pinned || !inView(slot))
            continue;
        const Lane& lane = this->lane(slot.lane);
        const QRectF box(8, laneBox(slot).top(), width - 16, slot.height);
        if (lane.kind == GanttData::LaneKind::Device)
            deviceLabel(lane, box);
        else if (lane.kind == GanttData::LaneKind::Memory)
            memoryLabel(lane, box);
        else
            channelLabel(lane, box);
        if (pinned)
            m_surface.rect({2, box.top(), 2.5, box.height()}, m_theme.dimText);
    }
    if (pinned)
        m_surface.rect({0, area.bottom() - 1, width, 1}, m_theme.frame);
    m_surface.rect({width - 1, area.top(), 1, area.height()}, m_theme.frame);
}

void GanttCanvas::axis() {
    const QRectF area = plot();
    m_surface.rect({0, 0, m_view.width(), kGanttAxisHeight}, m_theme.background);
    m_surface.rect({0, kGanttAxisHeight - 1, m_view.width(), 1}, m_theme.frame);
    m_surface.rect({m_camera.labelWidth - 1, 0, 1, kGanttAxisHeight}, m_theme.frame);
    // The end of the step is said in full; ticks too close to it are left bare.
    const double end = m_camera.toX(m_data.schedule().makespanNs);
    const QString endText = text(formatTime(m_data.schedule().makespanNs));
    const double endWidth = m_labels.width(endText, kTextSize, true) + 4;
    const bool showEnd = end >= area.left() && end <= area.right() && m_data.schedule().makespanNs > 0;
    const double endLeft =
        std::clamp(end - endWidth / 2, area.left(), std::max(area.left(), area.right() - endWidth - 2));
    double free = area.left(); // labels end here so far
    for (const TimeTick& tick :
         timeTicks(m_camera.toNs(area.left()), m_camera.toNs(area.right()), 90 * m_camera.nsPerPixel)) {
        const double x = std::floor(m_camera.toX(tick.ns));
        if (x < area.left() || x > area.right())
            continue;
        const bool major = !tick.label.isEmpty();
        m_surface.rect({x, kGanttAxisHeight - (major ? 7 : 4), 1, major ? 6.0 : 3.0}, m_theme.dimText);
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
