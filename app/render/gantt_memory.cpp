// SPDX-License-Identifier: MIT
#include "gantt_canvas.h"
#include "lane_columns.h"

#include <QPaintEngine>

#include <algorithm>

namespace opscape {

bool GanttCanvas::capacityMatters(std::uint32_t device) const {
    const std::int64_t capacity = m_data.problem().cluster->kindOf(DeviceId(device)).memoryBytes;
    return capacity > 0 && m_data.schedule().devices[device].peakBytes * 2 >= capacity;
}

void GanttCanvas::memory(const Lane& lane) {
    const DeviceReport& report = m_data.schedule().devices[lane.index];
    const QRectF box = laneBox(lane);
    const auto capacity = static_cast<double>(m_data.problem().cluster->kindOf(DeviceId(lane.index)).memoryBytes);
    const bool showCapacity = capacityMatters(lane.index);
    const double top = std::max(static_cast<double>(report.peakBytes), showCapacity ? capacity : 0.0) * 1.06;
    const auto toY = [&](double bytes) { return box.bottom() - bytes / std::max(1.0, top) * box.height(); };
    const double end = m_camera.toX(static_cast<double>(m_data.schedule().makespanNs));
    const std::vector<MemoryColumn> columns =
        mergeMemory(report.memory, m_camera, std::max(box.left(), m_camera.toX(0)), std::min(box.right(), end));
    const QColor fill = Theme::mix(m_theme.memory, m_theme.background, 0.3);
    const auto isOver = [&](const MemoryColumn& c) { return capacity > 0 && c.most > capacity; };
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    if (m_painter.paintEngine()->type() ==
        QPaintEngine::Raster) { // many small rectangles are cheaper than one large polygon,
        for (const MemoryColumn& c : columns)
            m_painter.fillRect(QRectF(c.left, toY(c.most), c.right - c.left, box.bottom() - toY(c.most)), fill);
    } else if (!columns.empty()) { // and in a file the other way round
        QPolygonF area{QPointF(columns.front().left, box.bottom())};
        for (const MemoryColumn& c : columns)
            area << QPointF(c.left, toY(c.most)) << QPointF(c.right, toY(c.most));
        area << QPointF(columns.back().right, box.bottom());
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(fill);
        m_painter.drawPolygon(area);
    }
    for (const MemoryColumn& c : columns) {
        if (isOver(c))
            m_painter.fillRect(QRectF(c.left, toY(c.most), c.right - c.left, toY(capacity) - toY(c.most)),
                               m_theme.capacity);
        m_painter.fillRect(QRectF(c.left, toY(c.most), c.right - c.left, std::max(1.5, toY(c.least) - toY(c.most))),
                           m_theme.memory);
    }
    if (showCapacity) {
        m_painter.setPen(QPen(m_theme.capacity, 1, Qt::DashLine));
        m_painter.drawLine(QPointF(box.left(), toY(capacity)), QPointF(box.right(), toY(capacity)));
    }
    m_painter.setRenderHint(QPainter::Antialiasing, true);
}

} // namespace opscape
