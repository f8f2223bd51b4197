// SPDX-License-Identifier: MIT
#include "training.h"

#include "graph_families.h"
#include "methods.h"

#include <opscape/rl/engine.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

constexpr std::array kProtocols{
    Protocol{"go-batch", "Jointly on the workloads that it is to be used on, each as likely",
             "model=MODEL,zero-shot=best"},
    Protocol{"go-generalization+finetune",
             "On other graphs, a thousand updates each in turn; then at most 50 updates on a graph of its own",
             "model=MODEL,updates=50,share=1"},
    Protocol{"go-generalization-zeroshot", "On other graphs, a thousand updates each in turn; then used as it is",
             "model=MODEL,zero-shot=greedy"},
};
constexpr std::array<std::pair<std::string_view, rl::LessonDraw>, 3> kDraws{
    {{"family", rl::LessonDraw::ByFamily}, {"uniform", rl::LessonDraw::Uniform}, {"in-turn", rl::LessonDraw::InTurn}}};

/// The published workloads of families that are not held out.
Result<std::vector<std::string>> workloadsOf(const LessonRecipe& recipe) {
    const auto families = expandFamilies(recipe.families), heldOut = expandFamilies(recipe.holdOut);
    if (!families || !heldOut)
        return fail((families ? heldOut : families).error());
    std::vector<std::string> workloads;
    for (std::string& workload : publishedWorkloads()) {
        const std::string family = familyOf(workload);
        if (std::ranges::count(*families, family) > 0 && std::ranges::count(*heldOut, family) == 0)
            workloads.push_back(std::move(workload));
    }
    return workloads;
}

} // namespace

std::span<const Protocol> protocols() { return kProtocols; }

Result<> applyProtocol(std::string_view name, TrainingRequest& request) {
    const auto known = std::ranges::find(kProtocols, name, &Protocol::name);
    if (known == kProtocols.end())
        return fail("there is no protocol {}; choose among {}, {}, {}.", name, kProtocols[0].name, kProtocols[1].name,
                    kProtocols[2].name);
    request.protocol = name;
    request.options.curriculum = 0;
    if (known != kProtocols.begin()) {
        request.options.draw = rl::LessonDraw::InTurn;
        return {};
    }
    request.options.draw = rl::LessonDraw::Uniform;
    request.recipe.lessons = 0;
    request.recipe.validation.emplace();
    if (!request.recipe.workloads.empty())
        return {};
    auto workloads = workloadsOf(request.recipe);
    if (!workloads)
        return fail(workloads.error());
    request.recipe.workloads = std::move(*workloads);
    return {};
}

std::string_view toString(rl::LessonDraw draw) {
    return std::ranges::find(kDraws, draw, [](const auto& known) { return known.second; })->first;
}

std::optional<rl::LessonDraw> parseLessonDraw(std::string_view name) {
    const auto found = std::ranges::find(kDraws, name, [](const auto& known) { return known.first; });
    return found == kDraws.end() ? std::nullopt : std::optional(found->second);
}

Result<TrainingEngine> trainingEngine() {
    const auto opened = rl::openEngine();
    if (!opened)
        return fail(opened.error());
    const rl::Engine* engine = *opened;
    const auto join = [engine](bool elastic) -> Result<rl::Crew> {
        auto place = engine->crewPlace();
        if (!place)
            return fail(place.error());
        if (!*place)
            return rl::Crew();
        (*place)->elastic = elastic;
        return engine->joinCrew(**place);
    };
    const auto hash = [engine](const std::filesystem::path& file) -> Result<std::string> {
        const auto model = engine->readModel(file);
        if (!model)
            return fail(model.error());
        return engine->modelHash(*model);
    };
    return TrainingEngine{engine->pretrain, join, hash};
}

Result<TrainedModel> trainModel(const Registry& registry, const TrainingRequest& request,
                                const std::filesystem::path& model, const TrainingEngine& engine,
                                const TrainingWatcher& watcher, const RunContext& context) {
    const auto lessons = makeLessons(request.recipe, context);
    if (!lessons)
        return fail(lessons.error());
    auto crew = engine.join(request.elastic);
    if (!crew)
        return fail(crew.error());
    if (crew->rank == 0)
        watcher.begins(*lessons);
    rl::PretrainOptions options = request.options;
    options.recipe = trainingText(request, *lessons);
    RunContext seeded = context;
    seeded.seed = request.seed;
    const auto tasks = registry.tasks();
    while (true) {
        bool isOneLost = false;
        rl::Crew watched = *crew;
        if (crew->sum)
            watched.sum = [&](std::span<float> values) {
                const bool isSummed = crew->sum(values);
                isOneLost = isOneLost || !isSummed;
                return isSummed;
            };
        auto result = engine.pretrain(lessons->training, lessons->watched(), tasks, options, model, watched,
                                      watcher.learned, seeded);
        if (result)
            return TrainedModel{std::move(*result), crew->rank == 0};
        if (!isOneLost || !crew->regroup || context.stopRequested())
            return fail(result.error());
        auto left = crew->regroup();
        if (!left)
            return fail(left.error());
        crew = std::move(left);
        options.load = options.save;
        if (watcher.regrouped)
            watcher.regrouped(crew->size);
    }
}

std::string trainingText(const TrainingRequest& request, const LessonSet& lessons) {
    const rl::PretrainOptions& o = request.options;
    nlohmann::ordered_json training{{"seed", request.seed},
                                    {"updates", o.updates},
                                    {"seconds", o.updates > 0 ? 0 : o.seconds},
                                    {"slots", o.slots},
                                    {"samples", o.samples},
                                    {"epochs", o.epochs},
                                    {"groups", o.groups},
                                    {"rate", {o.learningRate, o.lastLearningRate}},
                                    {"entropy", {o.entropyBegin, o.entropyEnd}},
                                    {"clip", o.clip},
                                    {"gradient_clip", o.gradientClip},
                                    {"draw", toString(o.draw)},
                                    {"curriculum", o.curriculum}};
    if (!request.protocol.empty())
        training["protocol"] = request.protocol;
    const nlohmann::ordered_json json{{"lessons_hash", lessons.hash},
                                      {"lessons", lessons.training.size()},
                                      {"left_out", lessons.leftOut},
                                      {"recipe", nlohmann::ordered_json::parse(recipeText(lessons.recipe))},
                                      {"training", training}};
    return json.dump();
}

std::string curveLine(const rl::PretrainPoint& p) {
    const std::string head = fmt::format("{},{:.3f},{},{:.6g},{:.6g},{:.6g},{:.6g}", p.update, p.seconds, p.simulations,
                                         p.reward, p.entropy, p.kl, p.clipFraction);
    if (!p.heldOut)
        return head + ",,,";
    return head + fmt::format(",{:.6g},{:.6g},{}", p.heldOut->greedy, p.heldOut->bestOf64, p.heldOut->lessons);
}

} // namespace opscape
