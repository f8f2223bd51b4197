// SPDX-License-Identifier: MIT
// Files that were damaged in every way we could think of: one sentence, never a crash, and what is refused stays as it
// is, so that it can be repaired or replaced.
#include "store_fixture.h"
#include "support/child_process.h"
#include "support/sentence.h"

#include <opscape/base/paths.h>
#include <opscape/store/database.h>

namespace opscape::test {
namespace {

using std::chrono::milliseconds;
using testing::AnyOf;
using testing::HasSubstr;

constexpr std::size_t kPage = 4096;

class StoreDamage : public StoreTest {
protected:
    /// Enough runs that every table has several pages.
    void fill(int runs = 60) const {
        RunStore store = openStore();
        for (int i = 0; i < runs; ++i) {
            RunRecord run = sampleRun();
            run.graphHash = fmt::format("graph {}", i % 7);
            run.notes = std::string(300, 'n');
            run.tags = {"one", "two"};
            const std::int64_t id = keepRun(store, run);
            ASSERT_TRUE(store.appendCurve(id, std::vector<CurvePoint>(40)));
        }
    }
    [[nodiscard]] std::string bytes() const { return readFile(file()).value_or(""); }
    void write(std::string_view bytes) const {
        for (const char* beside : {"-wal", "-shm"})
            std::filesystem::remove(file().string() + beside);
        ASSERT_TRUE(writeFile(file(), bytes));
    }
    /// Everything a person may do with the runs. The refusals, each one sentence; empty when all went well.
    [[nodiscard]] std::vector<std::string> useAll() const {
        std::vector<std::string> refusals;
        const auto note = [&refusals](const auto& result) {
            if (!result) {
                refusals.push_back(result.error().message);
                EXPECT_THAT(refusals.back(), IsOneSentence());
            }
            return result.has_value();
        };
        auto store = RunStore::open(file(), milliseconds(50));
        if (!note(store))
            return refusals;
        const auto ids = store->find({});
        note(store->list());
        if (note(ids)) {
            for (const std::int64_t id : *ids) {
                if (note(store->get(id)))
                    note(store->planText(id));
                note(store->curve(id));
            }
        }
        for (int i = 0; i < 7; ++i)
            note(store->graphText(fmt::format("graph {}", i)));
        note(store->bundle(ids.value_or(std::vector<std::int64_t>())));
        note(store->setNotes(1, "changed"));
        const auto id = store->begin(sampleRun(), sampleGraph, kClusterJson);
        if (note(id)) {
            note(store->appendCurve(*id, std::vector<CurvePoint>(5)));
            note(store->finish(*id, RunStatus::Finished, 1, RunResult{}, kPlanJson, {}));
            note(store->remove(*id));
        }
        return refusals;
    }
};

TEST_F(StoreDamage, OfTheHeaderIsRefusedAndTheFileStaysAsItIs) {
    fill(3);
    std::string damaged = bytes();
    damaged.replace(0, 16, std::string(16, '\x55'));
    write(damaged);
    EXPECT_THAT(useAll(), testing::ElementsAre(HasSubstr("not a run database")));
    EXPECT_EQ(bytes(), damaged);
}

TEST_F(StoreDamage, OfAnyPageIsSaidWhereItMattersAndNeverCrashes) {
    fill();
    const std::string sound = bytes();
    ASSERT_GE(sound.size(), 20 * kPage);
    std::size_t said = 0;
    for (std::size_t page = 0; page * kPage < sound.size(); ++page) {
        std::string damaged = sound;
        const std::size_t from = page * kPage + (page == 0 ? 100 : 0); // behind the header, which has its own test
        damaged.replace(from, kPage / 2, std::string(kPage / 2, '\xee'));
        write(damaged);
        const auto refusals = useAll();
        said += refusals.empty() ? 0 : 1;
        for (const std::string& refusal : refusals)
            EXPECT_THAT(refusal, HasSubstr(file().string())) << "page " << page;
    }
    EXPECT_GT(said, 10u);
}

TEST_F(StoreDamage, OfAFileCutShortIsSaid) {
    fill();
    const std::string sound = bytes();
    for (const std::size_t size :
         {std::size_t{60}, std::size_t{600}, kPage, kPage * 3 + 77, sound.size() / 2, sound.size() - kPage}) {
        write(std::string_view(sound).substr(0, size));
        const auto refusals = useAll();
        EXPECT_THAT(refusals, testing::Contains(AnyOf(HasSubstr("damaged"), HasSubstr("not a run database")))) << size;
    }
}

TEST_F(StoreDamage, WithoutItsLogTheFileIsAsItWasAtTheLastCheckpoint) {
    fill(7);
    ChildProcess child([this](const ChildProcess& self) {
        RunStore store = openStore();
        keepRun(store);
        self.tell("kept");
        ::pause();
        return 0;
    });
    EXPECT_EQ(child.hear(), "kept");
    child.kill();
    ASSERT_GT(std::filesystem::file_size(file().string() + "-wal"), 0u);
    for (const char* beside : {"-wal", "-shm"})
        std::filesystem::remove(file().string() + beside);
    EXPECT_EQ(openStore().list()->size(), 7u);
    EXPECT_THAT(useAll(), testing::IsEmpty());
}

TEST_F(StoreDamage, OfTheLogCostsWhatFollowsItAndNothingElse) {
    fill(5);
    ChildProcess child([this](const ChildProcess& self) {
        RunStore store = openStore();
        keepRun(store);
        self.tell(std::to_string(std::filesystem::file_size(file().string() + "-wal")));
        keepRun(store);
        self.tell("kept");
        ::pause();
        return 0;
    });
    const std::size_t one = std::stoull(child.hear());
    EXPECT_EQ(child.hear(), "kept");
    child.kill();
    std::string log = *readFile(file().string() + "-wal");
    ASSERT_GT(log.size(), one + 200);
    log.replace(one + 100, 50, std::string(50, '\xee'));
    ASSERT_TRUE(writeFile(file().string() + "-wal", log));
    std::filesystem::remove(file().string() + "-shm");
    const RunStore store = openStore();
    EXPECT_GE(store.list()->size(), 6u);
    const auto database = Database::open(file(), milliseconds(50));
    Statement check(*database, "PRAGMA integrity_check");
    ASSERT_TRUE(*check.step());
    EXPECT_EQ(check.text(0), "ok");
}

} // namespace
} // namespace opscape::test
