// SPDX-License-Identifier: MIT
#include "gantt_statistics.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace opscape {
namespace {

std::int64_t overlapNs(std::int64_t startNs, std::int64_t endNs, const TimeRange& range) {
    return std::max<std::int64_t>(0, std::min(endNs, range.toNs) - std::max(startNs, range.fromNs));
}

LaneStatistics laneStatistics(const GanttData& data, int index, const TimeRange& range) {
    const GanttData::Lane& lane = data.lanes()[static_cast<std::size_t>(index)];
    LaneStatistics of;
    of.lane = index;
    if (lane.kind == GanttData::LaneKind::Memory) {
        std::int64_t now = 0;
        for (const MemoryStep& step : data.schedule().devices[lane.index].memory) {
            if (step.timeNs > range.fromNs && step.timeNs < range.toNs)
                of.bytes = std::max(of.bytes, step.bytes);
            now = step.timeNs <= range.fromNs ? step.bytes : now;
        }
        of.bytes = std::max(of.bytes, now);
        return of;
    }
    of.busyNs = lane.busyNs(range.fromNs, range.toNs);
    of.idleNs = overlapNs(0, data.schedule().makespanNs, range) - of.busyNs;
    for (const GanttData::Bar& bar : lane.bars) {
        if (bar.startNs >= range.toNs)
            break;
        const std::int64_t ns = overlapNs(bar.startNs, bar.endNs, range);
        of.bars += ns > 0 ? 1 : 0;
        if (ns > 0 && lane.kind == GanttData::LaneKind::Channel)
            of.bytes += std::llround(static_cast<double>(data.schedule().transfers[bar.index].bytes) *
                                     static_cast<double>(ns) / static_cast<double>(bar.endNs - bar.startNs));
    }
    return of;
}

} // namespace

RangeStatistics rangeStatistics(const GanttData& data, TimeRange range, std::size_t mostOps) {
    RangeStatistics found;
    found.range = range;
    for (std::size_t l = 0; l < data.lanes().size(); ++l) {
        found.lanes.push_back(laneStatistics(data, static_cast<int>(l), range));
        if (data.lanes()[l].kind != GanttData::LaneKind::Device)
            continue;
        for (const GanttData::Row& row : data.lanes()[l].rows) {
            for (const GanttData::Span& span : row.spans) {
                const std::int64_t ns = overlapNs(span.startNs, span.endNs, range);
                if (ns == 0)
                    continue;
                found.ops.push_back({OpId(span.op), ns});
                found.opNs += ns;
            }
        }
    }
    found.opCount = found.ops.size();
    const auto order = [](const OpTime& op) { return std::tuple(-op.ns, op.op.value); };
    const auto kept = static_cast<std::ptrdiff_t>(std::min(mostOps, found.ops.size()));
    std::ranges::partial_sort(found.ops, found.ops.begin() + kept, {}, order);
    found.ops.resize(static_cast<std::size_t>(kept));
    return found;
}

} // namespace opscape
