// SPDX-License-Identifier: MIT
// The critical path over the bars, and arrows along which the selected ops get and send their tensors.
#include "gantt_canvas.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kLeast = 0.75;         ///< pixels that a piece of the path adds, or it is left to its neighbours
constexpr std::size_t kMostArrows = 64; ///< selected ops that have arrows; of more nothing could be told

bool runs(const CriticalSegment& segment) {
    return segment.kind == CriticalSegment::Kind::Op || segment.kind == CriticalSegment::Kind::Transfer;
}

} // namespace

int GanttCanvas::laneOfSegment(const CriticalSegment& segment) const {
    using Kind = CriticalSegment::Kind;
    if (segment.kind != Kind::Transfer && segment.kind != Kind::ChannelWait)
        return m_data.laneOf(GanttData::LaneKind::Device, segment.device.value);
    const auto& transfers = m_data.schedule().transfers;
    if (segment.transfer >= transfers.size())
        return -1;
    const auto route =
        m_data.problem().cluster->route(transfers[segment.transfer].from, transfers[segment.transfer].to);
    return route.empty() ? -1 : m_data.laneOf(GanttData::LaneKind::Channel, route.front().value);
}

void GanttCanvas::criticalPiece(const CriticalSegment& segment, bool strong) {
    const int index = laneOfSegment(segment);
    if (index < 0 || seenBox(index).isEmpty())
        return;
    const QRectF box = laneBox(m_stack.slotOf(index)), seen = seenBox(index);
    const double left = std::max(seen.left() - 4, m_camera.toX(segment.startNs));
    const double right = std::max(left + 1, std::min(seen.right() + 4, m_camera.toX(segment.endNs)));
    const double thick = strong ? 5 : 3;
    const double y = box.bottom() - 0.5 - thick;
    if (y >= seen.top() - 1 && y + thick <= seen.bottom() + 1) {
        if (runs(segment))
            m_surface.rect({left, y, right - left, thick}, m_theme.critical);
        else // dots: it waits
            for (double x = left; x < right; x += 2 * thick)
                m_surface.rect({x, y, std::min(thick, right - x), thick}, m_theme.critical);
    }
    if (runs(segment) && right - left >= 6) {
        const auto place = segment.kind == CriticalSegment::Kind::Op ? m_data.barOf(segment.op)
                                                                     : m_data.barOfTransfer(segment.transfer);
        const QRectF around = place.valid() ? barBox(lane(index), box, m_data.bar(place)) : box;
        outline(index, {left, around.top(), right - left, around.height()}, m_theme.critical, strong ? 3 : 1.8);
    }
}

void GanttCanvas::critical() {
    if (m_what.critical == nullptr)
        return;
    const auto& path = *m_what.critical;
    const QRectF area = plot();
    const auto from = static_cast<std::int64_t>(std::max(0.0, m_camera.toNs(area.left())));
    auto segment = std::ranges::lower_bound(path, from, {}, &CriticalSegment::endNs);
    std::vector<double> free(m_data.lanes().size(), -1e9); // the path is drawn up to there in each lane
    double column = -1e9, low = 0, high = 0;               // of the links between lanes on one pixel
    const auto link = [&] {
        if (high > low)
            m_surface.rect({column, low, 1.4, high - low}, m_theme.critical);
    };
    int before = -1;
    for (; segment != path.end() && m_camera.toX(segment->startNs) <= area.right(); ++segment) {
        const int index = laneOfSegment(*segment);
        if (index < 0)
            continue;
        const double x = m_camera.toX(segment->startNs), right = m_camera.toX(segment->endNs);
        if (before >= 0 && before != index && x >= area.left()) {
            const auto yOf = [&](int l) {
                const Slot& slot = m_stack.slotOf(l);
                return std::clamp(laneBox(slot).bottom() - 2, region(slot.isPinned).top(),
                                  region(slot.isPinned).bottom());
            };
            if (m_stack.shows(before) && m_stack.shows(index)) {
                const auto [top, bottom] = std::minmax({yOf(before), yOf(index)}); // values: of temporaries
                if (std::floor(x) != column) {
                    link();
                    column = std::floor(x);
                    low = top;
                    high = bottom;
                }
                low = std::min(low, top);
                high = std::max(high, bottom);
            }
        }
        before = index;
        double& done = free[static_cast<std::size_t>(index)];
        if (right < done + kLeast)
            continue;
        criticalPiece(*segment, false);
        done = right;
    }
    link();
    if (m_what.segment >= 0 && static_cast<std::size_t>(m_what.segment) < path.size())
        criticalPiece(path[static_cast<std::size_t>(m_what.segment)], true);
}

std::optional<QRectF> GanttCanvas::placeOf(GanttData::Place place) const {
    if (!place.valid() || !m_stack.shows(static_cast<int>(place.lane)))
        return {};
    const Lane& of = m_data.lanes()[place.lane];
    const Bar& bar = m_data.bar(place);
    const Slot& slot = m_stack.slotOf(static_cast<int>(place.lane));
    const QRectF row = rowBox(of, laneBox(slot), bar.row), area = region(slot.isPinned);
    const double y = std::clamp(row.center().y(), area.top(), area.bottom());
    return QRectF(QPointF(m_camera.toX(bar.startNs), y), QPointF(m_camera.toX(bar.endNs), y));
}

void GanttCanvas::arrow(QPointF from, QPointF to, const QColor& colour) {
    const QRectF area = plot();
    if (std::max(from.x(), to.x()) < area.left() || std::min(from.x(), to.x()) > area.right())
        return;
    const double limit = 20 * area.width() + 1000; // what is that far away is not seen; its direction is
    from.setX(std::clamp(from.x(), area.left() - limit, area.right() + limit));
    to.setX(std::clamp(to.x(), area.left() - limit, area.right() + limit));
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 10.0, 60.0);
    const std::array curve{from, from + QPointF(bend, 0), to - QPointF(bend, 0), to - QPointF(5, 0)};
    m_surface.line(curve, true, m_theme.background, 3.5);
    m_surface.line(curve, true, colour, 1.6);
    m_surface.triangle({to, to + QPointF(-8, -4), to + QPointF(-8, 4)}, colour);
}

void GanttCanvas::arrowsOf(std::uint32_t index, const std::vector<OpId>& selected, bool sends) {
    const Transfer& transfer = m_data.schedule().transfers[index];
    const QColor& colour = sends ? m_theme.outputHighlight : m_theme.inputHighlight;
    const auto channel = placeOf(m_data.barOfTransfer(index));
    const auto producer = placeOf(m_data.barOf(transfer.producer));
    if (producer && channel)
        arrow(producer->topRight(), channel->topLeft(), colour);
    const Graph& graph = *m_data.problem().graph;
    const auto readers =
        transfer.tensor.valid() ? graph.consumers(transfer.tensor) : graph.controlSuccessors(transfer.producer);
    for (const OpId reader : readers) {
        if (m_data.plan().device[reader.index()] != transfer.to ||
            (!sends && !std::ranges::binary_search(selected, reader)))
            continue;
        const auto place = placeOf(m_data.barOf(reader));
        const auto& source = channel ? channel : producer;
        if (place && source)
            arrow(source->topRight(), place->topLeft(), colour);
    }
}

void GanttCanvas::arrows() {
    static const std::vector<OpId> kNone;
    const auto& selected = m_what.selected != nullptr ? *m_what.selected : kNone;
    if (m_what.transfer >= 0)
        arrowsOf(static_cast<std::uint32_t>(m_what.transfer), selected, true);
    if (selected.size() > kMostArrows)
        return;
    for (const OpId op : selected) {
        if (op.index() >= m_data.schedule().ops.size())
            continue;
        for (const std::uint32_t index : m_data.receivedFor(op))
            arrowsOf(index, selected, false);
        for (const std::uint32_t index : m_data.sentBy(op))
            arrowsOf(index, selected, true);
    }
}

} // namespace opscape
