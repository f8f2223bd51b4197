// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/child_process.h"
#include "support/sentence.h"

#include <opscape/store/database.h>
#include <opscape/store/migration.h>

#include <cmath>

namespace opscape::test {
namespace {

using testing::HasSubstr;

CurvePoint pointAt(std::int64_t update) {
    const auto x = static_cast<double>(update);
    return {update, x / 10, update * 32, -1 / (x + 1), 1'000'000'000'000 - update, 1.5 / (x + 3), 1e-5 * x, .25, -.125};
}

std::vector<CurvePoint> pointsFrom(std::int64_t first, std::int64_t count) {
    std::vector<CurvePoint> points;
    for (std::int64_t i = 0; i < count; ++i)
        points.push_back(pointAt(first + i));
    return points;
}

MATCHER_P(IsPoint, expected, "is the same point") {
    const CurvePoint &a = arg, &b = expected;
    return a.update == b.update && a.seconds == b.seconds && a.simulations == b.simulations && a.reward == b.reward &&
           a.bestNs == b.bestNs && a.entropy == b.entropy && a.kl == b.kl && a.clipFraction == b.clipFraction &&
           a.valueBaseline == b.valueBaseline;
}

void expectPoints(const std::vector<CurvePoint>& points, std::int64_t first, std::size_t count) {
    ASSERT_EQ(points.size(), count);
    for (std::size_t i = 0; i < count; ++i)
        EXPECT_THAT(points[i], IsPoint(pointAt(first + static_cast<std::int64_t>(i))));
}

using CurveTest = StoreTest;

TEST_F(CurveTest, KeepsEveryFigureOfEveryPointInTheOrderTheyCame) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ASSERT_TRUE(store.appendCurve(id, pointsFrom(1, 3)));
    ASSERT_TRUE(store.appendCurve(id, pointsFrom(4, 2)));
    ASSERT_TRUE(store.setBaselines(id, std::vector<NamedTime>{{"zufällig", 7}, {"a, \"b\"", 5'000'000'000'000}}));
    const RunStore reopened = openStore();
    const auto curve = reopened.curve(id);
    expectPoints(curve->points, 1, 5);
    ASSERT_EQ(curve->baselines.size(), 2u);
    EXPECT_EQ(curve->baselines[0].name, "zufällig");
    EXPECT_EQ(curve->baselines[1].name, "a, \"b\"");
    EXPECT_EQ(curve->baselines[1].ns, 5'000'000'000'000);
}

TEST_F(CurveTest, GivesOnlyWhatFollowsThePointsThatWereRead) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ASSERT_TRUE(store.appendCurve(id, pointsFrom(1, 5)));
    expectPoints(store.curve(id, 3)->points, 4, 2);
    EXPECT_TRUE(store.curve(id, 5)->points.empty());
    EXPECT_TRUE(store.curve(id, 500)->points.empty());
}

TEST_F(CurveTest, FiguresThatAreNotNumbersStayThat) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    CurvePoint point = pointAt(1);
    point.kl = std::numeric_limits<double>::quiet_NaN();
    point.reward = -std::numeric_limits<double>::infinity();
    ASSERT_TRUE(store.appendCurve(id, std::vector{point}));
    const auto read = store.curve(id)->points.at(0);
    EXPECT_TRUE(std::isnan(read.kl));
    EXPECT_EQ(read.reward, point.reward);
    EXPECT_EQ(read.entropy, point.entropy);
}

TEST_F(CurveTest, ARunLearnsFromItsFirstBaselineOrPointOn) {
    RunStore store = openStore();
    const std::int64_t first = beginRun(store), second = beginRun(store), third = beginRun(store);
    ASSERT_TRUE(store.setBaselines(first, {}));
    ASSERT_TRUE(store.appendCurve(second, pointsFrom(1, 1)));
    EXPECT_TRUE(store.get(first)->learns);
    EXPECT_TRUE(store.get(second)->learns);
    EXPECT_FALSE(store.get(third)->learns);
    EXPECT_TRUE(store.curve(third)->points.empty());
}

TEST_F(CurveTest, AGrowingCurveDoesNotChangeTheListOfRuns) {
    RunStore store = openStore();
    const RunStore watching = openStore();
    auto change = [&watching, last = *watching.listVersion()]() mutable {
        const auto now = *watching.listVersion();
        return std::exchange(last, now) != now;
    };
    const std::int64_t id = beginRun(store);
    EXPECT_TRUE(change());
    ASSERT_TRUE(store.appendCurve(id, pointsFrom(1, 1)));
    EXPECT_TRUE(change()) << "now it learns";
    const auto before = *watching.dataVersion();
    ASSERT_TRUE(store.appendCurve(id, pointsFrom(2, 10)));
    EXPECT_FALSE(change());
    EXPECT_NE(*watching.dataVersion(), before);
    ASSERT_TRUE(store.setNotes(id, "seen"));
    EXPECT_TRUE(change());
    ASSERT_TRUE(store.remove(id));
    EXPECT_TRUE(change());
}

TEST_F(CurveTest, IsDeletedWithItsRun) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store), other = beginRun(store);
    for (const std::int64_t run : {id, other}) {
        ASSERT_TRUE(store.appendCurve(run, pointsFrom(1, 4)));
        ASSERT_TRUE(store.setBaselines(run, std::vector<NamedTime>{{"one", 1}}));
    }
    ASSERT_TRUE(store.remove(id));
    EXPECT_THAT(store.curve(id).error().message, IsOneSentence());
    EXPECT_THAT(store.appendCurve(id, pointsFrom(5, 1)).error().message, HasSubstr("there is no run"));
    EXPECT_THAT(store.setBaselines(id, {}).error().message, HasSubstr("there is no run"));
    EXPECT_EQ(store.curve(other)->points.size(), 4u);
    const auto db = Database::open(file(), std::chrono::seconds(5));
    EXPECT_EQ(*db->integer("SELECT count(*) FROM curve_points"), 4);
    EXPECT_EQ(*db->integer("SELECT count(*) FROM curve_baselines"), 1);
}

TEST_F(CurveTest, IsReadWhileAnotherProcessWritesIt) {
    constexpr std::size_t kBatches = 20, kBatch = 25;
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    ChildProcess child([&](const ChildProcess&) {
        RunStore writing = openStore();
        for (std::size_t i = 0; i < kBatches; ++i) {
            if (!writing.appendCurve(id, pointsFrom(static_cast<std::int64_t>(i * kBatch) + 1, kBatch)))
                return 1;
        }
        return 0;
    });
    std::vector<CurvePoint> read;
    for (int look = 0; read.size() < kBatches * kBatch && look < 100'000; ++look) {
        const auto more = store.curve(id, read.size());
        ASSERT_TRUE(more) << more.error().message;
        EXPECT_EQ(more->points.size() % kBatch, 0u) << "batches are seen whole";
        read.insert(read.end(), more->points.begin(), more->points.end());
    }
    EXPECT_EQ(child.wait(), 0);
    expectPoints(read, 1, kBatches * kBatch);
}

TEST_F(CurveTest, ProcessesThatAppendToOneCurveLoseNothing) {
    RunStore store = openStore();
    const std::int64_t id = beginRun(store);
    const auto writer = [&](const ChildProcess&) {
        RunStore writing = openStore();
        for (int i = 0; i < 10; ++i) {
            if (!writing.appendCurve(id, pointsFrom(1, 3)))
                return 1;
        }
        return 0;
    };
    ChildProcess one(writer), two(writer);
    EXPECT_EQ(one.wait(), 0);
    EXPECT_EQ(two.wait(), 0);
    EXPECT_EQ(store.curve(id)->points.size(), 60u);
}

TEST_F(CurveTest, RunsKeptBeforeThereWereCurvesDoNotLearn) {
    {
        const auto db = Database::open(file(), std::chrono::seconds(5));
        ASSERT_TRUE(migrate(*db, schemaSteps().first(2)));
        ASSERT_TRUE(db->execute(
            "INSERT INTO graphs VALUES ('g', 0, x''); INSERT INTO clusters VALUES ('c', '');"
            "INSERT INTO runs (kind, status, graph_hash, graph_name, graph_path, ops, edges, cluster_hash, cluster_id, "
            "link_model, optimizer, revision, seed, version, started_ms, owner_pid, owner_started, owner_boot) "
            "VALUES ('optimize', 'finished', 'g', '', '', 1, 0, 'c', '', 'fifo', 'heft', 1, 1, '', 0, 1, 1, '')"));
    }
    RunStore store = openStore();
    EXPECT_FALSE(store.get(1)->learns);
    EXPECT_TRUE(store.curve(1)->points.empty());
    ASSERT_TRUE(store.appendCurve(1, pointsFrom(1, 2)));
    EXPECT_EQ(store.curve(1)->points.size(), 2u);
    EXPECT_TRUE(std::filesystem::exists(folder() / "runs.sqlite.schema-2.backup"));
}

} // namespace
} // namespace opscape::test
