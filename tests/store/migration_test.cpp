// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/sentence.h"

#include <opscape/store/migration.h>

#include <array>

namespace opscape::test {
namespace {

using std::chrono::milliseconds;

constexpr std::array<std::string_view, 3> kSteps{
    "CREATE TABLE things (name TEXT); INSERT INTO things VALUES ('first');",
    "ALTER TABLE things ADD COLUMN size INTEGER; UPDATE things SET size = 7;",
    "CREATE TABLE more (x INTEGER);",
};
constexpr std::array<std::string_view, 3> kBrokenSteps{kSteps[0], kSteps[1],
                                                       "CREATE TABLE more (x INTEGER); NONSENSE;"};

class Migration : public StoreTest {
protected:
    [[nodiscard]] Database database() const { return std::move(*Database::open(file(), milliseconds(200))); }
    [[nodiscard]] static std::int64_t version(const Database& database) {
        return database.integer("PRAGMA user_version").value_or(-1);
    }
    [[nodiscard]] std::filesystem::path backup() const { return folder() / "runs.sqlite.schema-1.backup"; }
};

TEST_F(Migration, BringsANewFileThroughAllStepsWithoutABackup) {
    const Database db = database();
    ASSERT_TRUE(checkSchema(db, kSteps));
    ASSERT_TRUE(migrate(db, kSteps));
    EXPECT_EQ(version(db), 3);
    EXPECT_EQ(*db.integer("SELECT size FROM things"), 7);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder().path()), {}), 1);
}

TEST_F(Migration, OfAnOlderFileKeepsItsContentAndACopyOfTheOldFile) {
    {
        const Database db = database();
        ASSERT_TRUE(migrate(db, std::span(kSteps).first(1)));
        ASSERT_TRUE(db.execute("INSERT INTO things VALUES ('second')"));
    }
    const Database db = database();
    ASSERT_TRUE(checkSchema(db, kSteps));
    ASSERT_TRUE(migrate(db, kSteps));
    EXPECT_EQ(version(db), 3);
    EXPECT_EQ(*db.integer("SELECT sum(size) FROM things"), 14);
    const auto old = Database::open(backup(), milliseconds(50));
    EXPECT_EQ(version(*old), 1);
    EXPECT_TRUE(checkSchema(*old, std::span(kSteps).first(1)));
    EXPECT_EQ(*old->integer("SELECT count(*) FROM things"), 2);
    EXPECT_FALSE(old->integer("SELECT size FROM things"));
}

TEST_F(Migration, ThatFailsLeavesTheFileAsItWas) {
    const Database db = database();
    ASSERT_TRUE(migrate(db, std::span(kSteps).first(1)));
    const auto failed = migrate(db, kBrokenSteps);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, IsOneSentence());
    EXPECT_EQ(version(db), 1);
    EXPECT_EQ(*db.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'more'"), 0);
    EXPECT_FALSE(db.integer("SELECT size FROM things"));
    ASSERT_TRUE(migrate(db, kSteps)) << "and can be done later";
    EXPECT_EQ(version(db), 3);
}

TEST_F(Migration, OfTheNewestSchemaChangesNothing) {
    const Database db = database();
    ASSERT_TRUE(migrate(db, kSteps));
    ASSERT_TRUE(migrate(db, kSteps));
    EXPECT_EQ(*db.integer("SELECT count(*) FROM things"), 1);
    EXPECT_FALSE(std::filesystem::exists(backup()));
}

TEST_F(Migration, RefusesAFileOfANewerSchema) {
    const Database db = database();
    ASSERT_TRUE(migrate(db, kSteps));
    const auto refused = checkSchema(db, std::span(kSteps).first(2));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, IsOneSentence());
}

TEST_F(Migration, ThatCannotKeepACopyLeavesTheFileAsItWas) {
    const Database db = database();
    ASSERT_TRUE(migrate(db, std::span(kSteps).first(1)));
    std::filesystem::create_directories(backup() / "in the way");
    const auto failed = migrate(db, kSteps);
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, IsOneSentence());
    EXPECT_EQ(version(db), 1);
}

TEST_F(Migration, GivesOldRunsTheObjectiveOfTheirOptimizer) {
    const Database db = database();
    ASSERT_TRUE(migrate(db, schemaSteps().first(1)));
    ASSERT_TRUE(db.execute(
        "INSERT INTO graphs VALUES ('g', 0, x''); INSERT INTO clusters VALUES ('c', '');"
        "INSERT INTO runs (kind, status, graph_hash, graph_name, graph_path, ops, edges, cluster_hash, cluster_id, "
        "link_model, optimizer, revision, seed, version, started_ms, owner_pid, owner_started, owner_boot) "
        "SELECT kind, 'finished', 'g', '', '', 1, 0, 'c', '', 'fifo', optimizer, 1, 1, '', 0, 1, 1, '' FROM "
        "(SELECT 'optimize' AS kind, 'heft' AS optimizer UNION SELECT 'optimize', 'contiguous' UNION SELECT "
        "'simulate', '')"));
    ASSERT_TRUE(migrate(db, schemaSteps()));
    EXPECT_EQ(db.integer("SELECT count(*) FROM runs WHERE optimizer = 'heft' AND objective = 'step-time'").value(), 1);
    EXPECT_EQ(db.integer("SELECT count(*) FROM runs WHERE optimizer = 'contiguous' AND objective = 'pipeline'").value(),
              1);
    EXPECT_EQ(db.integer("SELECT count(*) FROM runs WHERE optimizer = '' AND objective = ''").value(), 1);
}

/// What a run of any schema has.
constexpr std::string_view kOldRun =
    "INSERT INTO graphs VALUES ('g', 0, x''); INSERT INTO clusters VALUES ('c', 'text');"
    "INSERT INTO runs (kind, status, graph_hash, graph_name, graph_path, ops, edges, cluster_hash, cluster_id, "
    "link_model, optimizer, revision, seed, version, started_ms, wall_ms, makespan_ns, lower_bound_ns, peak_bytes, "
    "bytes_moved, feasible, notes, owner_pid, owner_started, owner_boot) VALUES ('optimize', 'finished', 'g', 'net', "
    "'', 1, 0, 'c', 'p100x4', 'fifo', 'heft', 2, 7, '0.1.0', 5, 6, 70, 60, 50, 40, 1, 'mine', 0, 1, '');"
    "INSERT INTO run_options VALUES (1, 'budget', '3'); INSERT INTO plans VALUES (1, 0, x'')";

TEST_F(Migration, OfEveryOlderSchemaKeepsTheRunsAndACopyOfTheFile) {
    for (std::size_t steps = 1; steps < schemaSteps().size(); ++steps) {
        const auto old = folder() / fmt::format("old-{}.sqlite", steps);
        {
            const auto db = Database::open(old, milliseconds(200));
            ASSERT_TRUE(migrate(*db, schemaSteps().first(steps)));
            const auto filled = db->execute(std::string(kOldRun));
            ASSERT_TRUE(filled) << filled.error().message;
        }
        const auto store = RunStore::open(old);
        ASSERT_TRUE(store) << store.error().message;
        const auto run = store->get(1);
        ASSERT_TRUE(run) << run.error().message;
        EXPECT_EQ(run->graphName, "net");
        EXPECT_EQ(run->result, (RunResult{70, 60, 50, 40, true}));
        EXPECT_EQ(run->notes, "mine");
        EXPECT_EQ(run->options, (std::map<std::string, std::string>{{"budget", "3"}}));
        if (steps < 4) // from then on, whoever begins a run gives it one
            EXPECT_EQ(run->uid.size(), 32u) << "it can be known again elsewhere";
        EXPECT_FALSE(run->pinned);
        EXPECT_EQ(store->list()->size(), 1u);
        auto backup = old;
        backup += fmt::format(".schema-{}.backup", steps);
        const auto copy = Database::open(backup, milliseconds(50));
        ASSERT_TRUE(copy) << copy.error().message;
        EXPECT_EQ(version(*copy), static_cast<std::int64_t>(steps));
        EXPECT_EQ(*copy->integer("SELECT count(*) FROM runs"), 1);
    }
}

TEST(Schema, IsBuiltIntoTheLibrary) {
    ASSERT_FALSE(schemaSteps().empty());
    EXPECT_NE(schemaSteps()[0].find("CREATE TABLE runs"), std::string_view::npos);
}

} // namespace
} // namespace opscape::test
