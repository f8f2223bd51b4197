// SPDX-License-Identifier: MIT
// The ready queue of every device, for each queue policy. One flat array is shared out over the devices, so that a run
// allocates nothing: a unit is queued once, hence a device needs as many places as it has units.
#pragma once

#include <opscape/plan/plan.h>
#include <opscape/sim/unit_graph.h>

#include <algorithm>

namespace opscape {

class ReadyQueues {
public:
    static constexpr std::uint32_t kNobody = 0xffffffffu;

    void prepare(const UnitGraph& graph, const Plan& plan, std::span<const std::uint32_t> unitsOnDevice) {
        m_lanes.resize(unitsOnDevice.size());
        std::uint32_t begin = 0;
        for (std::size_t d = 0; d < m_lanes.size(); ++d) {
            m_lanes[d] = {begin, begin, begin, -1, true};
            begin += unitsOnDevice[d];
        }
        m_units.resize(graph.unitCount());
        if (plan.policy == QueuePolicy::Fifo)
            return;
        priorities(graph, plan);
        if (plan.policy == QueuePolicy::Priority)
            m_heap.resize(graph.unitCount());
        else
            order(graph, plan);
    }

    template <QueuePolicy P>
    void add(std::uint32_t unit, std::size_t device, std::int64_t nowNs) {
        Lane& lane = m_lanes[device];
        if constexpr (P == QueuePolicy::Fifo) {
            if (lane.momentNs != nowNs) {
                sortMoment(lane);
                lane.momentNs = nowNs;
                lane.moment = lane.tail;
            } else {
                lane.sorted = lane.sorted && (lane.tail == lane.moment || m_units[lane.tail - 1] < unit);
            }
            m_units[lane.tail++] = unit;
        } else if constexpr (P == QueuePolicy::Priority) {
            m_heap[lane.tail++] = {m_priority[unit], unit};
            std::push_heap(m_heap.begin() + lane.head, m_heap.begin() + lane.tail, Later());
        }
    }

    /// Takes out the unit to run next, or nobody. `isReady` is asked only about the first of a fixed order.
    template <QueuePolicy P>
    std::uint32_t take(std::size_t device, auto isReady) {
        Lane& lane = m_lanes[device];
        if (lane.head == lane.tail)
            return kNobody;
        if constexpr (P == QueuePolicy::Fifo) {
            sortMoment(lane);
            return m_units[lane.head++];
        } else if constexpr (P == QueuePolicy::Priority) {
            std::pop_heap(m_heap.begin() + lane.head, m_heap.begin() + lane.tail, Later());
            return m_heap[--lane.tail].unit;
        } else {
            return isReady(m_units[lane.head]) ? m_units[lane.head++] : kNobody;
        }
    }

    /// Order only: what the device has to run next.
    [[nodiscard]] std::uint32_t firstInOrder(std::size_t device) const {
        const Lane& lane = m_lanes[device];
        return lane.head == lane.tail ? kNobody : m_units[lane.head];
    }

private:
    /// [head, tail) is what waits. Fifo: [moment, tail) became ready at momentNs and has to be in order of units.
    struct Lane {
        std::uint32_t head, tail, moment;
        std::int64_t momentNs;
        bool sorted;
    };
    struct Waiting {
        std::int64_t priority;
        std::uint32_t unit;
    };
    struct Later {
        bool operator()(const Waiting& a, const Waiting& b) const {
            return a.priority != b.priority ? a.priority < b.priority : a.unit > b.unit;
        }
    };

    void sortMoment(Lane& lane) {
        if (lane.sorted)
            return;
        std::sort(m_units.begin() + std::max(lane.head, lane.moment), m_units.begin() + lane.tail);
        lane.sorted = true;
    }

    /// A fused group has the highest priority of its ops.
    void priorities(const UnitGraph& graph, const Plan& plan) {
        m_priority.resize(graph.unitCount());
        for (std::uint32_t u = 0; u < graph.unitCount(); ++u) {
            std::int64_t highest = plan.priority[graph.firstOp[u]];
            for (std::uint32_t i = graph.memberFirst[u] + 1; i < graph.memberFirst[u + 1]; ++i)
                highest = std::max(highest, plan.priority[graph.members[i].index()]);
            m_priority[u] = highest;
        }
    }

    /// Lays the units out in their order, device by device. The sort is kept as long as the priorities stay the same.
    void order(const UnitGraph& graph, const Plan& plan) {
        if (m_orderedBy != m_priority) {
            m_order.resize(graph.unitCount());
            for (std::uint32_t u = 0; u < graph.unitCount(); ++u)
                m_order[u] = {m_priority[u], u};
            std::sort(m_order.begin(), m_order.end(), [](const Waiting& a, const Waiting& b) { return Later()(b, a); });
            m_orderedBy = m_priority;
        }
        for (const Waiting& next : m_order)
            m_units[m_lanes[plan.device[graph.firstOp[next.unit]].index()].tail++] = next.unit;
    }

    std::vector<Lane> m_lanes;
    std::vector<std::uint32_t> m_units;
    std::vector<Waiting> m_heap;
    std::vector<std::int64_t> m_priority, m_orderedBy;
    std::vector<Waiting> m_order;
};

} // namespace opscape
