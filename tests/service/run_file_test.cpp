// SPDX-License-Identifier: MIT
#include "service/run_file.h"
#include "service/workbench.h"
#include "support/sentence.h"
#include "support/small_graph.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Ids = std::vector<std::int64_t>;

/// Two finished runs, one of which learned, and one that failed.
class RunFile : public testing::Test {
protected:
    RunFile() {
        ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/tests/plugins", 1);
        const auto opened = Workbench::openGraph(writeSmallGraph(m_folder.path()));
        const auto cluster = std::make_shared<const Cluster>(*Cluster::load("p100x4"));
        const Workbench workbench(database());
        EXPECT_TRUE(workbench.optimize(*opened, cluster, {"scatter", {}, 12345678901234567890ULL, {}}, {}));
        EXPECT_TRUE(workbench.optimize(*opened, cluster, {"learns", {{"updates", "4"}}, 7, {}}, {}));
        EXPECT_FALSE(workbench.optimize(*opened, cluster, {"fails", {}, 1, {}}, {}));
        auto store = *RunStore::open(database());
        EXPECT_TRUE(store.changeTags(Ids{1}, std::vector<std::string>{"best"}, {}));
        EXPECT_TRUE(store.setNotes(2, "\"quoted\"\nä"));
    }
    ~RunFile() override { ::unsetenv("OPSCAPE_PLUGINS"); }
    [[nodiscard]] std::filesystem::path in(const char* name) const { return m_folder / name; }
    [[nodiscard]] std::filesystem::path database() const { return in("runs.sqlite"); }
    [[nodiscard]] std::filesystem::path file() const { return in("some.opscape-runs"); }
    [[nodiscard]] std::filesystem::path elsewhere() const { return in("elsewhere.sqlite"); }
    std::string exported(const Ids& ids = {1, 2, 3}) const {
        const auto bytes = exportRuns(database(), ids, file());
        EXPECT_TRUE(bytes) << bytes.error().message;
        return readFile(file()).value_or("");
    }
    /// What is said when a file of this content is imported; nothing is kept then.
    std::string refusal(const std::string& content) const {
        EXPECT_TRUE(writeFile(file(), content));
        const auto kept = importRuns(elsewhere(), file());
        EXPECT_TRUE(!std::filesystem::exists(elsewhere()) || *RunStore::open(elsewhere())->count() == 0);
        return kept ? "imported" : kept.error().message;
    }
    static std::string changed(std::string text, const std::string& from, const std::string& to) {
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return at == std::string::npos ? text : text.replace(at, from.size(), to);
    }

private:
    TemporaryFolder m_folder;
};

TEST_F(RunFile, BringsRunsToAnotherDatabaseWithAllThereIsOfThem) {
    exported();
    const auto kept = importRuns(elsewhere(), file());
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(importReport(*kept), "3 runs are imported, as runs 1, 2 and 3.");
    const auto here = RunStore::open(database()), there = RunStore::open(elsewhere());
    for (const std::int64_t id : Ids{1, 2, 3})
        EXPECT_EQ(*there->get(id), *here->get(id));
    EXPECT_EQ(there->curve(2)->points.size(), 4u);
    EXPECT_EQ(there->curve(2)->points[3].kl, here->curve(2)->points[3].kl);
    EXPECT_EQ(there->curve(2)->baselines.size(), here->curve(2)->baselines.size());
    // It can be shown there, without the file of the graph.
    const auto a = Workbench(database()).restore(1), b = Workbench(elsewhere()).restore(1);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->plan, b->plan);
    EXPECT_EQ(a->schedule.makespanNs, b->schedule.makespanNs);
}

TEST_F(RunFile, ImportedTwiceIsSaidAndNotDoubled) {
    exported({1, 3});
    ASSERT_TRUE(importRuns(elsewhere(), file()));
    exported({1, 2});
    const auto again = importRuns(elsewhere(), file());
    ASSERT_TRUE(again);
    EXPECT_EQ(importReport(*again), "1 run is imported, as run 3; 1 run was here already, as run 1.");
    EXPECT_EQ(*RunStore::open(elsewhere())->count(), 3);
    ASSERT_TRUE(RunStore::open(elsewhere())->discard(Ids{1}));
    EXPECT_EQ(importReport(*importRuns(elsewhere(), file())),
              "1 run was here already, as run 3; 1 run was deleted here and is brought back, run 1.");
}

TEST_F(RunFile, DamagedAnywhereIsRefusedInOneSentence) {
    const std::string good = exported();
    const auto says = [this](const char* what) {
        return AllOf(IsOneSentence(), StartsWith(file().string()), HasSubstr(what));
    };
    EXPECT_THAT(refusal(good.substr(0, good.size() / 2)), says("damaged or not whole"));
    EXPECT_THAT(refusal(changed(good, "\"seed\":7", "\"seed\":8")), says("checksum"));
    EXPECT_THAT(refusal(changed(good, "\"best\"", "\"rest\"")), says("checksum"));
    EXPECT_THAT(refusal(changed(good, "\"checksum\"", "\"check7um\"")), says("check7um"));
    // A flipped digit anywhere, looked at all over the file.
    for (std::size_t at = 40; at < good.size() - 1; at += 97) {
        std::string flipped = good;
        flipped[at] = flipped[at] == '7' ? '8' : '7';
        EXPECT_NE(refusal(flipped), "imported") << "byte " << at;
    }
    // Without a checksum, as another program may write it, the content is checked all the same.
    const auto bare = [&](const std::string& from, const std::string& to) {
        const std::size_t sum = good.rfind(",\"checksum\"");
        return changed(good.substr(0, sum) + "}", from, to);
    };
    EXPECT_THAT(refusal(bare("\"kind\":\"optimize\"", "\"kind\":\"guess\"")), says("run 1 of it"));
    EXPECT_THAT(refusal(bare("\"status\":\"failed\"", "\"status\":\"running\"")), says("run 3 of it"));
    EXPECT_THAT(refusal(bare("\"seed\":7", "\"seed\":\"seven\"")), says("run 2 of it"));
    EXPECT_THAT(refusal(bare("\"graph_hash\":\"", "\"graph_hash\":\"0")), says("the graph of one of its runs"));
    EXPECT_THAT(refusal(bare("body/left", "body/loft")), says("damaged"));
    EXPECT_THAT(refusal(bare("\"device\":\"", "\"device\":\"no ")), IsOneSentence());
    EXPECT_NE(refusal(bare("\"points\":[[1", "\"points\":[[\"one\"")), "imported");
}

TEST_F(RunFile, NewerOrForeignOnesAreRefusedInOneSentence) {
    const std::string good = exported();
    EXPECT_THAT(refusal(changed(good, "\"opscape_runs\":1", "\"opscape_runs\":2")),
                AllOf(IsOneSentence(), HasSubstr("has format 2"), HasSubstr("update the program")));
    for (const char* foreign :
         {"", "hello", "[]", "{}", "{\"opscape_graph\": 1}", "{\"opscape_runs\": \"one\"}", "SQLite format 3"})
        EXPECT_THAT(refusal(foreign), AllOf(IsOneSentence(), HasSubstr("not a file of runs"))) << foreign;
    const auto missing = importRuns(elsewhere(), in("missing.opscape-runs"));
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, IsOneSentence());
}

TEST_F(RunFile, OfARunThatGoesOnSaysSo) {
    auto store = *RunStore::open(database());
    RunRecord run = *store.get(1);
    const auto id = store.begin(
        run, [] { return std::string(); }, *store.clusterText(run.clusterHash));
    ASSERT_TRUE(id);
    exported({*id});
    const auto kept = importRuns(elsewhere(), file());
    ASSERT_TRUE(kept) << kept.error().message;
    const auto there = RunStore::open(elsewhere())->get(1);
    EXPECT_EQ(there->status, RunStatus::Interrupted);
    EXPECT_EQ(there->error, "It was still going on when it was exported.");
}

TEST_F(RunFile, CannotBeWrittenIsSaid) {
    EXPECT_THAT(exportRuns(database(), Ids{1}, in("no/such/folder/x.opscape-runs")).error().message, IsOneSentence());
    EXPECT_THAT(exportRuns(database(), Ids{1, 99}, file()).error().message, HasSubstr("there is no run 99"));
    EXPECT_FALSE(std::filesystem::exists(file()));
}

} // namespace
} // namespace opscape::test
