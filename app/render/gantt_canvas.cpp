// SPDX-License-Identifier: MIT
// Bars. On pixels everything is drawn by columns, so that what is seen is exactly what runs there; in a file of shapes
// a bar that is wide enough has its own, which stays sharp at any size.
#include "gantt_canvas.h"

#include "lane_columns.h"
#include "time_axis.h"

#include <opscape/layout/graph_layout.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kWide = 3;   ///< pixels from which a bar in a file has a shape of its own
constexpr double kEdged = 5;  ///< pixels from which it has an edge
constexpr double kNamed = 22; ///< pixels from which it may have a name
constexpr double kSplit = 46; ///< pixels from which the parts of a fused group are told apart
constexpr double kTextSize = 11;

QString text(std::string_view s) { return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size())); }

std::string_view lastPart(std::string_view name) {
    const std::size_t slash = name.rfind('/');
    return slash == std::string_view::npos || slash + 1 == name.size() ? name : name.substr(slash + 1);
}

} // namespace

GanttCanvas::GanttCanvas(Surface& surface, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                         const LaneStack& stack, const GanttView& what, const Theme& theme)
    : m_surface(surface),
      m_view(view),
      m_camera(camera),
      m_data(data),
      m_stack(stack),
      m_what(what),
      m_theme(theme),
      m_labels(surface) {
    const auto classes =
        what.colours != nullptr ? what.colours->classes().size() : data.problem().cluster->deviceCount();
    for (int c = 0; c < static_cast<int>(classes); ++c) {
        const QColor colour = what.colours != nullptr ? what.colours->colour(theme, c)
                                                      : theme.device(DeviceId(static_cast<std::size_t>(c)));
        m_fills.push_back(what.isolated >= 0 && c != what.isolated ? Theme::mix(colour, theme.background, 0.14)
                                                                   : colour);
    }
}

QColor GanttCanvas::fill(int of) const {
    if (of >= 0 && static_cast<std::size_t>(of) < m_fills.size())
        return m_fills[static_cast<std::size_t>(of)];
    // Without a class there is no colour to take; it must not look like idle time.
    return Theme::mix(m_theme.dimText, m_theme.background, m_what.isolated >= 0 ? 0.12 : 0.45);
}

int GanttCanvas::classOfBar(const Lane& lane, const Bar& bar) const {
    if (m_what.colours == nullptr)
        return static_cast<int>(bar.device);
    return m_what.colours->classOf(
        lane.kind == GanttData::LaneKind::Channel ? m_data.schedule().transfers[bar.index].producer : OpId(bar.index));
}

QRectF GanttCanvas::plot() const {
    return {m_camera.labelWidth, kGanttAxisHeight, std::max(0.0, m_view.width() - m_camera.labelWidth),
            std::max(0.0, m_view.height() - kGanttAxisHeight)};
}

QRectF GanttCanvas::region(bool pinned) const {
    QRectF area = plot();
    const double divide = std::min(area.bottom(), area.top() + m_stack.pinnedHeight());
    pinned ? area.setBottom(divide) : area.setTop(divide);
    return area;
}

QRectF GanttCanvas::laneBox(const Slot& slot) const {
    return {m_camera.labelWidth, m_stack.yOf(slot, m_camera.scrollY), plot().width(), slot.height};
}

QRectF GanttCanvas::seenBox(int lane) const {
    const Slot& slot = m_stack.slotOf(lane);
    return slot.isShown ? laneBox(slot) & region(slot.isPinned) : QRectF();
}

bool GanttCanvas::inView(const Slot& slot) const {
    return slot.isShown && !(laneBox(slot) & region(slot.isPinned)).isEmpty();
}

QRectF GanttCanvas::rowBox(const Lane& lane, const QRectF& box, std::uint32_t row) const {
    const double height = box.height() / static_cast<double>(lane.rows.size());
    return {box.left(), box.top() + row * height, box.width(), lane.rows.size() > 1 ? height - 1 : height};
}

QRectF GanttCanvas::barBox(const Lane& lane, const QRectF& box, const Bar& bar) const {
    const QRectF row = rowBox(lane, box, bar.row);
    // Limits keep coordinates sane when zoomed far in; nothing beyond them is seen.
    const double left = std::clamp(m_camera.toX(bar.startNs), box.left() - 50, box.right() + 50);
    const double right = std::clamp(m_camera.toX(bar.endNs), box.left() - 50, box.right() + 50);
    return {left, row.top(), right - left, row.height()};
}

std::span<const GanttData::Bar> GanttCanvas::barsInView(const Lane& lane) const {
    const double from = m_camera.toNs(plot().left()), to = m_camera.toNs(plot().right());
    const auto startOf = [](const Bar& b) { return static_cast<double>(b.startNs); };
    const auto first = std::ranges::lower_bound(lane.bars, from - static_cast<double>(lane.longestNs), {}, startOf);
    return {first, std::ranges::upper_bound(first, lane.bars.end(), to, {}, startOf)};
}

void GanttCanvas::grid(const QRectF& area) {
    m_surface.rect(area, m_theme.background);
    for (const TimeTick& tick :
         timeTicks(m_camera.toNs(area.left()), m_camera.toNs(area.right()), 90 * m_camera.nsPerPixel)) {
        const double x = std::floor(m_camera.toX(tick.ns));
        if (!tick.label.isEmpty() && x >= area.left())
            m_surface.rect({x, area.top(), 1, area.height()}, m_theme.grid);
    }
}

void GanttCanvas::lanes(bool pinned) {
    if (region(pinned).isEmpty())
        return;
    grid(region(pinned));
    for (const Slot& slot : m_stack.inOrder()) {
        if (slot.isPinned != pinned || !inView(slot))
            continue;
        const Lane& drawn = lane(slot.lane);
        if (drawn.kind == GanttData::LaneKind::Memory)
            memory(drawn, laneBox(slot));
        else
            bars(drawn, laneBox(slot));
    }
    if (pinned && m_stack.scrolledHeight() > 0)
        m_surface.rect({plot().left(), region(true).bottom() - 1, plot().width(), 1}, m_theme.frame);
}

void GanttCanvas::bars(const Lane& lane, const QRectF& box) {
    // The lane's ground says where it is idle; it ends with the step.
    const double end = std::clamp(m_camera.toX(m_data.schedule().makespanNs), box.left(), box.right());
    const double begin = std::clamp(m_camera.toX(0.0), box.left(), box.right());
    m_surface.rect({begin, box.top(), end - begin, box.height()}, m_theme.frameFill);
    for (std::uint32_t r = 0; r < lane.rows.size(); ++r)
        row(lane.rows[r], rowBox(lane, box, r));
    for (const Bar& bar : barsInView(lane)) {
        if (static_cast<double>(bar.endNs - bar.startNs) < kWide * m_camera.nsPerPixel)
            continue;
        const QRectF place = barBox(lane, box, bar);
        if (place.intersects(box))
            wideBar(lane, bar, place);
    }
}

void GanttCanvas::row(const GanttData::Row& row, const QRectF& box) {
    ColumnRequest request;
    request.startNs = m_camera.toNs(box.left());
    request.nsPerColumn = m_camera.nsPerPixel;
    request.columns = static_cast<std::size_t>(std::ceil(box.width()));
    request.leaveOutNs = m_surface.hasPixels() ? 0 : kWide * m_camera.nsPerPixel;
    mergeSpans(row.spans, request, m_what.colours, [&](const ColumnRun& run) {
        const QRectF place(box.left() + static_cast<double>(run.from), box.top(),
                           static_cast<double>(run.to - run.from), box.height());
        column(place, run.busy, run.parts);
    });
}

void GanttCanvas::column(const QRectF& box, double busy, std::span<const ColumnPart> parts) {
    const double strength = columnStrength(busy);
    m_parts.clear();
    for (const ColumnPart& part : parts)
        m_parts.push_back({part.share / busy, Theme::mix(fill(part.of), m_theme.frameFill, strength)});
    m_surface.stack(box, m_parts);
}

void GanttCanvas::wideBar(const Lane& lane, const Bar& bar, const QRectF& box) {
    const QColor colour = fill(classOfBar(lane, bar));
    const bool isFused = lane.kind == GanttData::LaneKind::Device && m_data.isFused(bar);
    if (!m_surface.hasPixels() && !isFused)
        m_surface.rect(box, colour);
    if (isFused)
        fusedParts(lane, bar, box);
    if (box.width() >= kEdged) {
        const QColor edge = Theme::mix(colour, m_theme.dark ? QColor(Qt::black) : QColor(Qt::white), 0.55);
        m_surface.rect({box.right() - 1, box.top(), 1, box.height()}, edge);
    }
    if (box.width() < kNamed || box.height() < 10 || (isFused && box.width() >= kSplit * 2))
        return;
    const std::string_view name = lastPart(m_data.nameOf(lane, bar));
    const bool isOp = lane.kind == GanttData::LaneKind::Device;
    std::string label(isOp ? boxText(name, m_data.problem().graph->op(OpId(bar.index)).type).first : name);
    if (isFused)
        label += fmt::format(" +{}", m_data.opsOf(bar).size() - 1);
    const QRectF seen = box & plot();
    m_labels.draw(seen.adjusted(4, 0, -4, 0), Qt::AlignHCenter, text(label),
                  box.height() >= 30 ? kTextSize : kTextSize - 1, Theme::textOn(colour));
}

void GanttCanvas::fusedParts(const Lane& lane, const Bar& bar, const QRectF& box) {
    const auto& spans = lane.rows[bar.row].spans;
    const Graph& graph = *m_data.problem().graph;
    const bool isSplit = box.width() >= kSplit * 2;
    auto span = std::ranges::lower_bound(spans, bar.startNs, {}, &GanttData::Span::startNs);
    for (; span != spans.end() && span->startNs < bar.endNs; ++span) {
        const double left = std::max(m_camera.toX(span->startNs), box.left());
        const double right = std::min(m_camera.toX(span->endNs), box.right());
        const QColor colour = fill(classOf(*span, m_what.colours));
        if (!m_surface.hasPixels())
            m_surface.rect({left, box.top(), right - left, box.height()}, colour);
        if (isSplit && right < box.right() && right - left >= kEdged) // a seam, lower than the edge between two bars
            m_surface.rect({right - 1, box.top() + 5, 1, box.height() - 10}, Theme::textOn(colour));
        const QRectF part = QRectF(left, box.top(), right - left, box.height()) & plot();
        if (isSplit && part.width() >= kSplit)
            m_labels.draw(part.adjusted(4, 0, -4, 0), Qt::AlignHCenter,
                          text(boxText(lastPart(graph.op(OpId(span->op)).name), graph.op(OpId(span->op)).type).first),
                          kTextSize, Theme::textOn(colour));
    }
    // One kernel: a brace over all of its parts.
    const QColor brace = Theme::textOn(fill(classOfBar(lane, bar)));
    if (box.width() >= kEdged * 2)
        m_surface.rect({box.left() + 1, box.top() + 1.5, box.width() - 3, 1.5}, brace);
}

} // namespace opscape
