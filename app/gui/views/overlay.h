// SPDX-License-Identifier: MIT
// Small things painted over a canvas, and the pen for lines in one: a notice where there is nothing to show, the frame
// of the focus, a rubber band.
#pragma once

#include "render/theme.h"

#include <QPainter>

namespace opscape {

/// Of a width in pixels at any zoom.
[[nodiscard]] inline QPen penOf(const QColor& color, double width, Qt::PenStyle style = Qt::SolidLine) {
    QPen pen(color, width, style);
    pen.setCosmetic(true);
    return pen;
}

void paintNotice(QPainter& painter, const QRectF& area, const Theme& theme, const QString& text);
void paintFocusFrame(QPainter& painter, const QRectF& area, const QColor& color);
void paintRubberBand(QPainter& painter, const QRectF& band, const QColor& color);

} // namespace opscape
