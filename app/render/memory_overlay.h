// SPDX-License-Identifier: MIT
// The memory curves of several plans of one graph over one another: a lane for each device, with the capacity of every
// cluster that has it. However many changes fall on a pixel, no peak is lost.
#pragma once

#include "gantt_picture.h"

#include <vector>

namespace opscape {

class MemoryOverlay {
public:
    /// The memory of one device under one plan.
    struct Curve {
        std::size_t plan = 0; ///< index of the plan: gives number, colour and pattern
        DeviceId device;
        const DeviceReport* report = nullptr; ///< borrowed
        std::int64_t capacity = 0;            ///< bytes; 0: unlimited
    };
    struct Lane {
        std::string label;
        DeviceId device; ///< of the first plan that has it
        std::vector<Curve> curves;
        std::int64_t top = 0;     ///< bytes at the top of the lane
        double y = 0, height = 0; ///< pixels below axis and legend, before scrolling
    };

    /// Problems and schedules are borrowed; devices of one name share a lane.
    MemoryOverlay(const std::vector<const Problem*>& problems, const std::vector<const Schedule*>& schedules);

    [[nodiscard]] const std::vector<Lane>& lanes() const { return m_lanes; }
    [[nodiscard]] const std::vector<const Schedule*>& schedules() const { return m_schedules; }
    [[nodiscard]] std::int64_t endNs() const;

private:
    std::vector<const Schedule*> m_schedules;
    std::vector<Lane> m_lanes;
};

/// In use at a moment; 0 before the first step.
[[nodiscard]] std::int64_t bytesAt(const DeviceReport& report, double ns);

/// Height of the axis and of the legend below it, which stay when the lanes are scrolled, pixels.
inline constexpr double kMemoryTop = kGanttAxisHeight + 24;

[[nodiscard]] double memoryHeight(const MemoryOverlay& data);
/// `names` of the plans, as the legend is to say them.
void paintMemory(QPainter& painter, const QSizeF& view, const GanttCamera& camera, const MemoryOverlay& data,
                 const std::vector<QString>& names, const Theme& theme);
/// -1: none there.
[[nodiscard]] int memoryLaneAt(const MemoryOverlay& data, const GanttCamera& camera, QPointF position);

} // namespace opscape
