// SPDX-License-Identifier: MIT
// The learning engine as a whole: it learns a policy for any chain of decision tasks by the step time alone (PPO),
// keeps the best plan on the way, and refines it. It knows tasks only by their interface (core/task/decision_task.h).
//
// Programs start without torch: nobody links this library. A plugin opens it when a run begins (openEngine) and calls
// it through the one symbol below.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/rl/hdp/hdp.h>
#include <opscape/rl/model/model.h>
#include <opscape/rl/pretrain/crew.h>
#include <opscape/rl/pretrain/pretrain.h>
#include <opscape/rl/train/train_options.h>
#include <opscape/task/decision_task.h>

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

namespace opscape::rl {

/// Learns and refines; the best plan found, never worse than the start plan and the tasks' proposals, unless a model
/// is taken as it is. `tasks` are all there are, in the order of the chain; those that the options name are decided. A
/// pin in the problem is kept. Stops within 200 ms when asked to. With a budget by simulations or updates the same seed
/// gives the same plan.
[[nodiscard]] Result<Plan> train(const Problem& problem, std::span<const DecisionTask* const> tasks,
                                 const TrainOptions& options, const RunContext& context);

/// Raised whenever a type that crosses the library's boundary changes.
inline constexpr std::uint32_t kEngineAbi = 6;

struct Engine {
    std::uint32_t abi;
    Result<Plan> (*train)(const Problem& problem, std::span<const DecisionTask* const> tasks,
                          const TrainOptions& options, const RunContext& context);
    Result<Plan> (*trainHdp)(const Problem& problem, const HdpOptions& options, const RunContext& context);
    decltype(&rl::pretrain) pretrain;
    decltype(&rl::joinCrew) joinCrew;
    decltype(&rl::crewPlace) crewPlace;
    decltype(&rl::readModel) readModel;
    decltype(&rl::modelHash) modelHash;
};

/// Loads the library beside the core libraries on the first call; it stays loaded.
[[nodiscard]] inline Result<const Engine*> openEngine() {
    void* library = ::dlopen("libopscape_rl.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        return fail("the learning engine cannot be loaded ({}); install LibTorch 1.13 or choose another optimizer.",
                    ::dlerror());
    const auto* engine = static_cast<const Engine*>(::dlsym(library, "opscapeEngine"));
    if (engine == nullptr || engine->abi != kEngineAbi)
        return fail("the learning engine libopscape_rl.so is of another version than this program; rebuild both.");
    return engine;
}

/// The same; the time it takes counts in the budget. Loading takes a second: a stop is heard meanwhile, and the library
/// is then loaded to its end on a thread of its own.
[[nodiscard]] inline Result<const Engine*> openEngine(SearchBudget& budget, const RunContext& context) {
    constexpr double kLeastSeconds = .01;
    constexpr auto kLookEvery = std::chrono::milliseconds(20);
    const auto begin = context.now();
    std::promise<Result<const Engine*>> promise;
    auto loaded = promise.get_future();
    std::thread([promise = std::move(promise)]() mutable { promise.set_value(openEngine()); }).detach();
    while (loaded.wait_for(kLookEvery) != std::future_status::ready) {
        if (context.stopRequested())
            return fail("stopped before there was a plan.");
    }
    const std::chrono::duration<double> opening = context.now() - begin;
    budget.seconds = std::max(kLeastSeconds, budget.seconds - opening.count());
    return loaded.get();
}

} // namespace opscape::rl
