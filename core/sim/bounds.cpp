// SPDX-License-Identifier: MIT
// Longest path: ops that depend on one another run one after the other, each at best on its fastest device with
// transfers free (Graham 1969). Area: all devices together cannot do more than one second of work per second each, so
// the work at its fastest, shared out evenly, takes at least that long (Fernandez and Bussell 1973). Longest path with
// transfers: the optimistic cost table (optimistic_costs.h) of the first ops. Memory: weights, constants and optimizer
// state lie somewhere at least once, so there is a least number of devices, the largest first, that hold them.
#include <opscape/sim/bounds.h>
#include <opscape/sim/optimistic_costs.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace opscape {
namespace {

/// Per unit; of a fused group, where one of its ops is pinned.
std::vector<DeviceId> pinnedUnits(const Problem& problem, const UnitGraph& graph) {
    std::vector<DeviceId> pins(graph.unitCount());
    for (std::uint32_t unit = 0; unit < graph.unitCount(); ++unit) {
        for (std::uint32_t i = graph.memberFirst[unit]; i < graph.memberFirst[unit + 1] && !pins[unit].valid(); ++i)
            pins[unit] = problem.pin(graph.members[i]);
    }
    return pins;
}

/// The least of a figure over the devices where the unit may run.
template <class Figure>
std::int64_t leastOver(const Problem& problem, DeviceId pin, const Figure& figure) {
    if (pin.valid())
        return figure(pin);
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d)
        least = std::min(least, figure(DeviceId(d)));
    return least;
}

std::int64_t optimisticBound(const Problem& problem, const UnitGraph& graph, const std::vector<DeviceId>& pins) {
    const Cluster& cluster = *problem.cluster;
    const std::vector<std::int64_t> table = optimisticCosts(problem, graph, pins);
    std::int64_t boundNs = 0;
    for (std::uint32_t unit = 0; unit < graph.unitCount(); ++unit) {
        if (graph.awaits[unit] > 0)
            continue;
        boundNs = std::max(boundNs, leastOver(problem, pins[unit], [&](DeviceId d) {
                               return graph.unitNs(unit, cluster.device(d).kind) +
                                      table[unit * cluster.deviceCount() + d.index()];
                           }));
    }
    return boundNs;
}

std::size_t devicesForResidents(const Cluster& cluster, const UnitGraph& graph) {
    std::vector<std::int64_t> rooms;
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        const std::int64_t bytes = cluster.kindOf(DeviceId(d)).memoryBytes;
        rooms.push_back(bytes > 0 ? bytes : std::numeric_limits<std::int64_t>::max()); // 0 is unlimited
    }
    std::ranges::sort(rooms, std::greater<>());
    std::int64_t left = std::accumulate(graph.residentBytes.begin(), graph.residentBytes.end(), std::int64_t{0});
    for (std::size_t count = 1; count <= rooms.size(); ++count) {
        left -= std::min(left, rooms[count - 1]);
        if (left == 0)
            return count;
    }
    return 0;
}

Bounds boundsOf(const Problem& problem, const UnitGraph& graph) {
    Bounds bounds;
    if (graph.unitCount() == 0 || problem.cluster->deviceCount() == 0)
        return bounds;
    const std::vector<DeviceId> pins = pinnedUnits(problem, graph);
    std::vector<std::int64_t> startNs(graph.unitCount(), 0); // longest path to the unit
    std::vector<std::uint32_t> awaits = graph.awaits;
    std::vector<std::uint32_t> ready;
    for (std::uint32_t u = 0; u < graph.unitCount(); ++u) {
        if (awaits[u] == 0)
            ready.push_back(u);
    }
    std::int64_t sum = 0;
    while (!ready.empty()) {
        const std::uint32_t unit = ready.back();
        ready.pop_back();
        const std::int64_t lengthNs = leastOver(
            problem, pins[unit], [&](DeviceId d) { return graph.unitNs(unit, problem.cluster->device(d).kind); });
        const std::int64_t endNs = startNs[unit] + lengthNs;
        sum += lengthNs;
        bounds.longestPathNs = std::max(bounds.longestPathNs, endNs);
        for (std::uint32_t s = graph.outFirst[unit]; s < graph.outFirst[unit + 1]; ++s) {
            for (std::uint32_t i = graph.readerFirst[s]; i < graph.readerFirst[s + 1]; ++i) {
                const std::uint32_t reader = graph.readers[i];
                startNs[reader] = std::max(startNs[reader], endNs);
                if (--awaits[reader] == 0)
                    ready.push_back(reader);
            }
        }
    }
    const auto devices = static_cast<std::int64_t>(problem.cluster->deviceCount());
    bounds.areaNs = (sum + devices - 1) / devices;
    bounds.optimisticNs = optimisticBound(problem, graph, pins);
    bounds.memoryDevices = devicesForResidents(*problem.cluster, graph);
    for (const auto& [ns, name] : {std::pair(bounds.longestPathNs, "longest path"), std::pair(bounds.areaNs, "area"),
                                   std::pair(bounds.optimisticNs, "longest path with transfers")}) {
        if (ns > bounds.bestNs || bounds.bestName.empty()) {
            bounds.bestNs = ns;
            bounds.bestName = name;
        }
    }
    return bounds;
}

} // namespace

Bounds lowerBounds(const Problem& problem) {
    UnitGraph graph;
    graph.build(problem, {});
    return boundsOf(problem, graph);
}

Bounds lowerBounds(const Problem& problem, const Plan& fusedLike) {
    UnitGraph graph;
    graph.build(problem, fusedLike.fusionGroup);
    return boundsOf(problem, graph);
}

double gap(std::int64_t makespanNs, std::int64_t boundNs) {
    return boundNs == 0 ? 0 : static_cast<double>(makespanNs - boundNs) / static_cast<double>(boundNs);
}

} // namespace opscape
