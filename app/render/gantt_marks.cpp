// SPDX-License-Identifier: MIT
// What is marked in a Gantt chart: the critical path, the selected ops with their transfers, the end of the step.
#include "gantt_canvas.h"

#include <algorithm>
#include <cmath>

namespace opscape {

void GanttCanvas::outline(const QRectF& box, const QColor& colour, double width) {
    if (!box.intersects(plot()))
        return;
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    m_painter.drawRect(box.adjusted(width / 2, width / 2, -width / 2, -width / 2));
}

void GanttCanvas::criticalLine(double fromNs, double toNs, double y, Qt::PenStyle pen) {
    const QRectF area = plot();
    const double from = std::max(area.left() - 4, m_camera.toX(fromNs)),
                 to = std::min(area.right() + 4, m_camera.toX(toNs));
    if (to < from)
        return;
    m_painter.setPen(QPen(m_theme.critical, 3, pen, Qt::FlatCap));
    m_painter.drawLine(QPointF(from, y), QPointF(std::max(to, from + 1), y));
}

void GanttCanvas::critical() {
    if (m_what.critical == nullptr)
        return;
    m_painter.save();
    m_painter.setClipRect(plot());
    QPointF last; // end of the segment before
    bool chained = false;
    for (const CriticalSegment& segment : *m_what.critical) {
        using Kind = CriticalSegment::Kind;
        const bool onChannel = segment.kind == Kind::Transfer || segment.kind == Kind::ChannelWait;
        int lane = -1;
        if (!onChannel) {
            lane = m_data.laneOf(GanttData::LaneKind::Device, segment.device.value);
        } else if (segment.transfer < m_data.schedule().transfers.size()) {
            const Transfer& transfer = m_data.schedule().transfers[segment.transfer];
            const auto route = m_data.problem().cluster->route(transfer.from, transfer.to);
            if (!route.empty())
                lane = m_data.laneOf(GanttData::LaneKind::Channel, route.front().value);
        }
        if (lane < 0) {
            chained = false;
            continue;
        }
        const QRectF box = laneBox(m_data.lanes()[static_cast<std::size_t>(lane)]);
        const double y = box.bottom() - 2;
        const auto start = static_cast<double>(segment.startNs), end = static_cast<double>(segment.endNs);
        const bool runs = segment.kind == Kind::Op || segment.kind == Kind::Transfer;
        const QPointF here(m_camera.toX(start), y);
        if (chained && std::abs(last.y() - y) > 1 && here.x() > plot().left() && here.x() < plot().right()) {
            m_painter.setPen(QPen(m_theme.critical, 1.4));
            m_painter.drawLine(QPointF(here.x(), last.y()), here);
        }
        criticalLine(start, end, y, runs ? Qt::SolidLine : Qt::DotLine);
        if (runs) {
            const double left = std::max(m_camera.toX(start), plot().left() - 8);
            const double right = std::min(m_camera.toX(end), plot().right() + 8);
            if (right - left >= 6)
                outline({left, box.top(), right - left, box.height()}, m_theme.critical, 1.8);
        }
        last = QPointF(m_camera.toX(end), y);
        chained = true;
    }
    m_painter.restore();
}

void GanttCanvas::selection() {
    if (m_what.selected == nullptr || m_what.selected->empty())
        return;
    std::vector<std::uint8_t> selected(m_data.schedule().ops.size());
    for (const OpId op : *m_what.selected) {
        if (op.index() < selected.size())
            selected[op.index()] = 1;
    }
    m_painter.save();
    m_painter.setClipRect(plot());
    const double from = m_camera.toNs(plot().left()), to = m_camera.toNs(plot().right());
    for (const Lane& lane : m_data.lanes()) {
        if (!inView(lane))
            continue;
        const bool channel = lane.kind == GanttData::LaneKind::Channel;
        double free = plot().left() - 100; // thousands of selected bars on one pixel are one outline
        for (const Bar& bar : lane.bars) {
            const std::size_t op = channel ? m_data.schedule().transfers[bar.index].producer.index() : bar.index;
            if (selected[op] == 0 || static_cast<double>(bar.endNs) < from || static_cast<double>(bar.startNs) > to)
                continue;
            const QRectF box = barBox(lane, bar, 3);
            if (box.right() < free)
                continue;
            outline(box.adjusted(-1, -1, 1, 1), channel ? m_theme.outputHighlight : m_theme.selection, 2);
            free = box.right() + 1;
        }
    }
    m_painter.restore();
}

void GanttCanvas::marks() {
    const QRectF area = plot();
    const auto line = [&](std::int64_t ns, const QPen& pen) {
        const double x = m_camera.toX(static_cast<double>(ns));
        if (x < area.left() || x > area.right())
            return;
        m_painter.setPen(pen);
        m_painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    };
    if (m_data.schedule().makespanNs > 0)
        line(m_data.schedule().makespanNs, QPen(m_theme.text, 1));
    if (m_what.markNs >= 0)
        line(m_what.markNs, QPen(m_theme.critical, 1.2, Qt::DashLine));
}

} // namespace opscape
