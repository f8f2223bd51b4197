// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/task/registry.h>

namespace opscape::test {
namespace {

/// Does what the test says.
class Scripted final : public Optimizer {
public:
    explicit Scripted(std::function<Result<Plan>()> script) : m_script(std::move(script)) {}

private:
    Result<Plan> doSolve(const Problem&, const Options&, const RunContext&) override { return m_script(); }
    std::function<Result<Plan>()> m_script;
};

Result<Plan> solve(const Problem& problem, std::function<Result<Plan>()> script) {
    return Scripted(std::move(script)).solve(problem, {}, {});
}

Problem twoOps(int devices = 2) {
    TinyGraph g;
    g.op("a", 10);
    g.op("b", 10);
    return makeTestProblem(g.build(), {.devices = devices});
}

TEST(Optimizer, ChecksThePlanThatComesBack) {
    const auto plan = solve(twoOps(), [] { return placed({0}); });
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().message, "the optimizer returned an invalid plan: the plan places 1 ops, the graph has 2.");
}

TEST(Optimizer, TurnsExceptionsIntoErrors) {
    EXPECT_EQ(solve(twoOps(), []() -> Result<Plan> { throw std::runtime_error("went wrong"); }).error().message,
              "the optimizer failed: went wrong.");
    EXPECT_EQ(solve(twoOps(), []() -> Result<Plan> { throw std::bad_alloc(); }).error().message,
              "the optimizer ran out of memory; try fewer devices or a smaller graph.");
    EXPECT_EQ(solve(twoOps(), []() -> Result<Plan> { throw 7; }).error().message,
              "the optimizer failed and gave no reason.");
}

TEST(Optimizer, RefusesAnObjectiveThatItDoesNotTake) {
    Problem problem = twoOps();
    problem.objective = Objective::Pipeline;
    Registry registry;
    OptimizerInfo info;
    info.id = "scripted";
    info.decides = {"placement"};
    const auto make = [] { return std::make_unique<Scripted>([] { return placed({0, 1}); }); };
    ASSERT_TRUE(registry.addOptimizer(info, make));
    const auto refused = (*registry.makeOptimizer("scripted"))->solve(problem, {}, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().message,
              "optimizer scripted does not take the objective pipeline, only step-time; choose "
              "that one or another optimizer.");
    info.id = "takes both";
    info.objectives = {Objective::StepTime, Objective::Pipeline};
    ASSERT_TRUE(registry.addOptimizer(info, make));
    EXPECT_TRUE((*registry.makeOptimizer("takes both"))->solve(problem, {}, {}).has_value());
}

TEST(Optimizer, IsNotAskedAboutAnEmptyGraph) {
    const Problem empty = makeTestProblem(TinyGraph().build(), {});
    EXPECT_TRUE(solve(empty, []() -> Result<Plan> { throw 7; }).has_value());
}

TEST(Optimizer, KeepsTheStartPlanWhereTheProblemDoesNotDecide) {
    Problem problem = twoOps();
    problem.start = placed({1, 0}, QueuePolicy::Priority, {4, 5});
    problem.decide = {"scheduling"};
    const auto scheduled = solve(problem, [] { return placed({0, 0}, QueuePolicy::Priority, {1, 2}); });
    ASSERT_TRUE(scheduled.has_value());
    EXPECT_EQ(*scheduled, placed({1, 0}, QueuePolicy::Priority, {1, 2}));
    problem.decide = {"placement"};
    const auto moved = solve(problem, [] { return placed({0, 0}, QueuePolicy::Order, {1, 2}); });
    ASSERT_TRUE(moved.has_value());
    EXPECT_EQ(*moved, placed({0, 0}, QueuePolicy::Priority, {4, 5}));
}

TEST(Optimizer, KeepsFusedGroupsThatStayTogether) {
    TinyGraph g;
    for (int i = 0; i < 4; ++i)
        g.op(fmt::format("op{}", i), 10);
    Problem problem = makeTestProblem(g.build(), {});
    problem.start = placed({0, 0, 0, 0});
    problem.start->fusionGroup = {5, 5, 6, 6};
    const auto plan = solve(problem, [] { return placed({0, 0, 0, 1}); });
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->fusionGroup, (std::vector<std::uint32_t>{5, 5, Plan::kNotFused, Plan::kNotFused}));
}

TEST(Optimizer, AFixedOrderOfAnotherPlacementBecomesAPriority) {
    Problem problem = twoOps();
    problem.start = placed({1, 0}, QueuePolicy::Order, {4, 5});
    problem.decide = {"placement"};
    EXPECT_EQ(solve(problem, [] { return placed({0, 0}); })->policy, QueuePolicy::Priority);
    EXPECT_EQ(solve(problem, [] { return placed({1, 0}); })->policy, QueuePolicy::Order);
}

TEST(Optimizer, RefusesAStartPlanOfAnotherGraph) {
    Problem problem = twoOps();
    problem.start = placed({0});
    EXPECT_EQ(solve(problem,
                    [] {
                        return placed({0, 0});
                    })
                  .error()
                  .message,
              "the start plan is invalid: the plan places 1 ops, the graph has 2.");
}

} // namespace
} // namespace opscape::test
