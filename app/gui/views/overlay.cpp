// SPDX-License-Identifier: MIT
#include "gui/views/overlay.h"

namespace opscape {

void paintNotice(QPainter& painter, const QRectF& area, const Theme& theme, const QString& text) {
    painter.setPen(theme.dimText);
    painter.drawText(area.adjusted(24, 16, -24, -16), Qt::AlignCenter | Qt::TextWordWrap, text);
}

void paintFocusFrame(QPainter& painter, const QRectF& area, const QColor& color) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1));
    painter.drawRect(area.adjusted(0, 0, -1, -1));
}

void paintRubberBand(QPainter& painter, const QRectF& band, const QColor& color) {
    QColor fill = color;
    fill.setAlpha(40);
    painter.fillRect(band, fill);
    painter.setPen(QPen(color, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(band);
}

} // namespace opscape
