// SPDX-License-Identifier: MIT
#include "store_fixture.h"
#include "support/child_process.h"

#include <opscape/store/database.h>
#include <opscape/store/process_mark.h>

#include <memory>

namespace opscape::test {
namespace {

const RunResult kResult{10, 5, 100, 50, true};

std::string integrity(const std::filesystem::path& file) {
    const auto database = Database::open(file, std::chrono::seconds(5));
    Statement query(*database, "PRAGMA integrity_check");
    return query.step().value_or(false) ? query.text(0) : "no answer";
}

TEST_F(StoreTest, ARunWhoseProcessIsKilledHasDiedWithWhatIsKnownOfIt) {
    ChildProcess child([this](const ChildProcess& self) {
        RunStore store = openStore();
        const std::int64_t id = beginRun(store);
        const std::vector<CurvePoint> points{{1, 0.5, 10, -1, 7'000'000, 1, 0, 0, 0},
                                             {2, 1.0, 20, -1, 4'130'000, 1, 0, 0, 0}};
        if (!store.appendCurve(id, points))
            return 1;
        self.tell(std::to_string(id));
        ::pause();
        return 0;
    });
    const std::int64_t id = std::stoll(child.hear());
    RunStore watching = openStore();
    EXPECT_EQ(watching.get(id)->status, RunStatus::Running);
    EXPECT_TRUE(watching.noticeDied()->empty());
    const std::int64_t version = *watching.listVersion();
    const pid_t pid = child.pid();
    child.kill();
    EXPECT_EQ(*watching.noticeDied(), std::vector{id}) << "also by a program that has the file open already";
    EXPECT_TRUE(watching.noticeDied()->empty());
    EXPECT_NE(*watching.listVersion(), version);
    const RunStore store = openStore();
    EXPECT_EQ(store.get(id)->status, RunStatus::Interrupted);
    EXPECT_EQ(store.get(id)->error,
              fmt::format("The program that made it (process {}) ended before the run did; it had come to update 2 "
                          "and 4.13 ms at best.",
                          pid));
    EXPECT_EQ(store.curve(id)->points.size(), 2u) << "its curve is there up to the last point";
    EXPECT_EQ(*store.graphText(sampleRun().graphHash), kGraphJson);
}

TEST_F(StoreTest, ARunThatDidNotSurviveARestartOfTheMachineSaysSo) {
    const std::int64_t id = [this] {
        RunStore store = openStore();
        return beginRun(store);
    }();
    {
        const auto database = Database::open(file(), std::chrono::seconds(5));
        ASSERT_TRUE(database->execute("UPDATE runs SET owner_boot = 'the one before'"));
    }
    EXPECT_EQ(openStore().get(id)->error, "The machine was restarted before the run ended.");
}

TEST_F(StoreTest, ManyProcessesCreateAndFillOneFileAtOnce) {
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int c = 0; c < 6; ++c) {
        children.push_back(std::make_unique<ChildProcess>([this](const ChildProcess& self) {
            for (int i = 0; i < 5; ++i) {
                auto store = RunStore::open(file());
                if (!store) {
                    self.tell(store.error().message);
                    return 1;
                }
                const auto id = store->begin(sampleRun(), sampleGraph, kClusterJson);
                const auto done = id ? store->finish(*id, RunStatus::Finished, 1, kResult, "{}", "") : fail(id.error());
                if (!done) {
                    self.tell(done.error().message);
                    return 1;
                }
            }
            return 0;
        }));
    }
    for (const auto& child : children) {
        EXPECT_EQ(child->hear(), "");
        EXPECT_EQ(child->wait(), 0);
    }
    const auto runs = *openStore().list();
    EXPECT_EQ(runs.size(), 30u);
    for (const RunRecord& run : runs)
        EXPECT_EQ(run.status, RunStatus::Finished);
    EXPECT_EQ(integrity(file()), "ok");
}

TEST_F(StoreTest, DeletingRunsWhileOthersBeginThemNeverLosesAGraphInUse) {
    std::vector<std::unique_ptr<ChildProcess>> children;
    for (int c = 0; c < 4; ++c) {
        children.push_back(std::make_unique<ChildProcess>([this](const ChildProcess& self) {
            RunStore store = openStore();
            for (int i = 0; i < 15; ++i) {
                const auto id = store.begin(sampleRun(), sampleGraph, kClusterJson);
                if (!id) {
                    self.tell(id.error().message);
                    return 1;
                }
                if (!store.graphText(sampleRun().graphHash))
                    return 2;
                if (auto removed = store.remove(*id); !removed) {
                    self.tell(removed.error().message);
                    return 3;
                }
            }
            return 0;
        }));
    }
    for (const auto& child : children) {
        EXPECT_EQ(child->hear(), "");
        EXPECT_EQ(child->wait(), 0);
    }
    EXPECT_TRUE(openStore().list()->empty());
    EXPECT_FALSE(openStore().graphText(sampleRun().graphHash));
}

TEST(ProcessMark, KnowsAProcessFromItsSuccessors) {
    const ProcessMark ours = ProcessMark::ours();
    EXPECT_TRUE(ours.alive());
    EXPECT_FALSE((ProcessMark{ours.pid, ours.started - 1, ours.boot}.alive())) << "same id, started at another time";
    EXPECT_FALSE((ProcessMark{ours.pid, ours.started, "another boot"}.alive()));
    EXPECT_FALSE((ProcessMark{1 << 30, ours.started, ours.boot}.alive())) << "no such process";
}

TEST(ProcessMark, TakesAZombieForDead) {
    ChildProcess child([](const ChildProcess& self) {
        const ProcessMark mark = ProcessMark::ours();
        self.tell(std::to_string(mark.started));
        self.tell(mark.boot);
        ::pause();
        return 0;
    });
    ProcessMark mark{child.pid(), 0, {}};
    mark.started = std::stoll(child.hear());
    mark.boot = child.hear();
    EXPECT_TRUE(mark.alive());
    ::kill(child.pid(), SIGKILL);
    EXPECT_EQ(child.hear(), ""); // its end of the pipe is closed: it has ended, and nobody has waited for it yet
    while (mark.alive())         // the pipe closes a moment before the state changes
        ::usleep(1000);
    EXPECT_FALSE(mark.alive());
}

} // namespace
} // namespace opscape::test
