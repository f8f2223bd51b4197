// SPDX-License-Identifier: MIT
// Draws the parts of a Gantt chart: lanes, memory curves, the labels beside them, and what is marked in them.
#pragma once

#include "gantt_picture.h"
#include "label.h"

namespace opscape {

class GanttCanvas {
public:
    GanttCanvas(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme);

    void grid();
    void lanes();
    void critical();
    void selection();
    /// The end of the step and the mark.
    void marks();
    /// Drawn last: they cover what runs below them.
    void laneLabels();
    void axis();

private:
    using Lane = GanttData::Lane;
    using Bar = GanttData::Bar;

    [[nodiscard]] QRectF plot() const;
    /// Where a lane lies, over the whole width of the plot.
    [[nodiscard]] QRectF laneBox(const Lane& lane) const;
    [[nodiscard]] bool inView(const Lane& lane) const;
    [[nodiscard]] QRectF barBox(const Lane& lane, const Bar& bar, double least) const;
    [[nodiscard]] bool capacityMatters(std::uint32_t device) const;
    void bars(const Lane& lane);
    void wideBar(const Lane& lane, const Bar& bar, const QRectF& box);
    void memory(const Lane& lane);
    void outline(const QRectF& box, const QColor& colour, double width);
    void criticalLine(double fromNs, double toNs, double y, Qt::PenStyle pen);
    [[nodiscard]] QString shareText(std::int64_t busyNs) const;

    QPainter& m_painter;
    QSizeF m_view;
    const GanttCamera& m_camera;
    const GanttData& m_data;
    const GanttView& m_what;
    const Theme& m_theme;
    LabelPainter m_labels;
};

} // namespace opscape
