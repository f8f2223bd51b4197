// SPDX-License-Identifier: MIT
// Balanced minimum cut by METIS (core/search/partition.h).
#include <opscape/search/partition.h>
#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

class Metis final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        const auto fixed = fixedDevices(problem);
        if (!fixed)
            return fail(fixed.error());
        context.report({-1, -1, 0, "cutting the graph"});
        auto placed = leastCutPlacement(
            problem, *fixed, {options.flag("balance-memory"), options.real("imbalance"), context.seed}, context.stop);
        if (!placed)
            return fail(placed.error());
        Plan plan;
        plan.device = std::move(*placed);
        if (options.choice("queue") == "rank") {
            plan.policy = QueuePolicy::Priority;
            plan.priority = rankPriorities(problem);
        }
        return plan;
    }
};

OptimizerInfo info() {
    return {.id = "metis",
            .title = "METIS",
            .summary = "Minimum cut of bytes with equal time per device, by METIS (Karypis and Kumar 1998).",
            .revision = 1,
            .decides = {"placement", "scheduling"},
            .honoursPins = true,
            .options = {OptionSpec::flag("balance-memory", "Balance memory too, as a second constraint.", false),
                        OptionSpec::real("imbalance", "By how much a device may exceed its share, as a fraction.", 0.03,
                                         0.001, 1),
                        OptionSpec::choice(
                            "queue", "Run ops first come, first served, or the ready one of highest upward rank first.",
                            "fifo", {"fifo", "rank"})},
            .objectives = {Objective::StepTime, Objective::Pipeline}};
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("metis", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Metis>(); });
})
