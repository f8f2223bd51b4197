// SPDX-License-Identifier: MIT
#include "gui/views/gantt_steps.h"

#include <algorithm>
#include <tuple>

namespace opscape {

using Place = GanttData::Place;

GanttTarget targetOf(const GanttData& data, Place place) {
    if (!place.valid())
        return {};
    const GanttData::Bar& bar = data.bar(place);
    if (data.lanes()[place.lane].kind == GanttData::LaneKind::Device)
        return {OpId(bar.index), -1};
    return {OpId(), static_cast<int>(bar.index)};
}

Place placeOf(const GanttData& data, const GanttTarget& target) {
    return target.op.valid()      ? data.barOf(target.op)
           : target.transfer >= 0 ? data.barOfTransfer(static_cast<std::uint32_t>(target.transfer))
                                  : Place();
}

Place barBeside(const GanttData& data, Place from, int by) {
    const auto count = static_cast<std::int64_t>(data.lanes()[from.lane].bars.size());
    from.bar = static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t{from.bar} + by, 0, count - 1));
    return from;
}

Place firstBar(const GanttData& data, const LaneStack& stack) {
    for (const LaneStack::Slot& slot : stack.inOrder()) {
        if (slot.isShown && !data.lanes()[static_cast<std::size_t>(slot.lane)].bars.empty())
            return {static_cast<std::uint32_t>(slot.lane), 0};
    }
    return {};
}

Place barAcross(const GanttData& data, const LaneStack& stack, Place from, int by) {
    const auto& order = stack.inOrder();
    const auto here = std::ranges::find(order, static_cast<int>(from.lane), &LaneStack::Slot::lane);
    const std::int64_t at = data.bar(from).startNs;
    for (std::ptrdiff_t i = here - order.begin() + by; i >= 0 && i < std::ssize(order); i += by) {
        const LaneStack::Slot& slot = order[static_cast<std::size_t>(i)];
        const auto& bars = data.lanes()[static_cast<std::size_t>(slot.lane)].bars;
        if (!slot.isShown || bars.empty())
            continue;
        const auto next = std::ranges::upper_bound(bars, at, {}, &GanttData::Bar::startNs);
        const auto bar = std::max<std::ptrdiff_t>(0, next - bars.begin() - 1);
        return {static_cast<std::uint32_t>(slot.lane), static_cast<std::uint32_t>(bar)};
    }
    return from;
}

GanttTarget causeOf(const GanttData& data, const GanttTarget& of) {
    const Schedule& schedule = data.schedule();
    if (of.transfer >= 0)
        return {schedule.transfers[static_cast<std::size_t>(of.transfer)].producer, -1};
    if (!of.op.valid())
        return {};
    const std::int64_t readyNs = schedule.ops[of.op.index()].readyNs;
    const auto ops = data.opsOf(data.bar(data.barOf(of.op)));
    for (const OpId op : ops) {
        for (const std::uint32_t i : data.receivedFor(op)) {
            if (schedule.transfers[i].endNs == readyNs)
                return {OpId(), static_cast<int>(i)};
        }
    }
    GanttTarget latest;
    for (const OpId op : ops) {
        for (const OpId before : data.problem().graph->predecessors(op)) {
            const bool isInside = std::ranges::binary_search(ops, before);
            const bool isLater =
                !latest.valid() || schedule.ops[before.index()].endNs > schedule.ops[latest.op.index()].endNs;
            if (!isInside && isLater)
                latest.op = before;
        }
    }
    return latest;
}

GanttTarget effectOf(const GanttData& data, const std::vector<std::uint8_t>& onCritical, const GanttTarget& of) {
    const Schedule& schedule = data.schedule();
    const Graph& graph = *data.problem().graph;
    const Plan& plan = data.plan();
    GanttTarget best;
    std::tuple<bool, std::int64_t> least{true, 0};
    const auto offer = [&](GanttTarget target, bool isCritical, std::int64_t startNs) {
        const std::tuple<bool, std::int64_t> key{!isCritical, startNs};
        if (!best.valid() || key < least) {
            best = target;
            least = key;
        }
    };
    const auto offerReaders = [&](std::span<const OpId> readers, DeviceId on) {
        for (const OpId reader : readers) {
            if (plan.device[reader.index()] == on)
                offer({reader, -1}, onCritical[reader.index()] != 0, schedule.ops[reader.index()].startNs);
        }
    };
    if (of.transfer >= 0) {
        const Transfer& transfer = schedule.transfers[static_cast<std::size_t>(of.transfer)];
        offerReaders(transfer.tensor.valid() ? graph.consumers(transfer.tensor)
                                             : graph.controlSuccessors(transfer.producer),
                     transfer.to);
        return best;
    }
    if (!of.op.valid())
        return best;
    for (const OpId op : data.opsOf(data.bar(data.barOf(of.op)))) {
        for (const std::uint32_t i : data.sentBy(op)) {
            const Transfer& transfer = schedule.transfers[i];
            const GanttTarget reader = effectOf(data, onCritical, {OpId(), static_cast<int>(i)});
            const bool isCritical = onCritical[op.index()] != 0 && reader.op.valid() &&
                                    onCritical[reader.op.index()] != 0 &&
                                    schedule.ops[reader.op.index()].readyNs == transfer.endNs;
            offer({OpId(), static_cast<int>(i)}, isCritical, transfer.startNs);
        }
        const auto ops = data.opsOf(data.bar(data.barOf(of.op)));
        for (const OpId after : graph.successors(op)) {
            if (plan.device[after.index()] == plan.device[op.index()] && !std::ranges::binary_search(ops, after))
                offer({after, -1}, onCritical[op.index()] != 0 && onCritical[after.index()] != 0,
                      schedule.ops[after.index()].startNs);
        }
    }
    return best;
}

} // namespace opscape
