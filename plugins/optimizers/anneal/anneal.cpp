// SPDX-License-Identifier: MIT
// Annealing over groups of ops in one stage: the plain local search that others are measured against. Priorities are
// those of upward rank throughout.
#include "../search_budget.h"

#include <opscape/search/local_search.h>
#include <opscape/search/setup.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

constexpr std::array<std::string_view, 4> kGroups{"24", "64", "128", "256"};

OptimizerInfo info() {
    OptimizerInfo info;
    info.id = "anneal";
    info.title = "Simulated annealing";
    info.summary = "Annealing over groups of ops (Kirkpatrick, Gelatt, Vecchi 1983), from the start plan or the best "
                   "quick placement.";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    info.objectives = {Objective::StepTime, Objective::Pipeline};
    info.options = searchBudgetOptions();
    info.options.push_back(OptionSpec::choice("groups",
                                              "At most how many groups; all: each size a quarter of the moves.", "all",
                                              {"all", "24", "64", "128", "256"}));
    info.options.push_back(
        OptionSpec::real("hot", "First temperature, as a share of the best step time.", .02, 1e-6, 10));
    info.options.push_back(
        OptionSpec::real("cold", "Last temperature, as a share of the best step time.", .0005, 1e-9, 10));
    return info;
}

class Anneal final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        SearchRun run(problem, context, searchBudget(options));
        const auto setup = SearchSetup::make(problem);
        if (!setup)
            return fail(setup.error());
        const std::vector<ScoredPlan> starts = setup->scoreStarts(run);
        if (!starts.empty() && setup->placesOps()) {
            AnnealingStage stage;
            stage.name = "annealing";
            stage.hot = options.real("hot");
            stage.cold = options.real("cold");
            for (std::size_t level = 0; level < kGroups.size(); ++level) {
                const bool isOn = options.choice("groups") == "all" || options.choice("groups") == kGroups[level];
                stage.levelsBegin[level] = stage.levelsEnd[level] = isOn ? 1 : 0;
            }
            Random random(context.seed);
            LocalSearch search(problem, setup->groups(), run, random);
            (void)search.anneal(starts.front(), stage); // the run keeps the best
        }
        return run.finish();
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("anneal", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Anneal>(); });
})
