// SPDX-License-Identifier: MIT
#include <opscape/plan/plan_check.h>

#include <unordered_map>

namespace opscape {
namespace {

/// A group is convex when no path leaves it and comes back: contracting every group must leave the graph acyclic.
Result<> checkFusion(const Graph& graph, const Plan& plan) {
    if (plan.fusionGroup.size() != graph.opCount())
        return fail("the plan has {} fusion groups for {} ops.", plan.fusionGroup.size(), graph.opCount());
    std::unordered_map<std::uint32_t, OpId> firstOf;
    std::vector<std::uint32_t> leader(graph.opCount()); // first op of the group, or the op itself
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        leader[i] = static_cast<std::uint32_t>(i);
        if (plan.fusionGroup[i] == Plan::kNotFused)
            continue;
        const auto [it, isNew] = firstOf.try_emplace(plan.fusionGroup[i], OpId(i));
        leader[i] = it->second.value;
        if (!isNew && plan.device[i] != plan.device[leader[i]])
            return fail("fusion group {} is split over devices: {} and {} must share one.", plan.fusionGroup[i],
                        graph.op(it->second).name, graph.op(OpId(i)).name);
    }
    std::vector<std::uint32_t> waiting(graph.opCount());
    std::vector<std::vector<std::uint32_t>> next(graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const OpId successor : graph.successors(OpId(i))) {
            const std::uint32_t to = leader[successor.index()];
            if (to != leader[i]) {
                next[leader[i]].push_back(to);
                ++waiting[to];
            }
        }
    }
    std::vector<std::uint32_t> ready;
    std::size_t left = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (leader[i] != i)
            continue;
        ++left;
        if (waiting[i] == 0)
            ready.push_back(static_cast<std::uint32_t>(i));
    }
    while (!ready.empty()) {
        const std::uint32_t at = ready.back();
        ready.pop_back();
        --left;
        for (const std::uint32_t to : next[at]) {
            if (--waiting[to] == 0)
                ready.push_back(to);
        }
    }
    if (left == 0)
        return {};
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (plan.fusionGroup[i] != Plan::kNotFused && waiting[leader[i]] > 0)
            return fail("fusion group {} is not convex: a path leaves it at or before {} and comes back.",
                        plan.fusionGroup[i], graph.op(OpId(i)).name);
    }
    return fail("the fusion groups form a cycle.");
}

} // namespace

Result<> checkPlan(const Problem& problem, const Plan& plan) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    if (plan.device.size() != graph.opCount())
        return fail("the plan places {} ops, the graph has {}.", plan.device.size(), graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (plan.device[i].index() >= cluster.deviceCount())
            return fail("op {} is placed on device {}, the cluster has {}.", graph.op(OpId(i)).name,
                        plan.device[i].value, cluster.deviceCount());
        if (const DeviceId pin = problem.pin(OpId(i)); pin.valid() && pin != plan.device[i])
            return fail("op {} is pinned to {} but placed on {}.", graph.op(OpId(i)).name, cluster.device(pin).name,
                        cluster.device(plan.device[i]).name);
    }
    for (const auto& group : graph.colocationGroups()) {
        for (const OpId id : group) {
            if (plan.device[id.index()] != plan.device[group[0].index()])
                return fail("colocation group {} is split: {} is on {}, {} on {}.", graph.op(id).colocation,
                            graph.op(group[0]).name, cluster.device(plan.device[group[0].index()]).name,
                            graph.op(id).name, cluster.device(plan.device[id.index()]).name);
        }
    }
    if (plan.policy == QueuePolicy::Fifo ? !plan.priority.empty() && plan.priority.size() != graph.opCount()
                                         : plan.priority.size() != graph.opCount())
        return fail("the plan has {} priorities for {} ops.", plan.priority.size(), graph.opCount());
    if (!plan.fusionGroup.empty())
        return checkFusion(graph, plan);
    return {};
}

} // namespace opscape
