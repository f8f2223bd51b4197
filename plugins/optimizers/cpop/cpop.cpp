// SPDX-License-Identifier: MIT
// Critical Path on a Processor (Topcuoglu, Hariri and Wu, "Performance-effective and low-complexity task scheduling for
// heterogeneous computing", IEEE TPDS 2002). The priority of an op is its upward plus its downward rank: the length of
// the longest way through it, by mean times. Ops for which it is longest form the critical path; all of that path goes
// to the one device that runs it fastest. Of the ops whose producers are placed the one of highest priority is next,
// and what is not on the path goes where it ends first, with insertion (core/search/list_schedule.h).
//
// Beyond the paper: where several paths are equally long, the one through the lowest ops is taken; an op of the path
// with a device of its own (a pin, a colocation group placed before, no room) goes there.
#include <opscape/search/list_schedule.h>
#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <limits>

namespace opscape {
namespace {

/// From the source op of highest priority on, always to a successor of the same priority.
std::vector<OpId> criticalOps(const Graph& graph, const std::vector<std::int64_t>& priority) {
    std::vector<OpId> path;
    const auto better = [&](OpId op) { return path.empty() || priority[op.index()] > priority[path[0].index()]; };
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (graph.predecessors(OpId(i)).empty() && better(OpId(i)))
            path.assign(1, OpId(i));
    }
    for (bool more = true; more;) {
        more = false;
        for (const OpId next : graph.successors(path.back())) {
            if (priority[next.index()] == priority[path[0].index()]) {
                path.push_back(next);
                more = true;
                break;
            }
        }
    }
    return path;
}

std::size_t fastestDevice(const Problem& problem, const std::vector<OpId>& path) {
    std::size_t fastest = 0;
    std::int64_t leastNs = std::numeric_limits<std::int64_t>::max();
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d) {
        std::int64_t sumNs = 0;
        for (const OpId op : path)
            sumNs += problem.opNs(op, DeviceId(d));
        if (sumNs < leastNs) {
            leastNs = sumNs;
            fastest = d;
        }
    }
    return fastest;
}

class Cpop final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options&, const RunContext& context) override {
        auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        std::vector<std::int64_t> priority = upwardRanks(problem);
        const std::vector<std::int64_t> before = downwardRanks(problem);
        for (std::size_t i = 0; i < priority.size(); ++i)
            priority[i] += before[i];

        const std::vector<OpId> path = criticalOps(*problem.graph, priority);
        std::vector<std::uint8_t> isCritical(priority.size(), 0);
        for (const OpId op : path)
            isCritical[op.index()] = 1;
        constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
        std::vector<std::int64_t> onPath(problem.cluster->deviceCount(), kFar);
        onPath[fastestDevice(problem, path)] = 0;

        ListSchedule schedule(problem, std::move(*fixed));
        const auto behind = [&](OpId op) {
            return isCritical[op.index()] != 0 ? std::span<const std::int64_t>(onPath)
                                               : std::span<const std::int64_t>();
        };
        if (auto placed = schedule.place(readyOrder(*problem.graph, priority), context, behind); !placed)
            return fail(placed.error());
        return schedule.plan(QueuePolicy::Order);
    }
};

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "cpop";
    info.title = "CPOP";
    info.summary =
        "The critical path on the one device that runs it fastest, other ops where they end first (Topcuoglu, Hariri, "
        "Wu 2002).";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    return info;
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("cpop", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Cpop>(); });
})
