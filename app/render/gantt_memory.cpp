// SPDX-License-Identifier: MIT
// The memory of a device over time, with its peak and, where it matters, its capacity.
#include "gantt_canvas.h"
#include "lane_columns.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>

namespace opscape {

bool GanttCanvas::capacityMatters(std::uint32_t device) const {
    const std::int64_t capacity = m_data.problem().cluster->kindOf(DeviceId(device)).memoryBytes;
    return capacity > 0 && m_data.schedule().devices[device].peakBytes * 2 >= capacity;
}

void GanttCanvas::memory(const Lane& lane, const QRectF& box) {
    const DeviceReport& report = m_data.schedule().devices[lane.index];
    const auto capacity = static_cast<double>(m_data.problem().cluster->kindOf(DeviceId(lane.index)).memoryBytes);
    const bool showCapacity = capacityMatters(lane.index);
    const double top = std::max({1.0, static_cast<double>(report.peakBytes), showCapacity ? capacity : 0.0}) * 1.06;
    const auto toY = [&](double bytes) { return box.bottom() - bytes / top * box.height(); };
    const double end = m_camera.toX(m_data.schedule().makespanNs);
    const QColor shade = Theme::mix(m_theme.memory, m_theme.background, 0.3);
    for (const MemoryColumn& c :
         mergeMemory(report.memory, m_camera, std::max(box.left(), m_camera.toX(0.0)), std::min(box.right(), end))) {
        const double width = c.right - c.left;
        m_surface.rect({c.left, toY(c.most), width, box.bottom() - toY(c.most)}, shade);
        if (capacity > 0 && c.most > capacity)
            m_surface.rect({c.left, toY(c.most), width, toY(capacity) - toY(c.most)}, m_theme.capacity);
        m_surface.rect({c.left, toY(c.most), width, std::max(1.5, toY(c.least) - toY(c.most))}, m_theme.memory);
    }
    if (showCapacity) {
        constexpr double kDash = 4, kEvery = 7;
        const double y = std::floor(toY(capacity)); // on whole pixels, so that it is as strong as its colour
        for (double x = box.left(); x < box.right(); x += kEvery)
            m_surface.rect({x, y, std::min(kDash, box.right() - x), 1}, m_theme.capacity);
    }
    peak(lane, box, top);
}

void GanttCanvas::peak(const Lane& lane, const QRectF& box, double top) {
    const DeviceReport& report = m_data.schedule().devices[lane.index];
    const double x = m_camera.toX(report.peakNs);
    if (x < box.left() - 4 || x > box.right() + 4)
        return;
    const double y = box.bottom() - static_cast<double>(report.peakBytes) / top * box.height();
    const QColor colour = report.overBytes > 0 ? m_theme.capacity : m_theme.text;
    m_surface.triangle({QPointF(x - 4, y - 5), QPointF(x + 4, y - 5), QPointF(x, y + 1)}, colour);
}

} // namespace opscape
