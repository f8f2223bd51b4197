// SPDX-License-Identifier: MIT
// The fusion task and the optimizer "fuse", as loaded.
#include "contract/plugins.h"
#include "fusion/typed_graph.h"

#include <opscape/fusion/fusers.h>

namespace opscape::test {
namespace {

const DecisionTask& task() { return **plugins().task("fusion"); }

Problem chain() {
    TypedGraph g;
    OpId last = g.op("start", "TopK");
    for (int i = 0; i < 5; ++i)
        last = g.op(fmt::format("op{}", i), "Relu", {last});
    return makeTestProblem(g.build(), {.devices = 2});
}

TEST(FusionTask, NobodyAskingMeansNothingIsFused) {
    const Problem problem = chain();
    std::vector<int> actions(problem.graph->opCount(), -1);
    task().fallback(problem, actions);
    Plan plan = Plan::allOn(DeviceId(0), actions.size());
    plan.fusionGroup = {Plan::kNotFused, 1, 1, Plan::kNotFused, Plan::kNotFused, Plan::kNotFused};
    ASSERT_TRUE(task().apply(problem, actions, plan));
    EXPECT_TRUE(plan.fusionGroup.empty());
}

TEST(FusionTask, OpeningAPlanTakesItsGroupsOut) {
    Plan plan = placed({0, 0, 0, 1, 1, 1}, QueuePolicy::Priority, {6, 5, 4, 3, 2, 1});
    const Plan unfused = plan;
    ASSERT_TRUE(task().apply(chain(), std::vector<int>(6, 7), plan));
    ASSERT_FALSE(plan.fusionGroup.empty());
    task().open(plan);
    EXPECT_EQ(plan, unfused);
}

TEST(FusionTask, FusesOnlyWhatIsOnOneDevice) {
    const Problem problem = chain();
    Plan plan = placed({0, 0, 0, 1, 1, 1});
    ASSERT_TRUE(task().apply(problem, std::vector<int>(6, 7), plan));
    EXPECT_EQ(groupText(*problem.graph, plan.fusionGroup), "op0+op1 op2+op3+op4");
}

TEST(FusionTask, AnOpaqueOpHasNoLevelToChoose) {
    const Problem problem = chain();
    std::vector<std::uint8_t> mask(static_cast<std::size_t>(task().actionCount(problem)));
    task().legal(problem, {}, OpId(0), mask);
    EXPECT_EQ(mask, (std::vector<std::uint8_t>{1, 0, 0, 0, 0, 0, 0, 0}));
    task().legal(problem, {}, OpId(1), mask);
    EXPECT_EQ(mask, (std::vector<std::uint8_t>(8, 1)));
}

TEST(FusionTask, NeedsAPlacement) {
    const Problem problem = chain();
    Plan plan;
    const auto applied = task().apply(problem, std::vector<int>(6, 1), plan);
    ASSERT_FALSE(applied.has_value());
    EXPECT_EQ(applied.error().message, "fusion needs to know where ops run, but the plan places 0 of 6.");
}

TEST(FusionTask, AnyLevelsGiveAPlanThatIsValidAndRunsOnRandomGraphs) {
    Random random(12);
    int fused = 0;
    for (int round = 0; round < 200; ++round) {
        const Problem problem =
            makeTestProblem(randomTypedGraph(random, 5 + random.below(80), round % 2 == 0), randomShape(random));
        Plan plan = randomPlan(problem, random, false);
        std::vector<int> actions;
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i)
            actions.push_back(static_cast<int>(random.below(8)));
        ASSERT_TRUE(task().apply(problem, actions, plan));
        EXPECT_TRUE(simulate(problem, plan).has_value()) << "also when the plan had a fixed order";
        fused += plan.fusionGroup.empty() ? 0 : 1;
    }
    EXPECT_GT(fused, 150);
}

TEST(FuseOptimizer, FusesTheStartPlanAndKeepsPlacementAndQueues) {
    Random random(13);
    for (int round = 0; round < 40; ++round) {
        Problem problem = makeTestProblem(randomTypedGraph(random, 5 + random.below(80), true), randomShape(random));
        problem.start = randomPlan(problem, random, false);
        problem.decide = {"fusion"};
        const auto plan = solved("fuse", problem);
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        EXPECT_EQ(plan->device, problem.start->device);
        EXPECT_EQ(plan->priority, problem.start->priority);
        EXPECT_LE(simulated(problem, *plan).makespanNs, simulated(problem, *problem.start).makespanNs);
        const auto none = solved("fuse", problem, {}, {"fuser=none"});
        ASSERT_TRUE(none.has_value());
        EXPECT_EQ(*none, *problem.start);
    }
}

} // namespace
} // namespace opscape::test
