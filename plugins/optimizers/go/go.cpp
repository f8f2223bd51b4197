// SPDX-License-Identifier: MIT
// GO: learns to decide from the step time alone (core/rl), then refines.
#include "../search_budget.h"

#include <opscape/rl/engine.h>
#include <opscape/rl/model/model_shelf.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

constexpr std::string_view kAll = "all", kSeparate = "separate";
constexpr const char* kAsPublished = "paper";                           ///< policy
constexpr const char* kPlacementAndScheduling = "placement+scheduling"; ///< what other searches decide, too

OptimizerInfo info() {
    const rl::TrainOptions defaults;
    OptimizerInfo info;
    info.id = "go";
    info.title = "GO: learned policy";
    info.summary = "A policy learned from the step time by PPO (Zhou et al., Transferable Graph Optimizers, NeurIPS "
                   "2020), then staged refinement of its best plan.";
    info.decides = {"placement", "scheduling", "fusion"};
    info.honoursPins = true;
    info.learns = true;
    info.revision = 2;
    info.options = searchBudgetOptions();
    const auto add = [&info](OptionSpec option) { info.options.push_back(std::move(option)); };
    auto endGroup = [&info, from = std::size_t{0}](const char* name) mutable {
        for (; from < info.options.size(); ++from)
            info.options[from].group = name;
    };
    add(OptionSpec::integer("updates", "How often the policy learns; then time does not count. 0: by the budget.", 0, 0,
                            1'000'000'000));
    add(OptionSpec::real("share", "Share of the budget for the policy; 0: by the size of the graph; 1: no refinement.",
                         0, 0, 1));
    add(OptionSpec::flag("search", "Refine the best plan with the rest of the budget.", defaults.search));
    add(OptionSpec::integer("threads", "Threads for simulations; the result is the same for any number.", 1, 1, 256));
    endGroup("Budget");
    add(OptionSpec::choice(
        "tasks",
        "What is learned, jointly; all: with fusion; separate: each of the three by itself, one after "
        "the other. The rest stays as in the start plan.",
        kPlacementAndScheduling,
        {"all", "placement", "scheduling", "fusion", kPlacementAndScheduling, "placement+fusion", "scheduling+fusion",
         "separate"}));
    endGroup("Decisions");
    add(OptionSpec::choice("policy",
                           "grouped: groups of ops, one decision after the other; one-shot: all ops at once; paper: "
                           "one-shot and learned as GO was published, from samples alone: no imitation, no elites, no "
                           "refinement, whatever those options say.",
                           "grouped", {"grouped", "one-shot", kAsPublished}));
    add(OptionSpec::choice("groups", "At most how many groups of ops.", "64", {"24", "64", "128", "256"}));
    add(OptionSpec::integer("hidden", "Width of the network.", defaults.network.hidden, 8, 1024));
    add(OptionSpec::flag("sage", "Embed the graph around every group (GraphSAGE).", defaults.network.sage));
    add(OptionSpec::flag("attention", "Segment-recurrent attention.", defaults.network.attention));
    add(OptionSpec::flag("modulation", "Scale features by the embedding of the whole graph.",
                         defaults.network.modulation));
    endGroup("Policy");
    OptionSpec model = OptionSpec::fileToRead(
        "model", "A policy that was trained before, to begin with: default is the one that was chosen as such (see the "
                 "Models pane or `opscape-cli models`), none learns from nothing; or the name or the file of a model.");
    model.value = std::string(rl::kDefaultModel);
    add(std::move(model));
    add(OptionSpec::choice(
        "zero-shot",
        "With a model: no learning and no refinement; greedy takes its likeliest decisions, best the "
        "best of 64 plans that it draws. What does not fit in memory is decided again with less room.",
        "off", {"off", "greedy", "best"}));
    endGroup("Model");
    add(OptionSpec::integer("samples", "Plans per update; 0: by the size of the graph.", 0, 0, 100'000));
    add(OptionSpec::real("rate", "Learning rate.", defaults.learningRate, 0, 1));
    add(OptionSpec::flag("imitation", "Learn to repeat simple plans first.", defaults.imitation));
    add(OptionSpec::flag("elites", "Learn the best plans so far again, and vary them.", defaults.elites));
    add(OptionSpec::real("self-imitation", "Weight of learning the best plans so far again.", defaults.selfImitation, 0,
                         100));
    add(OptionSpec::real("varied", "Share of samples that vary one of the best plans so far.", defaults.variedShare, 0,
                         1));
    add(OptionSpec::real("entropy", "First weight of the entropy bonus, falling to a tenth.", defaults.entropyBegin,
                         1e-6, 10));
    endGroup("Learning");
    add(OptionSpec::fileToWrite("checkpoint",
                                "Keeps the training in this file as it goes on; a run that was stopped or cut off can "
                                "be resumed from it."));
    add(OptionSpec::fileToRead("resume-from",
                               "Goes on with the training in this file; budgets by updates or simulations count what "
                               "it took already. Of another graph, cluster or start plan only the network is taken."));
    endGroup("Files");
    return info;
}

/// The tasks that the problem asks for, as the option says how.
std::vector<std::vector<std::string>> phasesOf(const std::string& choice, const Problem& problem) {
    if (choice == kSeparate) {
        std::vector<std::vector<std::string>> phases;
        for (const std::string& task : problem.decide)
            phases.push_back({task});
        return phases;
    }
    if (choice == kAll)
        return {problem.decide};
    std::vector<std::string> chosen;
    for (const std::string& task : problem.decide) {
        if (choice.find(task) != std::string::npos)
            chosen.push_back(task);
    }
    return {chosen.empty() ? problem.decide : chosen};
}

/// The policy to begin with, by file or by name; empty: none.
std::filesystem::path modelFile(const std::string& choice) {
    if (choice.empty() || choice == rl::kNoModel)
        return {};
    if (choice == rl::kDefaultModel)
        return rl::defaultModelFile();
    const auto found = rl::findModel(choice);
    return found ? found->file : std::filesystem::path(choice);
}

rl::ZeroShot zeroShot(const std::string& choice) {
    return choice == "greedy" ? rl::ZeroShot::Greedy : choice == "best" ? rl::ZeroShot::BestOf64 : rl::ZeroShot::Off;
}

class Go final : public Optimizer {
public:
    [[nodiscard]] Options inForce(const Options& options) const override {
        Options told = options;
        if (options.choice("policy") == kAsPublished) {
            for (const char* off : {"imitation", "elites", "search"})
                std::ignore = told.set(off, "false");
            std::ignore = told.set("model", rl::kNoModel);
        }
        return told;
    }

private:
    Result<Plan> doSolve(const Problem& problem, const Options& given, const RunContext& context) override {
        const Options options = inForce(given);
        SearchBudget budget = searchBudget(options);
        const auto engine = rl::openEngine(budget, context);
        if (!engine)
            return fail(engine.error());
        rl::TrainOptions train;
        train.phases = phasesOf(options.choice("tasks"), problem);
        train.budget = budget;
        train.updates = options.integer("updates");
        train.policyShare = options.real("share");
        train.groups = std::stoi(options.choice("groups"));
        train.samples = static_cast<int>(options.integer("samples"));
        train.learningRate = options.real("rate");
        train.imitation = options.flag("imitation");
        train.elites = options.flag("elites");
        train.selfImitation = options.real("self-imitation");
        train.variedShare = options.real("varied");
        train.entropyBegin = options.real("entropy");
        train.entropyEnd = train.entropyBegin / 10;
        train.search = options.flag("search");
        train.model = modelFile(options.file("model"));
        train.modelMayDiffer = options.file("model") == rl::kDefaultModel;
        train.zeroShot = zeroShot(options.choice("zero-shot"));
        train.threads = static_cast<int>(options.integer("threads"));
        train.save = options.file("checkpoint");
        train.load = options.file("resume-from");
        train.network.shape = options.choice("policy") == "grouped" ? rl::Shape::Grouped : rl::Shape::Paper;
        train.network.hidden = static_cast<int>(options.integer("hidden"));
        train.network.sage = options.flag("sage");
        train.network.attention = options.flag("attention");
        train.network.modulation = options.flag("modulation");
        return (*engine)->train(problem, tasks(), train, context);
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("go", [](opscape::Registry& registry) {
    return registry.addOptimizer(opscape::info(), [] { return std::make_unique<opscape::Go>(); });
})
