// SPDX-License-Identifier: MIT
// Two classical bounds (Graham 1969; Fernandez and Bussell 1973). Longest path: ops that depend on one another run one
// after the other, each at best on its fastest device with transfers free. Area: all devices together cannot do more
// than one second of work per second each, so the work at its fastest, shared out evenly, takes at least that long.
#include <opscape/sim/bounds.h>
#include <opscape/sim/unit_graph.h>

#include <algorithm>
#include <limits>

namespace opscape {
namespace {

std::int64_t fastestNs(const Problem& problem, const UnitGraph& graph, std::uint32_t unit) {
    std::int64_t fastest = std::numeric_limits<std::int64_t>::max();
    for (std::uint32_t i = graph.memberFirst[unit]; i < graph.memberFirst[unit + 1]; ++i) {
        if (const DeviceId pin = problem.pin(graph.members[i]); pin.valid())
            return graph.unitNs(unit, problem.cluster->device(pin).kind);
    }
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d)
        fastest = std::min(fastest, graph.unitNs(unit, problem.cluster->device(DeviceId(d)).kind));
    return fastest;
}

Bounds boundsOf(const Problem& problem, const UnitGraph& graph) {
    Bounds bounds;
    if (graph.unitCount() == 0 || problem.cluster->deviceCount() == 0)
        return bounds;
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
        const std::int64_t lengthNs = fastestNs(problem, graph, unit);
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
    bounds.bestNs = std::max(bounds.longestPathNs, bounds.areaNs);
    bounds.bestName = bounds.longestPathNs >= bounds.areaNs ? "longest path" : "area";
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
