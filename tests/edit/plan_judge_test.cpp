// SPDX-License-Identifier: MIT
#include "edit/edit_fixture.h"
#include "edit/plan_judge.h"

namespace opscape::test {
namespace {

std::shared_ptr<const Outcome> outcomeOf(const std::shared_ptr<const Graph>& graph,
                                         const std::shared_ptr<const Cluster>& cluster, const Plan& plan) {
    auto opened = std::make_shared<OpenedGraph>();
    opened->graph = graph;
    opened->scopes = std::make_shared<const ScopeTree>(*graph);
    auto outcome = Workbench("/nonexistent/unused.sqlite").simulatePlan(opened, cluster, plan, false);
    EXPECT_TRUE(outcome.has_value());
    return std::make_shared<const Outcome>(std::move(*outcome));
}

TEST(PlanJudge, SaysTheSameAsASimulationFromScratch) {
    Random random(5);
    const auto graph = randomGraph(random, 80);
    const auto cluster = makeCluster({.devices = 3});
    Diagnostics diagnostics;
    const Problem problem = makeProblem(graph, cluster, diagnostics);
    const auto start = outcomeOf(graph, cluster, Plan::allOn(DeviceId(0), graph->opCount()));
    PlanJudge judge(start);
    for (int i = 0; i < 12; ++i) {
        const Plan plan = randomPlan(problem, random);
        const auto judged = judge.judge(EditedPlan::of(plan));
        ASSERT_TRUE(judged.has_value()) << judged.error().message;
        const auto expected = outcomeOf(graph, cluster, judged->plan);
        EXPECT_EQ(traceText(problem, plan, judged->schedule), traceText(problem, plan, expected->schedule));
        EXPECT_EQ(judged->schedule.peakBytes, expected->schedule.peakBytes);
        EXPECT_EQ(judged->bounds.bestNs, expected->bounds.bestNs) << "also when other ops are fused";
        EXPECT_EQ(judged->pipeline.periodNs, expected->pipeline.periodNs);
        EXPECT_EQ(judged->diagnostics.entries().size(), expected->diagnostics.entries().size());
    }
}

TEST(PlanJudge, PassesOnThePinsAndKeepsNoRun) {
    TinyGraph g;
    g.op("a", 10);
    const auto start = outcomeOf(g.build(), makeCluster({}), Plan::allOn(DeviceId(0), 1));
    EditedPlan edited = EditedPlan::of(start->plan, {DeviceId(0)});
    const auto judged = PlanJudge(start).judge(edited);
    ASSERT_TRUE(judged.has_value());
    EXPECT_EQ(judged->problem.pin(OpId(0)), DeviceId(0));
    EXPECT_EQ(judged->run.id, 0);
    EXPECT_EQ(judged->run.result->makespanNs, judged->schedule.makespanNs);
}

} // namespace
} // namespace opscape::test
