// SPDX-License-Identifier: MIT
#include <opscape/search/reverse_schedule.h>

#include <algorithm>
#include <numeric>

namespace opscape {

ReverseSchedule::ReverseSchedule(const Problem& problem, const UnitGraph& graph)
    : m_problem(problem),
      m_graph(graph),
      m_readsFirst(graph.unitCount() + 1),
      m_reads(graph.readers.size()),
      m_queues(problem.cluster->deviceCount()) {
    for (const std::uint32_t reader : graph.readers)
        ++m_readsFirst[reader + 1];
    std::partial_sum(m_readsFirst.begin(), m_readsFirst.end(), m_readsFirst.begin());
    std::vector<std::uint32_t> next(m_readsFirst.begin(), m_readsFirst.end() - 1);
    for (std::uint32_t slot = 0; slot < graph.slotCount(); ++slot) {
        for (std::uint32_t i = graph.readerFirst[slot]; i < graph.readerFirst[slot + 1]; ++i)
            m_reads[next[graph.readers[i]]++] = slot;
    }
}

void ReverseSchedule::prepare(const Plan& plan) {
    const UnitGraph& g = m_graph;
    m_deviceOf.resize(g.unitCount());
    for (std::uint32_t unit = 0; unit < g.unitCount(); ++unit)
        m_deviceOf[unit] = plan.device[g.firstOp[unit]].value;
    m_awaits.assign(g.unitCount(), 0);
    m_copyFirst.assign(1, 0);
    m_copyDevice.clear();
    m_copyReaders.clear();
    for (std::uint32_t slot = 0; slot < g.slotCount(); ++slot) {
        const std::uint32_t producer = g.slotUnit[slot];
        for (std::uint32_t i = g.readerFirst[slot]; i < g.readerFirst[slot + 1]; ++i) {
            const std::uint32_t device = m_deviceOf[g.readers[i]];
            if (device == m_deviceOf[producer]) {
                ++m_awaits[producer];
                continue;
            }
            const auto known = std::find(m_copyDevice.begin() + m_copyFirst.back(), m_copyDevice.end(), device);
            if (known == m_copyDevice.end()) {
                ++m_awaits[producer];
                m_copyDevice.push_back(device);
                m_copyReaders.push_back(1);
            } else {
                ++m_copyReaders[static_cast<std::size_t>(known - m_copyDevice.begin())];
            }
        }
        m_copyFirst.push_back(static_cast<std::uint32_t>(m_copyDevice.size()));
    }
    for (auto& queue : m_queues)
        queue.clear();
    m_busy.assign(m_queues.size(), 0);
    m_channelFreeNs.assign(m_problem.cluster->channelCount(), 0);
    m_events.clear();
}

void ReverseSchedule::run(const Plan& plan, std::span<const std::int64_t> keys, std::vector<std::int64_t>& finishNs) {
    m_keys = keys;
    prepare(plan);
    finishNs.assign(m_graph.unitCount(), 0);
    for (std::uint32_t unit = 0; unit < m_graph.unitCount(); ++unit) {
        if (m_awaits[unit] == 0)
            release(unit);
    }
    std::int64_t nowNs = 0;
    for (;;) {
        for (std::size_t device = 0; device < m_queues.size(); ++device) {
            auto& queue = m_queues[device];
            if (m_busy[device] != 0 || queue.empty())
                continue;
            std::ranges::pop_heap(queue);
            const std::uint32_t unit = queue.back().unit;
            queue.pop_back();
            m_busy[device] = 1;
            const KindId kind = m_problem.cluster->device(DeviceId(device)).kind;
            m_events.push_back({nowNs + m_graph.unitNs(unit, kind), unit, false});
            std::ranges::push_heap(m_events, std::greater<>());
        }
        if (m_events.empty())
            return;
        nowNs = m_events.front().timeNs;
        while (!m_events.empty() && m_events.front().timeNs == nowNs) {
            std::ranges::pop_heap(m_events, std::greater<>());
            const Event event = m_events.back();
            m_events.pop_back();
            if (event.arrival) {
                if (--m_awaits[event.unit] == 0)
                    release(event.unit);
            } else {
                finishNs[event.unit] = nowNs;
                end(event.unit, nowNs);
            }
        }
    }
}

void ReverseSchedule::release(std::uint32_t unit) {
    auto& queue = m_queues[m_deviceOf[unit]];
    queue.push_back({m_keys[unit], unit});
    std::ranges::push_heap(queue);
}

void ReverseSchedule::end(std::uint32_t unit, std::int64_t nowNs) {
    const std::uint32_t device = m_deviceOf[unit];
    m_busy[device] = 0;
    for (std::uint32_t i = m_readsFirst[unit]; i < m_readsFirst[unit + 1]; ++i) {
        const std::uint32_t slot = m_reads[i];
        const std::uint32_t producer = m_graph.slotUnit[slot];
        if (m_deviceOf[producer] == device) {
            if (--m_awaits[producer] == 0)
                release(producer);
            continue;
        }
        std::uint32_t copy = m_copyFirst[slot];
        while (m_copyDevice[copy] != device)
            ++copy;
        if (--m_copyReaders[copy] > 0)
            continue;
        m_events.push_back({arrivalNs(slot, device, m_deviceOf[producer], nowNs), producer, true});
        std::ranges::push_heap(m_events, std::greater<>());
    }
}

std::int64_t ReverseSchedule::arrivalNs(std::uint32_t slot, std::uint32_t from, std::uint32_t to, std::int64_t nowNs) {
    const Cluster& cluster = *m_problem.cluster;
    const DeviceId source(to), destination(from); // of the transfer that this one stands for
    if (m_graph.slotTensor[slot] == UnitGraph::kSignal)
        return nowNs + cluster.routeLatencyNs(source, destination);
    const std::int64_t lengthNs = cluster.transferNs(m_graph.slotBytes[slot], source, destination);
    if (cluster.linkModel() == LinkModel::None)
        return nowNs + lengthNs;
    std::int64_t startNs = nowNs;
    for (const ChannelId channel : cluster.route(source, destination))
        startNs = std::max(startNs, m_channelFreeNs[channel.index()]);
    for (const ChannelId channel : cluster.route(source, destination))
        m_channelFreeNs[channel.index()] = startNs + lengthNs;
    return startNs + lengthNs;
}

} // namespace opscape
