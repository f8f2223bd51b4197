// SPDX-License-Identifier: MIT
#include "scene_placement.h"

#include <algorithm>

namespace opscape {

ScenePlacement::ScenePlacement(const Graph& graph, const GraphScene& scene, const Plan* plan, const Cluster* cluster,
                               const CostModel* cost)
    : m_slot(scene.nodes.size(), -1),
      m_crossings(scene.edges.size()) {
    if (plan == nullptr)
        return;
    m_devices = cluster != nullptr ? cluster->deviceCount() : 0;
    for (const DeviceId device : plan->device)
        m_devices = std::max(m_devices, device.valid() ? device.index() + 1 : 0);
    m_totals.resize(m_devices);
    addShares(scene, *plan, cluster, cost);
    addCrossings(graph, scene, *plan);
}

void ScenePlacement::addShares(const GraphScene& scene, const Plan& plan, const Cluster* cluster,
                               const CostModel* cost) {
    int slots = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].scope.valid())
            m_slot[i] = slots++;
    }
    std::vector<double> weights(static_cast<std::size_t>(slots) * m_devices);
    const auto row = [&](int node) { return weights.data() + static_cast<std::size_t>(m_slot[node]) * m_devices; };
    for (std::size_t i = 0; i < scene.nodeOfOp.size() && i < plan.device.size(); ++i) {
        const DeviceId device = plan.device[i];
        if (!device.valid())
            continue;
        const bool timed = cost != nullptr && cluster != nullptr && device.index() < cluster->deviceCount();
        const std::int64_t time = timed ? cost->opNs(OpId(i), cluster->device(device).kind) : 0;
        ++m_totals[device.index()].ops;
        m_totals[device.index()].busyNs += time;
        int node = scene.nodeOfOp[i];
        if (node >= 0 && m_slot[node] < 0)
            node = scene.nodes[node].parent;
        if (node >= 0) // ops that take no time have a colour too
            row(node)[device.index()] += timed ? std::max(static_cast<double>(time), 1e-3) : 1.0;
    }
    for (std::size_t i = scene.nodes.size(); i-- > 0;) {
        const int parent = scene.nodes[i].parent;
        if (m_slot[i] < 0 || parent < 0)
            continue;
        for (std::size_t d = 0; d < m_devices; ++d)
            row(parent)[d] += row(static_cast<int>(i))[d];
    }
    m_shares.resize(weights.size());
    for (std::size_t first = 0; first < weights.size(); first += m_devices) {
        double sum = 0;
        for (std::size_t d = 0; d < m_devices; ++d)
            sum += weights[first + d];
        for (std::size_t d = 0; d < m_devices && sum > 0; ++d)
            m_shares[first + d] = static_cast<float>(weights[first + d] / sum);
    }
}

void ScenePlacement::addCrossings(const Graph& graph, const GraphScene& scene, const Plan& plan) {
    std::vector<DeviceId> reached; // by the tensor at hand
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        const SceneEdge& edge = scene.edges[e];
        Crossing& crossing = m_crossings[e];
        double most = -1;
        for (std::size_t i = 0; i < edge.ends.size(); ++i) {
            const TensorId tensor = edge.tensors[i];
            if (i == 0 || tensor != edge.tensors[i - 1])
                reached.clear();
            const DeviceId from = plan.device[edge.ends[i].first.index()],
                           to = plan.device[edge.ends[i].second.index()];
            if (from == to || !from.valid() || !to.valid())
                continue;
            if (tensor.valid() && std::ranges::find(reached, to) != reached.end())
                continue;
            reached.push_back(to);
            const double bytes = tensor.valid() ? static_cast<double>(graph.tensorBytes(tensor)) : 0;
            crossing.bytes += bytes;
            if (bytes > most) {
                most = bytes;
                crossing.from = from;
            }
        }
    }
}

std::span<const float> ScenePlacement::shares(int node) const {
    const int slot = m_slot[node];
    if (slot < 0 || m_devices == 0)
        return {};
    return {m_shares.data() + static_cast<std::size_t>(slot) * m_devices, m_devices};
}

DeviceId ScenePlacement::dominant(int node) const {
    const auto of = shares(node);
    const auto most = std::ranges::max_element(of);
    return most == of.end() || *most <= 0 ? DeviceId() : DeviceId(static_cast<std::size_t>(most - of.begin()));
}

} // namespace opscape
