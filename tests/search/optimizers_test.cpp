// SPDX-License-Identifier: MIT
// The search optimizers as they are loaded.
#include "search/training_graph.h"
#include "sim/textbook.h"

#include <opscape/sim/pipeline.h>
#include <opscape/task/plugin.h>

namespace opscape {
namespace {

using test::makeTestProblem;

class SearchOptimizers : public testing::TestWithParam<const char*> {
protected:
    static const Registry& registry() {
        static const Registry loaded = [] {
            Registry fresh;
            (void)loadPlugins(std::filesystem::path(OPSCAPE_BINARY_DIR) / "lib" / "opscape" / "plugins", fresh);
            return fresh;
        }();
        return loaded;
    }

    static Plan solved(const Problem& problem, const std::map<std::string, std::string>& settings,
                       RunContext context = {}) {
        const auto info = registry().optimizer(GetParam());
        EXPECT_TRUE(info.has_value()) << (info ? "" : info.error().message);
        Options options((*info)->options);
        for (const auto& [name, value] : settings) {
            if (std::ranges::count((*info)->options, name, &OptionSpec::name) > 0) {
                EXPECT_TRUE(options.set(name, value).has_value());
            }
        }
        auto plan = (*registry().makeOptimizer(GetParam()))->solve(problem, options, context);
        EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
        return plan ? *plan : Plan();
    }

    static std::int64_t solvedNs(const Problem& problem, const std::map<std::string, std::string>& settings) {
        return test::simulated(problem, solved(problem, settings)).makespanNs;
    }
};

TEST_P(SearchOptimizers, AreNeverWorseThanTheirStartAndRepeatable) {
    Random random(51);
    for (int round = 0; round < 8; ++round) {
        Problem problem = makeTestProblem(test::randomGraph(random, 10 + random.below(100)), test::randomShape(random));
        if (round % 2 == 0)
            problem.start = test::randomPlan(problem, random);
        const Plan plan = solved(problem, {{"simulations", "300"}});
        EXPECT_EQ(plan, solved(problem, {{"simulations", "300"}}));
        if (problem.start) {
            EXPECT_LE(test::simulated(problem, plan).makespanNs, test::simulated(problem, *problem.start).makespanNs);
        }
    }
}

TEST_P(SearchOptimizers, KeepPins) {
    Random random(52);
    Problem problem = makeTestProblem(test::randomGraph(random, 80), test::ClusterShape());
    problem.pins.assign(80, DeviceId());
    for (std::size_t op = 0; op < 80; op += 7)
        problem.pins[op] = DeviceId(op % 2);
    EXPECT_EQ(solved(problem, {{"simulations", "200"}}).device[7], DeviceId(1)); // solve() checks all pins
}

TEST_P(SearchOptimizers, MoveTheOpsOfAStartThatBreaksAPin) {
    Random random(55);
    for (int round = 0; round < 6; ++round) {
        Problem problem = makeTestProblem(test::randomGraph(random, 60, true), test::randomShape(random));
        problem.start = Plan::allOn(DeviceId(0), 60); // with slow links no better plan is found
        problem.pins.assign(60, DeviceId());
        problem.pins[20] = DeviceId(problem.cluster->deviceCount() - 1);
        if (round >= 3)
            problem.decide = {"placement"};
        EXPECT_EQ(solved(problem, {{"simulations", "50"}}).device[20], problem.pins[20]);
        problem.start->policy = QueuePolicy::Order;
        problem.start->priority.resize(60);
        for (std::size_t place = 0; place < 60; ++place)
            problem.start->priority[problem.graph->topologicalOrder()[place].index()] =
                60 - static_cast<std::int64_t>(place);
        EXPECT_EQ(solved(problem, {{"simulations", "50"}}).device[20], problem.pins[20]) << "from a fixed order";
    }
}

TEST_P(SearchOptimizers, TakeOneDeviceAsItIs) {
    Random random(53);
    test::ClusterShape shape;
    shape.devices = 1;
    const Problem problem = makeTestProblem(test::randomGraph(random, 40), shape);
    EXPECT_EQ(solved(problem, {{"simulations", "100"}}).device, std::vector<DeviceId>(40, DeviceId(0)));
}

TEST_P(SearchOptimizers, StopAtOnceWhenAsked) {
    Random random(54);
    const Problem problem = makeTestProblem(test::randomGraph(random, 200), test::ClusterShape());
    std::stop_source source;
    source.request_stop();
    RunContext context;
    context.stop = source.get_token();
    std::int64_t done = 0;
    context.progress = [&](const Progress& p) { done = p.simulations; };
    EXPECT_EQ(solved(problem, {{"simulations", "1000000"}, {"seconds", "1000"}}, context).device.size(), 200u);
    EXPECT_LE(done, 12);
}

INSTANTIATE_TEST_SUITE_P(All, SearchOptimizers, testing::Values("anneal", "fbi", "portfolio", "random", "refine"),
                         [](const auto& test) { return std::string(test.param); });

class PipelineOptimizers : public SearchOptimizers {};

TEST_P(PipelineOptimizers, AreNeverWorseThanTheirStartUnderTheObjective) {
    Random random(56);
    for (int round = 0; round < 12; ++round) {
        test::ClusterShape shape = test::randomShape(random);
        shape.memoryBytes = round % 3 == 0 ? 4000 : 0;
        Problem problem = makeTestProblem(test::randomGraph(random, 10 + random.below(80), true), shape);
        problem.objective = Objective::Pipeline;
        problem.start = test::randomPlan(problem, random);
        const PipelineReport start = pipelineReport(problem, *problem.start);
        const Plan plan = solved(problem, {{"simulations", "300"}});
        const PipelineReport found = pipelineReport(problem, plan);
        EXPECT_GE(found.feasible, start.feasible);
        if (start.feasible) {
            EXPECT_LE(found.periodNs, start.periodNs);
        }
        EXPECT_EQ(plan, solved(problem, {{"simulations", "300"}}));
    }
}

INSTANTIATE_TEST_SUITE_P(All, PipelineOptimizers, testing::Values("anneal", "portfolio", "refine"),
                         [](const auto& test) { return std::string(test.param); });

class StrongOptimizers : public SearchOptimizers {};

TEST_P(StrongOptimizers, ReachTheOptimumOfTextbookGraphA) {
    const Problem problem = test::textbookProblem(test::graphA(), LinkModel::None);
    EXPECT_EQ(solvedNs(problem, {{"simulations", "20000"}, {"hot", "0.2"}}), 73'000);
}

TEST_P(StrongOptimizers, BeatTheBestOfAThousandRandomPlacements) {
    const Problem problem = makeTestProblem(test::lstmTrainingGraph(2, 6, 512), test::acceleratorShape(3));
    const auto random = registry().makeOptimizer("random");
    ASSERT_TRUE(random.has_value());
    const auto plan = (*random)->solve(problem, Options((*registry().optimizer("random"))->options), {});
    ASSERT_TRUE(plan.has_value());
    EXPECT_LT(solvedNs(problem, {{"simulations", "1000"}}), test::simulated(problem, *plan).makespanNs);
}

TEST_P(StrongOptimizers, ShortenThePeriod) {
    test::TinyGraph graph;
    OpId last = graph.op("op0", 10);
    for (int i = 1; i < 8; ++i)
        last = graph.op(fmt::format("op{}", i), 10, {last}, 1);
    Problem problem = makeTestProblem(graph.build(), {.devices = 2, .latencyNs = 3});
    const Plan stepped = solved(problem, {{"simulations", "500"}});
    EXPECT_EQ(pipelineReport(problem, stepped).periodNs, 80) << "a chain takes least on one device";
    problem.objective = Objective::Pipeline;
    const Plan pipelined = solved(problem, {{"simulations", "500"}});
    EXPECT_LT(pipelineReport(problem, pipelined).periodNs, 50);
}

INSTANTIATE_TEST_SUITE_P(All, StrongOptimizers, testing::Values("anneal", "refine"),
                         [](const auto& test) { return std::string(test.param); });

} // namespace
} // namespace opscape
