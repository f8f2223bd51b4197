// SPDX-License-Identifier: MIT
#include "lane_columns.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace opscape {

std::vector<LaneColumn> mergeBars(const std::vector<GanttData::Bar>& bars, double startNs, double nsPerColumn,
                                  std::size_t columns, double widestNs) {
    std::vector<LaneColumn> merged(columns);
    const double endNs = startNs + static_cast<double>(columns) * nsPerColumn;
    // Bars are sorted by start: the columns at hand only move right, and with them what is known of each device.
    std::size_t current = columns;
    std::vector<std::pair<std::uint32_t, double>> parts; // device and time in the current column
    const auto finish = [&] {
        if (current >= columns || parts.empty())
            return;
        const auto most = std::ranges::max_element(parts, {}, [](const auto& part) { return part.second; });
        merged[current].device = most->first;
        parts.clear();
    };
    double covered = startNs; // all time before this is accounted for
    auto bar = std::ranges::lower_bound(bars, startNs - widestNs, {},
                                        [](const GanttData::Bar& b) { return static_cast<double>(b.startNs); });
    for (; bar != bars.end() && static_cast<double>(bar->startNs) < endNs; ++bar) {
        const auto barStart = static_cast<double>(bar->startNs), barEnd = static_cast<double>(bar->endNs);
        if (barEnd - barStart > widestNs)
            continue;
        const double from = std::max(barStart, covered), to = std::min(barEnd, endNs);
        covered = std::max(covered, to);
        for (auto c = static_cast<std::size_t>(std::max(0.0, (from - startNs) / nsPerColumn)); c < columns; ++c) {
            const double left = startNs + static_cast<double>(c) * nsPerColumn;
            const double part = std::min(to, left + nsPerColumn) - std::max(from, left);
            if (left >= to)
                break;
            if (part <= 0)
                continue;
            if (c != current) {
                finish();
                current = c;
            }
            merged[c].busy += part / nsPerColumn;
            auto known = parts.begin(); // nearly always the first
            while (known != parts.end() && known->first != bar->device)
                ++known;
            if (known == parts.end())
                parts.emplace_back(bar->device, part);
            else
                known->second += part;
        }
    }
    finish();
    for (LaneColumn& column : merged)
        column.busy = std::min(1.0, column.busy);
    return merged;
}

std::vector<MemoryColumn> mergeMemory(const std::vector<MemoryStep>& steps, const GanttCamera& camera, double left,
                                      double right) {
    std::vector<MemoryColumn> columns;
    const auto time = [](const MemoryStep& step) { return static_cast<double>(step.timeNs); };
    auto step = std::ranges::upper_bound(steps, camera.toNs(left), {}, time);
    double now = step == steps.begin() ? 0 : static_cast<double>(std::prev(step)->bytes);
    for (double x = std::floor(left); x < right;) {
        const double next = step == steps.end() ? right : std::min(right, camera.toX(time(*step)));
        MemoryColumn column{x, x + std::max(1.0, std::floor(next - x)), now, now};
        for (const double stopNs = camera.toNs(column.right); step != steps.end() && time(*step) < stopNs; ++step) {
            now = static_cast<double>(step->bytes);
            column.least = std::min(column.least, now);
            column.most = std::max(column.most, now);
        }
        column.right = std::min(column.right, right);
        columns.push_back(column);
        x = std::floor(column.right);
        if (column.right >= right)
            break;
    }
    return columns;
}

} // namespace opscape
