// SPDX-License-Identifier: MIT
// HDP: learned placement as it was before GO (core/rl/hdp/hdp.h), so that GO is compared with the real thing.
#include "../search_budget.h"

#include <opscape/rl/engine.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

OptimizerInfo info() {
    const rl::HdpOptions defaults;
    OptimizerInfo info;
    info.id = "hdp";
    info.title = "HDP: learned placement";
    info.summary = "Groups of ops and their devices drawn by two networks that learn from the step time (Mirhoseini et "
                   "al., A Hierarchical Model for Device Placement, ICLR 2018); queues by upward rank.";
    info.decides = {"placement", "scheduling"};
    info.honoursPins = true;
    info.learns = true;
    info.options = searchBudgetOptions();
    const auto add = [&info](OptionSpec option) { info.options.push_back(std::move(option)); };
    add(OptionSpec::integer("updates", "How often the networks learn; then time does not count. 0: by the budget.", 0,
                            0, 1'000'000'000));
    add(OptionSpec::integer("batch", "Plans per update; one as published.", defaults.batch, 1, 4096));
    add(OptionSpec::integer("groups", "At most how many groups of ops; 0: 20 per device, at most 256, as published.", 0,
                            0, 4096));
    add(OptionSpec::integer("grouper", "Width of the network that groups ops.", defaults.grouperHidden, 1, 4096));
    add(OptionSpec::integer("lstm", "Width of the networks that place groups; an even number.", defaults.hidden, 2,
                            4096));
    add(OptionSpec::real("rate", "Learning rate.", defaults.learningRate, 0, 1));
    add(OptionSpec::real("noise", "Noise on logits in the first 750 updates, beside their root mean square.",
                         defaults.noise, 0, 10));
    add(OptionSpec::real("bound", "Largest logit of a device; 0: no bound.", defaults.bound, 0, 1000));
    add(OptionSpec::fileToWrite("checkpoint",
                                "Keeps the training in this file as it goes on; a run that was stopped or cut off can "
                                "be resumed from it.")
            .in("Files"));
    add(OptionSpec::fileToRead("resume-from",
                               "Goes on with the training in this file, of the same graph, cluster and "
                               "start plan; budgets by updates or simulations count what it took already.")
            .in("Files"));
    return info;
}

class Hdp final : public Optimizer {
    Result<Plan> doSolve(const Problem& problem, const Options& options, const RunContext& context) override {
        SearchBudget budget = searchBudget(options);
        const auto engine = rl::openEngine(budget, context);
        if (!engine)
            return fail(engine.error());
        rl::HdpOptions hdp;
        hdp.budget = budget;
        hdp.updates = options.integer("updates");
        hdp.batch = static_cast<int>(options.integer("batch"));
        hdp.groups = static_cast<int>(options.integer("groups"));
        hdp.grouperHidden = static_cast<int>(options.integer("grouper"));
        hdp.hidden = static_cast<int>(options.integer("lstm"));
        hdp.learningRate = options.real("rate");
        hdp.noise = options.real("noise");
        hdp.bound = options.real("bound");
        hdp.save = options.file("checkpoint");
        hdp.load = options.file("resume-from");
        return (*engine)->trainHdp(problem, hdp, context);
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("hdp", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Hdp>(); });
})
