// SPDX-License-Identifier: MIT
#include "sim/textbook.h"

#include <opscape/sim/bounds.h>
#include <opscape/sim/optimistic_costs.h>
#include <opscape/sim/ranks.h>

namespace opscape::test {
namespace {

using Wiring = ClusterShape::Wiring;

/// Makespans in units: without contention, first-in-first-out per ordered pair, and through one send port per device.
std::array<std::int64_t, 4> underFourLinkModels(const Textbook& book, const Plan& plan) {
    std::array<std::int64_t, 4> units{};
    const std::array problems{textbookProblem(book, LinkModel::None), textbookProblem(book, LinkModel::Fifo),
                              textbookProblem(book, LinkModel::Fair),
                              textbookProblem(book, LinkModel::Fifo, Wiring::SendPort)};
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const Schedule schedule = simulated(problems[i], plan);
        EXPECT_EQ(schedule.makespanNs % kUnitNs, 0);
        units[i] = schedule.makespanNs / kUnitNs;
    }
    return units;
}

TEST(KnownAnswers, HeftScheduleOfGraphA) {
    EXPECT_EQ(underFourLinkModels(graphA(), heftOnA()), (std::array<std::int64_t, 4>{80, 91, 100, 109}));
}

TEST(KnownAnswers, CpopScheduleOfGraphA) {
    EXPECT_EQ(underFourLinkModels(graphA(), cpopOnA()), (std::array<std::int64_t, 4>{86, 90, 93, 102}));
}

TEST(KnownAnswers, OptimumOfGraphA) {
    EXPECT_EQ(underFourLinkModels(graphA(), optimumOnA()), (std::array<std::int64_t, 4>{73, 75, 87, 111}));
}

TEST(KnownAnswers, PeftScheduleOfGraphB) {
    EXPECT_EQ(underFourLinkModels(graphB(), peft(graphB())), (std::array<std::int64_t, 4>{122, 122, 122, 124}));
}

TEST(KnownAnswers, PeftTableOfGraphB) {
    const std::vector<std::array<int, 3>> published{{64, 68, 86}, {42, 39, 42}, {27, 41, 43}, {42, 39, 50},
                                                    {28, 37, 28}, {42, 39, 44}, {13, 16, 22}, {13, 16, 33},
                                                    {13, 16, 20}, {0, 0, 0}};
    const Problem problem = textbookProblem(graphB(), LinkModel::None);
    UnitGraph graph;
    graph.build(problem, {});
    const std::vector<std::int64_t> table = optimisticCosts(problem, graph);
    for (std::size_t t = 0; t < published.size(); ++t) {
        for (std::size_t p = 0; p < 3; ++p)
            EXPECT_EQ(table[t * 3 + p], published[t][p] * kUnitNs) << "T" << t + 1 << " on P" << p + 1;
    }
}

TEST(KnownAnswers, PeftScheduleOfGraphA) {
    EXPECT_EQ(simulated(textbookProblem(graphA(), LinkModel::None), peft(graphA())).makespanNs, 85 * kUnitNs);
}

TEST(KnownAnswers, HeftScheduleOfGraphARunsStartByStart) {
    const Problem problem = textbookProblem(graphA(), LinkModel::None);
    const Schedule schedule = simulated(problem, heftOnA());
    const std::vector<std::pair<int, int>> published{{0, 9},   {27, 40}, {9, 28},  {18, 26}, {28, 38},
                                                     {26, 42}, {38, 49}, {57, 62}, {56, 68}, {73, 80}};
    for (std::size_t t = 0; t < published.size(); ++t) {
        EXPECT_EQ(schedule.ops[t].startNs, published[t].first * kUnitNs) << "T" << t + 1;
        EXPECT_EQ(schedule.ops[t].endNs, published[t].second * kUnitNs) << "T" << t + 1;
    }
}

TEST(KnownAnswers, UpwardRanksOfGraphA) {
    const Problem problem = textbookProblem(graphA(), LinkModel::None);
    const std::vector<double> published{108, 77, 80, 80, 69, 63.333, 42.667, 35.667, 44.333, 14.667};
    const auto ranks = upwardRanks(problem);
    for (std::size_t t = 0; t < published.size(); ++t)
        EXPECT_NEAR(static_cast<double>(ranks[t]) / static_cast<double>(rankScale(*problem.cluster)) / kUnitNs,
                    published[t], 0.001);
    EXPECT_EQ(ranks[2], ranks[3]) << "a tie in the paper is a tie here";
}

TEST(KnownAnswers, BoundsOfBothGraphs) {
    const Bounds a = lowerBounds(textbookProblem(graphA(), LinkModel::None));
    EXPECT_EQ(a.longestPathNs, 41 * kUnitNs);
    EXPECT_NEAR(static_cast<double>(a.areaNs) / kUnitNs, 30.3, 0.05);
    EXPECT_EQ(a.optimisticNs, 54 * kUnitNs);
    EXPECT_EQ(a.bestNs, a.optimisticNs);
    EXPECT_EQ(a.bestName, "longest path with transfers");
    const Bounds b = lowerBounds(textbookProblem(graphB(), LinkModel::None));
    EXPECT_EQ(b.longestPathNs, 75 * kUnitNs);
    EXPECT_NEAR(static_cast<double>(b.areaNs) / kUnitNs, 57.3, 0.05);
    EXPECT_EQ(b.optimisticNs, 86 * kUnitNs);
}

} // namespace
} // namespace opscape::test
