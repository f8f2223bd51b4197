// SPDX-License-Identifier: MIT
// kill -9 at random moments, many times: a run that was said to be finished is there, whole, and the file is sound.
#include "store_fixture.h"
#include "support/child_process.h"

#include <opscape/base/random.h>
#include <opscape/store/database.h>
#include <opscape/store/migration.h>

#include <set>

namespace opscape::test {
namespace {

constexpr int kKills = 200;
constexpr int kNewFileEvery = 20; ///< so that making and migrating a file is hit, too
constexpr std::int64_t kPoints = 3;

std::string integrity(const std::filesystem::path& file) {
    const auto database = Database::open(file, std::chrono::seconds(5));
    if (!database)
        return database.error().message;
    Statement query(*database, "PRAGMA integrity_check");
    return query.step().value_or(false) ? query.text(0) : "no answer";
}

std::vector<CurvePoint> points() {
    std::vector<CurvePoint> points(kPoints);
    for (std::int64_t i = 0; i < kPoints; ++i)
        points[static_cast<std::size_t>(i)].update = i + 1;
    return points;
}

/// "began ID" when it is there, "learned ID" with each piece of its curve, "finished ID" when it is finished.
int keepRunsForEver(const ChildProcess& self, const std::filesystem::path& file) {
    auto store = RunStore::open(file);
    if (!store) {
        self.tell("refused " + store.error().message);
        return 1;
    }
    const std::string plan(20'000, 'p');
    for (;;) {
        const auto id = store->begin(sampleRun(), sampleGraph, kClusterJson);
        if (!id)
            return 1;
        self.tell(fmt::format("began {}", *id));
        for (int piece = 0; piece < 2; ++piece) {
            if (!store->appendCurve(*id, points()))
                return 1;
            self.tell(fmt::format("learned {}", *id));
        }
        if (!store->finish(*id, RunStatus::Finished, 1, RunResult{10, 5, 100, 50, true}, plan, ""))
            return 1;
        self.tell(fmt::format("finished {}", *id));
    }
}

struct Told {
    std::set<std::int64_t> began, finished;
    std::map<std::int64_t, std::size_t> learned; ///< points per run
    void take(const std::string& line) {
        ASSERT_FALSE(line.empty()) << "the child ended by itself";
        const std::size_t blank = line.find(' ');
        const std::string what = line.substr(0, blank);
        ASSERT_NE(what, "refused") << line;
        const std::int64_t id = std::stoll(line.substr(blank + 1));
        if (what == "began")
            began.insert(id);
        else if (what == "finished")
            finished.insert(id);
        else
            learned[id] += kPoints;
    }
};

void expectAllThere(const std::filesystem::path& file, const Told& told) {
    const auto store = RunStore::open(file);
    ASSERT_TRUE(store) << store.error().message;
    const auto runs = store->list();
    ASSERT_TRUE(runs) << runs.error().message;
    std::set<std::int64_t> there;
    for (const RunRecord& run : *runs) {
        there.insert(run.id);
        const bool finished = run.status == RunStatus::Finished;
        EXPECT_TRUE(finished || run.status == RunStatus::Interrupted);
        EXPECT_EQ(finished, run.result.has_value()) << "a run is finished with its result or not at all";
        EXPECT_TRUE(finished || !told.finished.contains(run.id)) << "run " << run.id << " was said to be finished";
        EXPECT_EQ(finished, run.error.empty());
    }
    for (const std::int64_t id : told.began)
        EXPECT_TRUE(there.contains(id)) << "run " << id << " is lost";
    // The pieces of a curve are whole, and none that was written is lost. The last runs suffice: none changes later.
    for (std::size_t i = 0; i < std::min<std::size_t>(runs->size(), 8); ++i) {
        const std::int64_t id = (*runs)[i].id;
        const auto curve = store->curve(id);
        ASSERT_TRUE(curve) << curve.error().message;
        EXPECT_EQ(curve->points.size() % kPoints, 0u);
        const auto learned = told.learned.find(id);
        EXPECT_GE(curve->points.size(), learned == told.learned.end() ? 0 : learned->second);
        EXPECT_EQ((*runs)[i].status == RunStatus::Finished, store->planText(id).has_value());
    }
}

TEST_F(StoreTest, AFinishedRunSurvivesAKillAtAnyMomentAndTheFileStaysSound) {
    Random random(20'261'129);
    std::size_t finished = 0, cutShort = 0;
    Told told;
    std::filesystem::path now;
    for (int kill = 0; kill < kKills && !HasFatalFailure(); ++kill) {
        if (kill % kNewFileEvery == 0) {
            finished += told.finished.size();
            told = {};
            now = folder() / fmt::format("runs-{}.sqlite", kill);
            if (kill % (2 * kNewFileEvery) != 0) { // one that has to be migrated
                const auto old = Database::open(now, std::chrono::seconds(5));
                ASSERT_TRUE(migrate(*old, schemaSteps().first(1 + static_cast<std::size_t>(kill) % 3)));
            }
        }
        ChildProcess child([&now](const ChildProcess& self) { return keepRunsForEver(self, now); });
        // Counted in what it has told, not in time, so that a busy machine does not make the test easier: nothing at
        // all, while it opens the file, or up to two runs; and then a moment more.
        for (std::uint32_t line = random.below(9); line > 0; --line)
            told.take(child.hear());
        ::usleep(static_cast<useconds_t>(random.below(2'500)));
        child.kill();
        for (std::string line = child.hear(); !line.empty(); line = child.hear())
            told.take(line);
        expectAllThere(now, told);
        EXPECT_EQ(integrity(now), "ok") << "after kill " << kill;
        cutShort += told.began.size() > told.finished.size() ? 1 : 0;
    }
    finished += told.finished.size();
    EXPECT_GT(finished, 0u) << "the kills came too early to say anything";
    EXPECT_GT(cutShort, 0u) << "no kill met a run that was going on";
}

} // namespace
} // namespace opscape::test
