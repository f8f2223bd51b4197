// SPDX-License-Identifier: MIT
#include "search/training_graph.h"
#include "sim/textbook.h"

#include <opscape/search/local_search.h>
#include <opscape/search/refine.h>

#include <gmock/gmock.h>

#include <map>

namespace opscape {
namespace {

using test::makeTestProblem;

RefineOptions simulations(std::int64_t count) {
    RefineOptions options;
    options.budget = {count, 0};
    return options;
}

Plan refined(const Problem& problem, const RefineOptions& options, std::uint64_t seed = 1) {
    RunContext context;
    context.seed = seed;
    auto plan = refine(problem, context, options);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    if (!plan)
        return {};
    const auto valid = checkPlan(problem, *plan);
    EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().message);
    return *plan;
}

TEST(Refine, FindsTheProvenOptimumOfATextbookGraph) {
    const Problem a = test::textbookProblem(test::graphA(), LinkModel::None);
    EXPECT_EQ(test::simulated(a, refined(a, simulations(20'000))).makespanNs, 73'000);
}

TEST(Refine, SameSeedSamePlanAndAnotherSeedAnother) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 5, 512), test::acceleratorShape(3));
    const Plan first = refined(problem, simulations(800), 3);
    EXPECT_EQ(first, refined(problem, simulations(800), 3));
    EXPECT_NE(first, refined(problem, simulations(800), 4));
}

TEST(Refine, DecidesTheSameWithAndWithoutEarlyAbort) {
    Random random(41);
    for (int round = 0; round < 6; ++round) {
        const Problem problem =
            round == 0 ? makeTestProblem(test::lstmTrainingGraph(2, 4, 512), test::acceleratorShape(3))
                       : makeTestProblem(test::randomGraph(random, 20 + random.below(100)), test::randomShape(random));
        RefineOptions options = simulations(1500);
        const Plan aborting = refined(problem, options);
        options.earlyAbort = false;
        EXPECT_EQ(aborting, refined(problem, options));
    }
}

TEST(LocalSearch, AcceptsTheSameMovesWithAndWithoutEarlyAbort) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 5, 512), test::acceleratorShape(3, 40 << 20));
    const auto setup = SearchSetup::make(problem);
    ASSERT_TRUE(setup.has_value());
    const auto walk = [&](bool earlyAbort) {
        const RunContext context;
        SearchRun run(problem, context, {3000, 0});
        const auto starts = setup->scoreStarts(run);
        AnnealingStage stage;
        stage.levelsBegin = stage.levelsEnd = {0, 1, 1, 0, 1, 1};
        stage.priorityShare = .3;
        stage.earlyAbort = earlyAbort;
        Random random(5);
        LocalSearch search(problem, setup->groups(), run, random);
        const ScoredPlan best = search.anneal(starts.front(), stage);
        return std::tuple(best.plan, best.score, search.accepted(), random());
    };
    const auto aborting = walk(true), whole = walk(false);
    EXPECT_TRUE(aborting == whole);
    EXPECT_GT(std::get<2>(aborting), 100) << "moves were accepted";
}

TEST(Refine, IsNeverWorseThanItsStart) {
    Random random(42);
    for (int round = 0; round < 20; ++round) {
        Problem problem = makeTestProblem(test::randomGraph(random, 10 + random.below(120)), test::randomShape(random));
        problem.start = test::randomPlan(problem, random);
        const std::int64_t startNs = test::simulated(problem, *problem.start).makespanNs;
        for (const std::int64_t count : {1, 2, 40, 400}) {
            const Plan plan = refined(problem, simulations(count));
            EXPECT_LE(test::simulated(problem, plan).makespanNs, startNs);
            EXPECT_EQ(plan.fusionGroup, problem.start->fusionGroup);
        }
    }
}

TEST(Refine, KeepsPinsAndColocation) {
    test::TinyGraph g;
    std::vector<OpId> ops;
    for (int i = 0; i < 60; ++i)
        ops.push_back(g.op(fmt::format("block{}/op{}", i / 6, i), 50 + i,
                           i < 3 ? std::vector<OpId>{} : std::vector{ops[static_cast<std::size_t>(i) - 3]}, 20));
    for (const std::size_t i : {1u, 30u, 31u})
        g.edit(ops[i]).colocation = "one";
    for (const std::size_t i : {2u, 55u})
        g.edit(ops[i]).colocation = "two";
    test::ClusterShape shape;
    shape.devices = 3;
    Problem problem = makeTestProblem(g.build(), shape);
    problem.pins.assign(60, DeviceId());
    problem.pins[30] = problem.pins[0] = DeviceId(2);
    problem.pins[17] = DeviceId(1);
    const Plan plan = refined(problem, simulations(2000)); // checks the plan, pins and colocation with it
    EXPECT_EQ(plan.device[1], DeviceId(2)) << "follows the pin of op 30";
    Plan slow = Plan::allOn(DeviceId(2), 60);
    slow.device[17] = DeviceId(1);
    EXPECT_LT(test::simulated(problem, plan).makespanNs, test::simulated(problem, slow).makespanNs);
}

TEST(Refine, StopsAtItsNumberOfSimulations) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 4, 512), test::acceleratorShape(3));
    for (const std::int64_t count : {1, 3, 17, 500}) {
        RunContext context;
        std::int64_t done = 0;
        double fraction = 0;
        context.progress = [&](const Progress& p) {
            done = p.simulations;
            fraction = p.fraction;
        };
        ASSERT_TRUE(refine(problem, context, simulations(count)).has_value());
        EXPECT_LE(done, count + 1);
        EXPECT_GE(done, std::min<std::int64_t>(count, 1));
        EXPECT_EQ(fraction, 1);
    }
}

TEST(Refine, GivesTheBestPlanSoFarWhenStopped) {
    Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 4, 512), test::acceleratorShape(3));
    problem.start = Plan::allOn(DeviceId(0), problem.graph->opCount());
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.progress = [&](const Progress&) { source.request_stop(); };
    const auto plan = refine(problem, context, simulations(1'000'000'000));
    ASSERT_TRUE(plan.has_value());
    EXPECT_LE(test::simulated(problem, *plan).makespanNs, test::simulated(problem, *problem.start).makespanNs);
}

TEST(Refine, TakesOnlyTheDecisionsItIsAskedFor) {
    Random random(43);
    Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 4, 512), test::acceleratorShape(3));
    Plan start = test::randomPlan(problem, random, false);
    start.policy = QueuePolicy::Priority;
    start.priority.assign(start.device.size(), 0);
    for (auto& priority : start.priority)
        priority = random.below(1000);
    problem.start = start;
    const std::int64_t startNs = test::simulated(problem, start).makespanNs;
    problem.decide = {"placement"};
    const Plan placed = refined(problem, simulations(600));
    EXPECT_EQ(placed.priority, start.priority);
    EXPECT_EQ(placed.policy, start.policy);
    EXPECT_LT(test::simulated(problem, placed).makespanNs, startNs);
    problem.decide = {"scheduling"};
    const Plan ordered = refined(problem, simulations(600));
    EXPECT_EQ(ordered.device, start.device);
    EXPECT_LT(test::simulated(problem, ordered).makespanNs, startNs);
}

TEST(SearchSetup, ScoresOnlyStartsThatKeepThePins) {
    Random random(44);
    Problem problem = makeTestProblem(test::randomGraph(random, 40, true), test::ClusterShape());
    problem.start = Plan::allOn(DeviceId(0), 40);
    problem.pins.assign(40, DeviceId());
    problem.pins[3] = DeviceId(1);
    const auto setup = SearchSetup::make(problem);
    ASSERT_TRUE(setup.has_value());
    EXPECT_EQ(setup->start().device[3], DeviceId(1));
    const RunContext context;
    SearchRun run(problem, context, {1000, 0});
    const auto starts = setup->scoreStarts(run);
    EXPECT_GT(starts.size(), 2u);
    for (const ScoredPlan& start : starts) {
        const auto valid = checkPlan(problem, start.plan);
        EXPECT_TRUE(valid.has_value()) << valid.error().message;
    }
}

TEST(SearchRun, JudgesAPlanByThePeriodWhereThatIsTheObjective) {
    Random random(45);
    Problem problem = makeTestProblem(test::randomGraph(random, 40), test::ClusterShape());
    problem.objective = Objective::Pipeline;
    const RunContext context;
    SearchRun run(problem, context, {1000, 0});
    for (int round = 0; round < 20; ++round) {
        const Plan plan = test::randomPlan(problem, random);
        const std::int64_t periodNs = pipelineReport(problem, plan).periodNs;
        const auto score = run.score(plan);
        ASSERT_TRUE(score.has_value());
        EXPECT_EQ(score->timeNs, periodNs);
        EXPECT_EQ(score->costNs, periodNs);
        EXPECT_EQ(run.scoreWithin(plan, periodNs), score);
        EXPECT_FALSE(run.scoreWithin(plan, periodNs - 1).has_value());
    }
}

TEST(Refine, PlacesWholeScopesWhenSingleOpsCannotBePlaced) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(3, 5, 512), test::acceleratorShape(3));
    const auto setup = SearchSetup::make(problem);
    ASSERT_TRUE(setup.has_value());
    RefineOptions options = simulations(1500);
    options.singleOps = false;
    const Plan plan = refined(problem, options);
    // The finest that stage moves are the groups of K256 and the cells; no common refinement of the two is parted.
    const GroupLevel &fine = setup->groups().levels[3], &cells = setup->groups().levels[OpGroups::kCells];
    std::map<std::pair<std::uint32_t, std::uint32_t>, DeviceId> deviceOf;
    for (std::size_t op = 0; op < plan.device.size(); ++op) {
        const auto at = deviceOf.try_emplace({fine.groupOf[op], cells.groupOf[op]}, plan.device[op]).first;
        EXPECT_EQ(at->second, plan.device[op]);
    }
}

TEST(Refine, FitsIntoMemoryWhereItCanAndSaysWhenItCannot) {
    const auto graph = test::lstmTrainingGraph(4, 5, 512);
    const Problem free = makeTestProblem(graph, test::acceleratorShape(4));
    const std::int64_t oneDevice = test::simulated(free, Plan::allOn(DeviceId(0), graph->opCount())).peakBytes;
    const Problem tight = makeTestProblem(graph, test::acceleratorShape(4, oneDevice * 62 / 100));
    const auto setup = SearchSetup::make(tight);
    ASSERT_TRUE(setup.has_value());
    RunContext context;
    SearchRun quick(tight, context, {100, 0});
    ASSERT_FALSE(setup->scoreStarts(quick).front().score.feasible) << "the search has something to find";
    Progress last;
    context.progress = [&](const Progress& p) { last = p; };
    auto plan = refine(tight, context, simulations(3000));
    ASSERT_TRUE(plan.has_value());
    EXPECT_TRUE(test::simulated(tight, *plan).feasible);
    EXPECT_TRUE(last.feasible);

    const Problem hopeless = makeTestProblem(graph, test::acceleratorShape(4, oneDevice / 100));
    plan = refine(hopeless, context, simulations(300));
    ASSERT_TRUE(plan.has_value());
    EXPECT_FALSE(test::simulated(hopeless, *plan).feasible);
    EXPECT_FALSE(last.feasible);
    EXPECT_THAT(last.stage, testing::HasSubstr("runs out of memory"));
}

TEST(Refine, ReportsABestThatOnlyFalls) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(3, 6, 512), test::acceleratorShape(3));
    RunContext context;
    std::vector<Progress> curve;
    context.progress = [&](const Progress& p) { curve.push_back(p); };
    const auto plan = refine(problem, context, simulations(3000));
    ASSERT_TRUE(plan.has_value());
    ASSERT_FALSE(curve.empty());
    for (std::size_t i = 1; i < curve.size(); ++i) {
        EXPECT_LE(curve[i].bestNs, curve[i - 1].bestNs);
        EXPECT_GE(curve[i].simulations, curve[i - 1].simulations);
    }
    EXPECT_EQ(curve.back().bestNs, test::simulated(problem, *plan).makespanNs);
}

TEST(Refine, BeatsEveryQuickPlacementOnATrainingStep) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(4, 8), test::acceleratorShape(4));
    const auto setup = SearchSetup::make(problem);
    ASSERT_TRUE(setup.has_value());
    const RunContext context;
    SearchRun run(problem, context, {100, 0});
    const std::int64_t quickNs = setup->scoreStarts(run).front().score.timeNs;
    const std::int64_t foundNs = test::simulated(problem, refined(problem, simulations(4000))).makespanNs;
    EXPECT_LT(foundNs, quickNs * 95 / 100);
}

TEST(Refine, SeveralStartsShareTheBudget) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 5, 512), test::acceleratorShape(3));
    RefineOptions options = simulations(2000);
    options.starts = 4;
    RunContext context;
    std::int64_t done = 0;
    context.progress = [&](const Progress& p) { done = p.simulations; };
    const auto plan = refine(problem, context, options);
    ASSERT_TRUE(plan.has_value());
    EXPECT_LE(done, 2001);
    EXPECT_GE(done, 1990);
}

} // namespace
} // namespace opscape
