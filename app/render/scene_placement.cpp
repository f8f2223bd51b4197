// SPDX-License-Identifier: MIT
#include "scene_placement.h"

#include <algorithm>

namespace opscape {

ScenePlacement::ScenePlacement(const Graph& graph, const GraphScene& scene, const Plan* plan, const Cluster* cluster,
                               const CostModel* cost)
    : ScenePlacement(graph, scene, OpColours(ColourBy::Device, {&graph, cluster, plan, cost}), plan) {}

ScenePlacement::ScenePlacement(const Graph& graph, const GraphScene& scene, const OpColours& colours, const Plan* plan,
                               std::span<const DeviceId> pins)
    : m_slot(scene.nodes.size(), -1),
      m_largestInside(scene.nodes.size()),
      m_crossings(scene.edges.size()) {
    for (const SceneNode& node : scene.nodes) {
        if (node.parent >= 0) {
            float& largest = m_largestInside[static_cast<std::size_t>(node.parent)];
            largest = std::max(largest, static_cast<float>(std::min(node.rect.width, node.rect.height)));
        }
    }
    addShares(scene, colours);
    if (plan != nullptr)
        addCrossings(graph, scene, *plan);
    addPins(scene, pins);
}

void ScenePlacement::addPins(const GraphScene& scene, std::span<const DeviceId> pins) {
    m_pinnedOps = static_cast<std::uint32_t>(std::ranges::count_if(pins, &DeviceId::valid));
    if (m_pinnedOps == 0)
        return;
    m_pinned.resize(scene.nodes.size());
    for (std::size_t i = 0; i < std::min(pins.size(), scene.nodeOfOp.size()); ++i) {
        for (int node = pins[i].valid() ? scene.nodeOfOp[i] : -1; node >= 0; node = scene.nodes[node].parent)
            ++m_pinned[node];
    }
}

void ScenePlacement::Aggregate::add(const Aggregate& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
    sum += other.sum;
    count += other.count;
}

void ScenePlacement::addShares(const GraphScene& scene, const OpColours& colours) {
    m_classes = colours.classes().size();
    int count = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].scope.valid())
            m_slot[i] = count++;
    }
    const auto slotCount = static_cast<std::size_t>(count);
    const bool timed = !colours.isScale() && std::ranges::any_of(colours.classes(), &OpColours::Class::busyNs);
    if (colours.isScale())
        m_aggregates.resize(slotCount);
    std::vector<double> weights(slotCount * m_classes);
    const auto row = [&](int node) { return weights.data() + static_cast<std::size_t>(m_slot[node]) * m_classes; };
    for (std::size_t i = 0; i < scene.nodeOfOp.size(); ++i) {
        const int of = colours.classOf(OpId(i));
        int node = scene.nodeOfOp[i];
        if (node >= 0 && m_slot[node] < 0)
            node = scene.nodes[node].parent;
        if (of < 0 || node < 0)
            continue;
        // Ops that take no time have a colour too.
        row(node)[of] += timed ? std::max(static_cast<double>(colours.timeNs(OpId(i))), 1e-3) : 1.0;
        if (colours.isScale()) {
            const double value = colours.value(OpId(i));
            m_aggregates[static_cast<std::size_t>(m_slot[node])].add({value, value, value, 1});
        }
    }
    for (std::size_t i = scene.nodes.size(); i-- > 0;) {
        const int parent = scene.nodes[i].parent;
        if (m_slot[i] < 0 || parent < 0)
            continue;
        for (std::size_t d = 0; d < m_classes; ++d)
            row(parent)[d] += row(static_cast<int>(i))[d];
        if (colours.isScale())
            m_aggregates[static_cast<std::size_t>(m_slot[parent])].add(
                m_aggregates[static_cast<std::size_t>(m_slot[i])]);
    }
    m_shares.resize(weights.size());
    for (std::size_t first = 0; first < weights.size(); first += m_classes) {
        double sum = 0;
        for (std::size_t d = 0; d < m_classes; ++d)
            sum += weights[first + d];
        for (std::size_t d = 0; d < m_classes && sum > 0; ++d)
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
    if (slot < 0 || m_classes == 0)
        return {};
    return {m_shares.data() + static_cast<std::size_t>(slot) * m_classes, m_classes};
}

int ScenePlacement::dominant(int node) const {
    const auto of = shares(node);
    const auto most = std::ranges::max_element(of);
    return most == of.end() || *most <= 0 ? -1 : static_cast<int>(most - of.begin());
}

ScenePlacement::Aggregate ScenePlacement::aggregate(int node) const {
    const int slot = m_slot[node];
    return slot < 0 || m_aggregates.empty() ? Aggregate() : m_aggregates[static_cast<std::size_t>(slot)];
}

} // namespace opscape
