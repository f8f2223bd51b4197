// SPDX-License-Identifier: MIT
#include <opscape/task/constraints.h>

namespace opscape {

DeviceId pinnedDevice(const Problem& problem, OpId op) {
    const int group = problem.graph->colocationGroup(op);
    if (group < 0 || problem.pins.empty())
        return problem.pin(op);
    for (const OpId member : problem.graph->colocationGroups()[static_cast<std::size_t>(group)]) {
        if (problem.pin(member).valid())
            return problem.pin(member);
    }
    return {};
}

Result<std::vector<DeviceId>> fixedDevices(const Problem& problem) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    if (!problem.pins.empty() && problem.pins.size() != graph.opCount())
        return fail("there are {} pins for {} ops.", problem.pins.size(), graph.opCount());
    std::vector<DeviceId> fixed(graph.opCount());
    if (!problem.decides("placement")) {
        fixed.assign(graph.opCount(), DeviceId(0));
        if (problem.start && problem.start->device.size() == graph.opCount())
            fixed = problem.start->device;
    }
    if (problem.pins.empty())
        return fixed;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const OpId op(i);
        const DeviceId pin = problem.pin(op);
        if (!pin.valid())
            continue;
        if (pin.index() >= cluster.deviceCount())
            return fail("op {} is pinned to device {}, the cluster has {}.", graph.op(op).name, pin.value,
                        cluster.deviceCount());
        fixed[i] = pin;
    }
    for (const auto& group : graph.colocationGroups()) {
        OpId pinned;
        for (const OpId op : group) {
            if (!problem.pin(op).valid())
                continue;
            if (pinned.valid() && problem.pin(op) != problem.pin(pinned))
                return fail("colocation group {} is pinned apart: {} to {}, {} to {}.", graph.op(op).colocation,
                            graph.op(pinned).name, cluster.device(problem.pin(pinned)).name, graph.op(op).name,
                            cluster.device(problem.pin(op)).name);
            pinned = op;
        }
        if (!pinned.valid())
            continue;
        for (const OpId op : group)
            fixed[op.index()] = problem.pin(pinned);
    }
    return fixed;
}

} // namespace opscape
