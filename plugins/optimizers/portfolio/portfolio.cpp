// SPDX-License-Identifier: MIT
// The best of the quick placements and the start plan, each in the order in which ops become ready, by upward rank, and
// with forward-backward priorities.
#include <opscape/search/setup.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "portfolio";
    info.title = "Best of the quick ones";
    info.summary =
        "The best of one device, balanced layers, layers in turn, earliest finish and the start plan, each with "
        "three kinds of priorities.";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    info.objectives = {Objective::StepTime, Objective::Pipeline};
    return info;
}

class Portfolio final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options&, const RunContext& context) override {
        SearchRun run(problem, context, SearchBudget::unlimited());
        const auto setup = SearchSetup::make(problem);
        if (!setup)
            return fail(setup.error());
        ForwardBackward priorities(problem, setup->start().fusionGroup);
        for (const ScoredPlan& start : setup->scoreStarts(run)) { // the run keeps the best
            if (!setup->ordersOps() || run.isOver())
                break;
            Plan fifo = start.plan;
            fifo.policy = QueuePolicy::Fifo;
            fifo.priority.clear();
            (void)run.score(fifo);
            (void)priorities.improve(run, start.plan);
        }
        return run.finish();
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("portfolio", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Portfolio>(); });
})
