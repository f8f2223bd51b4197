// SPDX-License-Identifier: MIT
// Staged search from coarse groups of ops to single ops and their priorities (core/search/refine.h).
#include "../search_budget.h"

#include <opscape/search/refine.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "refine";
    info.title = "Staged refinement";
    info.summary = "Annealing from coarse groups of ops to single ops and their priorities, from the start plan or the "
                   "best quick placement.";
    info.decides = {"placement", "scheduling", "fusion"};
    info.honoursPins = true;
    info.revision = 2;
    info.objectives = {Objective::StepTime, Objective::Pipeline};
    info.options = searchBudgetOptions();
    info.options.push_back(OptionSpec::choice(
        "levels", "The finest thing to place: single ops, or whole scopes where the runtime cannot place single ops.",
        "ops", {"ops", "scopes"}));
    info.options.push_back(OptionSpec::integer(
        "starts",
        "Short runs of which the best is continued; 0: three where the budget is good for 20,000 simulations, else one.",
        0, 0, 20));
    info.options.push_back(
        OptionSpec::flag("fuse", "Decide together with the placement which ops are fused, too.", false));
    return info;
}

class Refine final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        RefineOptions refineOptions;
        refineOptions.budget = searchBudget(options);
        refineOptions.singleOps = options.choice("levels") == "ops";
        refineOptions.starts = static_cast<int>(options.integer("starts"));
        if (options.flag("fuse"))
            return refine(problem, context, refineOptions);
        Problem unfused = problem;
        std::erase(unfused.decide, "fusion");
        return refine(unfused, context, refineOptions);
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("refine", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Refine>(); });
})
