// SPDX-License-Identifier: MIT
#include "lane_columns.h"

#include <algorithm>

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

} // namespace opscape
