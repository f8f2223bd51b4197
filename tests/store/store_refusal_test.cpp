// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/child_process.h"
#include "support/sentence.h"

#include <opscape/base/paths.h>
#include <opscape/store/database.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <memory>

namespace opscape::test {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const RunResult kResult{10, 5, 100, 50, true};

class StoreRefusal : public StoreTest {
protected:
    [[nodiscard]] auto says(const std::string& what) const {
        return AllOf(IsOneSentence(), StartsWith(file().string() + ": "), HasSubstr(what));
    }
    [[nodiscard]] std::string refusal() const {
        const auto store = RunStore::open(file(), milliseconds(50));
        return store ? "opened" : store.error().message;
    }
    void write(std::string_view bytes) const { ASSERT_TRUE(writeFile(file(), bytes)); }
    void sql(const std::string& statements) const {
        const auto database = Database::open(file(), milliseconds(50));
        const auto done = database->execute(statements);
        ASSERT_TRUE(done) << done.error().message;
    }
    void createFile() const { const RunStore store = openStore(); }
    [[nodiscard]] std::string bytes() const { return readFile(file()).value_or("unreadable"); }
};

TEST_F(StoreRefusal, OfANewerSchemaLeavesTheFileAsItIs) {
    createFile();
    sql("PRAGMA user_version = 999");
    EXPECT_THAT(refusal(), says("has schema 999"));
    const auto database = Database::open(file(), milliseconds(50));
    EXPECT_EQ(*database->integer("PRAGMA user_version"), 999);
}

TEST_F(StoreRefusal, OfAFileThatIsNoDatabaseLeavesItAsItIs) {
    const std::string text = "These are the notes of somebody. " + std::string(5000, 'x');
    write(text);
    EXPECT_THAT(refusal(), says("not a run database"));
    EXPECT_EQ(bytes(), text);
}

TEST_F(StoreRefusal, OfADatabaseOfAnotherProgramLeavesItAsItIs) {
    sql("CREATE TABLE recipes (name TEXT)");
    const std::string before = bytes();
    EXPECT_THAT(refusal(), says("another program"));
    EXPECT_EQ(bytes(), before);
}

TEST_F(StoreRefusal, OfADamagedFile) {
    createFile();
    sql("PRAGMA journal_mode = DELETE");
    std::string damaged = bytes();
    damaged.replace(100, 3000, std::string(3000, '\xee')); // the schema table, behind a sound header
    write(damaged);
    EXPECT_THAT(refusal(), says("damaged"));
}

TEST_F(StoreRefusal, OfADamagedGraphNamesIt) {
    RunStore store = openStore();
    beginRun(store);
    sql("UPDATE graphs SET json = x'0011223344556677'");
    EXPECT_THAT(store.graphText(sampleRun().graphHash).error().message, says("graph 0123456789abcdef is damaged"));
}

TEST_F(StoreRefusal, OfAFolderThatCannotBeMade) {
    write("a file, not a folder");
    const auto store = RunStore::open(file() / "below" / "runs.sqlite");
    ASSERT_FALSE(store);
    EXPECT_THAT(store.error().message, IsOneSentence());
    EXPECT_THAT(store.error().message, HasSubstr("cannot be made"));
}

TEST_F(StoreRefusal, OfAFolderInPlaceOfTheFile) {
    std::filesystem::create_directory(file());
    EXPECT_THAT(refusal(), says("this is a folder"));
}

/// In a process without rights, since the tests may run as root.
TEST_F(StoreRefusal, OfAFolderOrAFileThatMayNotBeWritten) {
    const auto refusalWithoutRights = [this] {
        ChildProcess child([this](const ChildProcess& self) {
            if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                return 1;
            self.tell(refusal());
            return 0;
        });
        std::string message = child.hear();
        EXPECT_EQ(child.wait(), 0);
        return message;
    };
    ASSERT_EQ(::chmod(folder().path().c_str(), 0555), 0);
    EXPECT_THAT(refusalWithoutRights(), says("cannot be opened for writing"));
    ASSERT_EQ(::chmod(folder().path().c_str(), 0755), 0);
    createFile();
    ASSERT_EQ(::chmod(file().c_str(), 0444), 0);
    EXPECT_THAT(refusalWithoutRights(), says("read-only"));
}

TEST_F(StoreRefusal, OfALockHeldTooLong) {
    auto store = RunStore::open(file(), milliseconds(50));
    ASSERT_TRUE(store);
    const std::int64_t id = beginRun(*store);
    const auto other = Database::open(file(), milliseconds(50));
    const auto lock = Transaction::begin(*other);
    EXPECT_THAT(store->begin(sampleRun(), sampleGraph, kClusterJson).error().message,
                says("locked for more than 0.05 s"));
    EXPECT_THAT(store->setNotes(id, "x").error().message, says("locked"));
    EXPECT_THAT(store->changeTags(std::vector{id}, std::vector<std::string>{"x"}, {}).error().message, says("locked"));
    EXPECT_THAT(store->bringBack(std::vector{id}).error().message, says("locked"));
    EXPECT_THAT(store->keep(*store->bundle(std::vector{id})).error().message, says("locked"));
    EXPECT_EQ(store->list()->size(), 1u) << "reading goes on";
}

TEST_F(StoreRefusal, OfAFileLockedForReadingToo) {
    createFile();
    const auto other = Database::open(file(), milliseconds(50));
    ASSERT_TRUE(other->execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"));
    EXPECT_THAT(refusal(), says("locked"));
}

TEST_F(StoreRefusal, OfWritingPastTheEndOfTheDiskLosesNothing) {
    ChildProcess child([this](const ChildProcess& self) {
        RunStore store = openStore();
        const std::int64_t id = beginRun(store);
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{200'000, 200'000}; // no file may grow beyond: as a full disk, but with another reason
        ::setrlimit(RLIMIT_FSIZE, &limit);
        std::string plan;
        for (int i = 0; i < 200'000; ++i)
            plan += std::to_string(i * 2654435761U); // compresses badly
        const auto done = store.finish(id, RunStatus::Finished, 1, kResult, plan, "");
        self.tell(done ? "finished" : done.error().message);
        self.tell(store.get(id) ? std::string(toString(store.get(id)->status)) : "unreadable");
        return 0;
    });
    EXPECT_THAT(child.hear(), says("cannot be read or written"));
    EXPECT_EQ(child.hear(), "running");
    EXPECT_EQ(child.wait(), 0);
    EXPECT_EQ(openStore().list()->front().status, RunStatus::Interrupted);
}

/// Runs the body in a process of its own with a file system of 1 MiB; null where that is not permitted.
std::unique_ptr<ChildProcess> onSmallDisk(const std::string& disk,
                                          const std::function<int(const ChildProcess& self)>& body) {
    auto child = std::make_unique<ChildProcess>([&](const ChildProcess& self) {
        std::filesystem::create_directory(disk);
        const bool isThere = ::unshare(CLONE_NEWNS) == 0 &&
                             ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                             ::mount("opscape-test", disk.c_str(), "tmpfs", 0, "size=1m") == 0;
        self.tell(isThere ? "mounted" : "not permitted");
        return isThere ? body(self) : 0;
    });
    return child->hear() == "mounted" ? std::move(child) : nullptr;
}

TEST_F(StoreRefusal, OfADiskThatIsFullLosesNothingAndGoesOnOnceThereIsRoom) {
    const std::string disk = (folder() / "disk").string();
    const auto child = onSmallDisk(disk, [&disk](const ChildProcess& self) {
        const std::filesystem::path full = disk + "/runs.sqlite";
        auto store = RunStore::open(full, milliseconds(50));
        if (!store)
            return 1;
        const std::int64_t kept = keepRun(*store);
        const std::int64_t open = beginRun(*store);
        if (!writeFile(disk + "/ballast", std::string(600'000, 'b')))
            return 2;
        std::string plan;
        for (int i = 0; i < 200'000; ++i)
            plan += std::to_string(i * 2654435761U); // compresses badly
        const auto refused = store->finish(open, RunStatus::Finished, 1, kResult, plan, "");
        self.tell(refused ? "finished" : refused.error().message);
        self.tell(std::string(toString(store->get(kept)->status)) + " " +
                  std::string(toString(store->get(open)->status)));
        std::filesystem::remove(disk + "/ballast");
        const auto again = store->finish(open, RunStatus::Finished, 1, kResult, "{}", "");
        self.tell(again ? "finished" : again.error().message);
        return 0;
    });
    if (child == nullptr)
        GTEST_SKIP() << "skipped: a file system of its own is not permitted";
    EXPECT_THAT(child->hear(), AllOf(IsOneSentence(), HasSubstr("no space left")));
    EXPECT_EQ(child->hear(), "finished running");
    EXPECT_EQ(child->hear(), "finished");
    EXPECT_EQ(child->wait(), 0);
}

TEST_F(StoreRefusal, OfADiskThatIsFullAlreadySaysSoWhenTheFileIsOpened) {
    const std::string disk = (folder() / "disk").string();
    const auto child = onSmallDisk(disk, [&disk](const ChildProcess& self) {
        const std::filesystem::path full = disk + "/runs.sqlite";
        if (auto store = RunStore::open(full, milliseconds(50)); !store || keepRun(*store) < 1)
            return 1;
        std::ofstream(disk + "/ballast") << std::string(1 << 20, 'b'); // as much of it as there is room for
        const auto refused = RunStore::open(full, milliseconds(50));
        self.tell(refused ? "opened" : refused.error().message);
        std::filesystem::remove(disk + "/ballast");
        const auto again = RunStore::open(full, milliseconds(50));
        self.tell(again ? std::to_string(again->count().value_or(-1)) : again.error().message);
        return 0;
    });
    if (child == nullptr)
        GTEST_SKIP() << "skipped: a file system of its own is not permitted";
    EXPECT_THAT(child->hear(), AllOf(IsOneSentence(), HasSubstr("no space left")));
    EXPECT_EQ(child->hear(), "1");
    EXPECT_EQ(child->wait(), 0);
}

TEST_F(StoreRefusal, OfAFullDiskSaysSo) {
    const auto database = Database::open(file(), milliseconds(50));
    ASSERT_TRUE(database->execute("PRAGMA max_page_count = 3; CREATE TABLE t (x BLOB)"));
    const auto full = database->execute("INSERT INTO t VALUES (zeroblob(100000))");
    ASSERT_FALSE(full);
    EXPECT_THAT(full.error().message, says("no space left"));
}

} // namespace
} // namespace opscape::test
