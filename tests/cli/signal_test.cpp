// SPDX-License-Identifier: MIT
// What happens to a run when the program is stopped or killed, and what is seen of it on a terminal.
#include "cli_fixture.h"

#include <cstdlib>

namespace opscape::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class CliSignalTest : public CliTest {
protected:
    /// The optimizer is at work: its run is in the database.
    void awaitRunning() const {
        ASSERT_TRUE(eventually([this] {
            if (!std::filesystem::exists(database()))
                return false;
            const auto opened = RunStore::open(database());
            if (!opened)
                return false;
            const auto runs = opened->list();
            return runs && !runs->empty() && runs->front().status == RunStatus::Running;
        }));
    }
};

TEST_F(CliSignalTest, AnInterruptEndsTheRunWithTheBestPlanSoFar) {
    Program program(command({"optimize", graph(), "--optimizer", "waits", "--json", "-o", in("plan.json")}));
    awaitRunning();
    program.signal(SIGINT);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    const auto result = nlohmann::json::parse(end.out);
    EXPECT_EQ(result["status"], "cancelled");
    EXPECT_GT(result["makespan_ns"], 0);
    EXPECT_THAT(end.err, HasSubstr("best plan so far"));
    EXPECT_EQ(store().get(result["run_id"].get<std::int64_t>())->status, RunStatus::Cancelled);
    EXPECT_EQ(*store().planText(result["run_id"]), *readFile(in("plan.json")));
}

TEST_F(CliSignalTest, AnInterruptBeforeThereIsAPlanIsTheSameStatusAndOneSentence) {
    Program program(command({"optimize", graph(), "--optimizer", "waits", "--set", "empty-handed=true"}));
    awaitRunning();
    program.signal(SIGTERM);
    expectRefused(program.wait(), 3);
    EXPECT_EQ(store().list()->front().status, RunStatus::Cancelled);
}

TEST_F(CliSignalTest, AnInterruptedComparisonShowsWhatThereIs) {
    Program program(command({"compare", graph(), "--optimizers", "waits,scatter", "--json"}));
    awaitRunning();
    program.signal(SIGINT);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    const auto comparison = nlohmann::json::parse(end.out);
    EXPECT_EQ(comparison["runs"][0]["status"], "cancelled");
    EXPECT_EQ(comparison["runs"][1]["status"], "not run");
    EXPECT_THAT(comparison["runs"][1]["error"].get<std::string>(), HasSubstr("not run"));
}

TEST_F(CliSignalTest, AnInterruptedComparisonShowsWhatWasNotRunAsSuch) {
    Program program(command({"compare", graph(), "--optimizers", "waits,scatter,fails"}));
    awaitRunning();
    program.signal(SIGINT);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    EXPECT_THAT(end.out, testing::ContainsRegex("scatter +- +not run"));
    EXPECT_THAT(end.out, Not(HasSubstr("failed")));
}

TEST_F(CliSignalTest, AnInterruptedTableIsTheSameStatus) {
    Program program(command({"bench", "table1", "--workloads", "rnnlm2", "--preset", "small", "--methods", "waits",
                             "--budget", "60", "-o", in("table.csv"), "--no-runs"}));
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the table knows nothing of a method at work
    program.signal(SIGINT);
    const ProgramEnd end = program.wait();
    EXPECT_EQ(end.status, 3) << end.err;
    EXPECT_THAT(end.err, HasSubstr("stopped"));
}

TEST_F(CliSignalTest, ASecondInterruptEndsTheProgramAtOnce) {
    Program program(command({"optimize", graph(), "--optimizer", "waits", "--set", "every=1000"}));
    awaitRunning();
    program.signal(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(100)); // two at the same moment are one
    program.signal(SIGINT);
    EXPECT_EQ(program.wait().status, 128 + SIGINT);
    EXPECT_EQ(store().list()->front().status, RunStatus::Interrupted);
}

TEST_F(CliSignalTest, AKilledProgramLeavesAReadableDatabaseAndTheRunMarkedInterrupted) {
    Program program(command({"optimize", graph(), "--optimizer", "waits"}));
    awaitRunning();
    EXPECT_EQ(json({"runs"})["runs"][0]["status"], "running");
    program.signal(SIGKILL);
    EXPECT_EQ(program.wait().status, -SIGKILL);
    EXPECT_EQ(json({"runs"})["runs"][0]["status"], "died");
    EXPECT_THAT(run({"runs", "show", "1"}).out, HasSubstr("died"));
    EXPECT_EQ(run({"optimize", graph(), "--optimizer", "scatter"}).status, 0);
}

TEST_F(CliSignalTest, ProgressIsShownOnATerminalOnly) {
    Program silent(command({"optimize", graph(), "--optimizer", "waits"}));
    awaitRunning();
    silent.signal(SIGINT);
    EXPECT_THAT(silent.wait().err, Not(HasSubstr("waiting")));
    ASSERT_TRUE(store().remove(1));

    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0)
        GTEST_SKIP() << "skipped: this machine gives no pseudo-terminal";
    ASSERT_EQ(::grantpt(terminal), 0);
    ASSERT_EQ(::unlockpt(terminal), 0);
    const std::string name = ::ptsname(terminal);
    Program shown(command({"optimize", graph(), "--optimizer", "waits"}), nullptr, name.c_str());
    std::string seen;
    char c = 0;
    while (seen.find("best 1.00 ms") == std::string::npos && ::read(terminal, &c, 1) == 1)
        seen += c;
    shown.signal(SIGINT);
    EXPECT_EQ(shown.wait().status, 3);
    EXPECT_THAT(seen, HasSubstr("waits: waiting, best 1.00 ms"));
    ::close(terminal);
}

} // namespace
} // namespace opscape::test
