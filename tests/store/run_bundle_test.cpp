// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/sentence.h"

#include <cmath>

namespace opscape::test {
namespace {

using testing::HasSubstr;
using Ids = std::vector<std::int64_t>;

class RunBundles : public StoreTest {
protected:
    RunBundles() : store(openStore()) {
        keepRun(store);
        RunRecord other = sampleRun();
        other.graphHash = "another";
        other.tags = {"best"};
        keepRun(store, other);
        EXPECT_TRUE(store.setPinned(Ids{2}, true));
        EXPECT_TRUE(store.setBaselines(1, std::vector<NamedTime>{{"heft", 9}}));
        std::vector<CurvePoint> points(2);
        points[1].kl = std::nan("");
        EXPECT_TRUE(store.appendCurve(1, points));
    }
    [[nodiscard]] RunStore elsewhere() const { return std::move(*RunStore::open(folder() / "elsewhere.sqlite")); }
    RunStore store;
};

TEST_F(RunBundles, BringAllThereIsOfARunToAnotherDatabase) {
    const auto bundle = store.bundle(Ids{1, 2});
    ASSERT_TRUE(bundle) << bundle.error().message;
    RunStore other = elsewhere();
    keepRun(other); // so that numbers differ
    const auto kept = other.keep(*bundle);
    ASSERT_TRUE(kept) << kept.error().message;
    ASSERT_EQ(kept->size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        RunRecord expected = *store.get(static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(kept->at(i).id, expected.id + 1);
        EXPECT_FALSE(kept->at(i).known);
        expected.id = kept->at(i).id;
        EXPECT_EQ(*other.get(expected.id), expected);
        EXPECT_EQ(*other.planText(expected.id), kPlanJson);
        EXPECT_EQ(*other.graphText(expected.graphHash), kGraphJson);
        EXPECT_EQ(*other.clusterText(expected.clusterHash), kClusterJson);
    }
    const auto curve = other.curve(2);
    ASSERT_EQ(curve->points.size(), 2u);
    EXPECT_TRUE(std::isnan(curve->points[1].kl));
    EXPECT_EQ(curve->baselines.at(0).name, "heft");
}

TEST_F(RunBundles, AreKnownAgainAndNotDoubled) {
    const auto bundle = store.bundle(Ids{1, 2});
    RunStore other = elsewhere();
    ASSERT_TRUE(other.keep(*bundle));
    ASSERT_TRUE(other.setNotes(1, "mine"));
    ASSERT_TRUE(other.discard(Ids{2}));
    const auto again = other.keep(*bundle);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->at(0).known && !again->at(0).wasInBin);
    EXPECT_TRUE(again->at(1).known && again->at(1).wasInBin);
    EXPECT_EQ(*other.count(), 2) << "the deleted one is back";
    EXPECT_EQ(other.get(1)->notes, "mine") << "what is here stays as it is here";
    EXPECT_TRUE(store.keep(*bundle)->at(0).known) << "also where they came from";
}

TEST_F(RunBundles, AreKeptWholeOrNotAtAll) {
    auto bundle = *store.bundle(Ids{1, 2});
    bundle.runs[1].run.kind = "a kind that the schema does not know";
    RunStore other = elsewhere();
    const auto refused = other.keep(bundle);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, IsOneSentence());
    EXPECT_EQ(*other.count(), 0);
    EXPECT_FALSE(other.graphText(sampleRun().graphHash));
}

TEST_F(RunBundles, OfARunThatIsNotThereSaySo) {
    EXPECT_THAT(store.bundle(Ids{1, 99}).error().message, HasSubstr("there is no run 99"));
    EXPECT_TRUE(store.bundle(Ids{1})) << "and the next is read all the same";
}

} // namespace
} // namespace opscape::test
