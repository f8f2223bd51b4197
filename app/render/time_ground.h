// SPDX-License-Identifier: MIT
// The ground of pictures over time that are no schedule themselves: grid lines, and the axis above them with the ends
// of the steps that are compared.
#pragma once

#include "gantt_picture.h"
#include "label.h"

#include <span>

namespace opscape {

struct StepEnd {
    std::int64_t ns = 0;
    QColor colour;
    QString name; ///< short, e.g. "1"
};

/// Vertical lines at the labelled times, from the axis down.
void paintTimeGrid(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const Theme& theme);
/// Dashed lines at the ends of steps.
void paintStepEnds(QPainter& painter, const QSizeF& view, const GanttCamera& camera, std::span<const StepEnd> ends);
/// Covers what has been scrolled under it; each end is marked by its name.
void paintTimeAxis(QPainter& painter, LabelPainter& labels, const QSizeF& view, const GanttCamera& camera,
                   std::span<const StepEnd> ends, const Theme& theme);
/// Of what stands for what: a swatch and a word each, side by side; returns where it ended.
struct LegendEntry {
    QColor colour;
    QString text;
    Qt::PenStyle line = Qt::NoPen; ///< a line in place of a filled box
};
void paintEntries(QPainter& painter, LabelPainter& labels, const QRectF& row, std::span<const LegendEntry> entries,
                  const Theme& theme);

} // namespace opscape
