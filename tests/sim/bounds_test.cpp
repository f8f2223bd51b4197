// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/sim/bounds.h>
#include <opscape/sim/ranks.h>

namespace opscape::test {
namespace {

TEST(Bounds, TakeEveryOpOnItsFastestDevice) {
    TinyGraph g;
    const OpId a = g.op("a", 100);
    g.edit(a).timeNs["L"] = 10;
    const OpId b = g.op("b", 20, {a});
    g.edit(b).timeNs["L"] = 200;
    const OpId c = g.op("c", 300);
    g.edit(c).timeNs["L"] = 301;
    const Problem problem = makeTestProblem(g.build(), {.kinds = {"K", "L"}});
    const Bounds bounds = lowerBounds(problem);
    EXPECT_EQ(bounds.longestPathNs, 300);
    EXPECT_EQ(bounds.areaNs, 165);
    EXPECT_EQ(bounds.bestNs, 300);
}

TEST(Bounds, RoundTheAreaUpAndSayWhichBoundIsBest) {
    TinyGraph g;
    for (int i = 0; i < 5; ++i)
        g.op(fmt::format("op{}", i), 7);
    const Bounds bounds = lowerBounds(makeTestProblem(g.build(), {.devices = 2}));
    EXPECT_EQ(bounds.areaNs, 18);
    EXPECT_EQ(bounds.bestName, "area");
}

TEST(Bounds, CountAPinnedOpWhereItIsPinned) {
    TinyGraph g;
    const OpId a = g.op("a", 100);
    g.edit(a).timeNs["L"] = 10;
    Problem problem = makeTestProblem(g.build(), {.kinds = {"K", "L"}});
    EXPECT_EQ(lowerBounds(problem).longestPathNs, 10);
    problem.pins = {DeviceId(0)};
    EXPECT_EQ(lowerBounds(problem).longestPathNs, 100);
}

TEST(Bounds, WeighADeviceAgainstTheTransferToIt) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 50);
    const OpId b = g.op("b", 100, {a});
    g.edit(a).timeNs["L"] = 80;
    g.edit(b).timeNs["L"] = 20;
    Problem problem = makeTestProblem(g.build(), {.latencyNs = 3, .kinds = {"K", "L"}});
    EXPECT_EQ(lowerBounds(problem).longestPathNs, 30);
    EXPECT_EQ(lowerBounds(problem).optimisticNs, 10 + 53 + 20);
    problem.pins = {DeviceId(), DeviceId(0)};
    EXPECT_EQ(lowerBounds(problem).optimisticNs, 110);
}

TEST(Bounds, CountOnlyTheLatencyOfAControlEdge) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 1000);
    const OpId b = g.op("b", 100);
    g.edit(a).timeNs["L"] = 1000;
    g.edit(b).timeNs["L"] = 20;
    g.control(a, b);
    const Problem problem = makeTestProblem(g.build(), {.latencyNs = 3, .kinds = {"K", "L"}});
    EXPECT_EQ(lowerBounds(problem).optimisticNs, 10 + 3 + 20);
}

TEST(Bounds, SayHowManyDevicesTheResidentBytesNeed) {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    g.weight("first", 400, {a});
    g.weight("second", 400, {a});
    const auto graph = g.build();
    const auto needed = [&graph](std::int64_t memoryBytes) {
        return lowerBounds(makeTestProblem(graph, {.devices = 3, .memoryBytes = memoryBytes})).memoryDevices;
    };
    EXPECT_EQ(needed(0), 1) << "no limit";
    EXPECT_EQ(needed(800), 1);
    EXPECT_EQ(needed(799), 2);
    EXPECT_EQ(needed(267), 3);
    EXPECT_EQ(needed(266), 0) << "all of them are too few";
}

TEST(Bounds, GapIsRelativeToTheBound) {
    EXPECT_DOUBLE_EQ(gap(125, 100), 0.25);
    EXPECT_DOUBLE_EQ(gap(100, 100), 0);
    EXPECT_DOUBLE_EQ(gap(5, 0), 0);
}

TEST(Ranks, AreMeanTimesAlongTheLongestWayToTheEnd) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 30);
    const OpId b = g.op("b", 20, {a}, 5);
    const OpId c = g.op("c", 5, {b});
    g.control(a, c);
    const Problem problem = makeTestProblem(g.build(), {.devices = 3, .latencyNs = 2});
    const std::int64_t scale = rankScale(*problem.cluster);
    EXPECT_EQ(scale, 6);
    EXPECT_EQ(upwardRanks(problem),
              (std::vector<std::int64_t>{(10 + 32 + 20 + 7 + 5) * scale, (20 + 7 + 5) * scale, 5 * scale}));
}

TEST(Ranks, CountTheLatencyOfAControlEdge) {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    const OpId b = g.op("b", 20);
    g.control(a, b);
    const Problem problem = makeTestProblem(g.build(), {.devices = 2, .latencyNs = 3});
    EXPECT_EQ(upwardRanks(problem), (std::vector<std::int64_t>{33 * 2, 20 * 2}));
}

TEST(Ranks, OrderPutsProducersFirstEvenWhenNothingTakesTime) {
    TinyGraph g;
    const OpId a = g.op("a", 0);
    const OpId b = g.op("b", 0);
    g.op("c", 0);
    g.control(b, a);
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    EXPECT_EQ(rankOrder(problem, upwardRanks(problem)), (std::vector{OpId(1), OpId(0), OpId(2)}));
    EXPECT_EQ(rankPriorities(problem), (std::vector<std::int64_t>{2, 3, 1}));
}

TEST(Ranks, DownwardAreMeanTimesAlongTheLongestWayFromTheStart) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 30);
    const OpId b = g.op("b", 20, {a}, 5);
    const OpId c = g.op("c", 5, {b});
    const OpId d = g.op("d", 1);
    g.control(a, d);
    g.control(d, c);
    const Problem problem = makeTestProblem(g.build(), {.devices = 3, .latencyNs = 2});
    const std::int64_t scale = rankScale(*problem.cluster);
    EXPECT_EQ(downwardRanks(problem),
              (std::vector<std::int64_t>{0, (10 + 32) * scale, (10 + 32 + 20 + 7) * scale, (10 + 2) * scale}));
}

TEST(Ranks, ReadyOrderTakesTheHighestOfThoseWhoseProducersWereTaken) {
    TinyGraph g;
    const OpId a = g.op("a", 1);
    const OpId b = g.op("b", 1);
    g.op("c", 1, {a});
    g.op("d", 1, {b});
    EXPECT_EQ(readyOrder(*g.build(), std::vector<std::int64_t>{1, 1, 0, 9}), (std::vector{a, b, OpId(3), OpId(2)}));
}

} // namespace
} // namespace opscape::test
