// SPDX-License-Identifier: MIT
// That the policy, without any refinement, learns what is known to be best, for any set of tasks.
#include "rl/rl_fixture.h"

#include <numeric>

namespace opscape::rl {
namespace {

TEST(Learning, ReachesTheOptimumOfTextbookGraphA) {
    const Problem problem = test::textbookProblem(test::graphA(), LinkModel::None);
    EXPECT_EQ(trainedNs(problem, policyOnly({"placement", "scheduling"}, 150)), 73'000);
}

TEST(Learning, ReachesTheOptimumOfTextbookGraphB) {
    const Problem problem = test::textbookProblem(test::graphB(), LinkModel::None);
    EXPECT_EQ(trainedNs(problem, policyOnly({"placement", "scheduling"}, 150)), 113'000);
}

/// Six ops, three of which may run together with the one before them.
Problem sixOps() {
    test::TinyGraph g;
    const OpId in = g.op("in", 20, {}, 30);
    const OpId left = g.op("left", 50, {in}, 40), right = g.op("right", 45, {in}, 60);
    const OpId more = g.op("more", 30, {left}, 10), most = g.op("most", 35, {right}, 10);
    g.op("out", 10, {more, most}, 5);
    return test::makeTestProblem(g.build(), {.devices = 2, .bytesPerNs = 1, .latencyNs = 5});
}

/// The best of all placements, all merges and all orders of three levels.
std::int64_t bestOfAll(const Problem& problem) {
    const auto tasks = tasksOf({"placement", "scheduling", "toy-merge"});
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    Simulator simulator(problem);
    std::vector<int> devices(6), levels(6), merges(6);
    const auto digits = [](int number, int base, std::vector<int>& to) {
        for (int& digit : to) {
            digit = number % base;
            number /= base;
        }
    };
    for (int placement = 0; placement < 64; ++placement) {
        digits(placement, 2, devices);
        for (int order = 0; order < 729; ++order) {
            digits(order, 3, levels);
            for (int merge = 0; merge < 64; ++merge) {
                digits(merge, 2, merges);
                if (merges[0] + merges[1] + merges[2] + merges[5] > 0)
                    continue; // they cannot
                Plan plan;
                EXPECT_TRUE(tasks[0]->apply(problem, devices, plan));
                EXPECT_TRUE(tasks[1]->apply(problem, levels, plan));
                EXPECT_TRUE(tasks[2]->apply(problem, merges, plan));
                if (const auto schedule = simulator.run(plan, Detail::Makespan))
                    best = std::min(best, schedule->makespanNs);
            }
        }
    }
    return best;
}

TEST(Learning, ReachesTheOptimumOfThreeTasksAtOnce) {
    const Problem problem = sixOps();
    EXPECT_EQ(trainedNs(problem, policyOnly({"placement", "scheduling", "toy-merge"}, 60)), bestOfAll(problem));
}

TEST(Learning, TakesATaskThatTheEngineHasNeverHeardOf) {
    // Four ops ready at once on one device, and the last in line has a long tail elsewhere: it has to go first.
    test::TinyGraph g;
    for (int i = 0; i < 3; ++i)
        g.op(fmt::format("short{}", i), 100);
    const OpId head = g.op("head", 100, {}, 1);
    g.op("tail", 400, {head});
    Problem problem = test::makeTestProblem(g.build(), {.devices = 2});
    problem.start = test::placed({0, 0, 0, 0, 1});
    problem.decide = {"toy-urgent"};
    EXPECT_EQ(test::simulated(problem, *problem.start).makespanNs, 801);
    EXPECT_EQ(trainedNs(problem, policyOnly({"toy-urgent"}, 30)), 501);
}

TEST(Learning, TakesFourTasksJointlyAndOneByOne) {
    const Problem problem = sixOps();
    const std::vector<std::string> all{"placement", "scheduling", "toy-merge", "toy-urgent"};
    const std::int64_t joint = trainedNs(problem, policyOnly(all, 60));
    EXPECT_EQ(joint, bestOfAll(problem));
    TrainOptions separate = policyOnly(all, 30);
    separate.phases = {{"placement"}, {"scheduling"}, {"toy-merge"}, {"toy-urgent"}};
    EXPECT_GE(trainedNs(problem, separate), joint);
}

TEST(Learning, GetsBetterFromUpdateToUpdateWithoutExamplesAndElites) {
    const Problem problem = lstmProblem();
    TrainOptions options = policyOnly({"placement"}, 40);
    options.imitation = options.elites = false;
    std::vector<double> rewards;
    RunContext context;
    context.curve = [&](const CurvePoint& point) { rewards.push_back(point.reward); };
    (void)trained(problem, options, context);
    ASSERT_EQ(rewards.size(), 40U);
    const auto mean = [&](std::size_t from) { return std::accumulate(&rewards[from], &rewards[from] + 8, 0.0) / 8; };
    EXPECT_GT(mean(32), mean(0) + .05);
}

TEST(Learning, TellsTheCurveAndTheBaselines) {
    const Problem problem = lstmProblem();
    std::vector<CurvePoint> curve;
    std::vector<NamedTime> baselines;
    std::int64_t shownNs = 0;
    RunContext context;
    context.curve = [&](const CurvePoint& point) { curve.push_back(point); };
    context.baselines = [&](const std::vector<NamedTime>& all) { baselines = all; };
    context.improved = [&](const Plan& plan, std::int64_t bestNs) {
        EXPECT_EQ(test::simulated(problem, plan).makespanNs, bestNs);
        shownNs = bestNs;
    };
    const std::int64_t endNs = trainedNs(problem, policyOnly({"placement", "scheduling"}, 5), context);
    ASSERT_EQ(curve.size(), 5U);
    EXPECT_GT(baselines.size(), 4U);
    for (std::size_t i = 0; i < curve.size(); ++i) {
        EXPECT_EQ(curve[i].update, static_cast<std::int64_t>(i) + 1);
        EXPECT_LT(curve[i].reward, 0);
        EXPECT_GT(curve[i].entropy, 0);
        EXPECT_TRUE(i == 0 || curve[i].bestNs <= curve[i - 1].bestNs);
        EXPECT_TRUE(i == 0 || curve[i].simulations > curve[i - 1].simulations);
    }
    EXPECT_EQ(curve.back().bestNs, endNs);
    EXPECT_EQ(shownNs, endNs);
    for (const NamedTime& baseline : baselines)
        EXPECT_LE(endNs, baseline.ns) << baseline.name;
}

TEST(Learning, TellsOneSetOfBaselinesForAllThatIsLearnedInTurn) {
    TrainOptions options = policyOnly({}, 2);
    options.phases = {{"placement"}, {"scheduling"}};
    const Problem problem = lstmProblem();
    int told = 0;
    std::int64_t startNs = 0;
    RunContext context;
    context.baselines = [&](const std::vector<NamedTime>& all) {
        ++told;
        startNs = all.front().ns;
    };
    EXPECT_LE(trainedNs(problem, options, context), startNs);
    EXPECT_EQ(told, 1);
}

TEST(Learning, IsNeverWorseThanWhatItIsComparedWithInHoweverLittleTime) {
    const Problem problem = lstmProblem();
    for (const double seconds : {1e-4, 5e-3, .05, .2}) {
        TrainOptions options = policyOnly({"placement", "scheduling"}, 0);
        options.budget = {0, seconds};
        options.search = true;
        std::vector<NamedTime> baselines;
        RunContext context;
        context.baselines = [&](const std::vector<NamedTime>& all) { baselines = all; };
        const std::int64_t ns = trainedNs(problem, options, context);
        ASSERT_FALSE(baselines.empty());
        for (const NamedTime& baseline : baselines)
            EXPECT_LE(ns, baseline.ns) << baseline.name << " in " << seconds << " s";
    }
}

TEST(Learning, ComparesWithTheStartAloneWhereNothingIsLearnedFromProposals) {
    TrainOptions options = policyOnly({"placement", "scheduling"}, 1);
    options.network.shape = Shape::Paper;
    options.imitation = options.elites = false;
    std::vector<std::string> names;
    RunContext context;
    context.baselines = [&](const std::vector<NamedTime>& all) {
        for (const NamedTime& baseline : all)
            names.push_back(baseline.name);
    };
    (void)trained(lstmProblem(), options, context);
    EXPECT_EQ(names, std::vector<std::string>{"start"});
}

class Parts : public testing::TestWithParam<std::function<void(TrainOptions&)>> {};

TEST_P(Parts, CanBeSwitchedOff) {
    TrainOptions options = policyOnly({"placement", "scheduling"}, 3);
    GetParam()(options);
    const Problem problem = lstmProblem();
    EXPECT_LE(trainedNs(problem, options), test::simulated(problem, plainPlan(problem)).makespanNs);
}

INSTANTIATE_TEST_SUITE_P(All, Parts,
                         testing::Values([](TrainOptions& o) { o.network.sage = false; },
                                         [](TrainOptions& o) { o.network.attention = false; },
                                         [](TrainOptions& o) { o.network.modulation = false; },
                                         [](TrainOptions& o) { o.imitation = false; },
                                         [](TrainOptions& o) { o.elites = false; },
                                         [](TrainOptions& o) {
                                             o.network.sage = o.network.attention = o.network.modulation = o.imitation =
                                                 o.elites = false;
                                         },
                                         [](TrainOptions& o) {
                                             o.network.shape = Shape::Paper;
                                             o.samples = 8;
                                         }));

} // namespace
} // namespace opscape::rl
