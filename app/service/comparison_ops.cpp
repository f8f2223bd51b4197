// SPDX-License-Identifier: MIT
// Ops that differ together are the connected parts of the graph among the ops with one pair of devices, found by
// union-find over its edges: a layer that one plan has on another device is one group, however many ops it has.
#include "comparison_ops.h"

#include <algorithm>
#include <numeric>

namespace opscape {
namespace {

Problem withoutPins(Problem problem) {
    problem.pins.clear();
    return problem;
}

/// Per device of the first plan's cluster: the one of that name in the second plan's.
std::vector<DeviceId> devicesIn(const Outcome& a, const Outcome& b) {
    std::vector<DeviceId> devices;
    for (std::size_t d = 0; d < a.problem.cluster->deviceCount(); ++d)
        devices.push_back(sameDevice(*a.problem.cluster, DeviceId(d), *b.problem.cluster));
    return devices;
}

class Union {
public:
    explicit Union(std::size_t count) : m_parent(count) { std::iota(m_parent.begin(), m_parent.end(), 0U); }
    std::uint32_t find(std::uint32_t x) {
        while (m_parent[x] != x)
            x = m_parent[x] = m_parent[m_parent[x]];
        return x;
    }
    /// The lower one stands for both.
    void join(std::uint32_t a, std::uint32_t b) {
        const auto [low, high] = std::minmax({find(a), find(b)});
        m_parent[high] = low;
    }

private:
    std::vector<std::uint32_t> m_parent;
};

} // namespace

DeviceId sameDevice(const Cluster& from, DeviceId device, const Cluster& to) {
    return from.hash() == to.hash() ? device : to.findDevice(from.device(device).name);
}

std::size_t countDifferences(const Outcome& a, const Outcome& b) {
    const std::vector<DeviceId> inB = devicesIn(a, b);
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.plan.device.size(); ++i)
        count += inB[a.plan.device[i].index()] != b.plan.device[i] ? 1 : 0;
    return count;
}

PlanDifferences differencesOf(const Outcome& a, const Outcome& b) {
    const Graph& graph = *a.problem.graph;
    const std::vector<DeviceId> inB = devicesIn(a, b);
    const auto differs = [&](OpId op) { return inB[a.plan.device[op.index()].index()] != b.plan.device[op.index()]; };

    PlanDifferences result;
    Union joined(graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        if (!differs(op))
            continue;
        result.ops.push_back({op, a.plan.device[i], b.plan.device[i], 0});
        for (const OpId before : graph.predecessors(op)) {
            if (differs(before) && a.plan.device[before.index()] == a.plan.device[i] &&
                b.plan.device[before.index()] == b.plan.device[i])
                joined.join(op.value, before.value);
        }
    }
    std::vector<std::uint32_t> groupOf(graph.opCount(), ~0U); // per op that stands for a group
    for (OpDifference& difference : result.ops) {
        std::uint32_t& group = groupOf[joined.find(difference.op.value)];
        if (group == ~0U) {
            group = static_cast<std::uint32_t>(result.groups.size());
            result.groups.emplace_back();
        }
        difference.group = group;
        result.groups[group].push_back(difference.op);
    }
    return result;
}

MoveCosts::MoveCosts(std::shared_ptr<const Outcome> a, std::shared_ptr<const Outcome> b)
    : m_a(std::move(a)),
      m_b(std::move(b)),
      m_problem(withoutPins(m_a->problem)),
      m_units(placementUnits(m_problem, m_a->plan.fusionGroup)),
      m_simulator(m_problem) {}

Result<MoveCost> MoveCosts::of(std::span<const OpId> ops) {
    if (!m_units)
        return fail(m_units.error());
    m_plan = m_a->plan;
    std::vector<std::uint8_t> moved(m_units->count());
    for (const OpId op : ops) {
        const std::uint32_t unit = m_units->unitOf[op.index()];
        if (moved[unit] != 0)
            continue; // its first op decides
        const DeviceId wanted = m_b->plan.device[op.index()];
        const DeviceId device = sameDevice(*m_b->problem.cluster, wanted, *m_problem.cluster);
        if (!device.valid())
            return fail("cluster {} has no device {}, so that nothing can be moved there.", m_problem.cluster->id(),
                        m_b->problem.cluster->device(wanted).name);
        moved[unit] = 1;
        for (const OpId member : m_units->ops(unit))
            m_plan.device[member.index()] = device;
    }
    if (const auto ran = m_simulator.run(m_plan, Detail::Makespan, m_schedule); !ran)
        return fail(ran.error());
    return MoveCost{m_schedule.makespanNs - m_a->schedule.makespanNs, m_schedule.feasible};
}

} // namespace opscape
