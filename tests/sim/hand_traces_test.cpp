// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/sim/critical_path.h>

namespace opscape::test {
namespace {

using Wiring = ClusterShape::Wiring;

/// a feeds b and c, both feed d; a's tensor is 30 bytes, the others 10.
std::shared_ptr<const Graph> diamond() {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 30);
    const OpId b = g.op("b", 20, {a}, 10);
    const OpId c = g.op("c", 5, {a}, 10);
    g.op("d", 10, {b, c});
    return g.build();
}

TEST(HandTrace, OneDeviceRunsOpsByTheTimeTheyBecameReadyThenById) {
    const Problem problem = makeTestProblem(diamond(), {.devices = 1});
    const Plan plan = placed({0, 0, 0, 0});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)), "d0 a 0-10\nd0 b 10-30\nd0 c 30-35\nd0 d 35-45\n");
}

TEST(HandTrace, TheHigherPriorityGoesFirst) {
    const Problem problem = makeTestProblem(diamond(), {.devices = 1});
    const Plan plan = placed({0, 0, 0, 0}, QueuePolicy::Priority, {0, 1, 2, 3});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)), "d0 a 0-10\nd0 c 10-15\nd0 b 15-35\nd0 d 35-45\n");
}

TEST(HandTrace, AnOpThatRunsIsNotInterruptedByAHigherPriority) {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    g.op("low", 50);
    g.op("high", 10, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Plan plan = placed({0, 1, 1}, QueuePolicy::Priority, {0, 0, 9});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd1 low 0-50\nd1 high 50-60\nd0>d1 a:0 10-10\n");
}

TEST(HandTrace, ATensorIsSentOnceToADeviceHoweverManyReadIt) {
    const Problem problem = makeTestProblem(diamond(), {.devices = 2, .latencyNs = 5});
    const Plan plan = placed({0, 1, 1, 1});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd1 b 45-65\nd1 c 65-70\nd1 d 70-80\nd0>d1 a:0 10-45\n");
}

TEST(HandTrace, AFixedOrderWaitsForWhatItPutsFirst) {
    const Problem problem = makeTestProblem(diamond(), {.devices = 2});
    const Plan plan = placed({0, 1, 0, 0}, QueuePolicy::Order, {9, 9, 1, 2});
    const auto stuck = simulate(problem, plan);
    ASSERT_FALSE(stuck.has_value());
    EXPECT_EQ(stuck.error().message,
              "the order of the plan deadlocks: on d0 d waits for c, which d0 runs only after d.");

    const Plan other = placed({0, 0, 1, 1}, QueuePolicy::Order, {9, 8, 7, 6});
    EXPECT_EQ(traceText(problem, other, simulated(problem, other)),
              "d0 a 0-10\nd0 b 10-30\nd1 c 40-45\nd1 d 50-60\nd0>d1 a:0 10-40\nd0>d1 b:0 40-50\n");
}

TEST(HandTrace, ADeadlockNamesEveryoneInTheRing) {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    const OpId b = g.op("b", 10);
    g.op("afterB", 10, {b});
    g.op("afterA", 10, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const auto stuck = simulate(problem, placed({0, 1, 0, 1}, QueuePolicy::Order, {1, 1, 2, 2}));
    ASSERT_FALSE(stuck.has_value());
    EXPECT_EQ(stuck.error().message,
              "the order of the plan deadlocks: on d0 afterB waits for b, which d1 runs only after "
              "afterA; on d1 afterA waits for a, which d0 runs only after afterB.");
}

/// Two producers that end together and two readers elsewhere, all tensors 100 bytes.
std::shared_ptr<const Graph> twoSends() {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {a}, 100);
    g.op("readsB", 10, {b});
    g.op("readsA", 10, {a});
    return g.build();
}

TEST(HandTrace, WithoutContentionTransfersOverlap) {
    const Problem problem = makeTestProblem(twoSends(), {.devices = 2, .model = LinkModel::None});
    const Plan plan = placed({0, 0, 1, 1});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd0 b 10-20\nd1 readsA 110-120\nd1 readsB 120-130\nd0>d1 a:0 10-110\nd0>d1 b:0 20-120\n");
}

TEST(HandTrace, AFifoChannelServesOneTransferAfterTheOther) {
    const Problem problem = makeTestProblem(twoSends(), {.devices = 2});
    const Plan plan = placed({0, 0, 1, 1});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd0 b 10-20\nd1 readsA 110-120\nd1 readsB 210-220\nd0>d1 a:0 10-110\nd0>d1 b:0 110-210\n");
}

TEST(HandTrace, TransfersReadyTogetherGoByTensorThenByDestination) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {}, 100);
    g.op("b2", 1, {b});
    g.op("a2", 1, {a});
    g.op("a3", 1, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 4, .wiring = Wiring::Bus});
    const Plan plan = placed({0, 1, 2, 3, 2});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd1 b 0-10\nd2 a3 110-111\nd3 a2 210-211\nd2 b2 310-311\n"
              "d0>d2 a:0 10-110\nd0>d3 a:0 110-210\nd1>d2 b:0 210-310\n");
}

TEST(HandTrace, ATransferHoldsAllChannelsOfItsRouteAndNothingOvertakesIt) {
    // d0>d1 is under way; d2>d1 waits for d1's port in; d2>d3 became ready later and waits behind it although both of
    // its channels are idle until d2>d1 starts.
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 20, {}, 100);
    const OpId c = g.op("c", 10, {b}, 100);
    g.op("a1", 1, {a});
    g.op("b1", 1, {b});
    g.op("c3", 1, {c});
    const Problem problem = makeTestProblem(g.build(), {.devices = 4, .wiring = Wiring::Ports});
    const Plan plan = placed({0, 2, 2, 1, 1, 3});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd2 b 0-20\nd2 c 20-30\nd1 a1 110-111\nd1 b1 210-211\nd3 c3 310-311\n"
              "d0>d1 a:0 10-110\nd2>d1 b:0 110-210\nd2>d3 c:0 210-310\n");
}

TEST(HandTrace, TransfersThatShareNoChannelDoNotWaitForOneAnother) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId b = g.op("b", 10, {}, 100);
    g.op("a2", 1, {a});
    g.op("b3", 1, {b});
    const Problem problem = makeTestProblem(g.build(), {.devices = 4, .wiring = Wiring::Ports});
    const Schedule schedule = simulated(problem, placed({0, 1, 2, 3}));
    EXPECT_EQ(schedule.makespanNs, 111);
}

TEST(HandTrace, AControlEdgeCostsLatencyAcrossDevicesAndNothingOnOne) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId here = g.op("here", 10);
    const OpId there = g.op("there", 10);
    g.op("reader", 10, {a});
    g.control(a, here);
    g.control(a, there);
    const Problem problem = makeTestProblem(g.build(), {.devices = 2, .latencyNs = 7});
    const Plan plan = placed({0, 0, 1, 1});
    const Schedule schedule = simulated(problem, plan);
    EXPECT_EQ(traceText(problem, plan, schedule), "d0 a 0-10\nd0 here 10-20\nd1 there 17-27\nd1 reader 117-127\n"
                                                  "d0>d1 a:0 10-117\nd0>d1 after a 10-17\n");
    EXPECT_EQ(schedule.bytesMoved, 100);
    EXPECT_EQ(schedule.channels[0].transfers, 1U) << "the signal does not occupy the channel";
}

TEST(HandTrace, BlockingSendKeepsTheSenderFromStarting) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    const OpId local = g.op("local", 10);
    g.op("remote", 10, {a});
    g.control(a, local);
    const auto graph = g.build();
    const Plan plan = placed({0, 0, 1});
    const Problem overlapping = makeTestProblem(graph, {.devices = 2});
    EXPECT_EQ(simulated(overlapping, plan).ops[1].startNs, 10);
    const Problem blocking = makeTestProblem(graph, {.devices = 2, .blockingSend = true});
    const Schedule schedule = simulated(blocking, plan);
    EXPECT_EQ(schedule.ops[1].readyNs, 10);
    EXPECT_EQ(schedule.ops[1].startNs, 110);
}

TEST(HandTrace, AnOpThatTakesNoTimeIsStillOrdered) {
    TinyGraph g;
    const OpId a = g.op("a", 0);
    const OpId b = g.op("b", 0, {a});
    g.op("c", 5, {b});
    g.op("d", 7);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const Plan plan = placed({0, 0, 0, 0});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)), "d0 a 0-0\nd0 b 0-0\nd0 c 0-5\nd0 d 5-12\n");
}

TEST(HandTrace, AnEmptyGraphTakesNoTime) {
    const Problem problem = makeTestProblem(TinyGraph().build(), {});
    const Schedule schedule = simulated(problem, {});
    EXPECT_EQ(schedule.makespanNs, 0);
    EXPECT_TRUE(schedule.feasible);
    EXPECT_TRUE(criticalPath(problem, {}, schedule).empty());
}

TEST(HandTrace, FairTransfersShareAChannelFromWhenTheyJoinIt) {
    TinyGraph graph;
    const OpId a = graph.op("a", 10, {}, 100), b = graph.op("b", 40, {}, 100);
    graph.op("c", 5, {a});
    graph.op("d", 5, {b});
    const Problem problem = makeTestProblem(
        graph.build(), {.devices = 3, .wiring = ClusterShape::Wiring::Bus, .model = LinkModel::Fair, .latencyNs = 10});
    const Plan plan = placed({0, 1, 2, 2});
    // a is alone on the bus from 20 to 50 and moves 30 bytes; then both move at half the rate: a needs 140 for the 70
    // it has left, b has 30 left at 190 and the bus to itself.
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 a 0-10\nd1 b 0-40\nd2 c 190-195\nd2 d 220-225\nd0>d2 a:0 10-190\nd1>d2 b:0 40-220\n");
}

TEST(HandTrace, AnInvalidPlanIsRefusedWithItsReason) {
    const Problem problem = makeTestProblem(diamond(), {});
    const auto schedule = simulate(problem, placed({0, 0}));
    ASSERT_FALSE(schedule.has_value());
    EXPECT_EQ(schedule.error().message, "the plan places 2 ops, the graph has 4.");
}

std::string explainedPath(const Problem& problem, const Plan& plan) {
    const Schedule schedule = simulated(problem, plan);
    std::string text;
    for (const CriticalSegment& segment : criticalPath(problem, plan, schedule))
        text += explain(problem, schedule, segment) + "\n";
    return text;
}

TEST(CriticalPath, SaysWhatRanWhatWasSentAndWhatWaitedBehindWhat) {
    EXPECT_EQ(explainedPath(makeTestProblem(twoSends(), {.devices = 2}), placed({0, 0, 1, 1})),
              "a ran 10 ns on d0.\nb ran 10 ns on d0.\n"
              "b:0 (100 B) for readsB waited 90 ns from d0 to d1 behind a:0 (100 B).\n"
              "b:0 (100 B) for readsB took 100 ns from d0 to d1.\nreadsB ran 10 ns on d1.\n");
    EXPECT_EQ(explainedPath(makeTestProblem(diamond(), {.devices = 1}), placed({0, 0, 0, 0})),
              "a ran 10 ns on d0.\nc waited 20 ns on d0 behind b.\nc ran 5 ns on d0.\nd ran 10 ns on d0.\n");
}

TEST(CriticalPath, CountsTheOpsThatRanMeanwhile) {
    TinyGraph g;
    for (int i = 0; i < 4; ++i)
        g.op(fmt::format("op{}", i), 10);
    EXPECT_EQ(explainedPath(makeTestProblem(g.build(), {.devices = 1}), placed({0, 0, 0, 0})),
              "op3 waited 30 ns on d0 behind 3 ops, the last of them op2.\nop3 ran 10 ns on d0.\n");
}

TEST(CriticalPath, SaysWhenTheOrderOfThePlanOrASendIsToBlame) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100);
    g.op("first", 10, {a});
    g.op("second", 10);
    EXPECT_EQ(
        explainedPath(makeTestProblem(g.build(), {.devices = 2}), placed({0, 1, 1}, QueuePolicy::Order, {3, 2, 1})),
        "second waited 110 ns on d1, which was idle, because the plan puts first first.\n"
        "second waited 10 ns on d1 behind first.\nsecond ran 10 ns on d1.\n");
    TinyGraph h;
    const OpId sender = h.op("sender", 10, {}, 100);
    const OpId local = h.op("local", 20);
    h.op("remote", 1, {sender});
    h.control(sender, local);
    EXPECT_EQ(explainedPath(makeTestProblem(h.build(), {.devices = 2, .blockingSend = true}), placed({0, 0, 1})),
              "sender ran 10 ns on d0.\nlocal waited 100 ns on d0, which was sending sender:0 (100 B) to d1.\n"
              "local ran 20 ns on d0.\n");
}

} // namespace
} // namespace opscape::test
