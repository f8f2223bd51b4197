// SPDX-License-Identifier: MIT
#include "fusion/typed_graph.h"

#include <opscape/search/schedulers.h>
#include <opscape/sim/ranks.h>

namespace opscape {
namespace {

using test::makeTestProblem;
using test::simulated;

TEST(Schedulers, AreKnownByTheirIds) {
    ASSERT_EQ(schedulers().size(), 3u);
    for (const SchedulerInfo& info : schedulers()) {
        EXPECT_EQ(parseScheduler(info.id).value(), info.scheduler);
        EXPECT_EQ(toString(info.scheduler), info.id);
    }
    const auto unknown = parseScheduler("lifo");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().message, "there is no scheduler lifo; there are fifo, rank, fbi.");
}

TEST(Schedulers, ChangeQueuesAndNothingElse) {
    Random random(31);
    for (int round = 0; round < 40; ++round) {
        const Problem problem =
            makeTestProblem(test::randomGraph(random, 10 + random.below(100)), test::randomShape(random));
        const Plan plan = test::randomPlan(problem, random);
        for (const SchedulerInfo& info : schedulers()) {
            const Plan ordered = scheduled(problem, plan, info.scheduler, {});
            EXPECT_EQ(ordered.device, plan.device);
            EXPECT_EQ(ordered.fusionGroup, plan.fusionGroup);
            EXPECT_TRUE(simulate(problem, ordered).has_value()) << info.id;
        }
        EXPECT_EQ(scheduled(problem, plan, Scheduler::Fifo, {}).policy, QueuePolicy::Fifo);
        EXPECT_LE(simulated(problem, scheduled(problem, plan, Scheduler::Fbi, {})).makespanNs,
                  simulated(problem, plan).makespanNs);
    }
}

TEST(Schedulers, RankIsTheUpwardRankAndCountsAFusedGroupAsOneOp) {
    Random random(32);
    for (int round = 0; round < 40; ++round) {
        const Problem problem =
            makeTestProblem(test::randomGraph(random, 10 + random.below(60)), test::randomShape(random));
        Plan plan = test::randomPlan(problem, random, false);
        EXPECT_EQ(scheduled(problem, plan, Scheduler::Rank, {}).priority, rankPriorities(problem));
        test::fuseAtRandom(problem, plan, random);
        const Plan ranked = scheduled(problem, plan, Scheduler::Rank, {});
        for (std::size_t i = 0; i < problem.graph->opCount(); ++i) {
            for (const OpId next : problem.graph->successors(OpId(i))) {
                const bool together =
                    plan.fusionGroup[i] != Plan::kNotFused && plan.fusionGroup[i] == plan.fusionGroup[next.index()];
                if (together) {
                    EXPECT_EQ(ranked.priority[i], ranked.priority[next.index()]);
                } else {
                    EXPECT_GT(ranked.priority[i], ranked.priority[next.index()]);
                }
            }
        }
    }
}

} // namespace
} // namespace opscape
