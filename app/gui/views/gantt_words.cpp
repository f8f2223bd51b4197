// SPDX-License-Identifier: MIT
#include "gui/views/gantt_words.h"

#include "gui/words.h"

#include <opscape/base/units.h>

#include <QStringList>

#include <algorithm>

namespace opscape {
namespace {

constexpr std::size_t kMostParts = 12; ///< of a fused group, in a tooltip

QString time(std::int64_t ns) { return qs(formatTime(ns)); }
QString bytes(std::int64_t n) { return qs(formatBytes(n)); }
QString count(std::size_t n) { return qs(formatCount(static_cast<std::int64_t>(n))); }

std::int64_t memoryAt(const DeviceReport& report, std::int64_t ns) {
    const auto after = std::ranges::upper_bound(report.memory, ns, {}, &MemoryStep::timeNs);
    return after == report.memory.begin() ? 0 : std::prev(after)->bytes;
}

/// What ran on the device while the op was ready and waited.
QString behindText(const ShownRun& run, OpId op) {
    const OpRun& times = run.outcome->schedule.ops[op.index()];
    const GanttData::Place place = run.gantt.barOf(op);
    if (times.startNs <= times.readyNs || !place.valid() || place.bar == 0)
        return {};
    const GanttData::Bar& before = run.gantt.lanes()[place.lane].bars[place.bar - 1];
    if (before.endNs <= times.readyNs)
        return {};
    return QStringLiteral("Queued behind %1").arg(qs(elide(run.problem().graph->op(OpId(before.index)).name, 60)));
}

QString fusedText(const ShownRun& run, const GanttData::Bar& bar) {
    const auto ops = run.gantt.opsOf(bar);
    QStringList lines{
        QStringLiteral("Fused: %1 ops in one kernel of %2").arg(count(ops.size()), time(bar.endNs - bar.startNs))};
    for (const OpId op : ops.first(std::min(ops.size(), kMostParts)))
        lines << QStringLiteral("    %1, %2 alone")
                     .arg(qs(elide(run.problem().graph->op(op).name, 60)), time(run.opNs(op)));
    if (ops.size() > kMostParts)
        lines << QStringLiteral("    and %1 more").arg(count(ops.size() - kMostParts));
    return lines.join(u'\n');
}

QString barTip(const ShownRun& run, const GanttData::Lane& lane, const GanttData::Bar& bar) {
    if (lane.kind == GanttData::LaneKind::Channel) {
        QStringList lines{transferTip(run, bar.index)};
        if (lane.mostRows > GanttData::kMostRows && bar.row + 1 == GanttData::kMostRows)
            lines << QStringLiteral("Up to %1 transfers at once; what has no row of its own shares this one")
                         .arg(lane.mostRows);
        return lines.join(u'\n');
    }
    if (run.gantt.isFused(bar))
        return fusedText(run, bar);
    QStringList lines{opTip(*run.outcome->opened, &run, OpId(bar.index))};
    if (const QString behind = behindText(run, OpId(bar.index)); !behind.isEmpty() && run.onCritical[bar.index] == 0)
        lines << behind;
    return lines.join(u'\n');
}

} // namespace

QString idleText(const ShownRun& run, DeviceId device, std::int64_t ns) {
    if (ns < 0 || ns >= run.outcome->schedule.makespanNs)
        return {};
    const auto& spans = run.idle()[device.index()].spans;
    const auto span = std::ranges::upper_bound(spans, ns, {}, &IdleSpan::endNs);
    if (span == spans.end() || span->startNs > ns)
        return {};
    return qs(explain(run.problem(), run.outcome->plan, run.outcome->schedule, device, *span));
}

QString quietText(const ShownRun& run, ChannelId channel, std::int64_t ns) {
    const Schedule& schedule = run.outcome->schedule;
    const int index = run.gantt.laneOf(GanttData::LaneKind::Channel, channel.value);
    if (ns < 0 || ns >= schedule.makespanNs || index < 0)
        return {};
    const GanttData::Lane& lane = run.gantt.lanes()[static_cast<std::size_t>(index)];
    const auto next = std::ranges::upper_bound(lane.bars, ns, {}, &GanttData::Bar::startNs);
    std::int64_t fromNs = 0;
    for (auto bar = next; bar != lane.bars.begin();) {
        --bar;
        if (bar->startNs + lane.longestNs <= fromNs)
            break;
        fromNs = std::max(fromNs, bar->endNs);
    }
    if (next == lane.bars.end())
        return QStringLiteral("%1: nothing is left for it to carry.").arg(qs(lane.label));
    const Transfer& transfer = schedule.transfers[next->index];
    const QString idled = QStringLiteral("%1 carries nothing for %2").arg(qs(lane.label), time(next->startNs - fromNs));
    const QString name =
        transfer.tensor.valid()
            ? qs(elide(run.problem().graph->tensor(transfer.tensor).name, 60))
            : QStringLiteral("the signal of %1").arg(qs(elide(run.problem().graph->op(transfer.producer).name, 60)));
    if (transfer.readyNs > ns)
        return QStringLiteral("%1: %2, which comes next, is made at %3.").arg(idled, name, time(transfer.readyNs));
    return QStringLiteral("%1: %2, which comes next, waits for another channel of its way.").arg(idled, name);
}

QString memoryText(const ShownRun& run, DeviceId device, std::int64_t ns) {
    const DeviceReport& report = run.outcome->schedule.devices[device.index()];
    const std::int64_t capacity = run.cluster().kindOf(device).memoryBytes;
    const std::int64_t now = memoryAt(report, ns);
    QString text = QStringLiteral("%1 in use on %2 at %3").arg(bytes(now), deviceText(run.cluster(), device), time(ns));
    if (capacity > 0)
        text += QStringLiteral(", %1 of %2")
                    .arg(qs(formatPercent(static_cast<double>(now) / static_cast<double>(capacity))), bytes(capacity));
    return text;
}

int criticalAt(const ShownRun& run, const GanttData::Lane& lane, std::int64_t ns) {
    using Kind = CriticalSegment::Kind;
    const auto segment = std::ranges::upper_bound(run.critical, ns, {}, &CriticalSegment::endNs);
    if (segment == run.critical.end() || segment->startNs > ns)
        return -1;
    const bool onChannel = segment->kind == Kind::Transfer || segment->kind == Kind::ChannelWait;
    bool isHere = !onChannel && lane.kind == GanttData::LaneKind::Device && segment->device.value == lane.index;
    if (onChannel && lane.kind == GanttData::LaneKind::Channel) {
        const Transfer& transfer = run.outcome->schedule.transfers[segment->transfer];
        for (const ChannelId channel : run.cluster().route(transfer.from, transfer.to))
            isHere = isHere || channel.value == lane.index;
    }
    return isHere ? static_cast<int>(segment - run.critical.begin()) : -1;
}

QString ganttTip(const ShownRun& run, GanttHit hit, std::int64_t ns, bool withCritical) {
    if (hit.lane < 0)
        return {};
    const GanttData::Lane& lane = run.gantt.lanes()[static_cast<std::size_t>(hit.lane)];
    QStringList lines;
    if (lane.kind == GanttData::LaneKind::Memory) {
        if (ns < 0 || ns > run.outcome->schedule.makespanNs)
            return {};
        const DeviceReport& report = run.outcome->schedule.devices[lane.index];
        lines << memoryText(run, DeviceId(lane.index), ns)
              << QStringLiteral("Peak: %1 at %2").arg(bytes(report.peakBytes), time(report.peakNs))
              << QStringLiteral("Click to list the tensors that are there");
    } else if (hit.bar >= 0) {
        lines << barTip(run, lane, lane.bars[static_cast<std::size_t>(hit.bar)]);
    } else if (lane.kind == GanttData::LaneKind::Device) {
        lines << idleText(run, DeviceId(lane.index), ns);
    } else {
        lines << quietText(run, ChannelId(lane.index), ns);
    }
    const int segment = withCritical ? criticalAt(run, lane, ns) : -1;
    if (segment >= 0 && lane.kind != GanttData::LaneKind::Memory) {
        const QString why =
            qs(explain(run.problem(), run.outcome->schedule, run.critical[static_cast<std::size_t>(segment)]));
        if (!lines.join(u'\n').contains(why))
            lines << QStringLiteral("Critical path: %1").arg(why);
    }
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QString barText(const ShownRun& run, GanttData::Place place) {
    if (!place.valid())
        return {};
    const GanttData::Lane& lane = run.gantt.lanes()[place.lane];
    const GanttData::Bar& bar = run.gantt.bar(place);
    QString name = qs(run.gantt.nameOf(lane, bar));
    if (lane.kind == GanttData::LaneKind::Device && run.gantt.isFused(bar))
        name += QStringLiteral(" and %1 fused with it").arg(run.gantt.opsOf(bar).size() - 1);
    QString text = QStringLiteral("%1 on %2, %3, from %4 to %5")
                       .arg(name, qs(lane.label), time(bar.endNs - bar.startNs), time(bar.startNs), time(bar.endNs));
    if (lane.kind == GanttData::LaneKind::Channel) {
        const Transfer& transfer = run.outcome->schedule.transfers[bar.index];
        text += QStringLiteral(", %1 from %2 to %3, waited %4")
                    .arg(bytes(transfer.bytes), deviceText(run.cluster(), transfer.from),
                         deviceText(run.cluster(), transfer.to), time(transfer.startNs - transfer.readyNs));
    }
    return text;
}

QString scheduleText(const ShownRun& run) {
    const Schedule& schedule = run.outcome->schedule;
    return QStringLiteral("%1 on %2: %3 a step, %4 devices, %5 ops, %6 transfers, %7 segments on the critical path")
        .arg(qs(run.problem().graph->name()), clusterText(run.cluster()), time(schedule.makespanNs),
             count(schedule.devices.size()), count(schedule.ops.size()), count(schedule.transfers.size()),
             count(run.critical.size()));
}

} // namespace opscape
