// SPDX-License-Identifier: MIT
// Heterogeneous Earliest Finish Time (Topcuoglu, Hariri and Wu, "Performance-effective and low-complexity task
// scheduling for heterogeneous computing", IEEE TPDS 2002). Ops are taken by descending upward rank. Each goes to the
// device on which it would end first, at the earliest time at which its inputs are there and the device has a gap wide
// enough, also between ops placed before (insertion). Transfers are taken as free of contention, as in the paper, so
// under the link model `none` the plan runs exactly as it was built; under `fifo` it may wait.
//
// Beyond the paper: a colocation group goes where its first op goes, pinned ops stay where they are, and devices
// without room by MemoryEstimate are passed over as long as another has room. Equal finish times go to the lower
// device.
#include "memory_estimate.h"
#include "timeline.h"

#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <cmath>
#include <span>
#include <tuple>

namespace opscape {
namespace {

class Heft final : public Optimizer {
    struct Run {
        std::int64_t startNs = 0, endNs = 0;
    };

    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        m_problem = &problem;
        m_deviceCount = problem.cluster->deviceCount();
        for (const DeviceId device : *fixed)
            m_isFixed.push_back(device.valid() ? 1 : 0);
        m_plan.device = std::move(*fixed);
        m_runs.assign(problem.graph->opCount(), {});
        m_lanes.assign(m_deviceCount, {});
        m_readyNs.assign(m_deviceCount, 0);
        routes();
        MemoryEstimate memory(problem);
        const std::vector<OpId> order = rankOrder(problem, upwardRanks(problem));
        for (std::size_t i = 0; i < order.size(); ++i) {
            constexpr std::size_t kPoll = 1024;
            if (i % kPoll == 0) {
                if (context.stopRequested())
                    return fail("stopped before every op had a place.");
                context.report({static_cast<double>(i) / static_cast<double>(order.size()), -1, 0, "placing ops"});
            }
            placeOp(order[i], memory);
        }
        if (options.choice("queue") == "order") {
            m_plan.policy = QueuePolicy::Order;
            m_plan.priority = orderAsBuilt(order);
        } else {
            m_plan.policy = QueuePolicy::Priority;
            m_plan.priority.resize(order.size());
            for (std::size_t i = 0; i < order.size(); ++i)
                m_plan.priority[order[i].index()] = static_cast<std::int64_t>(order.size() - i);
        }
        return std::move(m_plan);
    }

    void routes() {
        const Cluster& cluster = *m_problem->cluster;
        for (std::size_t from = 0; from < m_deviceCount; ++from) {
            for (std::size_t to = 0; to < m_deviceCount; ++to) {
                m_latencyNs.push_back(cluster.routeLatencyNs(DeviceId(from), DeviceId(to)));
                m_bandwidth.push_back(cluster.routeBandwidth(DeviceId(from), DeviceId(to)));
            }
        }
    }

    /// As Cluster::transferNs, without walking the route each time.
    void arrive(std::int64_t endNs, std::int64_t bytes, DeviceId from) {
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

    void placeOp(OpId op, MemoryEstimate& memory) {
        const Graph& graph = *m_problem->graph;
        std::ranges::fill(m_readyNs, 0);
        for (const TensorId tensor : graph.dataInputs(op)) {
            const std::size_t producer = graph.producer(tensor).index();
            arrive(m_runs[producer].endNs, graph.tensorBytes(tensor), m_plan.device[producer]);
        }
        for (const OpId before : graph.controlPredecessors(op))
            arrive(m_runs[before.index()].endNs, 0, m_plan.device[before.index()]);

        const bool isFirst = !m_plan.device[op.index()].valid(); // of its group, too: the group is placed together
        const int group = graph.colocationGroup(op);
        const std::span<const OpId> together =
            group < 0 || !isFirst ? std::span(&op, 1)
                                  : std::span(graph.colocationGroups()[static_cast<std::size_t>(group)]);
        std::size_t chosen = 0;
        Timeline::Place place{};
        std::int64_t endNs = -1, leastOver = 0;
        for (std::size_t d = 0; d < m_deviceCount; ++d) {
            const DeviceId device(d);
            if (!isFirst && m_plan.device[op.index()] != device)
                continue;
            // A device without room is only better than one with even less of it.
            const std::int64_t over =
                isFirst && memory.matters() ? std::max<std::int64_t>(0, -memory.roomAfter(together, device)) : 0;
            if (endNs >= 0 && over > leastOver)
                continue;
            const std::int64_t lengthNs = m_problem->opNs(op, device);
            if (endNs >= 0 && over == leastOver && m_readyNs[d] + lengthNs >= endNs)
                continue;
            const Timeline::Place here = m_lanes[d].find(m_readyNs[d], lengthNs);
            if (endNs < 0 || over < leastOver || here.startNs + lengthNs < endNs) {
                chosen = d;
                place = here;
                endNs = here.startNs + lengthNs;
                leastOver = over;
            }
        }
        m_lanes[chosen].take(place, endNs - place.startNs);
        m_runs[op.index()] = {place.startNs, endNs};
        for (const OpId member : together)
            m_plan.device[member.index()] = DeviceId(chosen);
        if (memory.matters() && (isFirst || m_isFixed[op.index()] != 0))
            memory.place(together, DeviceId(chosen));
    }

    /// Priorities that put the ops of every device in the order in which the schedule has them. One order for all
    /// devices, producers first, so that it cannot deadlock.
    [[nodiscard]] std::vector<std::int64_t> orderAsBuilt(const std::vector<OpId>& rankOrder) const {
        std::vector<OpId> order = rankOrder;
        std::ranges::stable_sort(
            order, {}, [this](OpId op) { return std::tuple(m_runs[op.index()].startNs, m_runs[op.index()].endNs); });
        std::vector<std::int64_t> priority(order.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            priority[order[i].index()] = static_cast<std::int64_t>(order.size() - i);
        return priority;
    }

    const Problem* m_problem = nullptr;
    std::size_t m_deviceCount = 0;
    Plan m_plan;
    std::vector<std::uint8_t> m_isFixed; ///< per op: its device was given
    std::vector<Run> m_runs;             ///< per op
    std::vector<Timeline> m_lanes;       ///< per device
    std::vector<std::int64_t> m_readyNs; ///< per device: when the op at hand could start there
    std::vector<std::int64_t> m_latencyNs;
    std::vector<double> m_bandwidth; ///< [from][to]
};

OptimizerInfo info() {
    return {
        .id = "heft",
        .title = "HEFT",
        .summary =
            "List scheduling by upward rank, each op where it ends first, with insertion (Topcuoglu, Hariri, Wu 2002).",
        .revision = 1,
        .decides = {"placement", "scheduling"},
        .honoursPins = true,
        .options = {OptionSpec::choice(
            "queue", "Run ops exactly in the order of the schedule, or the ready one of highest rank first.", "order",
            {"order", "rank"})}};
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("heft", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Heft>(); });
})
