// SPDX-License-Identifier: MIT
// HDP with small networks: that it draws what it says, that its gradients are right, that it learns, and what every
// search owes.
#include "rl/rl_fixture.h"

#include <opscape/rl/hdp/hdp_policy.h>
#include <opscape/search/setup.h>

#include <cmath>
#include <map>
#include <numeric>

namespace opscape::rl {
namespace {

HdpOptions small(std::int64_t updates, int batch = 1) {
    HdpOptions options;
    options.updates = updates;
    options.batch = batch;
    options.groups = 8;
    options.grouperHidden = 8;
    options.hidden = 16;
    options.learningRate = 1e-2;
    return options;
}

Plan placedByHdp(const Problem& problem, const HdpOptions& options, const RunContext& context = {}) {
    const auto plan = trainHdp(problem, options, context);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    if (!plan)
        return {};
    const auto valid = checkPlan(problem, *plan);
    EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().message);
    return *plan;
}

std::vector<CurvePoint> curveOf(const Problem& problem, const HdpOptions& options, std::uint64_t seed = 1) {
    std::vector<CurvePoint> curve;
    RunContext context;
    context.seed = seed;
    context.curve = [&](const CurvePoint& point) { curve.push_back(point); };
    (void)placedByHdp(problem, options, context);
    return curve;
}

double meanReward(std::span<const CurvePoint> curve) {
    double sum = 0;
    for (const CurvePoint& point : curve)
        sum += point.reward;
    return sum / static_cast<double>(curve.size());
}

/// Two chains that have nothing to do with each other, of ops that send much to the next; one is fast on one device,
/// the other on the other.
Problem twoChains(std::int64_t memoryBytes = 0, std::int64_t weightBytes = 0) {
    test::TinyGraph g;
    for (int chain = 0; chain < 2; ++chain) {
        std::vector<OpId> before;
        for (int i = 0; i < 8; ++i) {
            before = {g.op(fmt::format("chain{}/op{}", chain, i), chain == 0 ? 1'000'000 : 4'000'000, before, 500'000)};
            g.edit(before[0]).timeNs["L"] = chain == 0 ? 4'000'000 : 1'000'000;
            g.edit(before[0]).type = chain == 0 ? "MatMul" : "Add";
            if (weightBytes > 0)
                g.weight(fmt::format("weight{}-{}", chain, i), weightBytes, before);
        }
    }
    return test::makeTestProblem(g.build(), {.devices = 2, .memoryBytes = memoryBytes, .kinds = {"K", "L"}});
}

class Drawn : public testing::Test {
protected:
    explicit Drawn(const Problem& problem = lstmProblem(), int groups = 4)
        : m_problem(problem),
          m_setup(*SearchSetup::make(m_problem)),
          m_graph(m_problem, m_setup.groups(), groups) {
        m_options.hidden = 6;
        m_options.grouperHidden = 5;
        m_options.doublePrecision = true;
    }
    HdpPolicy policy() { return {m_graph, m_problem.cluster->deviceCount(), m_options, 3}; }

    Problem m_problem;
    SearchSetup m_setup;
    HdpGraph m_graph;
    HdpOptions m_options;
    Random m_random{7};
};

TEST_F(Drawn, HasTheGradientThatDifferencesShow) {
    HdpPolicy networks = policy();
    ASSERT_TRUE(networks.sample(3, .5, m_random).has_value());
    const std::vector<float> advantage{.7F, -.4F, .2F};
    std::vector<float> gradient;
    (void)networks.loss(advantage, &gradient);
    const std::vector<float> begin = networks.parameters();
    ASSERT_EQ(gradient.size(), begin.size());
    int compared = 0, moving = 0;
    for (std::size_t i = 0; i < begin.size(); i += 1 + m_random.below(9)) {
        const auto at = [&](float step) {
            std::vector<float> moved = begin;
            moved[i] += step;
            networks.setParameters(moved);
            return std::pair(networks.loss(advantage, nullptr), double{moved[i]});
        };
        const auto [above, to] = at(1e-3F);
        const auto [below, from] = at(-1e-3F);
        const double difference = (above - below) / (to - from);
        EXPECT_NEAR(gradient[i], difference, 1e-5 + 1e-3 * std::abs(difference)) << i;
        ++compared;
        moving += std::abs(difference) > 1e-6 ? 1 : 0;
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(moving, compared / 2);
}

TEST_F(Drawn, BreaksOffAnywhereWithoutAChange) {
    HdpPolicy networks = policy();
    int left = 0;
    networks.stopWith([&left] { return left-- <= 0; });
    int stops = 0;
    const std::vector<float> begin = networks.parameters();
    for (int steps = 0;; steps += 3) {
        left = 1'000'000;
        ASSERT_TRUE(networks.sample(2, .5, m_random).has_value());
        left = steps;
        if (networks.learn({1.F, -.5F}))
            break;
        ASSERT_EQ(networks.parameters(), begin);
        left = steps;
        (void)networks.sample(2, .5, m_random);
        ++stops;
    }
    EXPECT_GT(stops, 10) << "forward and backward";
    EXPECT_NE(networks.parameters(), begin);
}

class Chance : public Drawn {
protected:
    Chance() : Drawn(two(), 2) {}
    static Problem two() {
        test::TinyGraph g;
        g.op("b", 20, {g.op("a", 10, {}, 5)});
        return test::makeTestProblem(g.build(), {.devices = 2});
    }
};

TEST_F(Chance, DrawsByTheProbabilitiesThatItLearnsBy) {
    constexpr int kCount = 4000;
    HdpPolicy networks = policy();
    const auto samples = networks.sample(kCount, 0, m_random);
    ASSERT_TRUE(samples.has_value());
    std::map<std::vector<int>, std::pair<std::size_t, int>> seen; // first sample and how many
    for (std::size_t i = 0; i < samples->size(); ++i) {
        std::vector<int> outcome = (*samples)[i].group;
        outcome.insert(outcome.end(), (*samples)[i].device.begin(), (*samples)[i].device.end());
        ++seen.try_emplace(outcome, i, 0).first->second.second;
    }
    ASSERT_EQ(seen.size(), 16U) << "two groups for each of two ops, two devices for each of two groups";
    double sum = 0;
    for (const auto& [outcome, found] : seen) {
        std::vector<float> only(kCount, 0);
        only[found.first] = kCount;
        const double probability = std::exp(-networks.loss(only, nullptr));
        sum += probability;
        EXPECT_NEAR(found.second / double{kCount}, probability, .025);
    }
    EXPECT_NEAR(sum, 1, 1e-6);
}

TEST(HdpGraph, CountsEdgesTypesAndShapesOfGroups) {
    GraphBuilder builder("three");
    std::vector<TensorId> outputs;
    for (const char* type : {"MatMul", "Add", "Add"}) {
        Op op;
        op.name = fmt::format("op{}", outputs.size());
        op.type = type;
        const OpId id = builder.addOp(op);
        for (const TensorId before : outputs)
            builder.addInput(id, before);
        Tensor tensor;
        tensor.name = op.name + ":0";
        tensor.shape = {4, 8};
        tensor.shapeKnown = true;
        outputs.push_back(builder.addOutput(id, tensor));
    }
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    ASSERT_TRUE(graph.has_value());
    const Problem problem = test::makeTestProblem(std::make_shared<const Graph>(std::move(*graph)), {});
    const auto setup = SearchSetup::make(problem);
    const HdpGraph hdp(problem, setup->groups(), 20);
    ASSERT_EQ(hdp.groupCount(), 3) << "no more than ops";
    std::vector<float> rows(static_cast<std::size_t>(3 * hdp.groupFeatureCount()));
    hdp.groupFeatures(std::vector<int>{0, 0, 2}, rows);
    const std::vector<float> expected{.5F,
                                      0,
                                      1,
                                      .5F,
                                      0,
                                      0,
                                      /* Add, MatMul */ 1,
                                      1,
                                      /* shapes */ .5F,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      1,
                                      0,
                                      0,
                                      1,
                                      0,
                                      .5F,
                                      1,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0};
    EXPECT_EQ(rows, expected);
}

TEST(Hdp, LearnsWhichOpsAreFastWhere) {
    const std::vector<CurvePoint> curve = curveOf(twoChains(), small(250, 8));
    ASSERT_EQ(curve.size(), 250U);
    const std::span<const CurvePoint> all(curve);
    EXPECT_GT(meanReward(all.last(25)), meanReward(all.first(25)) * .75) << "rewards are negative";
    EXPECT_LT(curve.back().entropy, curve.front().entropy);
    EXPECT_LT(curve.back().bestNs, 20'000'000) << "half of everything on one device";
}

TEST(Hdp, BeatsOneDeviceOnTextbookGraphA) {
    const Problem problem = test::textbookProblem(test::graphA(), LinkModel::None);
    std::int64_t singleNs = std::numeric_limits<std::int64_t>::max();
    for (std::size_t device = 0; device < 3; ++device)
        singleNs = std::min(singleNs, test::simulated(problem, Plan::allOn(DeviceId(device), 10)).makespanNs);
    EXPECT_LT(test::simulated(problem, placedByHdp(problem, small(200))).makespanNs, singleNs);
}

TEST(Hdp, GivesTheSameBitsForTheSameSeed) {
    const Problem problem = lstmProblem();
    for (const int batch : {1, 4}) {
        const auto first = curveOf(problem, small(10, batch)), second = curveOf(problem, small(10, batch)),
                   other = curveOf(problem, small(10, batch), 2);
        ASSERT_EQ(first.size(), second.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            EXPECT_EQ(first[i].reward, second[i].reward);
            EXPECT_EQ(first[i].entropy, second[i].entropy);
            EXPECT_EQ(first[i].bestNs, second[i].bestNs);
        }
        EXPECT_NE(first.back().entropy, other.back().entropy);
    }
}

TEST(Hdp, CountsAPlanThatDoesNotFitAsAHundredSeconds) {
    const std::vector<CurvePoint> curve = curveOf(twoChains(1000, 100'000), small(5));
    ASSERT_EQ(curve.size(), 5U);
    for (const CurvePoint& point : curve)
        EXPECT_DOUBLE_EQ(point.reward, -10);
}

TEST(Hdp, FindsAPlanThatFitsWhereOneDeviceDoesNot) {
    const Problem problem = twoChains(20'000'000, 1'500'000); // eight weights and what is sent, not sixteen
    ASSERT_FALSE(test::simulated(problem, plainPlan(problem)).feasible);
    EXPECT_TRUE(test::simulated(problem, placedByHdp(problem, small(60, 4))).feasible);
}

TEST(Hdp, MakesAsManySimulationsAsItMay) {
    HdpOptions options = small(0, 8);
    options.budget = {20, 0};
    const std::vector<CurvePoint> curve = curveOf(twoChains(), options);
    ASSERT_EQ(curve.size(), 3U) << "8, 8 and 4";
    EXPECT_EQ(curve.back().simulations, 20);
}

TEST(Hdp, ReturnsTheBestPlanSoFarWhenToldToStop) {
    const Problem problem = lstmProblem();
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    std::int64_t bestNs = 0;
    context.curve = [&](const CurvePoint& point) {
        bestNs = point.bestNs;
        if (point.update == 4)
            source.request_stop();
        EXPECT_LE(point.update, 4);
    };
    const Plan plan = placedByHdp(problem, small(1'000'000), context);
    EXPECT_EQ(test::simulated(problem, plan).makespanNs, bestNs);
}

TEST(Hdp, KeepsPinsAndColocation) {
    Random random(6);
    Problem problem = test::makeTestProblem(test::randomGraph(random, 60, true), {.devices = 3});
    problem.pins.assign(60, DeviceId());
    for (std::size_t op = 0; op < 60; op += 9) {
        if (problem.graph->colocationGroup(OpId(op)) < 0)
            problem.pins[op] = DeviceId(op % 3);
    }
    const Plan plan = placedByHdp(problem, small(4)); // checks the plan
    for (std::size_t op = 0; op < 60; ++op) {
        if (problem.pins[op].valid()) {
            EXPECT_EQ(plan.device[op], problem.pins[op]);
        }
    }
}

} // namespace
} // namespace opscape::rl
