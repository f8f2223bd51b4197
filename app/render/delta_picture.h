// SPDX-License-Identifier: MIT
// Draws a delta Gantt: for each device a strip that says what both plans do there at each moment, over a row of bars
// for each plan, coloured by how the op is shifted. A pixel column that covers many spans shows the share of each.
#pragma once

#include "delta_gantt.h"

namespace opscape {

struct DeltaView {
    QString nameA = QStringLiteral("1"), nameB = QStringLiteral("2"); ///< short
    QColor colourA, colourB;                                          ///< planColour()
    const std::vector<OpId>* selected = nullptr;
};

/// What lies under the pointer.
struct DeltaHit {
    int lane = -1;
    int row = -1; ///< 0: the strip, 1: the first plan's bars, 2: the second plan's
    int bar = -1; ///< in rows 1 and 2
};

/// Height of the axis and of the legend below it, which stay when the lanes are scrolled, pixels.
inline constexpr double kDeltaTop = kGanttAxisHeight + 24;

[[nodiscard]] double deltaHeight(const DeltaGantt& data);
void paintDelta(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const DeltaGantt& data,
                const DeltaView& what, const Theme& theme);
[[nodiscard]] DeltaHit deltaHit(const DeltaGantt& data, const GanttCamera& camera, QPointF position);
[[nodiscard]] QColor shiftColour(const Theme& theme, DeltaGantt::Shift shift);

} // namespace opscape
