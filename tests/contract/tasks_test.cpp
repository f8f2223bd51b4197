// SPDX-License-Identifier: MIT
// What every decision task owes, tried on every one there is.
#include "contract/plugins.h"

namespace opscape::test {
namespace {

void forAll(const std::function<void(const DecisionTask&, const Problem&)>& check) {
    static const std::vector<NamedProblem> kProblems = tinyProblems();
    ASSERT_FALSE(plugins().tasks().empty());
    for (const DecisionTask* task : plugins().tasks()) {
        for (const NamedProblem& named : kProblems) {
            SCOPED_TRACE(fmt::format("{}: {}", task->info().id, named.name));
            check(*task, named.problem);
        }
    }
}

Plan onePlan(const Problem& problem) { return Plan::allOn(DeviceId(0), problem.graph->opCount()); }

/// The plan with this task's part decided by a random legal vector.
Result<Plan> decideAtRandom(const DecisionTask& task, const Problem& problem, Plan plan, Random& random) {
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(task.actionCount(problem)));
    std::vector<int> actions;
    for (std::size_t i = 0; i < problem.graph->opCount(); ++i) {
        task.legal(problem, Plan{}, OpId(i), mask);
        std::vector<int> legal;
        for (std::size_t a = 0; a < mask.size(); ++a) {
            if (mask[a] != 0)
                legal.push_back(static_cast<int>(a));
        }
        EXPECT_FALSE(legal.empty()) << "an op without a legal action";
        actions.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    if (auto applied = task.apply(problem, actions, plan); !applied)
        return fail(applied.error());
    return plan;
}

TEST(EveryTask, TurnsAnyLegalActionsIntoAValidPlan) {
    forAll([](const DecisionTask& task, const Problem& problem) {
        Random random(5);
        for (int round = 0; round < 5; ++round) {
            const auto plan = decideAtRandom(task, problem, onePlan(problem), random);
            ASSERT_TRUE(plan.has_value()) << plan.error().message;
            EXPECT_TRUE(simulate(problem, *plan).has_value());
        }
    });
}

TEST(EveryTask, KeepsPinsWhateverIsDecided) {
    forAll([](const DecisionTask& task, const Problem& problem) {
        Problem pinned = problem;
        pinned.pins.resize(problem.graph->opCount());
        const DeviceId last(problem.cluster->deviceCount() - 1);
        for (std::size_t i = 0; i < pinned.pins.size(); i += 3)
            pinned.pins[i] = last;
        Random random(6);
        Plan start = onePlan(problem);
        for (std::size_t i = 0; i < start.device.size(); ++i)
            start.device[i] = pinnedDevice(pinned, OpId(i)).valid() ? last : start.device[i];
        const auto plan = decideAtRandom(task, pinned, start, random);
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        EXPECT_TRUE(checkPlan(pinned, *plan).has_value());
    });
}

TEST(EveryTask, HasAFallbackThatIsLegalAndValid) {
    forAll([](const DecisionTask& task, const Problem& problem) {
        std::vector<int> actions(problem.graph->opCount(), -1);
        task.fallback(problem, actions);
        std::vector<std::uint8_t> mask(static_cast<std::size_t>(task.actionCount(problem)));
        for (std::size_t i = 0; i < actions.size(); ++i) {
            task.legal(problem, Plan{}, OpId(i), mask);
            ASSERT_TRUE(actions[i] >= 0 && actions[i] < task.actionCount(problem));
            EXPECT_EQ(mask[static_cast<std::size_t>(actions[i])], 1);
        }
        Plan plan = onePlan(problem);
        ASSERT_TRUE(task.apply(problem, actions, plan));
        EXPECT_TRUE(checkPlan(problem, plan).has_value());
    });
}

TEST(EveryTask, LeavesNothingOfItselfInAPlanThatItOpens) {
    forAll([](const DecisionTask& task, const Problem& problem) {
        Random random(7);
        Plan before = onePlan(problem);
        auto decided = decideAtRandom(task, problem, before, random);
        ASSERT_TRUE(decided.has_value()) << decided.error().message;
        task.open(*decided);
        task.open(before);
        EXPECT_EQ(*decided, before);
    });
}

TEST(EveryTask, RefusesActionsThatDoNotExist) {
    forAll([](const DecisionTask& task, const Problem& problem) {
        std::vector<int> actions(problem.graph->opCount(), 0);
        Plan plan = onePlan(problem);
        actions.back() = task.actionCount(problem);
        EXPECT_FALSE(task.apply(problem, actions, plan));
        actions.back() = -1;
        EXPECT_FALSE(task.apply(problem, actions, plan));
        actions.pop_back();
        EXPECT_FALSE(task.apply(problem, actions, plan));
    });
}

TEST(EveryTask, StandsInTheChainAndSaysWhatItIs) {
    int chain = 0;
    for (const DecisionTask* task : plugins().tasks()) {
        EXPECT_GT(task->info().chain, chain);
        chain = task->info().chain;
        EXPECT_FALSE(task->info().title.empty());
        EXPECT_TRUE(task->info().summary.ends_with('.'));
    }
}

TEST(PlacementTask, AGroupGoesWhereItsFirstOpGoes) {
    TinyGraph g;
    for (int i = 0; i < 3; ++i)
        g.edit(g.op(fmt::format("op{}", i), 10)).colocation = i == 1 ? "" : "pair";
    const Problem problem = makeTestProblem(g.build(), {.devices = 3});
    const DecisionTask& task = **plugins().task("placement");
    Plan plan;
    ASSERT_TRUE(task.apply(problem, std::vector<int>{2, 1, 0}, plan));
    EXPECT_EQ(plan.device, (std::vector{DeviceId(2), DeviceId(1), DeviceId(2)}));
    std::vector<std::uint8_t> mask(3);
    task.legal(problem, plan, OpId(2), mask);
    EXPECT_EQ(mask, (std::vector<std::uint8_t>{0, 0, 1})) << "its group is decided already";
    task.legal(problem, Plan{}, OpId(2), mask);
    EXPECT_EQ(mask, (std::vector<std::uint8_t>{1, 1, 1}));
}

TEST(PlacementTask, RefusesToMoveAPinnedOp) {
    TinyGraph g;
    g.op("stays", 10);
    Problem problem = makeTestProblem(g.build(), {.devices = 2});
    problem.pins = {DeviceId(1)};
    Plan plan;
    const auto applied = (*plugins().task("placement"))->apply(problem, std::vector<int>{0}, plan);
    ASSERT_FALSE(applied.has_value());
    EXPECT_EQ(applied.error().message, "placement of stays: it is pinned to d1 and cannot go to d0.");
}

TEST(SchedulingTask, LevelComesFirstAndUpwardRankSecond) {
    TinyGraph g;
    const OpId shortTail = g.op("shortTail", 10);
    const OpId longTail = g.op("longTail", 10);
    g.op("end", 100, {longTail});
    g.op("urgent", 1);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const DecisionTask& task = **plugins().task("scheduling");
    Plan plan = Plan::allOn(DeviceId(0), 4);
    ASSERT_TRUE(task.apply(problem, std::vector<int>{2, 2, 2, 3}, plan));
    EXPECT_EQ(plan.policy, QueuePolicy::Priority);
    EXPECT_GT(plan.priority[3], plan.priority[longTail.index()]);
    EXPECT_GT(plan.priority[longTail.index()], plan.priority[shortTail.index()]);
}

TEST(SchedulingTask, NobodyAskingMeansFirstComeFirstServed) {
    const Problem problem = tinyProblems()[1].problem;
    const DecisionTask& task = **plugins().task("scheduling");
    std::vector<int> actions(problem.graph->opCount(), -1);
    task.fallback(problem, actions);
    Plan plan = placed(std::vector<std::size_t>(actions.size(), 0), QueuePolicy::Priority,
                       std::vector<std::int64_t>(actions.size(), 3));
    ASSERT_TRUE(task.apply(problem, actions, plan));
    EXPECT_EQ(plan.policy, QueuePolicy::Fifo);
    EXPECT_TRUE(plan.priority.empty());
}

} // namespace
} // namespace opscape::test
