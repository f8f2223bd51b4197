// SPDX-License-Identifier: MIT
// Draws a schedule as a Gantt chart: a lane per device with its memory curve, a lane per channel, one time axis. Lanes
// are merged per pixel column, so that 200,000 bars cost no more than the pixels they cover: a column's strength is the
// share of busy time in it, and its height is divided between colours by their shares of that.
#pragma once

#include "gantt_lanes.h"
#include "op_colours.h"
#include "surface.h"
#include "theme.h"

#include <opscape/sim/critical_path.h>

#include <QPainter>

#include <optional>

namespace opscape {

/// Which part of time and which lanes are seen.
struct GanttCamera {
    double startNs = 0;
    double nsPerPixel = 1;
    double scrollY = 0;
    double labelWidth = 140;
    template <class Ns> // whole or not
    [[nodiscard]] double toX(Ns ns) const {
        return labelWidth + (static_cast<double>(ns) - startNs) / nsPerPixel;
    }
    [[nodiscard]] double toNs(double x) const { return startNs + (x - labelWidth) * nsPerPixel; }
    /// Shows 0 .. endNs over the width.
    [[nodiscard]] static GanttCamera fit(std::int64_t endNs, double width, double labelWidth = 140);
    /// Keeps 0 .. endNs in sight and neither too large nor too small, over lanes of that width.
    void clamp(std::int64_t endNs, double laneWidth);
    /// What is at x stays there.
    void zoomAt(double x, double factor, std::int64_t endNs, double laneWidth);
};

struct TimeRange {
    std::int64_t fromNs = 0, toNs = 0;
    [[nodiscard]] std::int64_t lengthNs() const { return toNs - fromNs; }
    friend bool operator==(const TimeRange&, const TimeRange&) = default;
};

struct TimeMark {
    std::int64_t ns = 0;
    std::string name;
    friend bool operator==(const TimeMark&, const TimeMark&) = default;
};

/// What is drawn beside the schedule; everything may be absent.
struct GanttView {
    const LaneStack* stack = nullptr; ///< null: as the schedule has them
    const std::vector<OpId>* selected = nullptr;
    int transfer = -1; ///< the selected one
    const std::vector<CriticalSegment>* critical = nullptr;
    int segment = -1;                                 ///< of the critical path, drawn stronger
    const OpColours* colours = nullptr;               ///< null: by device
    int isolated = -1;                                ///< class whose bars alone keep their colour; -1: all
    const std::vector<std::uint8_t>* found = nullptr; ///< per op, 1 where a search found it
    std::optional<TimeRange> range, ruler;
    std::span<const TimeMark> marks;
    int memoryDevice = -1;      ///< the moment whose memory is looked at
    std::int64_t memoryNs = -1; ///< likewise
    std::int64_t markNs = -1;   ///< a vertical line, e.g. the other run's end; negative: none
};

/// A bar under the pointer.
struct GanttHit {
    int lane = -1;
    int bar = -1; ///< -1: no bar there
};

/// Wide enough for the names of the lanes, within reason.
[[nodiscard]] double ganttLabelWidth(const GanttData& data);
/// Height of all lanes and the axis, pixels.
[[nodiscard]] inline double ganttHeight(const GanttData& data) { return LaneStack(data).height(); }
void paintGantt(Surface& surface, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme);
void paintGantt(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme);
[[nodiscard]] GanttHit ganttHit(const GanttData& data, const LaneStack& stack, const GanttCamera& camera,
                                QPointF position);
/// The bar of an op, drawn where; for centring on it.
[[nodiscard]] GanttHit ganttBarOf(const GanttData& data, OpId op);

/// How strong a column is drawn, 0 to 1: a rare short bar is seen, too.
[[nodiscard]] inline double columnStrength(double busy) { return busy <= 0 ? 0 : 0.2 + 0.8 * busy; }

} // namespace opscape
