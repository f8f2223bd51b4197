// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/child_process.h"
#include "support/sentence.h"

#include <opscape/store/database.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;
using Ids = std::vector<std::int64_t>;
using Tags = std::vector<std::string>;

class RunCare : public StoreTest {
protected:
    RunCare() : store(openStore()) {
        for (int i = 0; i < 4; ++i)
            keepRun(store);
    }
    [[nodiscard]] Ids listed() const {
        Ids ids;
        const auto runs = *store.list();
        for (const RunRecord& run : runs)
            ids.push_back(run.id);
        return ids;
    }
    RunStore store;
};

TEST_F(RunCare, TagsAreAddedAndDroppedOfSeveralRuns) {
    ASSERT_TRUE(store.changeTags(Ids{1, 2}, Tags{"best", "paper"}, {}));
    ASSERT_TRUE(store.changeTags(Ids{2, 3}, Tags{"alpha"}, Tags{"PAPER"}));
    EXPECT_EQ(store.get(1)->tags, (Tags{"best", "paper"}));
    EXPECT_EQ(store.get(2)->tags, (Tags{"alpha", "best"}));
    EXPECT_EQ(store.get(3)->tags, Tags{"alpha"});
    ASSERT_TRUE(store.changeTags(Ids{1}, Tags{"BEST"}, {}));
    EXPECT_EQ(store.get(1)->tags, (Tags{"best", "paper"})) << "the same tag in other letters";
}

TEST_F(RunCare, TagsInATextArePartedByBlanksAndCommas) {
    EXPECT_EQ(parseTags(" paper,best  Best\tμ-opt, "), (Tags{"best", "paper", "μ-opt"}));
    EXPECT_EQ(parseTags(" , "), Tags{});
}

TEST_F(RunCare, WhatCannotBeDoneToAllIsDoneToNone) {
    for (const auto& done :
         {store.changeTags(Ids{1, 99}, Tags{"x"}, {}), store.setPinned(Ids{1, 99}, true), store.discard(Ids{1, 99})}) {
        ASSERT_FALSE(done);
        EXPECT_THAT(done.error().message, IsOneSentence());
        EXPECT_THAT(done.error().message, HasSubstr("there is no run 99"));
    }
    const auto run = *store.get(1);
    EXPECT_TRUE(run.tags.empty());
    EXPECT_FALSE(run.pinned);
    EXPECT_EQ(run.deletedMs, 0);
}

TEST_F(RunCare, ADeletedRunIsListedNowhereUntilItIsBroughtBack) {
    ASSERT_TRUE(store.appendCurve(2, std::vector<CurvePoint>(3)));
    const std::int64_t version = *store.listVersion();
    ASSERT_TRUE(store.discard(Ids{2, 3}));
    EXPECT_NE(*store.listVersion(), version);
    EXPECT_EQ(listed(), (Ids{4, 1}));
    EXPECT_EQ(*store.find({}), (Ids{4, 1}));
    EXPECT_EQ(*store.count(), 2);
    EXPECT_TRUE(store.listLearning(9)->empty());
    EXPECT_EQ(*openStore().bin(), (Ids{2, 3})) << "in every program";
    EXPECT_GT(store.get(2)->deletedMs, 0);
    ASSERT_TRUE(store.bringBack(Ids{2}));
    EXPECT_EQ(listed(), (Ids{4, 2, 1}));
    EXPECT_EQ(*store.planText(2), kPlanJson);
    EXPECT_EQ(store.curve(2)->points.size(), 3u);
}

TEST_F(RunCare, OnlyWhatIsInTheBinIsPurged) {
    ASSERT_TRUE(store.discard(Ids{1, 2}));
    EXPECT_EQ(*store.purge(Ids{2, 3, 99}), 1u);
    EXPECT_FALSE(store.get(2));
    EXPECT_TRUE(store.get(3));
    EXPECT_TRUE(store.graphText(sampleRun().graphHash));
    ASSERT_TRUE(store.discard(Ids{3, 4}));
    EXPECT_EQ(*store.purge(Ids{1, 3, 4}), 3u);
    EXPECT_FALSE(store.graphText(sampleRun().graphHash)) << "no run is about it any more";
    EXPECT_FALSE(store.clusterText(sampleRun().clusterHash));
}

TEST_F(RunCare, ARunThatGoesOnIsNotDeletedAndOneThatDiedIs) {
    const std::int64_t running = beginRun(store);
    const auto refused = store.discard(Ids{1, running});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, fmt::format("run {} is still going on; stop it, then delete it.", running));
    EXPECT_EQ(*store.count(), 5) << "nor is the other one";
    ChildProcess child([this](const ChildProcess& self) {
        RunStore its = openStore();
        self.tell(std::to_string(beginRun(its)));
        return 0;
    });
    const std::int64_t died = std::stoll(child.hear());
    child.wait();
    EXPECT_TRUE(store.discard(Ids{died}));
}

TEST_F(RunCare, WhatIsLongInTheBinGoesByItself) {
    ASSERT_TRUE(store.discard(Ids{1, 2}));
    {
        const auto database = Database::open(file(), std::chrono::seconds(5));
        ASSERT_TRUE(database->execute("UPDATE runs SET deleted_ms = deleted_ms - 8 * 86400000 WHERE id = 1"));
    }
    EXPECT_EQ(*openStore().bin(), Ids{2});
}

} // namespace
} // namespace opscape::test
