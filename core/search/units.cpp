// SPDX-License-Identifier: MIT
#include <opscape/search/units.h>

#include <numeric>
#include <unordered_map>

namespace opscape {
namespace {

/// Disjoint sets of ops; the lowest op of a set stands for it.
class OpSets {
public:
    explicit OpSets(std::size_t ops) : m_parent(ops) { std::iota(m_parent.begin(), m_parent.end(), 0u); }

    std::uint32_t find(std::uint32_t op) {
        while (m_parent[op] != op)
            op = m_parent[op] = m_parent[m_parent[op]];
        return op;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        m_parent[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> m_parent;
};

} // namespace

Result<PlacementUnits> placementUnits(const Problem& problem, std::span<const std::uint32_t> fusionGroup) {
    const Graph& graph = *problem.graph;
    const auto ops = static_cast<std::uint32_t>(graph.opCount());
    if (!problem.pins.empty() && problem.pins.size() != ops)
        return fail("there are pins for {} ops, the graph has {}.", problem.pins.size(), ops);
    OpSets sets(ops);
    for (const auto& group : graph.colocationGroups()) {
        for (const OpId id : group)
            sets.join(group[0].value, id.value);
    }
    std::unordered_map<std::uint32_t, std::uint32_t> firstFused;
    for (std::uint32_t op = 0; op < fusionGroup.size(); ++op) {
        if (fusionGroup[op] != Plan::kNotFused)
            sets.join(firstFused.try_emplace(fusionGroup[op], op).first->second, op);
    }

    PlacementUnits units;
    units.unitOf.resize(ops);
    std::vector<OpId> pinnedOp; // per unit: the op whose pin it took
    units.first.push_back(0);
    for (std::uint32_t op = 0; op < ops; ++op) {
        const std::uint32_t leader = sets.find(op);
        if (leader == op) {
            units.unitOf[op] = static_cast<std::uint32_t>(units.pin.size());
            units.pin.emplace_back();
            pinnedOp.emplace_back();
            units.first.push_back(0);
        }
        const std::uint32_t unit = units.unitOf[op] = units.unitOf[leader];
        ++units.first[unit + 1];
        const DeviceId pin = problem.pin(OpId(op));
        if (!pin.valid())
            continue;
        if (units.pin[unit].valid() && units.pin[unit] != pin)
            return fail("{} and {} must share a device but are pinned to {} and {}: remove one of the pins.",
                        graph.op(pinnedOp[unit]).name, graph.op(OpId(op)).name,
                        problem.cluster->device(units.pin[unit]).name, problem.cluster->device(pin).name);
        units.pin[unit] = pin;
        pinnedOp[unit] = OpId(op);
    }
    std::partial_sum(units.first.begin(), units.first.end(), units.first.begin());
    units.members.resize(ops);
    std::vector<std::uint32_t> next(units.first.begin(), units.first.end() - 1);
    for (std::uint32_t op = 0; op < ops; ++op)
        units.members[next[units.unitOf[op]]++] = OpId(op);
    return units;
}

} // namespace opscape
