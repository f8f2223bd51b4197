// SPDX-License-Identifier: MIT
// Learning on many graphs at once, and carrying what was learned to another.
#include "rl/rl_fixture.h"
#include "support/temporary_folder.h"

#include <opscape/rl/model/model.h>
#include <opscape/rl/pretrain/pretrain_state.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <mutex>
#include <thread>

namespace opscape::rl {
namespace {

Lesson lesson(int layers, int steps, int devices) {
    return {fmt::format("lstm layers={} steps={} on {}", layers, steps, devices), layers % 2 == 0 ? "even" : "odd",
            test::makeTestProblem(test::lstmTrainingGraph(layers, steps, 512), test::acceleratorShape(devices))};
}

std::vector<Lesson> lessons() { return {lesson(2, 3, 2), lesson(3, 3, 3), lesson(1, 5, 2), lesson(2, 4, 4)}; }

class Pretrained : public testing::Test {
protected:
    PretrainOptions options(std::int64_t updates) {
        PretrainOptions o;
        o.network.hidden = 16;
        o.network.headHidden = 8;
        o.updates = updates;
        o.samples = 8;
        o.slots = 2;
        return o;
    }
    Result<PretrainResult> run(const PretrainOptions& o, const std::filesystem::path& model, const Crew& crew = {},
                               const std::function<void(const PretrainPoint&)>& told = {}) {
        return pretrain(set, heldOut, registry().tasks(), o, model, crew, told, {});
    }
    std::vector<float> weights(const PretrainOptions& o, const char* name, const Crew& crew = {}) {
        const auto done = run(o, folder / name, crew);
        EXPECT_TRUE(done.has_value()) << (done ? "" : done.error().message);
        const auto model = readModel(folder / name);
        EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
        return model ? model->parameters : std::vector<float>();
    }
    test::TemporaryFolder folder;
    std::vector<Lesson> set = lessons(), heldOut{lesson(4, 3, 2)};
};

TEST_F(Pretrained, TellsHowItGoesAndWritesAModelWithItsCard) {
    std::vector<PretrainPoint> points;
    PretrainOptions o = options(6);
    o.recipe = R"({"set": "test"})";
    const auto done = run(o, folder / "m", {}, [&](const PretrainPoint& point) { points.push_back(point); });
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_EQ(done->updates, 6);
    ASSERT_GE(points.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(points[i].update, static_cast<std::int64_t>(i) + 1);
        EXPECT_LT(points[i].reward, 0);
        EXPECT_GT(points[i].entropy, 0);
    }
    ASSERT_TRUE(done->heldOut.has_value());
    EXPECT_EQ(done->heldOut->lessons, 1U);
    EXPECT_LE(done->heldOut->bestOf64, done->heldOut->greedy * 1.5);
    const auto model = readModel(folder / "m");
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_EQ(model->recipe, o.recipe);
    EXPECT_EQ(model->updates, 6);
    EXPECT_EQ(model->heldOutGreedy, done->heldOut->greedy);
    EXPECT_EQ(model->revisions.size(), 2U);
    ASSERT_EQ(model->judged.size(), 1U);
    const JudgedLesson& judged = model->judged[0];
    EXPECT_EQ(judged.graph, "lstm layers=4 steps=3");
    EXPECT_EQ(judged.cluster, "2");
    EXPECT_EQ(judged.family, "even");
    EXPECT_EQ(judged.ops, static_cast<std::int64_t>(heldOut[0].problem.graph->opCount()));
    const auto ratio = static_cast<double>(judged.greedyNs) / static_cast<double>(judged.simpleNs);
    EXPECT_NEAR(ratio, model->heldOutGreedy, 1e-6) << "whole nanoseconds";
    ASSERT_EQ(model->curve.size(), 6U);
    EXPECT_EQ(model->curve[3].reward, points[3].reward);
    EXPECT_TRUE(model->curve.back().heldOut.has_value()) << "the last look belongs to the last update";
}

TEST_F(Pretrained, FilesOfTheFirstFormatAreReadWithoutWhatTheyLack) {
    PretrainOptions o = options(2);
    o.save = folder / "state";
    (void)weights(o, "m");
    Model model = *readModel(folder / "m");
    Writer old;
    visit(old, model.version);
    visit(old, model.network);
    visit(old, model.revisions);
    visit(old, model.recipe);
    visit(old, model.updates);
    visit(old, model.simulations);
    visit(old, model.seconds);
    visit(old, model.heldOutLessons);
    visit(old, model.heldOutGreedy);
    visit(old, model.heldOutBestOf64);
    visit(old, model.parameters);
    ASSERT_TRUE((StateFile{"OPSCAPMO", 1, "model", "train one anew"}.write(folder / "old", old.bytes)));
    const auto read = readModel(folder / "old");
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(modelHash(*read), modelHash(model));
    EXPECT_TRUE(read->judged.empty());
    ASSERT_TRUE((StateFile{"OPSCAPMO", 3, "model", "train one anew"}.write(folder / "new", old.bytes)));
    const auto newer = readModel(folder / "new");
    ASSERT_FALSE(newer.has_value());
    EXPECT_NE(newer.error().message.find("model format 3"), std::string::npos) << newer.error().message;

    PretrainOptions on = options(3);
    on.load = folder / "state";
    const auto rest = weights(on, "rest");
    TrainingState state = *readState<TrainingState>(kTrainingFile, folder / "state");
    Writer oldState;
    visit(oldState, state.lessonsHash);
    visit(oldState, state.seed);
    visit(oldState, state.update);
    visit(oldState, state.simulations);
    visit(oldState, state.seconds);
    visit(oldState, state.policy);
    visit(oldState, state.opened);
    visit(oldState, state.lessons);
    ASSERT_TRUE((StateFile{"OPSCAPPT", 1, "state", "train anew"}.write(folder / "state", oldState.bytes)));
    EXPECT_EQ(weights(on, "rest of the old"), rest);
}

TEST(PretrainCurve, IsThinnedOutToWhatIsWorthKeeping) {
    std::vector<PretrainPoint> curve;
    for (std::int64_t update = 1; update <= 20'000; ++update) {
        curve.push_back({.update = update});
        if (update % 1000 == 0)
            curve.back().heldOut = HeldOut{1, 1, 1};
        thinOut(curve);
    }
    EXPECT_LE(curve.size(), 1024U);
    EXPECT_GE(curve.size(), 256U);
    EXPECT_EQ(curve.front().update, 1);
    EXPECT_EQ(curve.back().update, 20'000);
    EXPECT_EQ(std::ranges::count_if(curve, [](const PretrainPoint& p) { return p.heldOut.has_value(); }), 20);
    EXPECT_TRUE(std::ranges::is_sorted(curve, {}, &PretrainPoint::update));
}

TEST_F(Pretrained, GivesTheSameBitsForTheSameSeedOnAnyNumberOfThreads) {
    PretrainOptions o = options(3);
    const auto once = weights(o, "a");
    o.threads = 3;
    EXPECT_EQ(weights(o, "b"), once);
}

TEST_F(Pretrained, GoesOnFromItsStateAsIfNeverInterrupted) {
    const auto whole = weights(options(5), "whole");
    PretrainOptions first = options(5);
    first.save = folder / "state";
    first.saveEvery = 0;
    // Told to stop after the second update: what is learned until then is kept.
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    const auto stopped = pretrain(
        set, heldOut, registry().tasks(), first, folder / "part", {},
        [&](const PretrainPoint& point) {
            if (point.update == 2)
                stop.request_stop();
        },
        context);
    ASSERT_TRUE(stopped.has_value()) << stopped.error().message;
    EXPECT_EQ(stopped->updates, 2);
    PretrainOptions second = options(5);
    second.load = folder / "state";
    EXPECT_EQ(weights(second, "rest"), whole);
}

TEST_F(Pretrained, RefusesTheStateOfOtherLessons) {
    PretrainOptions o = options(1);
    o.save = folder / "state";
    (void)weights(o, "a");
    set.pop_back();
    o.load = folder / "state";
    const auto refused = run(o, folder / "b");
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("other lessons"), std::string::npos) << refused.error().message;
}

TEST_F(Pretrained, SeveralProcessesMakeTheUpdateThatOneWouldMake) {
    const auto alone = weights(options(4), "alone");
    // Threads in the place of processes: each has its own trainers, and they meet in the sum.
    constexpr int kCrew = 2;
    std::mutex mutex;
    std::barrier meet(kCrew);
    std::vector<float> total;
    int arrived = 0;
    const auto sum = [&](std::span<float> values) {
        {
            const std::scoped_lock lock(mutex);
            if (arrived++ % kCrew == 0)
                total.assign(values.size(), 0);
            for (std::size_t i = 0; i < values.size(); ++i)
                total[i] += values[i];
        }
        meet.arrive_and_wait();
        std::ranges::copy(total, values.begin());
        meet.arrive_and_wait();
        return true;
    };
    std::vector<float> together;
    {
        std::jthread other([&] { (void)run(options(4), folder / "none", {1, kCrew, sum}); });
        together = weights(options(4), "together", {0, kCrew, sum});
    }
    ASSERT_EQ(together.size(), alone.size());
    double most = 0;
    for (std::size_t i = 0; i < alone.size(); ++i)
        most = std::max(most, static_cast<double>(std::abs(alone[i] - together[i])));
    EXPECT_LT(most, 1e-4);
    EXPECT_FALSE(std::filesystem::exists(folder / "none")) << "only the first process writes";
}

TEST_F(Pretrained, EndsWithASentenceWhenAnotherProcessIsGone) {
    const auto done = run(options(4), folder / "m", {0, 2, [](std::span<float>) { return false; }});
    ASSERT_FALSE(done.has_value());
    EXPECT_NE(done.error().message.find("another process"), std::string::npos) << done.error().message;
}

TEST_F(Pretrained, APolicyIsCarriedToAGraphThatItHasNotSeen) {
    (void)weights(options(3), "m");
    TrainOptions o = policyOnly({"placement", "scheduling"}, 2);
    o.network.hidden = 16;
    o.network.headHidden = 8;
    o.model = folder / "m";
    const Problem& problem = heldOut[0].problem;
    const std::int64_t tuned = trainedNs(problem, o);
    o.zeroShot = ZeroShot::BestOf64;
    const std::int64_t best = trainedNs(problem, o);
    o.zeroShot = ZeroShot::Greedy;
    const std::int64_t greedy = trainedNs(problem, o);
    EXPECT_LE(best, greedy) << "the greedy plan is one of those that count";
    EXPECT_LE(tuned, best);
}

TEST_F(Pretrained, AModelOfSomethingElseIsRefusedOrLeftAsideAndSaid) {
    (void)weights(options(1), "m");
    TrainOptions o = policyOnly({"placement"}, 1);
    o.network.hidden = 16;
    o.network.headHidden = 8;
    o.model = folder / "m";
    const Problem& problem = heldOut[0].problem;
    const auto refused = train(problem, registry().tasks(), o, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().message.find("also trained for task scheduling"), std::string::npos)
        << refused.error().message;
    o.modelMayDiffer = true;
    std::string said;
    RunContext context;
    context.progress = [&said](const Progress& progress) { said = progress.verdict; };
    ASSERT_TRUE(train(problem, registry().tasks(), o, context).has_value());
    EXPECT_NE(said.find("from nothing"), std::string::npos) << said;
    o.modelMayDiffer = false;
    o.network.hidden = 24;
    o.phases = {{"placement", "scheduling"}};
    const auto other = train(problem, registry().tasks(), o, {});
    ASSERT_FALSE(other.has_value());
    EXPECT_NE(other.error().message.find("hidden 16, here it is 24"), std::string::npos) << other.error().message;
}

} // namespace
} // namespace opscape::rl
