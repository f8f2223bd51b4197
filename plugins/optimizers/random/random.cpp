// SPDX-License-Identifier: MIT
// The best of a number of random placements: every group of ops on a device drawn at random. What any method has to
// beat.
#include <opscape/base/random.h>
#include <opscape/search/setup.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "random";
    info.title = "Random placement";
    info.summary = "The best of a number of placements that put every group of ops on a device drawn at random.";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    info.objectives = {Objective::StepTime, Objective::Pipeline};
    info.options = {OptionSpec::integer("simulations", "How many placements to try.", 1000, 1, 1'000'000'000'000),
                    OptionSpec::choice("groups", "At most how many groups.", "64", {"24", "64", "128", "256", "ops"})};
    return info;
}

class RandomPlacement final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        SearchRun run(problem, context, {options.integer("simulations"), 0});
        const auto setup = SearchSetup::make(problem);
        if (!setup)
            return fail(setup.error());
        run.setStage("random placements");
        if (problem.start || !setup->placesOps())
            (void)run.score(setup->start());
        const OpGroups& groups = setup->groups();
        std::size_t index = OpGroups::kOps;
        for (std::size_t i = 0; i < OpGroups::kSizes.size(); ++i) {
            if (options.choice("groups") == std::to_string(OpGroups::kSizes[i]))
                index = i;
        }
        const GroupLevel& level = groups.levels[index];
        const auto devices = static_cast<std::uint32_t>(problem.cluster->deviceCount());
        Random random(context.seed);
        Plan plan = setup->planFor(setup->start().device);
        while (setup->placesOps() && (!run.best() || !run.isOver())) {
            for (std::uint32_t group = 0; group < level.groupCount(); ++group) {
                const DeviceId device(random.below(devices));
                for (const OpId op : level.ops(group)) {
                    const DeviceId pin = groups.units.pinOf(op);
                    plan.device[op.index()] = pin.valid() ? pin : device;
                }
            }
            (void)run.score(plan); // the run keeps the best
        }
        return run.finish();
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("random", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::RandomPlacement>(); });
})
