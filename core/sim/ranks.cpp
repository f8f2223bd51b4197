// SPDX-License-Identifier: MIT
#include <opscape/sim/ranks.h>
#include <opscape/sim/unit_graph.h>

#include <queue>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace opscape {
namespace {

/// Sums over all ordered pairs of different devices.
struct PairSums {
    std::int64_t latencyNs = 0;
    double nsPerByte = 0;

    explicit PairSums(const Cluster& cluster) {
        for (std::size_t from = 0; from < cluster.deviceCount(); ++from) {
            for (std::size_t to = 0; to < cluster.deviceCount(); ++to) {
                if (from == to)
                    continue;
                latencyNs += cluster.routeLatencyNs(DeviceId(from), DeviceId(to));
                nsPerByte += 1e9 / cluster.routeBandwidth(DeviceId(from), DeviceId(to));
            }
        }
    }
    [[nodiscard]] std::int64_t transferNs(std::int64_t bytes) const {
        return latencyNs + std::llround(static_cast<double>(bytes) * nsPerByte);
    }
};

/// `count` mean times, times rankScale(); timeNs(i, kind) is a time.
std::vector<std::int64_t> scaledMeans(const Cluster& cluster, std::size_t count, const auto& timeNs) {
    const auto devices = static_cast<std::int64_t>(cluster.deviceCount());
    std::vector<std::int64_t> devicesOfKind(cluster.kindCount());
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d)
        ++devicesOfKind[cluster.device(DeviceId(d)).kind.index()];
    std::vector<std::int64_t> means(count, 0);
    for (std::size_t i = 0; i < means.size(); ++i) {
        for (std::size_t k = 0; k < cluster.kindCount(); ++k)
            means[i] += devicesOfKind[k] * timeNs(i, KindId(k));
        means[i] *= std::max<std::int64_t>(1, devices - 1);
    }
    return means;
}

/// Of every op.
std::vector<std::int64_t> scaledMeans(const Problem& problem) {
    return scaledMeans(*problem.cluster, problem.graph->opCount(),
                       [&problem](std::size_t i, KindId kind) { return problem.cost->opNs(OpId(i), kind); });
}

} // namespace

std::int64_t rankScale(const Cluster& cluster) {
    const auto devices = static_cast<std::int64_t>(cluster.deviceCount());
    return std::max<std::int64_t>(1, devices * (devices - 1));
}

std::vector<std::int64_t> upwardRanks(const Problem& problem) {
    const Graph& graph = *problem.graph;
    const PairSums pairs(*problem.cluster);
    std::vector<std::int64_t> ranks = scaledMeans(problem);
    const auto order = graph.topologicalOrder();
    for (std::size_t i = order.size(); i-- > 0;) {
        const OpId op = order[i];
        std::int64_t behind = 0;
        for (const OpId next : graph.controlSuccessors(op))
            behind = std::max(behind, pairs.latencyNs + ranks[next.index()]);
        for (const TensorId tensor : graph.outputs(op)) {
            const std::int64_t transferNs = pairs.transferNs(graph.tensorBytes(tensor));
            for (const OpId next : graph.consumers(tensor))
                behind = std::max(behind, transferNs + ranks[next.index()]);
        }
        ranks[op.index()] += behind;
    }
    return ranks;
}

std::vector<std::int64_t> downwardRanks(const Problem& problem) {
    const Graph& graph = *problem.graph;
    const PairSums pairs(*problem.cluster);
    const std::vector<std::int64_t> means = scaledMeans(problem);
    std::vector<std::int64_t> ranks(means.size(), 0);
    for (const OpId op : graph.topologicalOrder()) {
        const auto comesAfter = [&](OpId before, std::int64_t transferNs) {
            ranks[op.index()] = std::max(ranks[op.index()], ranks[before.index()] + means[before.index()] + transferNs);
        };
        for (const OpId before : graph.controlPredecessors(op))
            comesAfter(before, pairs.latencyNs);
        for (const TensorId tensor : graph.dataInputs(op))
            comesAfter(graph.producer(tensor), pairs.transferNs(graph.tensorBytes(tensor)));
    }
    return ranks;
}

std::vector<OpId> rankOrder(const Problem& problem, std::span<const std::int64_t> ranks) {
    const auto topological = problem.graph->topologicalOrder();
    std::vector<OpId> order(topological.begin(), topological.end());
    std::ranges::stable_sort(order, std::greater<>(), [ranks](OpId op) { return ranks[op.index()]; });
    return order;
}

std::vector<OpId> readyOrder(const Graph& graph, std::span<const std::int64_t> priority) {
    const auto later = [priority](OpId a, OpId b) {
        return std::tuple(priority[a.index()], b) < std::tuple(priority[b.index()], a);
    };
    std::priority_queue<OpId, std::vector<OpId>, decltype(later)> ready(later);
    std::vector<std::size_t> awaits(graph.opCount());
    for (std::size_t i = 0; i < awaits.size(); ++i) {
        awaits[i] = graph.predecessors(OpId(i)).size();
        if (awaits[i] == 0)
            ready.push(OpId(i));
    }
    std::vector<OpId> order;
    order.reserve(awaits.size());
    while (!ready.empty()) {
        const OpId op = ready.top();
        ready.pop();
        order.push_back(op);
        for (const OpId next : graph.successors(op)) {
            if (--awaits[next.index()] == 0)
                ready.push(next);
        }
    }
    return order;
}

std::vector<std::int64_t> rankPriorities(const Problem& problem) {
    const std::vector<OpId> order = rankOrder(problem, upwardRanks(problem));
    std::vector<std::int64_t> priorities(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        priorities[order[i].index()] = static_cast<std::int64_t>(order.size() - i);
    return priorities;
}

std::vector<std::int64_t> rankPriorities(const Problem& problem, std::span<const std::uint32_t> fusionGroup) {
    if (fusionGroup.empty())
        return rankPriorities(problem);
    UnitGraph graph;
    graph.build(problem, fusionGroup);
    const PairSums pairs(*problem.cluster);
    std::vector<std::int64_t> ranks =
        scaledMeans(*problem.cluster, graph.unitCount(), [&graph](std::size_t unit, KindId kind) {
            return graph.unitNs(static_cast<UnitGraph::Index>(unit), kind);
        });
    for (std::size_t i = graph.topological.size(); i-- > 0;) {
        const UnitGraph::Index unit = graph.topological[i];
        std::int64_t behind = 0;
        for (UnitGraph::Index slot = graph.outFirst[unit]; slot < graph.outFirst[unit + 1]; ++slot) {
            const bool isSignal = graph.slotTensor[slot] == UnitGraph::kSignal;
            const std::int64_t transferNs = isSignal ? pairs.latencyNs : pairs.transferNs(graph.slotBytes[slot]);
            for (UnitGraph::Index r = graph.readerFirst[slot]; r < graph.readerFirst[slot + 1]; ++r)
                behind = std::max(behind, transferNs + ranks[graph.readers[r]]);
        }
        ranks[unit] += behind;
    }
    std::vector<UnitGraph::Index> order = graph.topological;
    std::ranges::stable_sort(order, std::greater<>(), [&ranks](UnitGraph::Index unit) { return ranks[unit]; });
    std::vector<std::int64_t> priorities(problem.graph->opCount());
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (UnitGraph::Index m = graph.memberFirst[order[i]]; m < graph.memberFirst[order[i] + 1]; ++m)
            priorities[graph.members[m].index()] = static_cast<std::int64_t>(order.size() - i);
    }
    return priorities;
}

} // namespace opscape
