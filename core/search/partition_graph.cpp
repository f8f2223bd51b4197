// SPDX-License-Identifier: MIT
#include <opscape/graph/colocation.h>
#include <opscape/search/partition_graph.h>
#include <opscape/sim/resident_view.h>

#include <algorithm>

namespace opscape {

std::vector<idx_t> scaledWeights(const std::vector<std::int64_t>& weights) {
    constexpr double kMost = 1 << 30;
    double sum = 0;
    for (const std::int64_t weight : weights)
        sum += static_cast<double>(weight);
    // Rounding up to 1 can add as much as one per weight.
    const double room = kMost - std::min(kMost / 2, static_cast<double>(weights.size()));
    const double factor = sum > room ? room / sum : 1;
    std::vector<idx_t> scaled;
    scaled.reserve(weights.size());
    for (const std::int64_t weight : weights) {
        const auto value = static_cast<idx_t>(static_cast<double>(weight) * factor);
        scaled.push_back(weight > 0 ? std::max<idx_t>(1, value) : 0);
    }
    return scaled;
}

PartitionGraph::PartitionGraph(const Problem& problem, bool withMemory) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    constraints = withMemory ? 2 : 1;
    vertexOf.resize(graph.opCount());
    idx_t count = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId leader = colocationLeader(graph, OpId(i)); // never after its group
        vertexOf[i] = leader.index() == i ? count++ : vertexOf[leader.index()];
    }

    std::vector<std::int64_t> timeNs(static_cast<std::size_t>(count), 0), bytes(timeNs);
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const auto vertex = static_cast<std::size_t>(vertexOf[i]);
        for (std::size_t d = 0; d < cluster.deviceCount(); ++d)
            timeNs[vertex] += problem.opNs(OpId(i), DeviceId(d));
        for (const TensorId tensor : graph.outputs(OpId(i)))
            bytes[vertex] += homeBytes(problem, tensor);
    }
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) { // state counts with its first reader
        const TensorId tensor(t);
        if (!graph.producer(tensor).valid() && !graph.consumers(tensor).empty())
            bytes[static_cast<std::size_t>(vertexOf[graph.consumers(tensor)[0].index()])] += graph.tensorBytes(tensor);
    }
    if (std::ranges::all_of(timeNs, [](std::int64_t ns) { return ns == 0; }))
        std::ranges::fill(timeNs, 1); // nothing takes time: share out the ops
    const std::vector<idx_t> time = scaledWeights(timeNs), memory = scaledWeights(bytes);
    for (std::size_t v = 0; v < time.size(); ++v) {
        vertexWeights.push_back(time[v]);
        if (withMemory)
            vertexWeights.push_back(memory[v]);
    }

    struct Edge {
        idx_t from, to;
        std::int64_t bytes;
    };
    std::vector<Edge> edges;
    const auto join = [&](OpId a, OpId b, std::int64_t edgeBytes) {
        const idx_t from = vertexOf[a.index()], to = vertexOf[b.index()];
        if (from == to)
            return;
        edges.push_back({from, to, edgeBytes});
        edges.push_back({to, from, edgeBytes});
    };
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const TensorId tensor : graph.outputs(OpId(i))) {
            for (const OpId reader : graph.consumers(tensor))
                join(OpId(i), reader, std::max<std::int64_t>(1, graph.tensorBytes(tensor)));
        }
        for (const OpId next : graph.controlSuccessors(OpId(i)))
            join(OpId(i), next, 1);
    }
    std::ranges::sort(edges, {}, [](const Edge& e) { return std::pair(e.from, e.to); });
    std::vector<std::int64_t> edgeBytes;
    first.assign(1, 0);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        for (; static_cast<idx_t>(first.size()) <= edges[e].from;)
            first.push_back(static_cast<idx_t>(neighbors.size()));
        if (e > 0 && edges[e].from == edges[e - 1].from && edges[e].to == edges[e - 1].to) {
            edgeBytes.back() += edges[e].bytes;
            continue;
        }
        neighbors.push_back(edges[e].to);
        edgeBytes.push_back(edges[e].bytes);
    }
    first.resize(static_cast<std::size_t>(count) + 1, static_cast<idx_t>(neighbors.size()));
    edgeWeights = scaledWeights(edgeBytes);
}

} // namespace opscape
