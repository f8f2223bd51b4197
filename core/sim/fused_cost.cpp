// SPDX-License-Identifier: MIT
#include <opscape/sim/fused_cost.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kPsPerNs = 1e3;

std::int64_t picoseconds(double ns) { return std::llround(ns * kPsPerNs); }

/// Memory traffic of one op that stays inside the group, bytes.
std::int64_t insideBytes(const Graph& graph, std::span<const OpId> ops, OpId op) {
    const auto inside = [ops](OpId other) { return std::ranges::binary_search(ops, other); };
    std::int64_t bytes = 0;
    for (const TensorId tensor : graph.dataInputs(op)) {
        if (inside(graph.producer(tensor)))
            bytes += graph.tensorBytes(tensor);
    }
    for (const TensorId tensor : graph.outputs(op)) {
        const auto consumers = graph.consumers(tensor);
        if (!consumers.empty() && std::ranges::all_of(consumers, inside))
            bytes += graph.tensorBytes(tensor);
    }
    return bytes;
}

} // namespace

FusedShare fusedShare(const Problem& problem, OpId op, KindId kind, std::int64_t insideBytes) {
    const DeviceKind& device = problem.cluster->kind(kind);
    FusedShare share;
    if (problem.cost->isGiven(op, kind)) {
        share.launches = true;
        share.givenNs = std::max<std::int64_t>(0, problem.cost->opNs(op, kind) - device.launchNs);
        return share;
    }
    OpCost cost = problem.cost->cost(op);
    const WorkTime alone = workTime(cost, device);
    cost.bytesMoved = std::max(0.0, cost.bytesMoved - static_cast<double>(insideBytes));
    share.computePs = picoseconds(alone.computeNs);
    share.memoryPs = picoseconds(workTime(cost, device).memoryNs);
    share.computeLossPs = picoseconds(alone.computeLossNs);
    share.memoryLossPs = picoseconds(alone.memoryLossNs);
    share.launches = alone.launches;
    return share;
}

std::int64_t fusedNs(const DeviceKind& kind, const FusedShare& sum) {
    const auto ns = [](std::int64_t ps) { return static_cast<double>(ps) / kPsPerNs; };
    const WorkTime whole{ns(sum.computePs), ns(sum.memoryPs), ns(sum.computeLossPs), ns(sum.memoryLossPs),
                         sum.launches};
    return sum.givenNs + kernelNs(whole, kind);
}

std::int64_t fusedNs(const Problem& problem, std::span<const OpId> ops, KindId kind) {
    if (ops.size() == 1)
        return problem.cost->opNs(ops[0], kind);
    FusedShare sum;
    for (const OpId op : ops)
        sum += fusedShare(problem, op, kind, insideBytes(*problem.graph, ops, op));
    return fusedNs(problem.cluster->kind(kind), sum);
}

} // namespace opscape
