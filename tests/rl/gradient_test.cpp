// SPDX-License-Identifier: MIT
// Gradients against differences, and the heads in plain loops against the network.
#include "rl/rl_fixture.h"

#include <opscape/rl/network/segment_max.h>
#include <opscape/search/setup.h>

#include <cmath>

namespace opscape::rl {
namespace {

const Adjacency kSome{{0, 2, 2, 5, 6}, {1, 3, 0, 1, 3, 2}};

TEST(SegmentMax, TakesTheLargestOfTheNeighboursAndTheFirstOnATie) {
    const std::vector<double> values{1, 5, /**/ 2, 5, /**/ 7, -1, /**/ 2, 4};
    std::vector<double> out(8);
    std::vector<std::int32_t> from(8);
    segmentMax<double>(kSome, values, 2, out, from);
    EXPECT_EQ(out, (std::vector<double>{2, 5, 0, 0, 2, 5, 7, -1}));
    EXPECT_EQ(from, (std::vector<std::int32_t>{1, 1, -1, -1, 1, 0, 2, 2}));
}

TEST(SegmentMax, HasTheGradientThatDifferencesShow) {
    Random random(3);
    std::vector<double> values(12), weights(12), out(12), gradient(12);
    std::vector<std::int32_t> from(12);
    for (std::size_t i = 0; i < 12; ++i) {
        values[i] = random.uniform();
        weights[i] = random.uniform() - .5;
    }
    const auto loss = [&] {
        segmentMax<double>(kSome, values, 3, out, from);
        double sum = 0;
        for (std::size_t i = 0; i < 12; ++i)
            sum += weights[i] * out[i] * out[i];
        return sum;
    };
    loss();
    std::vector<double> ofOut(12);
    for (std::size_t i = 0; i < 12; ++i)
        ofOut[i] = 2 * weights[i] * out[i];
    segmentMaxBackward<double>(ofOut, from, 3, gradient);
    for (std::size_t i = 0; i < 12; ++i) {
        constexpr double kStep = 1e-6;
        const double before = values[i];
        values[i] = before + kStep;
        const double above = loss();
        values[i] = before - kStep;
        const double below = loss();
        values[i] = before;
        EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-7) << i;
    }
}

/// A small policy over three tasks, two with features and one without, and samples drawn from it.
class WholeNetwork : public testing::Test {
protected:
    void SetUp() override {
        m_network.hidden = 8;
        m_network.headHidden = 6;
        m_network.doublePrecision = true;
    }

    void draw(int samples = 3) {
        m_setup.emplace(*SearchSetup::make(m_problem));
        m_graph = m_isPlain ? opGraph(m_problem, m_setup->groups()) : groupedGraph(m_problem, m_setup->groups(), 0);
        m_rollouts.emplace(m_problem, m_tasks, m_graph.units, 1, m_isPlain);
        m_batch = {};
        m_rows.clear();
        std::vector<TaskShape> shapes;
        for (std::size_t t = 0; t < m_tasks.size(); ++t)
            shapes.push_back({m_tasks[t]->info().id, m_rollouts->actionCount(t), m_rollouts->featureCount(t)});
        m_policy.emplace(m_network, m_graph, shapes, 5);
        std::vector<Plan> plans(static_cast<std::size_t>(samples));
        m_batch.tasks.assign(m_tasks.size(), {});
        for (std::size_t t = 0; t < m_tasks.size(); ++t) {
            const auto rows = m_policy->unitRows(t, m_batch.tasks);
            ASSERT_TRUE(rows.has_value());
            m_rows.push_back(*rows);
            ASSERT_TRUE(m_rollouts->run(t, m_policy->head(t), *rows, Draw::Sample, 9, {}, m_batch.tasks[t], plans));
        }
        Random random(4);
        for (int s = 0; s < samples; ++s) {
            m_batch.advantage.push_back(static_cast<float>(random.uniform() - .5));
            m_batch.weight.push_back(static_cast<float>(random.uniform()));
        }
    }

    void expectGradient() {
        std::vector<float> gradient;
        (void)m_policy->loss(&m_batch, &m_batch, kWeights, &gradient);
        const PolicyState state = m_policy->state();
        ASSERT_EQ(gradient.size(), state.parameters.size());
        Random random(8);
        int compared = 0, far = 0;
        for (std::size_t i = 0; i < gradient.size(); i += 1 + random.below(23)) {
            constexpr float kStep = 1e-3F;
            const auto at = [&](float step) {
                PolicyState moved = state;
                moved.parameters[i] += step;
                EXPECT_TRUE(m_policy->restore(moved));
                return std::pair(m_policy->loss(&m_batch, &m_batch, kWeights, nullptr).loss,
                                 double{moved.parameters[i]});
            };
            const auto [above, to] = at(kStep);
            const auto [below, from] = at(-kStep);
            const double difference = (above - below) / (to - from);
            ++compared;
            // A maximum or a relu may switch within the step, which a difference sees and a gradient does not.
            far += std::abs(difference - gradient[i]) > 2e-5 + 2e-2 * std::abs(difference) ? 1 : 0;
        }
        EXPECT_GT(compared, 150);
        EXPECT_LE(far, compared / 30);
        double norm = 0;
        for (const float g : gradient)
            norm += double{g} * g;
        EXPECT_GT(norm, 1e-6);
    }

    static constexpr LossWeights kWeights{.clip = .2, .entropy = .05, .imitation = .3};
    Problem m_problem = lstmProblem();
    std::vector<const DecisionTask*> m_tasks = tasksOf({"placement", "scheduling", "toy-merge"});
    NetworkOptions m_network;
    bool m_isPlain = false; ///< all ops at once, and nothing known of the actions
    std::optional<SearchSetup> m_setup;
    DecisionGraph m_graph;
    std::optional<Rollouts> m_rollouts;
    std::optional<Policy> m_policy;
    LearningBatch m_batch;
    std::vector<std::vector<float>> m_rows;
};

TEST_F(WholeNetwork, HasTheGradientThatDifferencesShow) {
    draw();
    expectGradient();
}

TEST_F(WholeNetwork, HasTheGradientThatDifferencesShowOverManyRuns) {
    m_network.attention = false; // differences would see through what is held still between segments
    m_network.segment = 5;
    m_network.runRows = 1;
    draw();
    ASSERT_GT(m_graph.units.count(), 10U);
    expectGradient();
}

TEST_F(WholeNetwork, GivesTheSameRunByRunAsAllAtOnce) {
    m_network.segment = 5;
    for (const bool isPlain : {false, true}) {
        for (const bool isDouble : {false, true}) {
            m_isPlain = isPlain;
            m_network.doublePrecision = isDouble;
            m_network.runRows = 1 << 20;
            draw();
            NetworkOptions parts = m_network;
            parts.runRows = 1; // one segment
            const Policy byRun(parts, m_graph, m_policy->tasks(), 5);
            // What is compared is rounded to floats; in float the sums are, too, in another order: the square root of
            // some thousand terms times the rounding of one, 6e-8.
            const double tolerance = isDouble ? 1e-7 : 1e-5;
            std::vector<float> whole, sum;
            const LossReport one = m_policy->loss(&m_batch, &m_batch, kWeights, &whole);
            const LossReport other = byRun.loss(&m_batch, &m_batch, kWeights, &sum);
            EXPECT_NEAR(one.loss, other.loss, tolerance);
            EXPECT_NEAR(one.entropy, other.entropy, tolerance);
            double norm = 0, apart = 0;
            for (std::size_t i = 0; i < whole.size(); ++i) {
                norm += double{whole[i]} * whole[i];
                apart += (double{whole[i]} - sum[i]) * (double{whole[i]} - sum[i]);
            }
            EXPECT_GT(norm, 1e-6);
            EXPECT_LT(std::sqrt(apart), tolerance * std::sqrt(norm)) << isPlain << isDouble;
            for (std::size_t t = 0; t < m_tasks.size(); ++t) {
                const std::vector<float> rows = *byRun.unitRows(t, m_batch.tasks);
                ASSERT_EQ(rows.size(), m_rows[t].size());
                for (std::size_t i = 0; i < rows.size(); ++i)
                    ASSERT_NEAR(rows[i], m_rows[t][i], 1e-5) << t;
            }
        }
    }
}

TEST_F(WholeNetwork, RemembersNothingOfTheWeightsBefore) {
    draw();
    ASSERT_TRUE(m_policy->learn(&m_batch, nullptr, {}, 1e-2, 1));
    Policy fresh(m_network, m_graph, m_policy->tasks(), 6);
    ASSERT_TRUE(fresh.restore(m_policy->state()));
    for (std::size_t t = 0; t < m_tasks.size(); ++t) {
        const std::vector<float> rows = *m_policy->unitRows(t, m_batch.tasks);
        EXPECT_NE(rows, m_rows[t]);
        EXPECT_EQ(rows, *fresh.unitRows(t, m_batch.tasks));
    }
}

TEST_F(WholeNetwork, ReadsTheSegmentBeforeInEveryLayer) {
    m_network.segment = 5; // shorter than the graph: several segments
    const auto perUnit = static_cast<std::size_t>(DecisionGraph::featureCount());
    const std::size_t width = 6;
    m_network.sage = m_network.modulation = false; // what else reaches from unit to unit
    draw();
    ASSERT_GT(m_graph.units.count(), 16U);
    const std::vector<float> plain = *m_policy->unitRows(0, {});
    DecisionGraph other = m_graph;
    std::fill_n(other.features.begin(), perUnit, 1.F); // of the first unit
    const std::vector<float> changed = *Policy(m_network, other, m_policy->tasks(), 5).unitRows(0, {});
    const auto differ = [&](std::size_t unit) {
        return !std::equal(&plain[unit * width], &plain[unit * width] + width, &changed[unit * width]);
    };
    EXPECT_TRUE(differ(0));
    EXPECT_TRUE(differ(4)) << "the same segment";
    EXPECT_TRUE(differ(7)) << "the next one";
    EXPECT_FALSE(differ(m_graph.units.count() - 1)) << "two layers reach two segments far";
}

TEST_F(WholeNetwork, GivesTheProbabilitiesByWhichTheRolloutsDrew) {
    m_network.doublePrecision = false;
    draw(8);
    // Where nothing has been learned since, every ratio of PPO is one.
    const LossReport report = m_policy->loss(&m_batch, nullptr, {}, nullptr);
    EXPECT_NEAR(report.kl, 0, 1e-7);
    EXPECT_EQ(report.clipFraction, 0);
    double mean = 0;
    for (const float advantage : m_batch.advantage)
        mean += advantage / 8.0;
    EXPECT_NEAR(report.loss, -mean, 1e-5);
}

TEST_F(WholeNetwork, TreatsIdenticalDevicesAlike) {
    m_network.doublePrecision = false;
    draw();
    const TaskBatch& placement = m_batch.tasks[0];
    std::vector<float> result(3);
    const HeadWeights weights = m_policy->head(0);
    Head head(weights);
    const auto features = static_cast<std::size_t>(placement.features) * 3;
    head.logProbabilities({m_rows[0].data(), 6}, {placement.seen.data(), features}, {placement.mask.data(), 3}, result);
    EXPECT_EQ(result[0], result[1]); // nothing is placed yet
    EXPECT_EQ(result[1], result[2]);
}

} // namespace
} // namespace opscape::rl
