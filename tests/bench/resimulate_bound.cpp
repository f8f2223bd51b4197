// SPDX-License-Identifier: MIT
#include "bench/resimulate_bound.h"

#include <opscape/sim/simulator.h>

namespace opscape::bench {
namespace {

/// When a transfer of an input of `op` comes or goes because of the move; else when the op starts, which is the latest
/// that its device can notice.
std::int64_t partNs(const Case& c, const Schedule& before, OpId op, DeviceId to) {
    const Graph& graph = *c.problem.graph;
    const auto deviceOf = [&c](OpId other) { return c.plan.device[other.index()]; };
    std::int64_t earliestNs = before.ops[op.index()].startNs;
    for (const TensorId tensor : graph.inputs(op)) {
        const OpId producer = graph.producer(tensor);
        if (!producer.valid())
            continue;
        const auto isSentAnyway = [&](DeviceId device) {
            return deviceOf(producer) == device || std::ranges::any_of(graph.consumers(tensor), [&](OpId other) {
                       return other != op && deviceOf(other) == device;
                   });
        };
        if (!isSentAnyway(to) || !isSentAnyway(deviceOf(op)))
            earliestNs = std::min(earliestNs, before.ops[producer.index()].endNs);
    }
    return earliestNs;
}

std::int64_t meetNs(const Schedule& before, const Schedule& after) {
    std::int64_t latestNs = 0;
    for (std::size_t i = 0; i < before.ops.size(); ++i) {
        const OpRun &a = before.ops[i], &b = after.ops[i];
        if (a.startNs != b.startNs || a.endNs != b.endNs)
            latestNs = std::max({latestNs, a.endNs, b.endNs});
    }
    return latestNs;
}

} // namespace

ResimulateBound resimulateBound(const Case& c, int moves) {
    Simulator simulator(c.problem);
    const Schedule before = orExit(simulator.run(c.plan, Detail::Times));
    std::vector<std::int64_t> endsNs;
    for (const OpRun& op : before.ops)
        endsNs.push_back(op.endNs);
    std::ranges::sort(endsNs);
    const auto opsAfter = [&](std::int64_t timeNs) {
        return static_cast<double>(endsNs.end() - std::ranges::upper_bound(endsNs, timeNs));
    };
    Random random(1);
    Schedule after;
    double all = 0, toTheEnd = 0, within = 0;
    for (int i = 0; i < moves; ++i) {
        const OpId op(random.below(static_cast<std::uint32_t>(endsNs.size())));
        const std::size_t devices = c.problem.cluster->deviceCount();
        const std::size_t step = 1 + random.below(static_cast<std::uint32_t>(devices - 1));
        Plan moved = c.plan;
        moved.device[op.index()] = DeviceId((c.plan.device[op.index()].index() + step) % devices);
        (void)simulator.run(moved, Detail::Times, after);
        const std::int64_t fromNs = partNs(c, before, op, moved.device[op.index()]);
        all += static_cast<double>(endsNs.size());
        toTheEnd += opsAfter(fromNs);
        within += opsAfter(fromNs) - opsAfter(std::max(fromNs, meetNs(before, after)));
    }
    return {all / toTheEnd, all / within};
}

} // namespace opscape::bench
