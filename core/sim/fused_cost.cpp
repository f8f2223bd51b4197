// SPDX-License-Identifier: MIT
#include <opscape/sim/fused_cost.h>

#include <algorithm>

namespace opscape {
namespace {

/// Memory traffic of one op that stays inside the group, bytes.
double internalBytes(const Graph& graph, std::span<const OpId> ops, OpId op) {
    const auto inside = [ops](OpId other) { return std::ranges::binary_search(ops, other); };
    double bytes = 0;
    for (const TensorId tensor : graph.dataInputs(op)) {
        if (inside(graph.producer(tensor)))
            bytes += static_cast<double>(graph.tensorBytes(tensor));
    }
    for (const TensorId tensor : graph.outputs(op)) {
        const auto consumers = graph.consumers(tensor);
        if (!consumers.empty() && std::ranges::all_of(consumers, inside))
            bytes += static_cast<double>(graph.tensorBytes(tensor));
    }
    return bytes;
}

} // namespace

std::int64_t fusedNs(const Problem& problem, std::span<const OpId> ops, KindId kind) {
    if (ops.size() == 1)
        return problem.cost->opNs(ops[0], kind);
    const DeviceKind& device = problem.cluster->kind(kind);
    WorkTime whole;
    std::int64_t given = 0;
    for (const OpId op : ops) {
        if (problem.cost->isGiven(op, kind)) {
            given += std::max<std::int64_t>(0, problem.cost->opNs(op, kind) - device.launchNs);
            continue;
        }
        OpCost cost = problem.cost->cost(op);
        cost.bytesMoved = std::max(0.0, cost.bytesMoved - internalBytes(*problem.graph, ops, op));
        const WorkTime part = workTime(cost, device);
        whole.computeNs += part.computeNs;
        whole.memoryNs += part.memoryNs;
        whole.computeLossNs = std::max(whole.computeLossNs, part.computeLossNs);
        whole.memoryLossNs = std::max(whole.memoryLossNs, part.memoryLossNs);
    }
    return given + kernelNs(whole, device);
}

} // namespace opscape
