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

} // namespace
} // namespace opscape::test
