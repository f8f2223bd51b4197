// SPDX-License-Identifier: MIT
// Draws the parts of a Gantt chart: lanes, memory curves, what is marked in them, and the labels beside them. Nothing
// is clipped; what is drawn later covers what reaches out of its place.
#pragma once

#include "gantt_picture.h"
#include "label.h"
#include "lane_columns.h"

namespace opscape {

class GanttCanvas {
public:
    GanttCanvas(Surface& surface, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const LaneStack& stack, const GanttView& what, const Theme& theme);

    /// The ground with the lines of the time axis, and the lanes that scroll or those that are pinned.
    void lanes(bool pinned);
    void found();
    void selection();
    void critical();
    void arrows();
    /// The end of the step, marks, the range, the ruler.
    void marks();
    /// Drawn last: they cover what runs below them.
    void laneLabels(bool pinned);
    void axis();

private:
    using Lane = GanttData::Lane;
    using Bar = GanttData::Bar;
    using Slot = LaneStack::Slot;

    [[nodiscard]] QRectF plot() const;
    /// Where lanes that scroll, or those that are pinned, may be seen.
    [[nodiscard]] QRectF region(bool pinned) const;
    [[nodiscard]] QRectF laneBox(const Slot& slot) const;
    /// What is seen of the lane; empty where nothing is.
    [[nodiscard]] QRectF seenBox(int lane) const;
    [[nodiscard]] QRectF rowBox(const Lane& lane, const QRectF& box, std::uint32_t row) const;
    [[nodiscard]] QRectF barBox(const Lane& lane, const QRectF& box, const Bar& bar) const;
    [[nodiscard]] const Lane& lane(int index) const { return m_data.lanes()[static_cast<std::size_t>(index)]; }
    [[nodiscard]] bool inView(const Slot& slot) const;
    [[nodiscard]] QColor fill(int of) const;
    [[nodiscard]] int classOfBar(const Lane& lane, const Bar& bar) const;
    [[nodiscard]] bool capacityMatters(std::uint32_t device) const;
    /// The bars of a lane that may be seen.
    [[nodiscard]] std::span<const Bar> barsInView(const Lane& lane) const;

    void grid(const QRectF& area);
    void bars(const Lane& lane, const QRectF& box);
    void row(const GanttData::Row& row, const QRectF& box);
    void column(const QRectF& box, double busy, std::span<const ColumnPart> parts);
    void wideBar(const Lane& lane, const Bar& bar, const QRectF& box);
    void fusedParts(const Lane& lane, const Bar& bar, const QRectF& box);
    void memory(const Lane& lane, const QRectF& box);
    void peak(const Lane& lane, const QRectF& box, double top);
    /// True when one of a bar's ops is flagged, of a transfer its producer.
    [[nodiscard]] bool anyOf(const Lane& lane, const Bar& bar, const std::vector<std::uint8_t>& ops) const;
    void outline(int lane, const QRectF& box, const QColor& colour, double width);
    void criticalPiece(const CriticalSegment& segment, bool strong);
    [[nodiscard]] int laneOfSegment(const CriticalSegment& segment) const;
    void arrow(QPointF from, QPointF to, const QColor& colour);
    void arrowsOf(std::uint32_t transfer, const std::vector<OpId>& selected, bool sends);
    [[nodiscard]] std::optional<QRectF> placeOf(GanttData::Place place) const;
    void verticalLine(std::int64_t ns, const QColor& colour, double width, bool dashed);
    void tag(double x, double y, const QString& text, const QColor& ground);
    void deviceLabel(const Lane& lane, const QRectF& box);
    void memoryLabel(const Lane& lane, const QRectF& box);
    void channelLabel(const Lane& lane, const QRectF& box);
    [[nodiscard]] QString shareText(std::int64_t busyNs) const;

    Surface& m_surface;
    QSizeF m_view;
    const GanttCamera& m_camera;
    const GanttData& m_data;
    const LaneStack& m_stack;
    const GanttView& m_what;
    const Theme& m_theme;
    LabelPainter m_labels;
    std::vector<QColor> m_fills; ///< per class; pale where another one is isolated
    std::vector<BarPart> m_parts;
};

} // namespace opscape
