// SPDX-License-Identifier: MIT
// Forward-backward priorities (core/search/fbi.h) for the placement of the start plan, else of the best quick one.
#include <opscape/search/setup.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "fbi";
    info.title = "Forward-backward priorities";
    info.summary =
        "Better priorities for a fixed placement, by scheduling the step forwards and backwards in turn (Li and "
        "Willis 1992).";
    info.decides = {"placement", "scheduling"}; // the former only where there is no start plan
    info.honoursPins = true;
    info.options = {OptionSpec::integer("rounds", "How often to go backwards and forwards again.",
                                        ForwardBackward::kRounds, 1, 1000)};
    return info;
}

class Fbi final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        SearchRun run(problem, context, SearchBudget::unlimited());
        const auto setup = SearchSetup::make(problem);
        if (!setup)
            return fail(setup.error());
        Plan plan = setup->start();
        if (!problem.start && setup->placesOps()) {
            const std::vector<ScoredPlan> starts = setup->scoreStarts(run);
            if (!starts.empty())
                plan = starts.front().plan;
        }
        run.setStage("priorities");
        if (setup->ordersOps())
            (void)ForwardBackward(problem, plan.fusionGroup)
                .improve(run, plan, static_cast<int>(options.integer("rounds"))); // the run keeps the best
        else
            (void)run.score(plan);
        return run.finish();
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("fbi", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Fbi>(); });
})
