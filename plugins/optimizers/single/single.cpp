// SPDX-License-Identifier: MIT
// Everything on one device: the one on which the step is fastest among those whose memory holds it. If none does, the
// one with the most memory; the simulation of the plan then says by how much it is too small. Ops that are pinned
// elsewhere stay there.
#include <opscape/sim/simulator.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <algorithm>
#include <limits>

namespace opscape {
namespace {

class Single final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options&, const RunContext& context) override {
        const Cluster& cluster = *problem.cluster;
        const auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        const auto onto = [&](std::size_t device) {
            Plan plan = Plan::allOn(DeviceId(device), problem.graph->opCount());
            for (std::size_t i = 0; i < plan.device.size(); ++i) {
                if ((*fixed)[i].valid())
                    plan.device[i] = (*fixed)[i];
            }
            return plan;
        };
        const bool allFree = std::ranges::none_of(*fixed, [](DeviceId d) { return d.valid(); });

        Simulator simulator(problem);
        std::vector<std::uint8_t> triedKind(cluster.kindCount(), 0);
        std::size_t best = 0;
        std::int64_t bestNs = -1;
        std::size_t roomiest = 0;
        for (std::size_t d = 0; d < cluster.deviceCount() && !context.stopRequested(); ++d) {
            const KindId kind = cluster.device(DeviceId(d)).kind;
            if (capacity(cluster, d) > capacity(cluster, roomiest))
                roomiest = d;
            // With nothing pinned there are no transfers, and devices of a kind do not differ.
            if (allFree && std::exchange(triedKind[kind.index()], 1) != 0)
                continue;
            const auto schedule = simulator.run(onto(d), Detail::Makespan);
            if (!schedule)
                return fail(schedule.error());
            if (schedule->feasible && (bestNs < 0 || schedule->makespanNs < bestNs)) {
                best = d;
                bestNs = schedule->makespanNs;
            }
        }
        return onto(bestNs >= 0 ? best : roomiest);
    }

    static std::int64_t capacity(const Cluster& cluster, std::size_t device) {
        const std::int64_t bytes = cluster.kindOf(DeviceId(device)).memoryBytes;
        return bytes > 0 ? bytes : std::numeric_limits<std::int64_t>::max();
    }
};

OptimizerInfo info() {
    return {.id = "single",
            .title = "Single device",
            .summary = "Everything on the fastest device whose memory holds it, first come, first served.",
            .revision = 1,
            .decides = {"placement"},
            .honoursPins = true,
            .options = {},
            .objectives = {Objective::StepTime, Objective::Pipeline}};
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("single", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Single>(); });
})
