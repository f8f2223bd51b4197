// SPDX-License-Identifier: MIT
// The decision tasks as built, and two more that only tests have.
#pragma once

#include "search/training_graph.h"
#include "sim/textbook.h"

#include <opscape/rl/engine.h>
#include <opscape/rl/train/trainer.h>
#include <opscape/task/plugin.h>

namespace opscape::rl {

inline const Registry& registry() {
    static const Registry loaded = [] {
        Registry fresh;
        const std::filesystem::path built = OPSCAPE_BINARY_DIR;
        for (const auto& folder : {built / "lib/opscape/plugins", built / "tests/rl_plugins"})
            (void)loadPlugins(folder, fresh); // a task that is missing is missed by tasksOf()
        return fresh;
    }();
    return loaded;
}

inline std::vector<const DecisionTask*> tasksOf(const std::vector<std::string>& ids) {
    std::vector<const DecisionTask*> tasks;
    for (const DecisionTask* task : registry().tasks()) {
        if (std::ranges::count(ids, task->info().id) > 0)
            tasks.push_back(task);
    }
    EXPECT_EQ(tasks.size(), ids.size());
    return tasks;
}

/// The policy alone, by updates.
inline TrainOptions policyOnly(std::vector<std::string> tasks, std::int64_t updates) {
    TrainOptions options;
    options.phases = {std::move(tasks)};
    options.updates = updates;
    options.search = false;
    return options;
}

inline Plan trained(const Problem& problem, const TrainOptions& options, const RunContext& context = {}) {
    const auto plan = train(problem, registry().tasks(), options, context);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    if (!plan)
        return {};
    const auto valid = checkPlan(problem, *plan);
    EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().message);
    return *plan;
}

inline std::int64_t trainedNs(const Problem& problem, const TrainOptions& options, const RunContext& context = {}) {
    return test::simulated(problem, trained(problem, options, context)).makespanNs;
}

/// A plan that starts everything on one device.
inline Plan plainPlan(const Problem& problem) { return Plan::allOn(DeviceId(0), problem.graph->opCount()); }

/// A training step of two LSTM layers, on three accelerators.
inline Problem lstmProblem() {
    return test::makeTestProblem(test::lstmTrainingGraph(2, 6, 512), test::acceleratorShape(3));
}

} // namespace opscape::rl
