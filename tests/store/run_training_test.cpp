// SPDX-License-Identifier: MIT
// Runs that go on: what others see of them, and how another process takes them up.
#include "store_fixture.h"
#include "support/child_process.h"
#include "support/sentence.h"

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using RunTraining = StoreTest;
using testing::HasSubstr;

std::int64_t trainedRun(RunStore& store, std::int64_t id) {
    std::vector<CurvePoint> points;
    for (std::int64_t i = 1; i <= 6; ++i) {
        CurvePoint point;
        point.update = i;
        point.simulations = 10 * i;
        points.push_back(point);
    }
    EXPECT_TRUE(store.appendCurve(id, points));
    return id;
}

TEST_F(RunTraining, HowFarItIsIsSeenByOthers) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    const RunStore other = openStore();
    EXPECT_LT(other.progress(id)->progress.bestNs, 0) << "nothing was told yet";
    ASSERT_TRUE(store.tellProgress(id, {{.5, 12, 34, "policy, update 7"}, false}));
    ASSERT_TRUE(store.tellProgress(id, {{.6, 11, 40, "policy, update 8"}, true}));
    const auto seen = other.progress(id);
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->progress.fraction, .6);
    EXPECT_EQ(seen->progress.bestNs, 11);
    EXPECT_EQ(seen->progress.simulations, 40);
    EXPECT_EQ(seen->progress.stage, "policy, update 8");
    EXPECT_TRUE(seen->paused);
    ASSERT_TRUE(store.remove(id));
    EXPECT_TRUE(store.tellProgress(id, {})) << "it was deleted meanwhile";
    EXPECT_EQ(other.progress(id)->progress.stage, "");
}

TEST_F(RunTraining, ProgressLeavesTheListAsItIsButForAPause) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ASSERT_TRUE(store.tellProgress(id, {{.1, 1, 1, "a"}, false}));
    const std::int64_t before = *store.listVersion();
    ASSERT_TRUE(store.tellProgress(id, {{.2, 1, 2, "b"}, false}));
    EXPECT_EQ(*store.listVersion(), before);
    ASSERT_TRUE(store.tellProgress(id, {{.2, 1, 2, "b"}, true}));
    EXPECT_NE(*store.listVersion(), before);
}

TEST_F(RunTraining, OneThatIsHeldUpIsListedAndFoundAsPaused) {
    RunStore store = openStore();
    const std::int64_t held = beginRun(store), going = beginRun(store);
    ASSERT_TRUE(store.tellProgress(held, {{.1, 1, 1, "a"}, true}));
    ASSERT_TRUE(store.tellProgress(going, {{.1, 1, 1, "a"}, false}));
    RunQuery query;
    query.condition.kind = RunCondition::Kind::Text;
    query.condition.text = "paused";
    for (const RunField field : {RunField::Status, RunField::Any}) {
        query.condition.field = field;
        EXPECT_THAT(*store.find(query), testing::ElementsAre(held));
    }
    query.condition.field = RunField::Status;
    query.condition.text = "running";
    EXPECT_THAT(*store.find(query), testing::ElementsAre(going));
    ASSERT_TRUE(store.finish(held, RunStatus::Finished, 1, RunResult{}, "{}", ""));
    query.condition.text = "paused";
    EXPECT_TRUE(store.find(query)->empty()) << "what it was before it ended no longer counts";
}

TEST_F(RunTraining, TheBestPlanSoFarIsThereShouldItEndTooEarly) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ASSERT_TRUE(store.tellProgress(id, {}));
    EXPECT_FALSE(store.planText(id));
    const RunResult result{100, 50, 7, 8, true};
    ASSERT_TRUE(store.keepBest(id, {200, 50, 7, 8, true}, "worse"));
    ASSERT_TRUE(store.keepBest(id, result, "better"));
    EXPECT_EQ(store.get(id)->status, RunStatus::Running);
    EXPECT_EQ(store.progress(id)->plans, 2);
    ASSERT_TRUE(store.finish(id, RunStatus::Interrupted, 5, std::nullopt, {}, "It died."));
    EXPECT_EQ(*store.planText(id), "better");
    EXPECT_EQ(store.get(id)->result, result);
    EXPECT_THAT(store.keepBest(99, result, "plan").error().message, HasSubstr("there is no run 99"));
}

TEST_F(RunTraining, IsClaimedWhenItsProcessIsGoneOrHandsItOver) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    EXPECT_EQ(*store.process(id), ::getpid());
    ChildProcess heir([&](const ChildProcess& child) {
        RunStore its = openStore();
        const auto claimed = its.claim(id); // its parent's
        child.tell(claimed ? "claimed" : claimed.error().message);
        ::pause();
        return 0;
    });
    ASSERT_EQ(heir.hear(), "claimed");
    EXPECT_EQ(*store.process(id), heir.pid());
    const auto again = store.claim(id);
    ASSERT_FALSE(again) << "it goes on there";
    EXPECT_THAT(again.error().message, IsOneSentence());
    heir.kill();
    EXPECT_EQ(*store.process(id), 0);
    EXPECT_EQ(*store.noticeDied(), std::vector{id});
    EXPECT_EQ(store.noticeDied()->size(), 0u);
    EXPECT_EQ(store.get(id)->status, RunStatus::Interrupted);
    ASSERT_TRUE(store.claim(id));
    EXPECT_EQ(store.get(id)->status, RunStatus::Running);
    EXPECT_EQ(store.get(id)->error, "");
    EXPECT_EQ(*store.process(id), ::getpid());
    EXPECT_FALSE(store.process(99));
}

TEST_F(RunTraining, ACurveIsCutWhereTheRunIsTakenUp) {
    RunStore store = openStore();
    const std::int64_t id = trainedRun(store, beginRun(store));
    EXPECT_EQ(store.progress(id)->cuts, 0);
    ASSERT_TRUE(store.cutCurve(id, 40));
    EXPECT_EQ(store.curve(id)->points.size(), 4u);
    EXPECT_EQ(store.progress(id)->cuts, 1);
    CurvePoint next;
    next.update = 5;
    next.simulations = 50;
    ASSERT_TRUE(store.appendCurve(id, std::vector{next}));
    EXPECT_EQ(store.curve(id, 4)->points.size(), 1u) << "it follows without a gap";
    ASSERT_TRUE(store.tellProgress(id, {}));
    EXPECT_EQ(store.progress(id)->cuts, 1);
    ASSERT_TRUE(store.cutCurve(id, -1));
    EXPECT_TRUE(store.curve(id)->points.empty());
}

TEST_F(RunTraining, LossesAreKeptAndMayBeMissing) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    CurvePoint with, without;
    with.policyLoss = -.25;
    with.imitationLoss = 3;
    ASSERT_TRUE(store.appendCurve(id, std::vector{with, without}));
    const auto points = store.curve(id)->points;
    EXPECT_EQ(points[0].policyLoss, -.25);
    EXPECT_EQ(points[0].imitationLoss, 3);
    EXPECT_TRUE(std::isnan(points[1].policyLoss) && std::isnan(points[1].imitationLoss));
}

TEST_F(RunTraining, ItsFilesGoWithIt) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    const auto files = RunStore::folderOf(file(), id);
    std::filesystem::create_directories(files / "deep");
    ASSERT_TRUE(store.remove(id));
    EXPECT_FALSE(std::filesystem::exists(files));
}

} // namespace
} // namespace opscape::test
