// SPDX-License-Identifier: MIT
#include "methods.h"

#include <opscape/search/schedulers.h>
#include <opscape/zoo/zoo.h>

#include <algorithm>

namespace opscape {
namespace {

const std::vector<Method>& methods() {
    using Options = std::map<std::string, std::string>;
    const std::string fifo(toString(Scheduler::Fifo)), none(toString(Fuser::None)), own(kOwn),
        elementwise(toString(Fuser::Elementwise));
    const std::string place = "placement", order = "scheduling", fuse = "fusion";
    const std::vector<Ending> asDecided{{own, own}};
    const auto with = [](Options options, const std::string& name, const std::string& value) {
        options[name] = value;
        return options;
    };
    const Options policyAlone{{"search", "false"}}, jointly{{"tasks", "all"}};
    static const std::vector<Method> kMethods = [&] {
        // Beside methods that only place and order, so do the learned ones.
        const std::vector<std::string> placeAndOrder{place, order};
        std::vector<Method> all{
            {"framework", "single", {}, {}, {{fifo, elementwise}}},
            {"refine", "refine", {}, placeAndOrder},
            {"refine-joint", "refine", {{"fuse", "true"}}, {place, order, fuse}, asDecided},
            {"hdp-16", "hdp", {{"batch", "16"}}},
            {"go", "go", {}, placeAndOrder},
            {"go-policy", "go", policyAlone, placeAndOrder},
            // As published: one shot over all ops, learned by PPO and nothing else.
            {"go-paper", "go", {{"policy", "paper"}}, placeAndOrder},
            // The network stays as it was initialized; sampling, elites and refinement are the same.
            {"go-untrained", "go", {{"rate", "0"}, {"imitation", "false"}}, placeAndOrder},
            {"go-placement", "go", {}, {place}, {{fifo, none}}},
            // Pairs leave the third decision to its default: one device, first come first served, elementwise fusion.
            {"go-placement-scheduling", "go", {}, placeAndOrder, {{own, elementwise}}},
            {"go-placement-fusion", "go", jointly, {place, fuse}, {{fifo, own}}},
            {"go-scheduling-fusion", "go", jointly, {order, fuse}, asDecided},
            {"go-separate", "go", {{"tasks", "separate"}}, {place, order, fuse}, asDecided},
            {"go-joint", "go", jointly, {place, order, fuse}, asDecided},
        };
        for (const char* part : {"sage", "attention", "modulation", "imitation", "elites"}) {
            all.push_back({std::string("go-no-") + part, "go", {{part, "false"}}, placeAndOrder});
            all.push_back({std::string("go-policy-no-") + part, "go", with(policyAlone, part, "false"), placeAndOrder});
        }
        for (Method& method : all) { // from nothing, whatever policy comes with the product
            if (method.optimizer == "go")
                method.options["model"] = "none";
        }
        return all;
    }();
    return kMethods;
}

const Method* findNamed(std::string_view name) {
    const auto found = std::ranges::find(methods(), name, &Method::name);
    return found == methods().end() ? nullptr : &*found;
}

std::vector<std::string> allPresets() { return {std::begin(kZooPresets), std::end(kZooPresets)}; }

} // namespace

Result<Method> findMethod(const Registry& registry, const std::string& name) {
    const Method* named = findNamed(name);
    Method method = named != nullptr ? *named : Method{name, name};
    const auto info = registry.optimizer(method.optimizer);
    if (!info)
        return fail("method {}: {}", name, info.error().message);
    Options options((*info)->options);
    for (const auto& [option, value] : method.options) {
        if (auto set = options.set(option, value); !set)
            return fail("method {}: {}", name, set.error().message);
    }
    return method;
}

bool takesTime(const OptimizerInfo& info) {
    return std::ranges::any_of(info.options, [](const OptionSpec& option) { return option.name == "seconds"; });
}

std::vector<Ending> endingsOf(const Method& method, const OptimizerInfo& info, const std::vector<Fuser>& fusers) {
    if (!method.endings.empty())
        return method.endings;
    const std::vector<std::string>& decided = method.decide.empty() ? info.decides : method.decide;
    const auto decides = [&decided](std::string_view task) { return std::ranges::count(decided, task) > 0; };
    std::vector<std::string> fuserIds;
    for (const Fuser fuser : fusers)
        fuserIds.emplace_back(toString(fuser));
    if (decides("fusion"))
        fuserIds = {std::string(kOwn)};
    std::vector<Ending> endings;
    for (const std::string& fuser : fuserIds) {
        if (takesTime(info) && decides("scheduling"))
            endings.push_back({std::string(kOwn), fuser});
        for (const SchedulerInfo& scheduler : schedulers())
            endings.push_back({std::string(scheduler.id), fuser});
    }
    return endings;
}

const std::vector<std::string>& heuristicMethods() {
    static const std::vector<std::string> kNames{"single", "expert", "metis", "heft", "peft"};
    return kNames;
}

const std::vector<StudyKind>& studyKinds() {
    static const std::vector<StudyKind> kKinds{
        {"baselines",
         "What the classical methods reach on the published workloads",
         {.workloads = publishedWorkloads(),
          .presets = allPresets(),
          .methods = {"single", "framework", "expert", "metis", "heft", "peft", "anneal", "refine"},
          .fusers = {Fuser::None, Fuser::TimeSaved}},
         {{"refine"}}},
        {"table1",
         "The learned policies beside classical methods, searches at equal time and HDP",
         {.workloads = publishedWorkloads(),
          .presets = {"small"},
          .methods = {"single", "framework", "expert", "metis", "heft", "peft", "anneal", "refine", "go-untrained",
                      "hdp", "hdp-16", "go-paper", "go-policy", "go"},
          .budgetsS = {60},
          .seeds = {1, 2, 3}},
         {{"go"}, {"go-policy", {"expert", "anneal", "hdp", "hdp-16", "go-paper", std::string(kBestHeuristic)}}}},
        {"multitask",
         "Placement, scheduling and fusion learned jointly, in pairs, one after the other, and not at all",
         {.workloads = publishedWorkloads(),
          .presets = {"small"},
          .methods = {"single", "framework", "go-separate", "go-placement-scheduling", "go-placement-fusion",
                      "go-scheduling-fusion", "refine-joint", "go-joint"},
          .budgetsS = {60},
          .seeds = {1, 2, 3}},
         {{"go-joint"}}},
        {"ablation",
         "GO with each part off, with refinement on top and without",
         {.workloads = {"rnnlm4", "gnmt4", "txl4", "inception32"},
          .presets = {"small"},
          .methods = {"go", "go-no-sage", "go-no-attention", "go-no-modulation", "go-no-imitation", "go-no-elites",
                      "go-policy", "go-policy-no-sage", "go-policy-no-attention", "go-policy-no-modulation",
                      "go-policy-no-imitation", "go-policy-no-elites"},
          .budgetsS = {20},
          .seeds = {1, 2, 3}},
         {{"go", {"go-no-sage", "go-no-attention", "go-no-modulation", "go-no-imitation", "go-no-elites", "go-policy"}},
          {"go-policy",
           {"go-policy-no-sage", "go-policy-no-attention", "go-policy-no-modulation", "go-policy-no-imitation",
            "go-policy-no-elites"}}}},
    };
    return kKinds;
}

std::vector<std::string> publishedWorkloads() {
    std::vector<std::string> ids;
    for (const ZooModel& model : zooModels()) {
        if (model.devices > 1)
            ids.push_back(model.id);
    }
    return ids;
}

} // namespace opscape
