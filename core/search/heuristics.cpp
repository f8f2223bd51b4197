// SPDX-License-Identifier: MIT
// Layers go to the devices that are about as fast as the fastest one, so that a processor beside accelerators is no
// place for a share of the work. Earliest finish takes ops by falling upward rank (Topcuoglu, Hariri, Wu 2002, without
// insertion) and passes over devices whose memory is taken, counting every output as kept, as training does.
#include <opscape/search/heuristics.h>
#include <opscape/search/partition.h>
#include <opscape/sim/ranks.h>
#include <opscape/sim/resident_view.h>

#include <algorithm>

namespace opscape {
namespace {

/// Devices that take at most this many times as long for the whole graph as the fastest.
constexpr double kAboutAsFast = 2;

class Placer {
public:
    Placer(const Problem& problem, const OpGroups& groups)
        : m_problem(problem),
          m_graph(*problem.graph),
          m_cluster(*problem.cluster),
          m_groups(groups) {
        for (std::size_t d = 0; d < m_cluster.deviceCount(); ++d) {
            double total = 0;
            for (std::size_t op = 0; op < m_graph.opCount(); ++op)
                total += static_cast<double>(problem.opNs(OpId(op), DeviceId(d)));
            m_totalNs.push_back(total);
        }
        const double fastest = std::ranges::min(m_totalNs);
        for (std::size_t d = 0; d < m_totalNs.size(); ++d) {
            if (m_totalNs[d] <= kAboutAsFast * fastest)
                m_fast.emplace_back(d);
        }
    }

    /// The fastest device of every kind, the fastest kind first.
    std::vector<DeviceId> oneOfEachKind() const {
        std::vector<DeviceId> devices;
        std::vector<std::uint8_t> seen(m_cluster.kindCount());
        for (std::size_t d = 0; d < m_cluster.deviceCount(); ++d) {
            if (std::exchange(seen[m_cluster.device(DeviceId(d)).kind.index()], 1) == 0)
                devices.emplace_back(d);
        }
        std::ranges::stable_sort(devices, {}, [this](DeviceId d) { return m_totalNs[d.index()]; });
        return devices;
    }

    std::vector<DeviceId> allOn(DeviceId device) const {
        return pinned(std::vector<DeviceId>(m_graph.opCount(), device));
    }

    std::vector<DeviceId> roundRobin() const {
        const GroupLevel& layers = m_groups.layers;
        std::vector<DeviceId> deviceOf(layers.groupCount());
        for (std::size_t i = 0; i < layers.order.size(); ++i)
            deviceOf[layers.order[i]] = m_fast[i % m_fast.size()];
        return spread(layers, deviceOf);
    }

    /// Contiguous runs of groups in an order; the middle of each group's weight decides.
    std::vector<DeviceId> balanced(const GroupLevel& groups, std::span<const std::uint32_t> order,
                                   std::span<const double> weightOfGroup) const {
        double total = 0, speed = 0;
        for (const double weight : weightOfGroup)
            total += weight;
        for (const DeviceId device : m_fast)
            speed += 1 / std::max(1.0, m_totalNs[device.index()]);
        std::vector<DeviceId> deviceOf(groups.groupCount());
        std::size_t at = 0;
        double before = 0, end = total / std::max(1.0, m_totalNs[m_fast[0].index()]) / speed;
        for (const std::uint32_t group : order) {
            while (at + 1 < m_fast.size() && before + weightOfGroup[group] / 2 >= end)
                end += total / std::max(1.0, m_totalNs[m_fast[++at].index()]) / speed;
            deviceOf[group] = m_fast[at];
            before += weightOfGroup[group];
        }
        return spread(groups, deviceOf);
    }

    std::vector<DeviceId> balancedByTime(const GroupLevel& groups, std::span<const std::uint32_t> order) const {
        return balanced(groups, order, std::vector<double>(groups.timeNs.begin(), groups.timeNs.end()));
    }

    /// Groups in the order of the first of their ops that can run: a colocated backward op stands with its forward op.
    std::vector<std::uint32_t> topological(const GroupLevel& groups) const {
        std::vector<std::uint32_t> order;
        std::vector<std::uint8_t> seen(groups.groupCount());
        for (const OpId op : m_graph.topologicalOrder()) {
            if (std::exchange(seen[groups.groupOf[op.index()]], 1) == 0)
                order.push_back(groups.groupOf[op.index()]);
        }
        return order;
    }

    /// What a layer keeps: the outputs of its forward ops, and the state that it is the first to read.
    std::vector<double> layerBytes() const {
        const GroupLevel& layers = m_groups.layers;
        std::vector<double> bytes(layers.groupCount());
        for (std::size_t t = 0; t < m_graph.tensorCount(); ++t) {
            const TensorId tensor(t);
            OpId op = m_graph.producer(tensor);
            if (op.valid() && m_graph.op(op).phase != Phase::Forward)
                continue;
            if (!op.valid() && !m_graph.consumers(tensor).empty())
                op = m_graph.consumers(tensor)[0];
            if (op.valid())
                bytes[layers.groupOf[op.index()]] += static_cast<double>(homeBytes(m_problem, tensor));
        }
        return bytes;
    }

    /// Nothing when METIS gives up or is stopped.
    std::vector<DeviceId> leastCut(bool balanceMemory, const std::stop_token& stop) const {
        std::vector<DeviceId> fixed(m_graph.opCount());
        for (std::size_t op = 0; op < fixed.size(); ++op)
            fixed[op] = m_groups.units.pinOf(OpId(op));
        auto device = leastCutPlacement(m_problem, fixed, {.balanceMemory = balanceMemory}, stop);
        if (!device)
            return {};
        for (std::size_t unit = 0; unit < m_groups.units.count(); ++unit) { // what is fused stays together
            for (const OpId op : m_groups.units.ops(unit))
                (*device)[op.index()] = (*device)[m_groups.units.ops(unit)[0].index()];
        }
        return *device;
    }

    std::vector<DeviceId> earliestFinish(std::span<const std::int64_t> ranks) const {
        const std::size_t devices = m_cluster.deviceCount();
        std::vector<DeviceId> deviceOf(m_graph.opCount()), unitOn = m_groups.units.pin;
        std::vector<std::int64_t> finishNs(m_graph.opCount()), freeNs(devices), bytes(devices), readyNs(devices);
        std::vector<std::uint8_t> isResident(m_graph.tensorCount() * devices);
        for (const OpId op : rankOrder(m_problem, ranks)) {
            std::ranges::fill(readyNs, 0);
            for (std::size_t d = 0; d < devices; ++d) {
                for (const TensorId tensor : m_graph.dataInputs(op)) {
                    const OpId from = m_graph.producer(tensor);
                    readyNs[d] = std::max(readyNs[d], finishNs[from.index()] +
                                                          m_cluster.transferNs(m_graph.tensorBytes(tensor),
                                                                               deviceOf[from.index()], DeviceId(d)));
                }
                for (const OpId from : m_graph.controlPredecessors(op))
                    readyNs[d] =
                        std::max(readyNs[d], finishNs[from.index()] +
                                                 m_cluster.routeLatencyNs(deviceOf[from.index()], DeviceId(d)));
            }
            std::int64_t kept = 0;
            for (const TensorId tensor : m_graph.outputs(op))
                kept += homeBytes(m_problem, tensor);
            const auto endNs = [&](DeviceId d) {
                return std::max(readyNs[d.index()], freeNs[d.index()]) + m_problem.opNs(op, d);
            };
            const auto newBytes = [&](DeviceId d) {
                std::int64_t sum = kept;
                for (const TensorId tensor : m_graph.inputs(op)) {
                    if (tensor.valid() && !m_graph.producer(tensor).valid() &&
                        isResident[tensor.index() * devices + d.index()] == 0)
                        sum += m_graph.tensorBytes(tensor);
                }
                return sum;
            };
            const auto isFull = [&](DeviceId d) {
                const std::int64_t capacity = m_cluster.kindOf(d).memoryBytes;
                return capacity > 0 && bytes[d.index()] + newBytes(d) > capacity;
            };
            DeviceId& on = unitOn[m_groups.units.unitOf[op.index()]];
            if (!on.valid()) {
                on = DeviceId(0);
                for (std::size_t d = 1; d < devices; ++d) {
                    const DeviceId other(d);
                    if (std::tuple(isFull(other), endNs(other)) < std::tuple(isFull(on), endNs(on)))
                        on = other;
                }
            }
            deviceOf[op.index()] = on;
            finishNs[op.index()] = freeNs[on.index()] = endNs(on);
            bytes[on.index()] += newBytes(on);
            for (const TensorId tensor : m_graph.inputs(op)) {
                if (tensor.valid())
                    isResident[tensor.index() * devices + on.index()] = 1;
            }
        }
        return deviceOf;
    }

private:
    /// A unit goes where the group of its first op goes.
    std::vector<DeviceId> spread(const GroupLevel& groups, std::span<const DeviceId> deviceOfGroup) const {
        std::vector<DeviceId> device(m_graph.opCount());
        for (std::size_t unit = 0; unit < m_groups.units.count(); ++unit) {
            for (const OpId op : m_groups.units.ops(unit))
                device[op.index()] = deviceOfGroup[groups.groupOf[m_groups.units.ops(unit)[0].index()]];
        }
        return pinned(std::move(device));
    }

    std::vector<DeviceId> pinned(std::vector<DeviceId> device) const {
        for (std::size_t op = 0; op < device.size(); ++op) {
            if (const DeviceId pin = m_groups.units.pinOf(OpId(op)); pin.valid())
                device[op] = pin;
        }
        return device;
    }

    const Problem& m_problem;
    const Graph& m_graph;
    const Cluster& m_cluster;
    const OpGroups& m_groups;
    std::vector<double> m_totalNs; ///< per device: everything on it
    std::vector<DeviceId> m_fast;
};

} // namespace

std::vector<NamedPlacement> quickPlacements(const Problem& problem, const OpGroups& groups,
                                            std::span<const std::int64_t> ranks, const std::stop_token& stop) {
    const Placer placer(problem, groups);
    std::vector<NamedPlacement> placements;
    for (const DeviceId device : placer.oneOfEachKind())
        placements.push_back({"all on " + problem.cluster->device(device).name, placer.allOn(device)});
    if (problem.cluster->deviceCount() > 1) {
        const GroupLevel& layers = groups.layers;
        const GroupLevel& ops = groups.levels[OpGroups::kOps];
        placements.push_back({"layers balanced by time", placer.balancedByTime(layers, layers.order)});
        placements.push_back({"layers balanced by memory", placer.balanced(layers, layers.order, placer.layerBytes())});
        placements.push_back({"layers in turn", placer.roundRobin()});
        placements.push_back({"earliest finish", placer.earliestFinish(ranks)});
        for (const bool balanceMemory : {false, true}) {
            if (auto device = placer.leastCut(balanceMemory, stop); !device.empty())
                placements.push_back({balanceMemory ? "least cut, memory balanced" : "least cut", std::move(device)});
        }
        if (problem.objective == Objective::Pipeline)
            placements.push_back({"ops balanced by time", placer.balancedByTime(ops, placer.topological(ops))});
    }
    return placements;
}

std::vector<DeviceId> onFastestDevice(const Problem& problem, const OpGroups& groups) {
    const Placer placer(problem, groups);
    return placer.allOn(placer.oneOfEachKind().front());
}

std::vector<DeviceId> projected(const Problem& problem, const OpGroups& groups, const GroupLevel& level,
                                std::span<const DeviceId> device) {
    std::vector<DeviceId> result(device.begin(), device.end());
    std::vector<std::int64_t> weight(problem.cluster->deviceCount());
    for (std::uint32_t group = 0; group < level.groupCount(); ++group) {
        std::ranges::fill(weight, 0);
        for (const OpId op : level.ops(group))
            weight[device[op.index()].index()] += 1 + problem.opNs(op, device[op.index()]);
        const auto most = static_cast<std::size_t>(std::ranges::max_element(weight) - weight.begin());
        for (const OpId op : level.ops(group)) {
            const DeviceId pin = groups.units.pinOf(op);
            result[op.index()] = pin.valid() ? pin : DeviceId(most);
        }
    }
    return result;
}

} // namespace opscape
