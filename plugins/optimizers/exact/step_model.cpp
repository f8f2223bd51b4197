// SPDX-License-Identifier: MIT
#include "step_model.h"

#include <opscape/sim/optimistic_costs.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace opscape {
namespace {

/// Exchanging devices a and b exchanges channels one for one, for others of the same figures.
bool areExchangeable(const Cluster& cluster, std::size_t a, std::size_t b) {
    if (cluster.device(DeviceId(a)).kind != cluster.device(DeviceId(b)).kind)
        return false;
    const auto exchanged = [a, b](std::size_t d) { return DeviceId(d == a ? b : d == b ? a : d); };
    std::vector<ChannelId> image(cluster.channelCount());
    for (std::size_t from = 0; from < cluster.deviceCount(); ++from) {
        for (std::size_t to = 0; to < cluster.deviceCount(); ++to) {
            const auto route = cluster.route(DeviceId(from), DeviceId(to));
            const auto other = cluster.route(exchanged(from), exchanged(to));
            if (route.size() != other.size())
                return false;
            for (std::size_t i = 0; i < route.size(); ++i) {
                const Channel &one = cluster.channel(route[i]), &two = cluster.channel(other[i]);
                if (one.bandwidth != two.bandwidth || one.latencyNs != two.latencyNs)
                    return false;
                ChannelId& mapped = image[route[i].index()];
                if (mapped.valid() && mapped != other[i])
                    return false;
                mapped = other[i];
            }
        }
    }
    return true;
}

} // namespace

StepModel::StepModel(const Problem& problem, UnitGraph unitGraph, const PlacementUnits& groups,
                     std::span<const DeviceId> fixed)
    : graph(std::move(unitGraph)),
      units(graph.unitCount()),
      devices(problem.cluster->deviceCount()) {
    inputs.resize(units);
    for (std::uint32_t slot = 0; slot < graph.slotCount(); ++slot) {
        for (std::uint32_t i = graph.readerFirst[slot]; i < graph.readerFirst[slot + 1]; ++i)
            inputs[graph.readers[i]].push_back({graph.slotUnit[slot], slot});
    }
    residents.resize(units);
    for (std::uint32_t r = 0; r < graph.residentCount(); ++r) {
        for (std::uint32_t i = graph.residentFirst[r]; i < graph.residentFirst[r + 1]; ++i)
            residents[graph.residentReaders[i]].push_back(r);
    }
    for (std::size_t d = 0; d < devices; ++d) {
        const std::int64_t bytes = problem.cluster->kindOf(DeviceId(d)).memoryBytes;
        memoryBytes.push_back(bytes > 0 ? bytes : std::numeric_limits<std::int64_t>::max());
    }
    findGroups(groups, fixed);
    findTimes(problem);
    findTwins(*problem.cluster);
}

void StepModel::findGroups(const PlacementUnits& placement, std::span<const DeviceId> fixed) {
    groupSize.assign(placement.count(), 0);
    groupDevice = placement.pin;
    for (std::size_t unit = 0; unit < units; ++unit) {
        const std::uint32_t group = placement.unitOf[graph.firstOp[unit]];
        groupOf.push_back(group);
        ++groupSize[group];
        if (!groupDevice[group].valid())
            groupDevice[group] = fixed[graph.firstOp[unit]];
    }
}

void StepModel::findTimes(const Problem& problem) {
    const Cluster& cluster = *problem.cluster;
    std::vector<DeviceId> unitDevice;
    for (const std::uint32_t group : groupOf)
        unitDevice.push_back(groupDevice[group]);
    m_tailNs = optimisticCosts(problem, graph, unitDevice);
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    fastestNs.assign(units, kNever);
    leastTailNs.assign(units, kNever);
    for (std::size_t u = 0; u < units; ++u) {
        for (std::size_t d = 0; d < devices; ++d) {
            m_unitNs.push_back(graph.unitNs(static_cast<std::uint32_t>(u), cluster.device(DeviceId(d)).kind));
            if (unitDevice[u].valid() && unitDevice[u] != DeviceId(d))
                continue;
            fastestNs[u] = std::min(fastestNs[u], m_unitNs.back());
            leastTailNs[u] = std::min(leastTailNs[u], tailNs(u, d));
        }
    }
    byTail.resize(units);
    std::iota(byTail.begin(), byTail.end(), 0U);
    std::ranges::stable_sort(byTail, std::greater<>(), [this](std::uint32_t u) { return leastTailNs[u]; });
    for (std::size_t slot = 0; slot < graph.slotCount(); ++slot) {
        for (std::size_t from = 0; from < devices; ++from) {
            for (std::size_t to = 0; to < devices; ++to)
                m_sentNs.push_back(graph.slotTensor[slot] == UnitGraph::kSignal
                                       ? cluster.routeLatencyNs(DeviceId(from), DeviceId(to))
                                       : cluster.transferNs(graph.slotBytes[slot], DeviceId(from), DeviceId(to)));
        }
    }
}

void StepModel::findTwins(const Cluster& cluster) {
    for (std::size_t d = 0; d < devices; ++d) {
        std::size_t lowest = d;
        for (std::size_t other = 0; other < d && lowest == d; ++other) {
            const bool hasFixed = std::ranges::any_of(
                groupDevice, [&](DeviceId device) { return device == DeviceId(d) || device == DeviceId(other); });
            if (twin[other] == other && !hasFixed && areExchangeable(cluster, other, d))
                lowest = other;
        }
        twin.push_back(static_cast<std::uint32_t>(lowest));
    }
}

} // namespace opscape
