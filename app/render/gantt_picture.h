// SPDX-License-Identifier: MIT
// Draws a schedule as a Gantt chart: a lane per device with its memory curve, a lane per channel that carries anything,
// one time axis. Lanes are merged per pixel column, so that 200,000 bars cost no more than the pixels they cover and a
// column over many bars shows the share of busy time.
#pragma once

#include "theme.h"

#include <opscape/plan/problem.h>
#include <opscape/sim/critical_path.h>
#include <opscape/sim/schedule.h>

#include <QPainter>

namespace opscape {

/// A schedule prepared for drawing; made once, then shared. Borrows problem and schedule.
class GanttData {
public:
    enum class LaneKind { Device, Memory, Channel };
    struct Bar {
        std::int64_t startNs = 0, endNs = 0;
        std::uint32_t index = 0;  ///< op id, or index into Schedule::transfers
        std::uint32_t device = 0; ///< gives the colour
    };
    struct Lane {
        LaneKind kind = LaneKind::Device;
        std::uint32_t index = 0; ///< device or channel id
        std::string label;
        std::vector<Bar> bars; ///< by start; not overlapping unless the link model allows it
        double top = 0;        ///< pixels below the time axis, before scrolling
        double height = 0;     ///< pixels
    };

    GanttData(const Problem& problem, const Plan& plan, const Schedule& schedule);

    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] const Schedule& schedule() const { return *m_schedule; }
    [[nodiscard]] const Problem& problem() const { return *m_problem; }
    /// The lane of a device or channel; -1 when it has none.
    [[nodiscard]] int laneOf(LaneKind kind, std::uint32_t index) const;
    /// Name of the op, or of the tensor that is sent.
    [[nodiscard]] std::string_view nameOf(const Lane& lane, const Bar& bar) const;

private:
    void addDevices(const Plan& plan);
    void addChannels();
    void stackLanes();

    const Problem* m_problem;
    const Schedule* m_schedule;
    std::vector<Lane> m_lanes;
};

/// Which part of time and which lanes are seen.
struct GanttCamera {
    double startNs = 0;
    double nsPerPixel = 1;
    double scrollY = 0;
    double labelWidth = 140;
    [[nodiscard]] double toX(double ns) const { return labelWidth + (ns - startNs) / nsPerPixel; }
    [[nodiscard]] double toNs(double x) const { return startNs + (x - labelWidth) * nsPerPixel; }
    /// Shows 0 .. endNs over the width.
    [[nodiscard]] static GanttCamera fit(std::int64_t endNs, double width, double labelWidth = 140);
};

struct GanttView {
    const std::vector<OpId>* selected = nullptr;
    const std::vector<CriticalSegment>* critical = nullptr;
    std::int64_t markNs = -1; ///< a vertical line, e.g. the other run's end; negative: none
};

/// A bar under the pointer.
struct GanttHit {
    int lane = -1;
    int bar = -1; ///< -1: no bar there
};

/// Height of the time axis, which stays at the top when the lanes are scrolled, pixels.
inline constexpr double kGanttAxisHeight = 26;

/// Wide enough for the names of the lanes, within reason.
[[nodiscard]] double ganttLabelWidth(const GanttData& data);
/// Height of all lanes and the axis, pixels.
[[nodiscard]] double ganttHeight(const GanttData& data);
void paintGantt(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const GanttData& data,
                const GanttView& what, const Theme& theme);
[[nodiscard]] GanttHit ganttHit(const GanttData& data, const GanttCamera& camera, QPointF position);
/// The bar of an op, drawn where; for centring on it.
[[nodiscard]] GanttHit ganttBarOf(const GanttData& data, OpId op);

} // namespace opscape
