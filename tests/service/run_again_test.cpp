// SPDX-License-Identifier: MIT
#include "service/pinned_ops.h"
#include "service/run_again.h"
#include "support/sentence.h"
#include "support/small_graph.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;

class RunAgainTest : public testing::Test {
protected:
    RunAgainTest() {
        ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/tests/plugins", 1);
        opened = *Workbench::openGraph(writeSmallGraph(m_folder.path()));
        workbench.emplace(m_folder / "runs.sqlite");
    }
    ~RunAgainTest() override { ::unsetenv("OPSCAPE_PLUGINS"); }
    std::shared_ptr<const OpenedGraph> opened;
    std::shared_ptr<const Cluster> cluster =
        std::make_shared<const Cluster>(Cluster::load("p100x4")->withLinkModel(LinkModel::None));
    std::optional<Workbench> workbench;

private:
    TemporaryFolder m_folder;
};

TEST_F(RunAgainTest, MakesTheSamePlanFromTheStoreAlone) {
    OptimizeRequest request{"scatter", {}, 77, {}};
    request.objective = Objective::Pipeline;
    request.finish.scheduler = *parseScheduler("rank");
    const auto first = workbench->optimize(opened, cluster, request, {});
    ASSERT_TRUE(first) << first.error().message;
    const auto again = runAgain(*workbench, first->run.id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->request.seed, 77u);
    EXPECT_EQ(again->request.objective, Objective::Pipeline);
    EXPECT_EQ(again->request.finish.scheduler, request.finish.scheduler);
    EXPECT_FALSE(again->request.finish.fuser);
    EXPECT_EQ(again->cluster->linkModel(), LinkModel::None) << "as it was run, not as the cluster says";
    EXPECT_EQ(again->opened->graph->hash(), opened->graph->hash());
    const auto second = workbench->optimize(again->opened, again->cluster, again->request, {});
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->plan, first->plan);
    EXPECT_EQ(second->run.options, first->run.options);
    EXPECT_NE(second->run.id, first->run.id);
}

TEST_F(RunAgainTest, IsPossibleForARunThatFailed) {
    ASSERT_FALSE(workbench->optimize(opened, cluster, {"fails", {}, 5, {}}, {}));
    const auto again = runAgain(*workbench, 1, opened);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->opened, opened) << "the graph that is open is the same one";
    EXPECT_EQ(again->run.status, RunStatus::Failed);
}

TEST_F(RunAgainTest, SaysWhatCannotBeMadeAgain) {
    const Plan plan = Plan::allOn(DeviceId(0), opened->graph->opCount());
    ASSERT_TRUE(workbench->simulatePlan(opened, cluster, plan, true));
    EXPECT_THAT(runAgain(*workbench, 1).error().message, HasSubstr("a plan that was given"));
    EXPECT_THAT(runAgain(*workbench, 99).error().message, HasSubstr("no run 99"));
    auto store = *workbench->openStore();
    RunRecord gone = *store.get(1);
    const auto begin = [&] {
        const auto id = store.begin(
            gone, [] { return std::string(); }, *store.clusterText(gone.clusterHash));
        return id.value_or(0);
    };
    gone.optimizer = "unheard-of";
    EXPECT_THAT(runAgain(*workbench, begin()).error().message, HasSubstr("cannot be made again"));
    gone.optimizer = "scatter";
    gone.options = {{kPinnedOption, "3"}};
    const auto pinned = runAgain(*workbench, begin());
    ASSERT_FALSE(pinned);
    EXPECT_THAT(pinned.error().message, HasSubstr("3 ops where they were pinned"));
    EXPECT_THAT(pinned.error().message, IsOneSentence());
}

TEST_F(RunAgainTest, OpsThatWerePinnedAreSoAgain) {
    OptimizeRequest request{"scatter", {}, 3, {}};
    request.pins.assign(opened->graph->opCount(), DeviceId());
    request.pins[1] = DeviceId(2);
    const auto first = workbench->optimize(opened, cluster, request, {});
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->run.options.at(kPinnedOption), "1 op: 1@2");
    const auto again = runAgain(*workbench, first->run.id);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->request.pins, request.pins);
    EXPECT_FALSE(again->request.options.contains(kPinnedOption));
    const auto second = workbench->optimize(again->opened, again->cluster, again->request, {});
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->plan.device[1], DeviceId(2));
    EXPECT_EQ(second->run.options, first->run.options);
}

TEST(PinnedOps, AreReadAsTheyAreWritten) {
    std::vector<DeviceId> pins(12);
    EXPECT_EQ(pinnedText(pins), "");
    pins[0] = pins[1] = DeviceId(2);
    pins[2] = DeviceId(0);
    pins[11] = DeviceId(3);
    EXPECT_EQ(pinnedText(pins), "4 ops: 0-1@2 2@0 11@3");
    EXPECT_EQ(parsePinned(pinnedText(pins), 12, 4), pins);
    EXPECT_FALSE(parsePinned(pinnedText(pins), 11, 4)) << "of another graph";
    EXPECT_FALSE(parsePinned(pinnedText(pins), 12, 3)) << "of another cluster";
    for (const char* text : {"3", "", "3 ops: x", "3 ops: 1-", "3 ops: 1@", "3 ops: 5-2@1", "3 ops: 1@1,2@1"})
        EXPECT_FALSE(parsePinned(text, 12, 4)) << text;
}

TEST(RevisionRemark, IsThereOnlyWhereRevisionsDiffer) {
    RunRecord run;
    run.optimizer = "heft";
    run.revision = 3;
    EXPECT_EQ(revisionRemark(run, 3), "");
    EXPECT_EQ(revisionRemark(run, 0), "") << "the plugin is not there";
    EXPECT_THAT(revisionRemark(run, 5), HasSubstr("revision 3 of heft; this program has revision 5"));
    run.optimizer.clear();
    EXPECT_EQ(revisionRemark(run, 5), "");
}

} // namespace
} // namespace opscape::test
