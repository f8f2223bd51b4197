// SPDX-License-Identifier: MIT
// What a policy says without being drawn from: the likeliest decisions, within the memory that there is.
#include "rl/rl_fixture.h"
#include "support/temporary_folder.h"

#include <opscape/rl/pretrain/pretrain.h>
#include <opscape/rl/train/rollout.h>
#include <opscape/search/setup.h>

#include <gmock/gmock.h>

#include <cmath>

namespace opscape::rl {
namespace {

/// What is decided for the only op there is, from the probabilities of its four devices.
int likeliest(const std::vector<double>& probabilities) {
    test::TinyGraph tiny;
    tiny.op("a", 100);
    const Problem problem = test::makeTestProblem(tiny.build(), {.devices = 4});
    const auto setup = SearchSetup::make(problem);
    EXPECT_TRUE(setup.has_value());
    const DecisionGraph graph = opGraph(problem, setup->groups());
    const std::vector<const DecisionTask*> tasks = tasksOf({"placement"});
    Rollouts rollouts(problem, tasks, graph.units, 1, true);
    std::vector<float> logits;
    for (const double probability : probabilities)
        logits.push_back(static_cast<float>(std::log(probability)));
    TaskBatch batch;
    std::vector<Plan> plans{plainPlan(problem)};
    EXPECT_TRUE(rollouts.run(0, {}, logits, Draw::Greedy, 1, {}, batch, plans).has_value());
    return batch.actions[0];
}

TEST(Likeliest, IsTheKindOfActionThatIsLikeliestAsAWhole) {
    EXPECT_EQ(likeliest({.7, .1, .1, .1}), 0);
    EXPECT_EQ(likeliest({.4, .2, .2, .2}), 1) << "three that look alike have 60% together; the first of them";
    EXPECT_EQ(likeliest({.25, .25, .25, .25}), 0);
    EXPECT_EQ(likeliest({.1, .35, .1, .45}), 3);
    EXPECT_EQ(likeliest({.3, .15, .4, .15}), 2) << "30% together, less than 40%";
}

/// Twelve layers, each with 1,000 bytes kept for its backward pass, on three devices with so much memory.
Problem inMemory(std::int64_t bytes) {
    constexpr int kLayers = 12;
    test::TinyGraph tiny;
    std::vector<OpId> forward, back;
    for (int i = 0; i < kLayers; ++i) {
        const std::string name = fmt::format("layer_{}/forward", i);
        forward.push_back(i == 0 ? tiny.op(name, 100, {}, 1000) : tiny.op(name, 100, {forward.back()}, 1000));
    }
    for (std::size_t i = kLayers; i-- > 0;) {
        const std::string name = fmt::format("gradients/layer_{}/backward", i);
        back.push_back(back.empty() ? tiny.op(name, 100, {forward[i]}, 10)
                                    : tiny.op(name, 100, {forward[i], back.back()}, 10));
        tiny.edit(back.back()).phase = Phase::Backward;
    }
    return test::makeTestProblem(tiny.build(), {.devices = 3, .memoryBytes = bytes});
}

std::int64_t peakOnOne() {
    const Problem roomy = inMemory(0);
    return test::simulated(roomy, plainPlan(roomy)).peakBytes;
}

TEST(Room, LeavesOutWhatIsFullUnlessAllAre) {
    const Problem problem = inMemory(peakOnOne() / 2);
    const auto setup = SearchSetup::make(problem);
    ASSERT_TRUE(setup.has_value());
    const DecisionGraph graph = groupedGraph(problem, setup->groups(), 0);
    const auto episode = tasksOf({"placement"})[0]->begin(problem, graph.units);
    std::vector<std::uint8_t> mask(3);
    std::vector<float> features(3 * static_cast<std::size_t>(episode->featureCount()));
    /// How many devices are legal for each unit when all go to the first that is.
    const auto legal = [&](double room) {
        std::vector<std::ptrdiff_t> counts;
        episode->setRoom(room);
        episode->restart(plainPlan(problem));
        for (std::uint32_t unit = 0; unit < graph.units.count(); ++unit) {
            episode->look(mask, features);
            counts.push_back(std::ranges::count(mask, 1));
            episode->take(static_cast<int>(std::ranges::find(mask, 1) - mask.begin()));
        }
        return counts;
    };
    EXPECT_THAT(legal(0), testing::Each(3)) << "whatever fits";
    const auto counts = legal(.6);
    EXPECT_EQ(counts.front(), 3);
    EXPECT_THAT(counts, testing::Contains(2)) << "the first device is full at some time";
    EXPECT_THAT(counts, testing::Each(testing::Ge(1)));
    EXPECT_EQ(legal(1e-9).front(), 3) << "nothing has room for anything";
}

TEST(Room, APlanThatDoesNotFitIsSaidAgainWithLess) {
    const test::TemporaryFolder folder;
    const std::int64_t bytes = peakOnOne() * 6 / 10;
    PretrainOptions o;
    o.network.hidden = 16;
    o.network.headHidden = 8;
    o.updates = 1;
    o.samples = 4;
    o.slots = 1;
    const std::vector<Lesson> lessons{{"roomy", "lstm", inMemory(0)}};
    ASSERT_TRUE(pretrain(lessons, {}, registry().tasks(), o, folder / "m", {}, {}, {}).has_value());
    TrainOptions zero = policyOnly({"placement", "scheduling"}, 1);
    zero.network = o.network;
    zero.model = folder / "m";
    zero.zeroShot = ZeroShot::Greedy;
    std::int64_t simulations = 0;
    RunContext context;
    context.progress = [&simulations](const Progress& progress) { simulations = progress.simulations; };
    const Problem roomy = inMemory(0), tight = inMemory(bytes);
    const Plan first = trained(roomy, zero, context);
    EXPECT_EQ(simulations, 1);
    ASSERT_GT(test::simulated(roomy, first).peakBytes, bytes) << "else this tries nothing";
    const Plan fits = trained(tight, zero, context);
    EXPECT_GT(simulations, 1);
    EXPECT_LE(test::simulated(tight, fits).peakBytes, bytes);
}

} // namespace
} // namespace opscape::rl
