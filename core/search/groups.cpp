// SPDX-License-Identifier: MIT
// The levels are cut one after the other from the same pieces (scope_splitter.h). A piece's weight is its time; an
// update counts the time to bring its gradients too, since where it runs is a matter of traffic rather than of time. A
// unit counts as what its first op is.
#include <opscape/search/groups.h>
#include <opscape/search/scope_splitter.h>

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

/// Means over the devices of a cluster.
class Means {
public:
    explicit Means(const Problem& problem) : m_problem(problem) {
        const Cluster& cluster = *problem.cluster;
        double pairs = 0;
        for (std::size_t from = 0; from < cluster.deviceCount(); ++from) {
            m_devicesOfKind.resize(cluster.kindCount());
            ++m_devicesOfKind[cluster.device(DeviceId(from)).kind.index()];
            for (std::size_t to = 0; to < cluster.deviceCount(); ++to) {
                if (from == to)
                    continue;
                m_nsPerByte += 1e9 / cluster.routeBandwidth(DeviceId(from), DeviceId(to));
                ++pairs;
            }
        }
        m_nsPerByte /= std::max(1.0, pairs);
    }
    [[nodiscard]] std::int64_t opNs(OpId op) const {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < m_devicesOfKind.size(); ++k)
            sum += m_devicesOfKind[k] * m_problem.cost->opNs(op, KindId(k));
        return sum / static_cast<std::int64_t>(m_problem.cluster->deviceCount());
    }
    [[nodiscard]] double arrivalNs(OpId op) const {
        double bytes = 0;
        for (const TensorId tensor : m_problem.graph->dataInputs(op))
            bytes += static_cast<double>(m_problem.graph->tensorBytes(tensor));
        return bytes * m_nsPerByte;
    }

private:
    const Problem& m_problem;
    std::vector<std::int64_t> m_devicesOfKind;
    double m_nsPerByte = 0;
};

class Grouper {
public:
    Grouper(const Problem& problem, const ScopeTree& scopes, std::span<const std::int64_t> ranks, PlacementUnits units)
        : m_graph(*problem.graph),
          m_ranks(ranks),
          m_tree(m_graph, scopes),
          m_opNs(m_graph.opCount()) {
        const Means means(problem);
        m_result.units = std::move(units);
        m_items.resize(m_result.units.count());
        for (std::uint32_t unit = 0; unit < m_items.size(); ++unit) {
            SplitItem& item = m_items[unit];
            const auto ops = m_result.units.ops(unit);
            item.node = m_tree.nodeOf(ops[0]);
            item.part = static_cast<std::uint32_t>(m_graph.op(ops[0]).phase);
            for (const OpId op : ops) {
                m_opNs[op.index()] = means.opNs(op);
                item.weight += static_cast<double>(m_opNs[op.index()]);
                if (m_graph.op(op).phase == Phase::Update)
                    item.weight += means.arrivalNs(op);
                item.position -= static_cast<double>(ranks[op.index()]);
            }
            item.position /= static_cast<double>(ops.size());
        }
    }

    OpGroups make() {
        makeLayers();
        ScopeSplitter splitter(m_tree, m_items, false);
        for (std::size_t i = 0; i < OpGroups::kSizes.size(); ++i) {
            splitter.splitTo(OpGroups::kSizes[i]);
            makeLevel(m_result.levels[i], fmt::format("K{}", OpGroups::kSizes[i]), splitter.pieceOf());
        }
        std::vector<std::uint32_t> cellOf(m_items.size());
        const std::uint32_t nodes = m_tree.nodeCount();
        for (std::size_t unit = 0; unit < cellOf.size(); ++unit)
            cellOf[unit] = m_items[unit].part * nodes + m_items[unit].node;
        makeLevel(m_result.levels[OpGroups::kCells], "cells", std::move(cellOf));
        std::vector<std::uint32_t> itself(m_items.size());
        std::iota(itself.begin(), itself.end(), 0u);
        makeLevel(m_result.levels[OpGroups::kOps], "ops", std::move(itself));
        return std::move(m_result);
    }

private:
    /// All phases together, in the order of the forward pass: that of the others is the reverse.
    void makeLayers() {
        std::vector<SplitItem> items = m_items;
        std::vector<double> place(m_graph.opCount());
        for (std::size_t i = 0; i < place.size(); ++i)
            place[m_graph.topologicalOrder()[i].index()] = static_cast<double>(i);
        std::vector<double> sum(m_tree.nodeCount()), all(m_tree.nodeCount());
        std::vector<std::uint32_t> count(m_tree.nodeCount()), countAll(m_tree.nodeCount());
        for (std::size_t unit = 0; unit < items.size(); ++unit) {
            items[unit].node = m_tree.layerOf(items[unit].node);
            const double at = place[m_result.units.ops(unit)[0].index()];
            all[items[unit].node] += at;
            ++countAll[items[unit].node];
            if (items[unit].part == static_cast<std::uint32_t>(Phase::Forward)) {
                sum[items[unit].node] += at;
                ++count[items[unit].node];
            }
            items[unit].part = 0;
        }
        for (SplitItem& item : items)
            item.position =
                count[item.node] > 0 ? sum[item.node] / count[item.node] : all[item.node] / countAll[item.node];
        ScopeSplitter splitter(m_tree, items, true);
        splitter.splitTo(OpGroups::kMostLayers);
        GroupLevel& layers = m_result.layers;
        makeLevel(layers, "layers", splitter.pieceOf());
        std::vector<double> position(layers.groupCount());
        for (std::size_t unit = 0; unit < items.size(); ++unit) {
            const std::uint32_t layer = layers.groupOf[m_result.units.ops(unit)[0].index()];
            position[layer] += items[unit].position * static_cast<double>(m_result.units.ops(unit).size());
        }
        for (std::uint32_t layer = 0; layer < layers.groupCount(); ++layer)
            position[layer] /= static_cast<double>(layers.ops(layer).size());
        sortOrder(layers, position);
    }

    static void sortOrder(GroupLevel& level, std::span<const double> position) {
        std::iota(level.order.begin(), level.order.end(), 0u);
        std::ranges::stable_sort(level.order, {}, [position](std::uint32_t group) { return position[group]; });
        for (std::uint32_t i = 0; i < level.order.size(); ++i)
            level.place[level.order[i]] = i;
    }

    /// `keyOf` is per unit and may have gaps; groups are numbered by their first op.
    void makeLevel(GroupLevel& level, std::string name, std::vector<std::uint32_t> keyOf) {
        constexpr std::uint32_t kNew = 0xffffffffu;
        std::vector<std::uint32_t> groupOfKey(*std::ranges::max_element(keyOf) + 1, kNew);
        level.name = std::move(name);
        level.groupOf.resize(m_graph.opCount());
        level.first.assign(1, 0);
        for (std::size_t op = 0; op < level.groupOf.size(); ++op) {
            std::uint32_t& group = groupOfKey[keyOf[m_result.units.unitOf[op]]];
            if (group == kNew) {
                group = static_cast<std::uint32_t>(level.first.size() - 1);
                level.first.push_back(0);
            }
            level.groupOf[op] = group;
            ++level.first[group + 1];
        }
        const std::size_t groups = level.first.size() - 1;
        std::partial_sum(level.first.begin(), level.first.end(), level.first.begin());
        level.members.resize(level.groupOf.size());
        std::vector<std::uint32_t> next(level.first.begin(), level.first.end() - 1);
        for (std::size_t op = 0; op < level.groupOf.size(); ++op)
            level.members[next[level.groupOf[op]]++] = OpId(op);
        level.order.resize(groups);
        level.place.resize(groups);
        level.timeNs.resize(groups);
        level.layer.resize(groups);
        std::vector<double> position(groups);
        for (std::uint32_t group = 0; group < groups; ++group) {
            for (const OpId op : level.ops(group)) {
                level.timeNs[group] += m_opNs[op.index()];
                position[group] -= static_cast<double>(m_ranks[op.index()]);
            }
            position[group] /= static_cast<double>(level.ops(group).size());
            const auto& layers = m_result.layers.groupOf;
            level.layer[group] = layers.empty() ? group : layers[level.ops(group)[0].index()];
        }
        sortOrder(level, position);
    }

    const Graph& m_graph;
    std::span<const std::int64_t> m_ranks;
    LayerTree m_tree;
    std::vector<std::int64_t> m_opNs;
    std::vector<SplitItem> m_items; ///< per unit
    OpGroups m_result;
};

} // namespace

Result<OpGroups> groupOps(const Problem& problem, const ScopeTree& scopes, std::span<const std::int64_t> ranks,
                          std::span<const std::uint32_t> fusionGroup) {
    auto units = placementUnits(problem, fusionGroup);
    if (!units)
        return fail(std::move(units.error()));
    return Grouper(problem, scopes, ranks, std::move(*units)).make();
}

} // namespace opscape
