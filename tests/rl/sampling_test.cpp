// SPDX-License-Identifier: MIT
// What a run owes whatever it learns: legal actions only, pins, the same bits again, from a file and on any number of
// threads, and an end when asked.
#include "rl/rl_fixture.h"
#include "support/sentence.h"
#include "support/stop_after.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>
#include <opscape/search/setup.h>

namespace opscape::rl {
namespace {

/// Placement where every op may go to two devices only, by its number.
class Picky final : public DecisionTask {
    [[nodiscard]] const TaskInfo& info() const override {
        static const TaskInfo kInfo{"picky", "Picky", "For tests.", 10, 1};
        return kInfo;
    }
    [[nodiscard]] int actionCount(const Problem& problem) const override {
        return static_cast<int>(problem.cluster->deviceCount());
    }
    void legal(const Problem&, const Plan&, OpId op, std::span<std::uint8_t> mask) const override {
        std::ranges::fill(mask, std::uint8_t{0});
        mask[op.index() % mask.size()] = mask[(op.index() + 1) % mask.size()] = 1;
    }
    void fallback(const Problem& problem, std::span<int> actions) const override {
        for (std::size_t i = 0; i < actions.size(); ++i)
            actions[i] = static_cast<int>(i) % actionCount(problem);
    }
    [[nodiscard]] Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const override {
        plan.device.resize(actions.size());
        std::vector<std::uint8_t> mask(problem.cluster->deviceCount());
        for (std::size_t i = 0; i < actions.size(); ++i) {
            legal(problem, plan, OpId(i), mask);
            if (mask[static_cast<std::size_t>(actions[i])] == 0)
                return fail("action {} of op {} is not legal.", actions[i], i);
            plan.device[i] = DeviceId(static_cast<std::size_t>(actions[i]));
        }
        return {};
    }
};

TEST(Sampling, NeverTakesAnActionThatIsNotLegal) {
    Random random(2);
    const Problem problem = test::makeTestProblem(test::randomGraph(random, 150), {.devices = 5});
    const Picky picky;
    const std::vector<const DecisionTask*> tasks{&picky};
    TrainOptions options = policyOnly({"picky"}, 8);
    const auto plan = train(problem, tasks, options, {}); // apply() refuses what is not legal
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
}

TEST(Sampling, KeepsPinsAndColocation) {
    Random random(6);
    Problem problem = test::makeTestProblem(test::randomGraph(random, 60, true), {.devices = 3});
    problem.pins.assign(60, DeviceId());
    for (std::size_t op = 0; op < 60; op += 9) {
        if (problem.graph->colocationGroup(OpId(op)) < 0)
            problem.pins[op] = DeviceId(op % 3);
    }
    const Plan plan = trained(problem, policyOnly({"placement", "scheduling"}, 4)); // checks the plan
    for (std::size_t op = 0; op < 60; ++op) {
        if (problem.pins[op].valid()) {
            EXPECT_EQ(plan.device[op], problem.pins[op]);
        }
    }
}

TEST(Sampling, LeavesAloneWhatIsNotLearned) {
    Problem problem = lstmProblem();
    problem.start = plainPlan(problem);
    problem.start->policy = QueuePolicy::Priority;
    problem.start->priority.assign(problem.graph->opCount(), 7);
    EXPECT_EQ(trained(problem, policyOnly({"placement"}, 3)).priority, problem.start->priority);
    EXPECT_EQ(trained(problem, policyOnly({"scheduling"}, 3)).device, problem.start->device);
}

TEST(Sampling, TellsWhenATaskIsNotThere) {
    const auto plan = train(lstmProblem(), registry().tasks(), policyOnly({"plaicement"}, 1), {});
    ASSERT_FALSE(plan.has_value());
    EXPECT_THAT(plan.error().message, test::IsOneSentence());
}

/// Everything that training has come to.
std::string bitsOf(const Trainer& trainer, const test::TemporaryFolder& folder) {
    const auto file = folder / "bits";
    EXPECT_TRUE(writeCheckpoint(trainer.checkpoint(), file));
    return readFile(file).value_or("");
}

class Repeated : public testing::Test {
protected:
    Trainer make(int threads, std::uint64_t seed = 1) {
        TrainOptions options = policyOnly({"placement", "scheduling"}, 10);
        options.threads = threads;
        options.seed = seed;
        options.samples = 16;
        options.imitationSteps = 10;
        auto trainer = Trainer::make(m_problem, m_tasks, plainPlan(m_problem), options, m_context);
        EXPECT_TRUE(trainer.has_value());
        return std::move(*trainer);
    }
    static void update(Trainer& trainer, int from, int to) {
        for (int i = from; i < to; ++i)
            EXPECT_TRUE(trainer.update(i / 10.0, 1000).has_value());
    }

    Problem m_problem = lstmProblem();
    std::vector<const DecisionTask*> m_tasks = tasksOf({"placement", "scheduling"});
    RunContext m_context;
    test::TemporaryFolder m_folder;
};

TEST_F(Repeated, GivesTheSameBitsOnAnyNumberOfThreads) {
    std::vector<std::string> bits;
    for (const int threads : {1, 2, 4}) {
        Trainer trainer = make(threads);
        ASSERT_TRUE(trainer.warmUp());
        update(trainer, 0, 4);
        bits.push_back(bitsOf(trainer, m_folder));
    }
    EXPECT_GT(bits[0].size(), 10'000U);
    EXPECT_TRUE(bits[0] == bits[1]);
    EXPECT_TRUE(bits[0] == bits[2]);
    Trainer other = make(1, 2);
    ASSERT_TRUE(other.warmUp());
    update(other, 0, 4);
    EXPECT_FALSE(bits[0] == bitsOf(other, m_folder)) << "another seed";
}

TEST_F(Repeated, GoesOnFromACheckpointAsIfNeverInterrupted) {
    std::vector<std::string> all;
    for (const bool isFineTuned : {false, true}) {
        Trainer whole = make(1);
        if (isFineTuned) {
            ASSERT_TRUE(whole.adopt(whole.parameters()));
        }
        ASSERT_TRUE(whole.warmUp());
        update(whole, 0, 3);
        const auto file = m_folder / "training.opscape";
        ASSERT_TRUE(writeCheckpoint(whole.checkpoint(), file));
        update(whole, 3, 6);

        Trainer second = make(2);
        auto checkpoint = readCheckpoint(file);
        ASSERT_TRUE(checkpoint.has_value()) << checkpoint.error().message;
        ASSERT_TRUE(second.restore(std::move(*checkpoint), file));
        EXPECT_EQ(second.updates(), 3);
        update(second, 3, 6);
        EXPECT_TRUE(bitsOf(whole, m_folder) == bitsOf(second, m_folder)) << isFineTuned;
        all.push_back(bitsOf(whole, m_folder));
    }
    EXPECT_FALSE(all[0] == all[1]) << "a policy that was trained before imitates nothing";
}

TEST_F(Repeated, RefusesCheckpointsOfSomethingElseAndDamagedOnes) {
    Trainer trainer = make(1);
    ASSERT_TRUE(trainer.warmUp());
    const auto file = m_folder / "training.opscape";
    ASSERT_TRUE(writeCheckpoint(trainer.checkpoint(), file));
    const std::string good = readFile(file).value_or("");
    const auto refusal = [&](const std::string& bytes) {
        const auto read = readCheckpoint(m_folder.file("bad", bytes));
        EXPECT_FALSE(read.has_value());
        return read ? std::string() : read.error().message;
    };
    std::string damaged = good;
    damaged[good.size() / 2] ^= 1;
    std::string newer = good;
    newer[8] = 9;
    for (const std::string& bytes :
         {std::string("{}"), good.substr(0, 20), good.substr(0, good.size() - 5), damaged, newer}) {
        const std::string message = refusal(bytes);
        EXPECT_THAT(message, test::IsOneSentence());
        EXPECT_THAT(message, testing::HasSubstr("bad"));
    }
    EXPECT_FALSE(readCheckpoint(m_folder / "none").has_value());

    Checkpoint other = trainer.checkpoint();
    other.revisions["placement"] += 1;
    auto restored = trainer.restore(other, "file");
    ASSERT_FALSE(restored.has_value());
    EXPECT_THAT(restored.error().message, test::IsOneSentence());
    other = trainer.checkpoint();
    other.network["hidden"] = "7";
    restored = trainer.restore(other, "file");
    ASSERT_FALSE(restored.has_value());
    EXPECT_THAT(restored.error().message, test::IsOneSentence());
}

TEST_F(Repeated, TakesTheWeightsOfAnotherGraph) {
    Trainer trainer = make(1);
    ASSERT_TRUE(trainer.warmUp());
    update(trainer, 0, 2);
    const Checkpoint learned = trainer.checkpoint();
    m_problem = test::makeTestProblem(test::lstmTrainingGraph(3, 4, 512), test::acceleratorShape(2));
    Trainer next = make(1);
    ASSERT_TRUE(next.restore(learned, "file"));
    EXPECT_EQ(next.updates(), 0);
    EXPECT_EQ(next.checkpoint().policy.parameters, learned.policy.parameters);
    EXPECT_TRUE(next.update(0, 1000).has_value());
}

TEST(Stopping, EndsAtOnceWithTheBestPlanSoFar) {
    const Problem problem = lstmProblem();
    for (const int after : {0, 1, 3}) {
        test::StopAfter stopped(after);
        const auto plan =
            train(problem, registry().tasks(), policyOnly({"placement", "scheduling"}, 1000), stopped.context);
        EXPECT_EQ(stopped.updates, after);
        if (after > 0) {
            ASSERT_TRUE(plan.has_value());
            EXPECT_TRUE(checkPlan(problem, *plan));
        }
    }
}

TEST(Budget, CountsSimulationsOfPolicyAndRefinement) {
    const Problem problem = lstmProblem();
    TrainOptions options;
    options.phases = {{"placement", "scheduling"}};
    options.budget = {600, 0};
    std::int64_t counted = 0;
    RunContext context;
    context.progress = [&](const Progress& progress) { counted = progress.simulations; };
    const Plan first = trained(problem, options, context);
    EXPECT_GE(counted, 500);
    EXPECT_LE(counted, 700);
    EXPECT_EQ(trained(problem, options), first);
}

} // namespace
} // namespace opscape::rl
