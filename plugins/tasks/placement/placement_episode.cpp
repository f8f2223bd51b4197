// SPDX-License-Identifier: MIT
// The walk keeps a rough schedule: units run one after the other on their device, in the order in which they are
// decided, once the transfers from the producers decided before have arrived over channels that serve one at a time. It
// is what a list scheduler would see, a few microseconds a unit, and tells of each device when the unit would end
// there, how full it would be, and how much of what the unit reads, writes and needs in memory is there already.
#include "placement_episode.h"

#include <opscape/sim/bounds.h>
#include <opscape/sim/ranks.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kRecentUnits = 16; ///< a unit is forgotten as recent after about a 16th of all
constexpr double kEarliest = 1e-9;  ///< ends differ when they differ by more, relatively

double clipped(double value, double most) { return std::clamp(value, -most, most); }

} // namespace

PlacementEpisode::PlacementEpisode(const DecisionTask& task, const Problem& problem, const DecisionUnits& units)
    : PlainEpisode(task, problem, units, true),
      m_devices(problem.cluster->deviceCount()),
      m_edges(*problem.graph, units),
      m_contention(problem.cluster->linkModel() != LinkModel::None) {
    measureUnits();
    findResidents();
    measureLinks();
}

void PlacementEpisode::measureUnits() {
    const Graph& graph = *problem().graph;
    const Cluster& cluster = *problem().cluster;
    const std::uint32_t count = units().count();
    std::vector<double> kindNs(cluster.kindCount());
    const std::vector<std::int64_t> ranks = upwardRanks(problem());
    const auto scale = static_cast<double>(rankScale(cluster));
    for (std::uint32_t unit = 0; unit < count; ++unit) {
        std::ranges::fill(kindNs, 0.0);
        double rank = 0, kept = 0;
        for (const OpId op : units().ops(unit)) {
            for (std::size_t kind = 0; kind < kindNs.size(); ++kind)
                kindNs[kind] += static_cast<double>(problem().cost->opNs(op, KindId(kind)));
            rank += static_cast<double>(ranks[op.index()]) / scale;
            const auto isBackward = [&graph](OpId reader) { return graph.op(reader).phase == Phase::Backward; };
            for (const TensorId tensor : graph.outputs(op)) {
                if (graph.op(op).phase == Phase::Forward && std::ranges::any_of(graph.consumers(tensor), isBackward))
                    kept += static_cast<double>(graph.tensorBytes(tensor));
            }
        }
        double sum = 0;
        for (std::size_t d = 0; d < m_devices; ++d) {
            m_time.push_back(kindNs[cluster.device(DeviceId(d)).kind.index()]);
            sum += m_time.back();
        }
        m_meanTime.push_back(sum / static_cast<double>(m_devices));
        m_rank.push_back(rank / static_cast<double>(units().ops(unit).size()));
        m_kept.push_back(kept);
        double read = 0, written = 0;
        for (const UnitEdges::Edge& edge : m_edges.producers.of(unit))
            read += static_cast<double>(edge.bytes);
        for (const UnitEdges::Edge& edge : m_edges.consumers.of(unit))
            written += static_cast<double>(edge.bytes);
        m_readBytes.push_back(read);
        m_writtenBytes.push_back(written);
    }
    double total = 0;
    for (const double time : m_meanTime)
        total += time;
    m_unitNs = total > 0 ? total / std::max(1u, count) : 1;
    m_total = std::max(1e-9, total / m_unitNs);
    double longest = 0;
    for (const std::int64_t rank : ranks)
        longest = std::max(longest, static_cast<double>(rank) / scale);
    m_longest = std::max(1e-9, longest / m_unitNs);
    m_bound = std::max(1e-9, static_cast<double>(lowerBounds(problem()).bestNs) / m_unitNs);
    for (auto* values : {&m_time, &m_meanTime, &m_rank}) {
        for (double& value : *values)
            value /= m_unitNs;
    }
}

void PlacementEpisode::findResidents() {
    const Graph& graph = *problem().graph;
    std::vector<std::uint32_t> seenBy(graph.tensorCount(), 0xffffffffu);
    m_residentFirst.push_back(0);
    for (std::uint32_t unit = 0; unit < units().count(); ++unit) {
        double bytes = 0;
        for (const OpId op : units().ops(unit)) {
            for (const TensorId tensor : graph.inputs(op)) {
                if (!tensor.valid() || graph.producer(tensor).valid() || seenBy[tensor.index()] == unit)
                    continue;
                seenBy[tensor.index()] = unit;
                m_residents.push_back(tensor.value);
                bytes += static_cast<double>(graph.tensorBytes(tensor));
            }
        }
        m_residentFirst.push_back(static_cast<std::uint32_t>(m_residents.size()));
        m_residentBytes.push_back(bytes);
    }
}

void PlacementEpisode::measureLinks() {
    const Cluster& cluster = *problem().cluster;
    for (std::size_t from = 0; from < m_devices; ++from) {
        for (std::size_t to = 0; to < m_devices; ++to) {
            Link link;
            if (from != to) {
                link.latency = static_cast<double>(cluster.routeLatencyNs(DeviceId(from), DeviceId(to))) / m_unitNs;
                link.perByte = 1e9 / cluster.routeBandwidth(DeviceId(from), DeviceId(to)) / m_unitNs;
            }
            m_links.push_back(link);
        }
        const std::int64_t bytes = cluster.kindOf(DeviceId(from)).memoryBytes;
        m_capacity.push_back(bytes > 0 ? static_cast<double>(bytes) : 1e30);
    }
}

void PlacementEpisode::restart(const Plan& soFar) {
    PlainEpisode::restart(soFar);
    for (auto* values : {&m_load, &m_bytes, &m_freeAt, &m_recent})
        values->assign(m_devices, 0);
    m_channelFreeAt.assign(problem().cluster->channelCount(), 0);
    m_endsAt.assign(units().count(), 0);
    m_present.assign(problem().graph->tensorCount() * m_devices, 0);
    m_layerLoad.assign(units().layerCount * m_devices, 0);
    m_lastOfLayer.assign(units().layerCount, -1);
    m_outlooks.assign(m_devices, {});
    m_placed = 0;
}

double PlacementEpisode::send(std::size_t from, std::size_t to, std::int64_t bytes, double readyAt) {
    const double time = transferTime(from, to, bytes);
    if (bytes == 0 || !m_contention)
        return readyAt + time;
    const auto route = problem().cluster->route(DeviceId(from), DeviceId(to));
    double startsAt = readyAt;
    for (const ChannelId channel : route)
        startsAt = std::max(startsAt, m_channelFreeAt[channel.index()]);
    for (const ChannelId channel : route) {
        m_taken.emplace_back(channel.index(), m_channelFreeAt[channel.index()]);
        m_channelFreeAt[channel.index()] = startsAt + time;
    }
    return startsAt + time;
}

PlacementEpisode::Outlook PlacementEpisode::outlook(std::size_t device) {
    const std::uint32_t unit = at();
    Outlook look;
    for (const UnitEdges::Edge& edge : m_edges.producers.of(unit)) {
        if (edge.unit >= unit)
            continue;
        const auto from = static_cast<std::size_t>(taken(edge.unit));
        if (from == device) {
            look.readShare += static_cast<double>(edge.bytes);
            look.readyAt = std::max(look.readyAt, m_endsAt[edge.unit]);
        } else {
            look.incoming += transferTime(from, device, edge.bytes);
            look.readyAt = std::max(look.readyAt, send(from, device, edge.bytes, m_endsAt[edge.unit]));
        }
    }
    for (const UnitEdges::Edge& edge : m_edges.consumers.of(unit)) {
        if (edge.unit >= unit)
            continue;
        const auto to = static_cast<std::size_t>(taken(edge.unit));
        if (to == device)
            look.writeShare += static_cast<double>(edge.bytes);
        else
            look.outgoing += transferTime(device, to, edge.bytes);
    }
    look.readShare /= std::max(1.0, m_readBytes[unit]);
    look.writeShare /= std::max(1.0, m_writtenBytes[unit]);
    look.endsAt = std::max(look.readyAt, m_freeAt[device]) + m_time[unit * m_devices + device];
    for (std::uint32_t i = m_residentFirst[unit]; i < m_residentFirst[unit + 1]; ++i) {
        if (m_present[m_residents[i] * m_devices + device] == 0)
            look.newBytes += static_cast<double>(problem().graph->tensorBytes(TensorId(std::size_t{m_residents[i]})));
    }
    return look;
}

void PlacementEpisode::leaveOutFull(std::span<std::uint8_t> mask) const {
    std::vector<std::uint8_t> roomy(mask.begin(), mask.end());
    for (std::size_t d = 0; d < m_devices; ++d) {
        if (fullness(d) > m_room)
            roomy[d] = 0;
    }
    if (std::ranges::count(roomy, 0) < std::ssize(roomy))
        std::ranges::copy(roomy, mask.begin());
}

void PlacementEpisode::look(std::span<std::uint8_t> mask, std::span<float> features) {
    PlainEpisode::look(mask, features);
    const std::uint32_t unit = at();
    for (std::size_t d = 0; d < m_devices; ++d) {
        m_outlooks[d] = outlook(d);
        for (; !m_taken.empty(); m_taken.pop_back())
            m_channelFreeAt[m_taken.back().first] = m_taken.back().second;
    }
    if (m_room > 0)
        leaveOutFull(mask);
    double earliest = 1e300;
    for (std::size_t d = 0; d < m_devices; ++d) {
        if (mask[d] != 0)
            earliest = std::min(earliest, m_outlooks[d].endsAt);
    }
    int heaviest = -1;
    std::int64_t most = 0;
    for (const UnitEdges::Edge& edge : m_edges.producers.of(unit)) {
        if (edge.unit < unit && edge.bytes > most) {
            most = edge.bytes;
            heaviest = taken(edge.unit);
        }
    }
    const auto devices = static_cast<double>(m_devices);
    const std::uint32_t layer = units().layer[unit];
    double layerSum = 1e-9, recentSum = 1e-9;
    for (std::size_t d = 0; d < m_devices; ++d) {
        layerSum += m_layerLoad[layer * m_devices + d];
        recentSum += m_recent[d];
    }
    for (std::size_t d = 0; d < m_devices; ++d) {
        const Outlook& o = m_outlooks[d];
        const int device = static_cast<int>(d);
        const double time = m_time[unit * m_devices + d];
        const double share = (m_load[d] + time) * devices / m_total; // of what would be even
        const double full = fullness(d);
        const std::array<double, kFeatures> values{
            o.readShare,
            o.writeShare,
            clipped((m_load[d] - m_placed / devices) * devices / m_total * 4, 5),
            std::min(full, 3.0),
            full > 1 ? 1.0 : 0.0,
            std::min(5.0, o.endsAt - earliest),
            o.endsAt <= earliest * (1 + kEarliest) ? 1.0 : 0.0,
            m_load[d] == 0 ? 1.0 : 0.0,
            m_lastOfLayer[layer] == device ? 1.0 : 0.0,
            m_layerLoad[layer * m_devices + d] / layerSum,
            m_recent[d] / recentSum,
            std::min(5.0, share),
            std::min(3.0, (o.endsAt - earliest) / m_longest * 10),
            std::clamp(o.readyAt - m_freeAt[d], 0.0, 5.0),
            std::clamp((o.endsAt - time + m_rank[unit]) / m_bound - 1, -1.0, 3.0),
            std::min(5.0, o.incoming),
            m_residentBytes[unit] > 0 ? 1 - o.newBytes / m_residentBytes[unit] : 0.0,
            heaviest == device ? 1.0 : 0.0,
            std::clamp(m_freeAt[d] - o.readyAt, 0.0, 5.0),
            unit > 0 && taken(unit - 1) == device ? 1.0 : 0.0,
            std::max(0.0, 1 - share),
            clipped(std::log((time + 1e-6) / (m_meanTime[unit] + 1e-6)), 3),
            std::min(5.0, o.outgoing),
        };
        std::ranges::copy(values, features.begin() + static_cast<std::ptrdiff_t>(d * kFeatures));
    }
}

void PlacementEpisode::take(int action) {
    const std::uint32_t unit = at();
    const auto device = static_cast<std::size_t>(action);
    const Outlook now = outlook(device);
    m_taken.clear(); // the channels stay taken
    const double time = m_time[unit * m_devices + device];
    m_endsAt[unit] = m_freeAt[device] = now.endsAt;
    m_load[device] += time;
    m_placed += time;
    m_bytes[device] += m_kept[unit] + now.newBytes;
    for (std::uint32_t i = m_residentFirst[unit]; i < m_residentFirst[unit + 1]; ++i)
        m_present[m_residents[i] * m_devices + device] = 1;
    const std::uint32_t layer = units().layer[unit];
    m_layerLoad[layer * m_devices + device] += time;
    m_lastOfLayer[layer] = action;
    const double fade = 1 - 1 / std::max(2.0, units().count() / kRecentUnits);
    for (double& recent : m_recent)
        recent *= fade;
    m_recent[device] += time;
    PlainEpisode::take(action);
}

} // namespace opscape
