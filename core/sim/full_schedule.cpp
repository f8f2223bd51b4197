// SPDX-License-Identifier: MIT
#include <opscape/sim/full_schedule.h>

#include <algorithm>
#include <tuple>

namespace opscape {
namespace {

constexpr std::uint32_t kNever = 0xffffffffu;

void fillTransfers(const Problem& problem, const UnitGraph& graph, const Engine& engine, const SimTrace& trace,
                   Schedule& schedule) {
    const auto copies = engine.copies();
    const auto copyFirst = engine.copyFirst();
    schedule.transfers.clear();
    for (std::uint32_t s = 0; s < graph.slotCount(); ++s) {
        const bool isSignal = graph.slotTensor[s] == UnitGraph::kSignal;
        Transfer transfer;
        transfer.tensor = isSignal ? TensorId() : TensorId(graph.slotTensor[s]);
        transfer.producer =
            isSignal ? OpId(graph.firstOp[graph.slotUnit[s]]) : problem.graph->producer(transfer.tensor);
        transfer.from = DeviceId(copies[copyFirst[s]].device);
        transfer.bytes = graph.slotBytes[s];
        transfer.readyNs = trace.unitEndNs[graph.slotUnit[s]];
        for (std::uint32_t copy = copyFirst[s] + 1; copy < copyFirst[s + 1]; ++copy) {
            transfer.to = DeviceId(copies[copy].device);
            transfer.startNs = trace.transferStartNs[copy];
            transfer.endNs = trace.transferEndNs[copy];
            schedule.transfers.push_back(transfer);
        }
    }
    std::ranges::sort(schedule.transfers, {}, [](const Transfer& t) {
        return std::tuple(t.startNs, t.tensor.value, t.producer.value, t.to.value);
    });
}

/// A channel is busy while at least one transfer is on it; control signals do not occupy it.
void fillChannels(const Cluster& cluster, Schedule& schedule) {
    schedule.channels.assign(cluster.channelCount(), {});
    schedule.bytesMoved = 0;
    std::vector<std::int64_t> busyUntil(cluster.channelCount(), 0);
    for (const Transfer& transfer : schedule.transfers) {
        if (!transfer.tensor.valid())
            continue;
        schedule.bytesMoved += transfer.bytes;
        for (const ChannelId id : cluster.route(transfer.from, transfer.to)) {
            ChannelReport& channel = schedule.channels[id.index()];
            std::int64_t& until = busyUntil[id.index()];
            channel.busyNs += std::max<std::int64_t>(0, transfer.endNs - std::max(transfer.startNs, until));
            until = std::max(until, transfer.endNs);
            channel.bytes += transfer.bytes;
            ++channel.transfers;
        }
    }
}

/// One step per moment in which the memory in use changed, so that the peak is always the highest step.
void fillMemory(const UnitGraph& graph, const Engine& engine, const SimTrace& trace, Schedule& schedule) {
    const std::size_t deviceCount = schedule.devices.size();
    std::vector<std::int64_t> bytes(deviceCount);
    std::vector<std::uint32_t> moment(deviceCount, 0), peakStep(deviceCount, 0);
    std::vector<std::uint8_t> atPeak(deviceCount, 0); // seen already
    for (std::size_t d = 0; d < deviceCount; ++d) {
        DeviceReport& device = schedule.devices[d];
        bytes[d] = device.residentBytes;
        device.memory.assign(1, {0, device.residentBytes});
        atPeak[d] = bytes[d] == device.peakBytes;
    }
    std::vector<std::uint32_t> taken(engine.copyFirst().back(), kNever), given(taken);
    for (std::uint32_t i = 0; i < trace.steps.size(); ++i) {
        const SimTrace::Step& step = trace.steps[i];
        const std::size_t d = step.device;
        DeviceReport& device = schedule.devices[d];
        bytes[d] += step.bytes;
        if (step.moment != moment[d]) {
            moment[d] = step.moment;
            device.memory.push_back({step.timeNs, 0});
        }
        device.memory.back().bytes = bytes[d];
        if (step.copy != Engine::kNobody)
            (step.bytes > 0 ? taken : given)[step.copy] = i;
        if (atPeak[d] == 0 && bytes[d] == device.peakBytes && step.bytes > 0) {
            atPeak[d] = 1;
            peakStep[d] = i + 1;
        }
    }
    for (DeviceReport& device : schedule.devices)
        device.alive.clear();
    for (std::uint32_t s = 0; s < graph.slotCount(); ++s) {
        for (std::uint32_t copy = engine.copyFirst()[s]; copy < engine.copyFirst()[s + 1]; ++copy) {
            const std::size_t d = engine.copies()[copy].device;
            if (taken[copy] < peakStep[d] && given[copy] >= peakStep[d])
                schedule.devices[d].alive.emplace_back(graph.slotTensor[s]);
        }
    }
}

void addResidents(const Problem& problem, const Plan& plan, Schedule& schedule) {
    const Graph& graph = *problem.graph;
    std::vector<std::size_t> stamp(schedule.devices.size(), kNever);
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const TensorId tensor(t);
        if (graph.producer(tensor).valid() || graph.tensorBytes(tensor) == 0)
            continue;
        for (const OpId consumer : graph.consumers(tensor)) {
            const std::size_t d = plan.device[consumer.index()].index();
            if (stamp[d] != t)
                schedule.devices[d].alive.push_back(tensor);
            stamp[d] = t;
        }
    }
    for (DeviceReport& device : schedule.devices)
        std::ranges::sort(device.alive, {},
                          [&graph](TensorId id) { return std::tuple(-graph.tensorBytes(id), id.value); });
}

} // namespace

void fillTimes(const UnitGraph& graph, const SimTrace& trace, Schedule& schedule) {
    schedule.ops.resize(graph.unitOf.size());
    for (std::size_t i = 0; i < schedule.ops.size(); ++i) {
        const std::uint32_t unit = graph.unitOf[i];
        schedule.ops[i] = {trace.unitReadyNs[unit], trace.unitStartNs[unit], trace.unitEndNs[unit]};
    }
}

void fillFullSchedule(const Problem& problem, const Plan& plan, const UnitGraph& graph, const Engine& engine,
                      const SimTrace& trace, Schedule& schedule) {
    fillTimes(graph, trace, schedule);
    fillTransfers(problem, graph, engine, trace, schedule);
    fillChannels(*problem.cluster, schedule);
    fillMemory(graph, engine, trace, schedule);
    addResidents(problem, plan, schedule);
}

} // namespace opscape
