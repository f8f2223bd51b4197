// SPDX-License-Identifier: MIT
#include "search/training_graph.h"
#include "sim/textbook.h"

#include <opscape/search/fbi.h>

namespace opscape {
namespace {

using test::makeTestProblem;

TEST(ForwardBackward, IsNeverWorseThanThePlanAndKeepsItsPlacement) {
    Random random(21);
    int improved = 0;
    for (int round = 0; round < 60; ++round) {
        const Problem problem =
            makeTestProblem(test::randomGraph(random, 10 + random.below(150)), test::randomShape(random));
        const Plan plan = test::randomPlan(problem, random);
        const RunContext context;
        SearchRun run(problem, context, {1000, 0});
        const auto better = ForwardBackward(problem, plan.fusionGroup).improve(run, plan);
        ASSERT_TRUE(better.has_value());
        EXPECT_EQ(better->plan.device, plan.device);
        EXPECT_EQ(better->plan.fusionGroup, plan.fusionGroup);
        EXPECT_TRUE(checkPlan(problem, better->plan).has_value());
        const std::int64_t givenNs = test::simulated(problem, plan).makespanNs;
        const std::int64_t foundNs = test::simulated(problem, better->plan).makespanNs;
        EXPECT_EQ(foundNs, better->score.timeNs);
        EXPECT_LE(foundNs, givenNs);
        improved += foundNs < givenNs ? 1 : 0;
        if (plan.policy != QueuePolicy::Order) {
            EXPECT_EQ(better->plan.policy, QueuePolicy::Priority);
        }
    }
    EXPECT_GT(improved, 20);
}

TEST(ForwardBackward, PrioritiesCanRepeatAnyScheduleThatNeverIdles) {
    Random random(22);
    for (int round = 0; round < 40; ++round) {
        const Problem problem =
            makeTestProblem(test::randomGraph(random, 10 + random.below(100)), test::randomShape(random));
        Plan plan = test::randomPlan(problem, random);
        plan.policy = QueuePolicy::Fifo;
        plan.priority.clear();
        const RunContext context;
        SearchRun run(problem, context, {2, 0}); // the plan itself and the first priorities, no more
        const auto same = ForwardBackward(problem, plan.fusionGroup).improve(run, plan);
        ASSERT_TRUE(same.has_value());
        EXPECT_EQ(run.simulations(), 2);
        ASSERT_EQ(same->plan.policy, QueuePolicy::Priority);
        const Schedule before = test::simulated(problem, plan), after = test::simulated(problem, same->plan);
        EXPECT_EQ(test::traceText(problem, plan, before), test::traceText(problem, plan, after));
    }
}

TEST(ForwardBackward, FindsWhatEverybodyElsewhereWaitsFor) {
    // Eight long ops come first in the queue of d0 and nobody needs them; the short last one feeds a chain on d1.
    test::TinyGraph g;
    std::vector<std::size_t> devices;
    for (int i = 0; i < 8; ++i) {
        g.op(fmt::format("idle{}", i), 100);
        devices.push_back(0);
    }
    const OpId feed = g.op("feed", 10);
    g.op("chain", 800, {feed}, 0);
    devices.push_back(0);
    devices.push_back(1);
    const Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    const Plan plan = test::placed(devices);
    ASSERT_EQ(test::simulated(problem, plan).makespanNs, 810 + 800);
    const RunContext context;
    SearchRun run(problem, context, {100, 0});
    const auto better = ForwardBackward(problem, {}).improve(run, plan);
    ASSERT_TRUE(better.has_value());
    EXPECT_EQ(better->score.timeNs, 810);
}

TEST(ForwardBackward, BeatsUpwardRankWhereThePlacementMakesTransfersFree) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 6, 256), test::acceleratorShape(2));
    Plan plan;
    for (std::size_t op = 0; op < problem.graph->opCount(); ++op)
        plan.device.emplace_back(problem.graph->op(OpId(op)).name.find("layer_1") == std::string::npos ? 0 : 1);
    const RunContext context;
    SearchRun run(problem, context, {100, 0});
    const auto better = ForwardBackward(problem, {}).improve(run, plan);
    ASSERT_TRUE(better.has_value());
    EXPECT_LT(better->score.timeNs, test::simulated(problem, plan).makespanNs);
}

TEST(PlacedRanks, AreTheLongestWayToTheEndUnderThePlacement) {
    test::TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 20, {a}, 50);
    g.op("c", 30, {a});
    g.op("d", 5, {b});
    const Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    const ForwardBackward priorities(problem, {});
    const auto ranks = priorities.placedRanks(test::placed({0, 1, 0, 1}));
    EXPECT_EQ(ranks[3] * 25, ranks[1] * 5);              // b: 20 + 5 on one device
    EXPECT_EQ(ranks[3] * (10 + 100 + 25), ranks[0] * 5); // a: sends 100 bytes to b
}

} // namespace
} // namespace opscape
