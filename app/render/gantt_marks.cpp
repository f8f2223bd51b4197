// SPDX-License-Identifier: MIT
// What is marked in a Gantt chart: found and selected ops, the end of the step, named moments, a range, a ruler. Of
// thousands of marks on one pixel one is drawn.
#include "gantt_canvas.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr std::size_t kFewSelected = 200; ///< as many are looked up one by one
constexpr double kTagHeight = 16;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

} // namespace

void GanttCanvas::outline(int lane, const QRectF& box, const QColor& colour, double width) {
    const QRectF seen = box & seenBox(lane).adjusted(-width, -width, width, width);
    if (!seen.isEmpty())
        m_surface.box(seen.adjusted(width / 2, width / 2, -width / 2, -width / 2), 0, Qt::transparent, colour, width);
}

bool GanttCanvas::anyOf(const Lane& lane, const Bar& bar, const std::vector<std::uint8_t>& ops) const {
    if (lane.kind == GanttData::LaneKind::Channel)
        return ops[m_data.schedule().transfers[bar.index].producer.index()] != 0;
    return std::ranges::any_of(m_data.opsOf(bar), [&](OpId op) { return ops[op.index()] != 0; });
}

void GanttCanvas::found() {
    if (m_what.found == nullptr)
        return;
    for (const Slot& slot : m_stack.inOrder()) {
        const Lane& lane = this->lane(slot.lane);
        const QRectF box = laneBox(slot), seen = seenBox(slot.lane);
        if (seen.isEmpty() || lane.kind == GanttData::LaneKind::Memory)
            continue;
        double free = -1e9; // marked up to there
        for (const Bar& bar : barsInView(lane)) {
            if (!anyOf(lane, bar, *m_what.found))
                continue;
            const QRectF place = barBox(lane, box, bar);
            const double left = std::max({place.left(), free, seen.left()});
            const double right = std::max(place.right(), place.left() + 2);
            const QRectF strip = QRectF(left, place.top() - 2, right - left, 4) & seen.adjusted(0, -2, 0, 0);
            if (strip.width() > 0)
                m_surface.rect(strip, m_theme.inputHighlight);
            free = std::max(free, right);
        }
    }
}

void GanttCanvas::selection() {
    const auto mark = [&](GanttData::Place place, const QColor& colour, double& free) {
        if (!place.valid() || !m_stack.shows(static_cast<int>(place.lane)))
            return;
        const auto index = static_cast<int>(place.lane);
        QRectF box = barBox(lane(index), laneBox(m_stack.slotOf(index)), m_data.bar(place));
        box.setWidth(std::max(3.0, box.width()));
        if (box.right() < free || box.left() > plot().right() + 2 || box.right() < plot().left() - 2)
            return;
        outline(index, box.adjusted(-1, -1, 1, 1), colour, 2);
        free = box.right() + 1;
    };
    double none = -1e9;
    if (m_what.transfer >= 0) {
        const auto transfer = static_cast<std::uint32_t>(m_what.transfer);
        const Transfer& sent = m_data.schedule().transfers[transfer];
        for (const ChannelId channel : m_data.problem().cluster->route(sent.from, sent.to)) {
            const int l = m_data.laneOf(GanttData::LaneKind::Channel, channel.value);
            const auto& bars = lane(l).bars;
            auto bar = std::ranges::lower_bound(bars, sent.startNs, {}, &Bar::startNs);
            while (bar != bars.end() && bar->index != transfer)
                ++bar;
            if (bar != bars.end())
                mark({static_cast<std::uint32_t>(l), static_cast<std::uint32_t>(bar - bars.begin())}, m_theme.selection,
                     none);
            none = -1e9;
        }
    }
    if (m_what.selected == nullptr || m_what.selected->empty())
        return;
    if (m_what.selected->size() <= kFewSelected) {
        for (const OpId op : *m_what.selected) {
            mark(m_data.barOf(op), m_theme.selection, none);
            none = -1e9;
            for (const std::uint32_t sent : m_data.sentBy(op)) {
                mark(m_data.barOfTransfer(sent), m_theme.outputHighlight, none);
                none = -1e9;
            }
        }
        return;
    }
    std::vector<std::uint8_t> selected(m_data.schedule().ops.size());
    for (const OpId op : *m_what.selected) {
        if (op.index() < selected.size())
            selected[op.index()] = 1;
    }
    for (const Slot& slot : m_stack.inOrder()) {
        const Lane& lane = this->lane(slot.lane);
        if (!inView(slot) || lane.kind == GanttData::LaneKind::Memory)
            continue;
        const bool channel = lane.kind == GanttData::LaneKind::Channel;
        double free = -1e9;
        for (const Bar& bar : barsInView(lane)) {
            if (anyOf(lane, bar, selected))
                mark({static_cast<std::uint32_t>(slot.lane), static_cast<std::uint32_t>(&bar - lane.bars.data())},
                     channel ? m_theme.outputHighlight : m_theme.selection, free);
        }
    }
}

void GanttCanvas::verticalLine(std::int64_t ns, const QColor& colour, double width, bool dashed) {
    const QRectF area = plot();
    const double x = m_camera.toX(ns);
    if (x < area.left() || x > area.right())
        return;
    const std::array line{QPointF(x, area.top()), QPointF(x, area.bottom())};
    m_surface.line(line, false, colour, width, dashed);
}

void GanttCanvas::tag(double x, double y, const QString& text, const QColor& ground) {
    const double width = m_labels.width(text, 11, true) + 10;
    const double left = std::clamp(x, plot().left() + 1, std::max(plot().left() + 1, plot().right() - width - 1));
    const QRectF box(left, y, width, kTagHeight);
    m_surface.box(box, 3, ground, Qt::transparent, 0);
    m_labels.draw(box, Qt::AlignHCenter, text, 11, Theme::textOn(ground), true);
}

void GanttCanvas::marks() {
    const QRectF area = plot();
    if (m_data.schedule().makespanNs > 0)
        verticalLine(m_data.schedule().makespanNs, m_theme.text, 1, false);
    if (m_what.markNs >= 0)
        verticalLine(m_what.markNs, m_theme.critical, 1.2, true);
    const auto between = [&](const TimeRange& range) {
        const double left = std::clamp(m_camera.toX(range.fromNs), area.left() - 2, area.right() + 2);
        return QRectF(left, area.top(), std::clamp(m_camera.toX(range.toNs), area.left() - 2, area.right() + 2) - left,
                      area.height());
    };
    if (m_what.range) {
        QColor shade = m_theme.selection;
        shade.setAlphaF(0.10F);
        const QRectF box = between(*m_what.range);
        m_surface.rect(box & area, shade);
        verticalLine(m_what.range->fromNs, m_theme.selection, 1, false);
        verticalLine(m_what.range->toNs, m_theme.selection, 1, false);
        const QString length = text(formatTime(m_what.range->lengthNs()));
        tag(box.center().x() - m_labels.width(length, 11, true) / 2 - 5, area.bottom() - kTagHeight - 4, length,
            m_theme.selection);
    }
    if (m_what.memoryNs >= 0)
        verticalLine(m_what.memoryNs, m_theme.memory, 1.4, false);
    for (const TimeMark& mark : m_what.marks) {
        const double x = m_camera.toX(mark.ns);
        if (x < area.left() || x > area.right())
            continue;
        verticalLine(mark.ns, m_theme.outputHighlight, 1.2, true);
        tag(x, area.top() + 2, text(mark.name), m_theme.outputHighlight);
    }
    if (!m_what.ruler)
        return;
    const QRectF box = between(*m_what.ruler);
    verticalLine(m_what.ruler->fromNs, m_theme.inputHighlight, 1.4, false);
    verticalLine(m_what.ruler->toNs, m_theme.inputHighlight, 1.4, false);
    const double y = area.top() + 26;
    const std::array line{QPointF(std::max(box.left(), area.left()), y),
                          QPointF(std::min(box.right(), area.right()), y)};
    if (line[1].x() > line[0].x()) {
        m_surface.line(line, false, m_theme.inputHighlight, 1.4);
        for (const int side : {0, 1}) {
            const double x = line[static_cast<std::size_t>(side)].x(), in = side == 0 ? 6 : -6;
            if (box.width() > 16)
                m_surface.triangle({QPointF(x, y), QPointF(x + in, y - 3.5), QPointF(x + in, y + 3.5)},
                                   m_theme.inputHighlight);
        }
    }
    const QString length = text(formatTime(m_what.ruler->lengthNs()));
    tag(box.center().x() - m_labels.width(length, 11, true) / 2 - 5, y + 4, length, m_theme.inputHighlight);
}

} // namespace opscape
