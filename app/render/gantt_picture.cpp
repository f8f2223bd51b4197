// SPDX-License-Identifier: MIT
#include "gantt_picture.h"

#include "gantt_canvas.h"
#include "painter_surface.h"

#include <opscape/layout/text_width.h>

#include <algorithm>
#include <cmath>

namespace opscape {

GanttCamera GanttCamera::fit(std::int64_t endNs, double width, double labelWidth) {
    constexpr double kRight = 12; // a little air after the end
    GanttCamera camera;
    camera.labelWidth = labelWidth;
    camera.nsPerPixel = std::max(1e-3, static_cast<double>(std::max<std::int64_t>(1, endNs)) /
                                           std::max(1.0, width - labelWidth - kRight));
    return camera;
}

void GanttCamera::clamp(std::int64_t endNs, double laneWidth) {
    constexpr double kLeastNsPerPixel = 0.02;
    const auto span = static_cast<double>(std::max<std::int64_t>(1, endNs));
    nsPerPixel = std::clamp(nsPerPixel, kLeastNsPerPixel, std::max(kLeastNsPerPixel, 2 * span / laneWidth));
    const double seen = laneWidth * nsPerPixel;
    startNs = std::clamp(startNs, -seen / 2, std::max(-seen / 2, span - seen / 2));
}

void GanttCamera::zoomAt(double x, double factor, std::int64_t endNs, double laneWidth) {
    const double ns = toNs(x);
    nsPerPixel /= factor;
    clamp(endNs, laneWidth);
    startNs = ns - (x - labelWidth) * nsPerPixel;
}

double ganttLabelWidth(const GanttData& data) {
    double width = 0;
    for (const GanttData::Lane& lane : data.lanes()) {
        const bool channel = lane.kind == GanttData::LaneKind::Channel;
        width =
            std::max(width, textWidth(lane.label, !channel) * (channel ? 10.0 / kTextHeight : 1) + (channel ? 54 : 44));
    }
    return std::clamp(std::ceil(width), 110.0, 220.0);
}

void paintGantt(Surface& surface, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme) {
    std::optional<LaneStack> own;
    if (what.stack == nullptr)
        own.emplace(data);
    const LaneStack& stack = own ? *own : *what.stack;
    surface.rect({0, 0, view.width(), view.height()}, theme.background);
    GanttCanvas canvas(surface, view, camera, data, stack, what, theme);
    canvas.lanes(false);
    canvas.lanes(true);
    canvas.found();
    canvas.critical();
    canvas.selection();
    canvas.arrows();
    canvas.marks();
    canvas.laneLabels(false);
    canvas.laneLabels(true);
    canvas.axis();
}

void paintGantt(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    PainterSurface surface(painter);
    paintGantt(surface, view, camera, data, what, theme);
    painter.restore();
}

GanttHit ganttHit(const GanttData& data, const LaneStack& stack, const GanttCamera& camera, QPointF position) {
    constexpr double kReach = 3; // pixels beside a bar that still count as on it
    GanttHit hit;
    hit.lane = stack.laneAt(position.y(), camera.scrollY);
    if (hit.lane < 0 || position.x() < camera.labelWidth)
        return hit;
    const GanttData::Lane& lane = data.lanes()[static_cast<std::size_t>(hit.lane)];
    const LaneStack::Slot& slot = stack.slotOf(hit.lane);
    const double into = (position.y() - stack.yOf(slot, camera.scrollY)) / std::max(1.0, slot.height);
    const auto row = static_cast<std::uint32_t>(
        std::clamp(into * static_cast<double>(lane.rows.size()), 0.0, static_cast<double>(lane.rows.size()) - 1));
    const double time = camera.toNs(position.x()), reach = kReach * camera.nsPerPixel;
    const auto startOf = [](const GanttData::Bar& bar) { return static_cast<double>(bar.startNs); };
    double nearest = reach;
    for (auto bar =
             std::ranges::lower_bound(lane.bars, time - reach - static_cast<double>(lane.longestNs), {}, startOf);
         bar != lane.bars.end() && startOf(*bar) <= time + reach; ++bar) {
        const double off = std::max({0.0, startOf(*bar) - time, time - static_cast<double>(bar->endNs)});
        if (bar->row != row || off > nearest || (off == nearest && off > 0 && hit.bar >= 0))
            continue;
        nearest = off;
        hit.bar = static_cast<int>(bar - lane.bars.begin());
    }
    return hit;
}

GanttHit ganttBarOf(const GanttData& data, OpId op) {
    const GanttData::Place place = data.barOf(op);
    return place.valid() ? GanttHit{static_cast<int>(place.lane), static_cast<int>(place.bar)} : GanttHit{};
}

} // namespace opscape
