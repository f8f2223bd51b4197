// SPDX-License-Identifier: MIT
// Simulations that may give up, and what they say about delays.
#include "sim/test_problem.h"

namespace opscape {
namespace {

using test::makeTestProblem;
using test::randomGraph;
using test::randomPlan;
using test::randomShape;

TEST(RunWithin, GivesTheSameAsAFullRunOrSaysThatItIsMore) {
    Random random(11);
    for (int round = 0; round < 60; ++round) {
        test::ClusterShape shape = randomShape(random);
        shape.model = static_cast<LinkModel>(round % 3);
        const Problem problem = makeTestProblem(randomGraph(random, 10 + random.below(120)), shape);
        Simulator simulator(problem);
        for (int attempt = 0; attempt < 8; ++attempt) {
            const Plan plan = randomPlan(problem, random);
            const auto full = simulator.run(plan, Detail::Makespan);
            ASSERT_TRUE(full.has_value());
            const std::int64_t makespanNs = full->makespanNs;
            for (const std::int64_t limitNs : {makespanNs, makespanNs - 1, makespanNs + 1, makespanNs / 2,
                                               makespanNs * 3 / 4, makespanNs * 2, std::int64_t{0}}) {
                Schedule schedule;
                schedule.makespanNs = -7;
                const auto within = simulator.runWithin(plan, limitNs, schedule);
                ASSERT_TRUE(within.has_value());
                ASSERT_EQ(*within, makespanNs <= limitNs) << "limit " << limitNs << ", makespan " << makespanNs;
                if (!*within) {
                    EXPECT_EQ(schedule.makespanNs, -7);
                    continue;
                }
                EXPECT_EQ(schedule.makespanNs, makespanNs);
                EXPECT_EQ(schedule.feasible, full->feasible);
                EXPECT_EQ(schedule.peakBytes, full->peakBytes);
                for (std::size_t d = 0; d < full->devices.size(); ++d) {
                    EXPECT_EQ(schedule.devices[d].peakBytes, full->devices[d].peakBytes);
                    EXPECT_EQ(schedule.devices[d].overBytes, full->devices[d].overBytes);
                    EXPECT_EQ(schedule.devices[d].busyNs, full->devices[d].busyNs);
                }
            }
        }
    }
}

TEST(RunWithin, LeavesNothingBehindForTheNextRun) {
    Random random(12);
    const Problem problem = makeTestProblem(randomGraph(random, 100), test::ClusterShape());
    Simulator simulator(problem);
    const Plan plan = randomPlan(problem, random);
    const auto before = simulator.run(plan);
    ASSERT_TRUE(before.has_value());
    Schedule schedule;
    ASSERT_FALSE(*simulator.runWithin(plan, before->makespanNs / 3, schedule));
    const auto after = simulator.run(plan);
    ASSERT_TRUE(after.has_value());
    EXPECT_EQ(test::traceText(problem, plan, *before), test::traceText(problem, plan, *after));
}

TEST(Delays, AreWaitsAndTransfersThatTookPlace) {
    Random random(13);
    std::vector<Delay> delays;
    int seen[3] = {0, 0, 0};
    for (int round = 0; round < 60; ++round) {
        const Problem problem = makeTestProblem(randomGraph(random, 10 + random.below(120)), randomShape(random));
        Simulator simulator(problem);
        const Plan plan = randomPlan(problem, random, false);
        const auto schedule = simulator.run(plan);
        ASSERT_TRUE(schedule.has_value());
        simulator.delays(delays);
        std::int64_t beforeNs = schedule->makespanNs;
        for (const Delay& delay : delays) {
            ++seen[static_cast<int>(delay.kind)];
            const OpRun &op = schedule->ops[delay.op.index()], &by = schedule->ops[delay.by.index()];
            EXPECT_LE(op.startNs, beforeNs) << "latest first";
            if (delay.kind == Delay::Kind::Device) {
                EXPECT_EQ(plan.device[delay.op.index()], plan.device[delay.by.index()]);
                EXPECT_LT(op.readyNs, op.startNs);
                EXPECT_LE(by.endNs, op.startNs);
            } else if (delay.kind == Delay::Kind::Transfer) {
                EXPECT_EQ(plan.device[delay.op.index()], delay.to);
                EXPECT_NE(plan.device[delay.by.index()], delay.to);
                EXPECT_LT(by.endNs, op.readyNs + 1);
            } else {
                EXPECT_NE(plan.device[delay.by.index()], delay.to);
                EXPECT_LE(by.endNs, op.readyNs);
            }
            beforeNs = op.startNs;
        }
    }
    for (const int count : seen)
        EXPECT_GT(count, 0) << "every kind is met";
}

TEST(Delays, ThereAreNoneWhereEveryOpFollowsItsInputAtOnce) {
    test::TinyGraph g;
    const OpId a = g.op("a", 10);
    const OpId b = g.op("b", 10, {a});
    g.op("c", 10, {b});
    const Problem problem = makeTestProblem(g.build(), test::ClusterShape());
    Simulator simulator(problem);
    ASSERT_TRUE(simulator.run(test::placed({0, 0, 0})).has_value());
    std::vector<Delay> delays;
    simulator.delays(delays);
    EXPECT_TRUE(delays.empty());
}

} // namespace
} // namespace opscape
