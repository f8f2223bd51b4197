// SPDX-License-Identifier: MIT
#include "time_ground.h"

#include "time_axis.h"

#include <algorithm>

namespace opscape {
namespace {

constexpr double kText = 11, kSpacing = 90;

std::vector<TimeTick> ticksOf(const QSizeF& view, const GanttCamera& camera) {
    return timeTicks(camera.toNs(camera.labelWidth), camera.toNs(view.width()), kSpacing * camera.nsPerPixel);
}

} // namespace

void paintTimeGrid(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme.grid, 1));
    for (const TimeTick& tick : ticksOf(view, camera)) {
        const double x = camera.toX(tick.ns);
        if (!tick.label.isEmpty() && x >= camera.labelWidth)
            painter.drawLine(QPointF(x, kGanttAxisHeight), QPointF(x, view.height()));
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void paintStepEnds(QPainter& painter, const QSizeF& view, const GanttCamera& camera, std::span<const StepEnd> ends) {
    for (const StepEnd& end : ends) {
        const double x = camera.toX(static_cast<double>(end.ns));
        if (x < camera.labelWidth || x > view.width())
            continue;
        painter.setPen(QPen(end.colour, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(x, kGanttAxisHeight), QPointF(x, view.height()));
    }
}

void paintTimeAxis(QPainter& painter, LabelPainter& labels, const QSizeF& view, const GanttCamera& camera,
                   std::span<const StepEnd> ends, const Theme& theme) {
    painter.fillRect(QRectF(0, 0, view.width(), kGanttAxisHeight), theme.background);
    painter.setPen(QPen(theme.frame, 1));
    painter.drawLine(QPointF(0, kGanttAxisHeight - 0.5), QPointF(view.width(), kGanttAxisHeight - 0.5));
    std::vector<QRectF> taken;
    for (const StepEnd& end : ends) {
        const double x = camera.toX(static_cast<double>(end.ns));
        if (x < camera.labelWidth || x > view.width())
            continue;
        const double width = labels.width(end.name, kText, true) + 4;
        QRectF place(std::clamp(x - width / 2, camera.labelWidth, view.width() - width), 2, width,
                     kGanttAxisHeight - 11);
        for (const QRectF& other : taken) {
            if (place.intersects(other))
                place.moveRight(other.left() - 2);
        }
        taken.push_back(place);
        painter.setPen(QPen(end.colour, 2));
        painter.drawLine(QPointF(x, kGanttAxisHeight - 8), QPointF(x, kGanttAxisHeight - 1));
        labels.draw(place, Qt::AlignHCenter, end.name, kText, end.colour, true);
    }
    double free = camera.labelWidth;
    for (const TimeTick& tick : ticksOf(view, camera)) {
        const double x = camera.toX(tick.ns);
        if (x < camera.labelWidth || x > view.width())
            continue;
        const bool major = !tick.label.isEmpty();
        painter.setPen(QPen(theme.dimText, 1));
        painter.drawLine(QPointF(x, kGanttAxisHeight - (major ? 7 : 4)), QPointF(x, kGanttAxisHeight - 1));
        const double width = labels.width(tick.label, kText);
        const QRectF place(std::max(camera.labelWidth + 2, x - width / 2), 2, width + 1, kGanttAxisHeight - 11);
        const bool hidden = std::ranges::any_of(
            taken, [&](const QRectF& other) { return place.adjusted(-6, 0, 6, 0).intersects(other); });
        if (!major || hidden || place.left() < free || place.right() > view.width() - 2)
            continue;
        labels.draw(place, Qt::AlignLeft, tick.label, kText, theme.dimText);
        free = place.right() + 8;
    }
}

void paintEntries(QPainter& painter, LabelPainter& labels, const QRectF& row, std::span<const LegendEntry> entries,
                  const Theme& theme) {
    double x = row.left();
    for (const LegendEntry& entry : entries) {
        const double width = labels.width(entry.text, kText) + 1;
        const bool isLine = entry.line != Qt::NoPen;
        const double swatch = isLine ? 22 : 12;
        if (x + swatch + 5 + width > row.right())
            return;
        const QRectF box(x, row.center().y() - 5, swatch, 10);
        if (isLine) {
            painter.setPen(QPen(entry.colour, 2, entry.line));
            painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
        } else {
            painter.fillRect(box, entry.colour);
        }
        labels.draw({box.right() + 5, row.top(), width, row.height()}, Qt::AlignLeft, entry.text, kText, theme.text);
        x = box.right() + 5 + width + 14;
    }
}

} // namespace opscape
