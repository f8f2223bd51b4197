// SPDX-License-Identifier: MIT
#include <opscape/search/list_schedule.h>

#include <cmath>
#include <tuple>

namespace opscape {

ListSchedule::ListSchedule(const Problem& problem, std::vector<DeviceId> fixed)
    : m_problem(problem),
      m_deviceCount(problem.cluster->deviceCount()),
      m_memory(problem),
      m_device(std::move(fixed)),
      m_runs(problem.graph->opCount()),
      m_lanes(m_deviceCount),
      m_readyNs(m_deviceCount) {
    for (const DeviceId device : m_device)
        m_isFixed.push_back(device.valid() ? 1 : 0);
    const Cluster& cluster = *problem.cluster;
    for (std::size_t from = 0; from < m_deviceCount; ++from) {
        for (std::size_t to = 0; to < m_deviceCount; ++to) {
            m_latencyNs.push_back(cluster.routeLatencyNs(DeviceId(from), DeviceId(to)));
            m_bandwidth.push_back(cluster.routeBandwidth(DeviceId(from), DeviceId(to)));
        }
    }
}

Result<> ListSchedule::place(std::span<const OpId> order, const RunContext& context, const Behind& behind) {
    for (std::size_t i = 0; i < order.size(); ++i) {
        constexpr std::size_t kPoll = 1024;
        if (i % kPoll == 0) {
            if (context.stopRequested())
                return fail("stopped before every op had a place.");
            context.report({static_cast<double>(i) / static_cast<double>(order.size()), -1, 0, "placing ops"});
        }
        placeOp(order[i], behind ? behind(order[i]) : std::span<const std::int64_t>());
    }
    return {};
}

/// As Cluster::transferNs, without walking the route each time.
void ListSchedule::arrive(std::int64_t endNs, std::int64_t bytes, DeviceId from) {
    double bandwidth = 0;
    std::int64_t bytesNs = 0;
    for (std::size_t to = 0; to < m_deviceCount; ++to) {
        const std::size_t pair = from.index() * m_deviceCount + to;
        if (to != from.index() && m_bandwidth[pair] != bandwidth) {
            bandwidth = m_bandwidth[pair];
            bytesNs = std::llround(static_cast<double>(bytes) * 1e9 / bandwidth);
        }
        const std::int64_t sentNs = to == from.index() ? 0 : m_latencyNs[pair] + bytesNs;
        m_readyNs[to] = std::max(m_readyNs[to], endNs + sentNs);
    }
}

void ListSchedule::placeOp(OpId op, std::span<const std::int64_t> behindNs) {
    const Graph& graph = *m_problem.graph;
    std::ranges::fill(m_readyNs, 0);
    for (const TensorId tensor : graph.dataInputs(op)) {
        const std::size_t producer = graph.producer(tensor).index();
        arrive(m_runs[producer].endNs, graph.tensorBytes(tensor), m_device[producer]);
    }
    for (const OpId before : graph.controlPredecessors(op))
        arrive(m_runs[before.index()].endNs, 0, m_device[before.index()]);

    const bool isFirst = !m_device[op.index()].valid(); // of its group, too: the group is placed together
    const int group = graph.colocationGroup(op);
    const std::span<const OpId> together = group < 0 || !isFirst
                                               ? std::span(&op, 1)
                                               : std::span(graph.colocationGroups()[static_cast<std::size_t>(group)]);
    std::size_t chosen = 0;
    Timeline::Place place{};
    std::int64_t leastNs = -1, leastOver = 0;
    for (std::size_t d = 0; d < m_deviceCount; ++d) {
        const DeviceId device(d);
        if (!isFirst && m_device[op.index()] != device)
            continue;
        // A device without room is only better than one with even less of it.
        const std::int64_t over =
            isFirst && m_memory.matters() ? std::max<std::int64_t>(0, -m_memory.roomAfter(together, device)) : 0;
        if (leastNs >= 0 && over > leastOver)
            continue;
        const std::int64_t lengthNs = m_problem.opNs(op, device);
        const std::int64_t afterNs = lengthNs + (behindNs.empty() ? 0 : behindNs[d]);
        if (leastNs >= 0 && over == leastOver && m_readyNs[d] + afterNs >= leastNs)
            continue;
        const Timeline::Place here = m_lanes[d].find(m_readyNs[d], lengthNs);
        if (leastNs < 0 || over < leastOver || here.startNs + afterNs < leastNs) {
            chosen = d;
            place = here;
            leastNs = here.startNs + afterNs;
            leastOver = over;
        }
    }
    const std::int64_t lengthNs = m_problem.opNs(op, DeviceId(chosen));
    m_lanes[chosen].take(place, lengthNs);
    m_runs[op.index()] = {place.startNs, place.startNs + lengthNs};
    m_placed.push_back(op);
    for (const OpId member : together)
        m_device[member.index()] = DeviceId(chosen);
    if (m_memory.matters() && (isFirst || m_isFixed[op.index()] != 0))
        m_memory.place(together, DeviceId(chosen));
}

/// One order for all devices, producers first, so that it cannot deadlock.
std::vector<OpId> ListSchedule::orderAsBuilt() const {
    std::vector<OpId> order = m_placed;
    std::ranges::stable_sort(
        order, {}, [this](OpId op) { return std::tuple(m_runs[op.index()].startNs, m_runs[op.index()].endNs); });
    return order;
}

Plan ListSchedule::plan(QueuePolicy policy) const {
    const std::vector<OpId> order = policy == QueuePolicy::Order ? orderAsBuilt() : m_placed;
    Plan plan;
    plan.device = m_device;
    plan.policy = policy;
    plan.priority.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        plan.priority[order[i].index()] = static_cast<std::int64_t>(order.size() - i);
    return plan;
}

} // namespace opscape
