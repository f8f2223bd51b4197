// SPDX-License-Identifier: MIT
// Runs that learn, as a person handles them from a terminal: paused, resumed, stopped, killed and taken up again; and
// carried out for another program.
#include "cli_fixture.h"
#include "service/run_files.h"
#include "service/run_process.h"

#include <cstdlib>

namespace opscape::test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

class CliTraining : public CliTest {
protected:
    [[nodiscard]] std::vector<std::string> learning(const char* updates, const char* every = "10") const {
        return command({"optimize", graph(), "--optimizer", "learns", "--set", fmt::format("updates={}", updates),
                        "--set", fmt::format("every={}", every)});
    }
    [[nodiscard]] std::size_t points(std::int64_t run = 1) const {
        if (!std::filesystem::exists(database()))
            return 0;
        const auto opened = RunStore::open(database());
        const auto curve = opened ? opened->curve(run) : Result<RunCurve>(fail(opened.error()));
        return curve ? curve->points.size() : 0;
    }
    void awaitPoints(std::size_t count) const {
        ASSERT_TRUE(eventually([&] { return points() >= count; }));
    }
    void expectDone(const std::vector<std::string>& arguments) const {
        const ProgramEnd end = run(arguments);
        EXPECT_EQ(end.status, 0) << end.err;
    }
    /// That the two runs came to the same, update by update.
    void expectSame(std::int64_t a, std::int64_t b) const {
        const RunStore runs = store();
        EXPECT_EQ(runs.get(a)->status, RunStatus::Finished) << runs.get(a)->error;
        EXPECT_EQ(runs.get(a)->result, runs.get(b)->result);
        EXPECT_EQ(*runs.planText(a), *runs.planText(b));
        const auto first = runs.curve(a)->points, second = runs.curve(b)->points;
        ASSERT_EQ(first.size(), second.size());
        for (std::size_t i = 0; i < first.size(); ++i) {
            EXPECT_EQ(first[i].update, second[i].update);
            EXPECT_EQ(first[i].simulations, second[i].simulations);
            EXPECT_EQ(first[i].bestNs, second[i].bestNs);
            EXPECT_EQ(first[i].reward, second[i].reward);
        }
    }
    [[nodiscard]] bool hasFiles(std::int64_t run) const {
        return std::filesystem::exists(RunStore::folderOf(database(), run));
    }
};

TEST_F(CliTraining, APauseHoldsItUpAndItGoesOnAsIfNothingHadBeen) {
    Program program(learning("60"));
    awaitPoints(5);
    const ProgramEnd asked = run({"runs", "pause", "1"});
    EXPECT_EQ(asked.status, 0) << asked.err;
    EXPECT_EQ(asked.out, "Run 1 was asked to pause.\n");
    ASSERT_TRUE(eventually([this] { return store().progress(1)->paused; }));
    std::this_thread::sleep_for(400ms); // what was learned before is written
    const std::size_t before = points();
    std::this_thread::sleep_for(500ms);
    EXPECT_EQ(points(), before);
    EXPECT_LT(before, 60u);
    EXPECT_EQ(json({"runs", "list", "--json"})["runs"][0]["status"], "paused");
    EXPECT_THAT(run({"runs", "list", "status:paused"}).out, HasSubstr("paused"));
    EXPECT_EQ(json({"runs", "list", "paused", "--json"})["total"], 1);
    EXPECT_EQ(json({"runs", "list", "status:running", "--json"})["total"], 0);
    EXPECT_EQ(json({"runs", "resume", "1"})["asked"], "go on");
    EXPECT_EQ(program.wait().status, 0);
    EXPECT_LT(store().curve(1)->points.back().seconds, store().get(1)->wallMs / 1e3 + .1);
    expectDone({"optimize", graph(), "--optimizer", "learns", "--set", "updates=60", "--set", "every=0"});
    expectSame(1, 2);
}

TEST_F(CliTraining, OneThatIsKilledIsTakenUpFromItsCheckpointAndEndsAsOneThatWasNot) {
    {
        Program program(learning("50"));
        awaitPoints(8);
        program.signal(SIGKILL);
        std::ignore = program.wait();
    }
    EXPECT_EQ(store().get(1)->status, RunStatus::Interrupted);
    EXPECT_TRUE(store().get(1)->result.has_value()) << "the best plan so far is there";
    EXPECT_EQ(run({"runs", "show", "1"}).status, 0);
    EXPECT_TRUE(hasFiles(1));
    const ProgramEnd end = run({"runs", "resume", "1"});
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.err, HasSubstr("goes on after"));
    EXPECT_EQ(store().list()->size(), 1u) << "the same run";
    EXPECT_FALSE(hasFiles(1));
    expectDone({"optimize", graph(), "--optimizer", "learns", "--set", "updates=50", "--set", "every=0"});
    expectSame(1, 2);
}

TEST_F(CliTraining, OneThatIsStoppedKeepsItsBestPlanAndCanGoOn) {
    Program program(learning("50"));
    awaitPoints(8);
    expectDone({"runs", "stop", "1"});
    EXPECT_EQ(program.wait().status, 3);
    EXPECT_EQ(store().get(1)->status, RunStatus::Cancelled);
    EXPECT_TRUE(store().planText(1).has_value());
    expectDone({"runs", "resume", "1", "--json"});
    expectDone({"optimize", graph(), "--optimizer", "learns", "--set", "updates=50", "--set", "every=0"});
    expectSame(1, 2);
    expectRefused(run({"runs", "resume", "1"}), 1);
    expectRefused(run({"runs", "pause", "1"}), 1);
}

TEST_F(CliTraining, ItCanBePausedStoppedAndDeletedInThatOrder) {
    Program program(learning("1000"));
    awaitPoints(3);
    expectDone({"runs", "pause", "1"});
    ASSERT_TRUE(eventually([this] { return store().progress(1)->paused; }));
    expectDone({"runs", "stop", "1"});
    EXPECT_EQ(program.wait().status, 3);
    EXPECT_EQ(store().get(1)->status, RunStatus::Cancelled);
    EXPECT_TRUE(hasFiles(1));
    expectDone({"runs", "delete", "1"});
    EXPECT_TRUE(hasFiles(1)) << "it can be brought back";
    expectDone({"runs", "purge"});
    EXPECT_FALSE(hasFiles(1));
}

TEST_F(CliTraining, WishesAreRefusedWhereNobodyListens) {
    expectRefused(run({"runs", "pause", "7"}), 1);
    expectDone({"optimize", graph(), "--optimizer", "scatter"});
    expectRefused(run({"runs", "stop", "1"}), 1);
    expectRefused(run({"runs", "resume", "1"}), 1);
    // A process that would be killed by the signal: this one.
    RunStore runs = store();
    RunRecord record = *runs.get(1);
    const std::int64_t ours = *runs.begin(
        record, [] { return std::string("{}"); }, "{}");
    for (const char* wish : {"pause", "stop"}) {
        const ProgramEnd end = run({"runs", wish, std::to_string(ours)});
        expectRefused(end, 1);
        EXPECT_THAT(end.err, HasSubstr("takes no such wishes"));
    }
}

TEST_F(CliTraining, TheShellSuspendsItAndItsClockStandsStill) {
    Program program(learning("40"));
    awaitPoints(4);
    program.signal(SIGTSTP);
    const auto state = [&] {
        const std::string stat = readFile(fmt::format("/proc/{}/stat", program.pid())).value_or("");
        return stat.substr(stat.rfind(')') + 2, 1);
    };
    ASSERT_TRUE(eventually([&] { return state() == "T"; }));
    EXPECT_EQ(json({"runs", "show", "1"})["status"], "running") << "the database is free";
    std::this_thread::sleep_for(700ms);
    program.signal(SIGCONT);
    EXPECT_EQ(program.wait().status, 0);
    const auto all = store().curve(1)->points;
    double longest = 0;
    for (std::size_t i = 1; i < all.size(); ++i)
        longest = std::max(longest, all[i].seconds - all[i - 1].seconds);
    EXPECT_LT(longest, .7);
}

TEST_F(CliTraining, GoIsResumedAfterAKillWithThePlanOfAnUninterruptedRun) {
    ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/lib/opscape/plugins", 1);
    const std::vector<std::string> go{"optimize", graph(),      "--optimizer", "go",       "--set",  "updates=150",
                                      "--set",    "samples=32", "--set",       "share=.8", "--seed", "3"};
    {
        Program program(command(go));
        awaitPoints(3);
        program.signal(SIGKILL);
        std::ignore = program.wait();
    }
    ASSERT_EQ(store().get(1)->status, RunStatus::Interrupted);
    const ProgramEnd end = run({"runs", "resume", "1"});
    EXPECT_EQ(end.status, 0) << end.err;
    expectDone(go);
    expectSame(1, 2);
}

TEST_F(CliTraining, AStopIsHeardWhileTheEngineIsLoaded) {
    ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/lib/opscape/plugins", 1);
    Program program(command({"optimize", graph(), "--optimizer", "go", "--set", "seconds=600"}));
    ASSERT_TRUE(eventually([this] {
        const auto opened =
            std::filesystem::exists(database()) ? RunStore::open(database()) : Result<RunStore>(fail("not yet"));
        return opened && !opened->list()->empty();
    }));
    program.signal(SIGINT);
    std::ignore = program.wait();
    EXPECT_EQ(store().get(1)->status, RunStatus::Cancelled);
}

/// What the window does: the run is begun here and carried out there.
class RunElsewhere : public CliTraining {
protected:
    [[nodiscard]] Result<Outcome> carryOut(std::map<std::string, std::string> options, const RunContext& context = {},
                                           std::vector<DeviceId> pins = {}) {
        const auto opened = Workbench::openGraph(graph());
        const auto cluster =
            std::make_shared<const Cluster>(*Cluster::load(OPSCAPE_SOURCE_DIR "/data/clusters/p100x4.json"));
        OptimizeRequest request{.optimizer = "learns", .options = std::move(options)};
        request.pins = std::move(pins);
        const auto run = workbench.begin(*opened, cluster, request);
        if (!run)
            return fail(run.error());
        return carryOutElsewhere(workbench, runner, *run, {{}, *opened, cluster}, context, letGo);
    }

    Workbench workbench{database()};
    std::filesystem::path runner = OPSCAPE_BINARY_DIR "/bin/opscape-cli";
    std::atomic<bool> letGo = false;
};

TEST_F(RunElsewhere, ItsOutcomeProgressAndPlansComeBack) {
    RunContext context;
    std::size_t baselines = 0;
    int plans = 0;
    Progress last;
    context.baselines = [&](const auto& all) { baselines = all.size(); };
    context.improved = [&](const Plan&, std::int64_t) { ++plans; };
    context.progress = [&](const Progress& progress) { last = progress; };
    const auto outcome = carryOut({{"updates", "150"}, {"every", "10"}}, context);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    EXPECT_EQ(outcome->run.status, RunStatus::Finished);
    EXPECT_EQ(outcome->run.id, 1);
    EXPECT_EQ(baselines, 2u);
    EXPECT_GE(plans, 1);
    EXPECT_EQ(last.stage, "learning");
    EXPECT_FALSE(hasFiles(1));
}

TEST_F(RunElsewhere, ADeathIsARowWithItsReasonAndItCanBeResumed) {
    for (const auto& [signal, name] : {std::pair(SIGKILL, "SIGKILL"), std::pair(SIGSEGV, "SIGSEGV")}) {
        const auto outcome =
            carryOut({{"updates", "30"}, {"every", "5"}, {"die-at", "10"}, {"die-by", std::to_string(signal)}});
        ASSERT_FALSE(outcome.has_value());
        EXPECT_THAT(outcome.error().message, IsOneSentence());
        const RunRecord run = store().list()->front();
        EXPECT_EQ(run.status, RunStatus::Interrupted);
        EXPECT_THAT(run.error, HasSubstr(name));
        EXPECT_THAT(run.error, HasSubstr("there is; no more memory"));
        EXPECT_TRUE(RunFiles(database(), run.id).hasCheckpoint());
        const ProgramEnd end = this->run({"runs", "resume", std::to_string(run.id)});
        EXPECT_EQ(end.status, 0) << end.err;
        expectDone({"optimize", graph(), "--optimizer", "learns", "--set", "updates=30", "--set", "every=0"});
        expectSame(run.id, run.id + 1);
    }
}

TEST_F(RunElsewhere, AStopIsPassedOn) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.baselines = [&](const auto&) { source.request_stop(); };
    const auto outcome = carryOut({{"updates", "100000"}}, context);
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
    EXPECT_EQ(outcome->run.status, RunStatus::Cancelled);
}

TEST_F(RunElsewhere, ThatIsLetGoGoesOnByItself) {
    RunContext context;
    context.baselines = [&](const auto&) { letGo = true; };
    EXPECT_FALSE(carryOut({{"updates", "100"}, {"every", "10"}}, context).has_value());
    EXPECT_EQ(store().get(1)->status, RunStatus::Running);
    ASSERT_TRUE(eventually([this] { return store().get(1)->status != RunStatus::Running; }));
    EXPECT_EQ(store().get(1)->status, RunStatus::Finished);
}

TEST_F(RunElsewhere, AProgramThatIsNotThereIsSaid) {
    runner = in("nowhere");
    const auto outcome = carryOut({});
    ASSERT_FALSE(outcome.has_value());
    EXPECT_THAT(outcome.error().message, IsOneSentence());
    EXPECT_EQ(store().get(1)->status, RunStatus::Failed);
    EXPECT_FALSE(hasFiles(1));
}

TEST_F(RunElsewhere, WhatNobodyWentOnWithMakesRoom) {
    for (std::int64_t run = 100; run < 140; ++run)
        ASSERT_TRUE(RunFiles(database(), run).makeFolder());
    EXPECT_TRUE(hasFiles(139));
    EXPECT_TRUE(hasFiles(110));
    EXPECT_FALSE(hasFiles(109));
}

TEST_F(RunElsewhere, StartPlanAndPinsAreHandedOver) {
    const auto opened = *Workbench::openGraph(graph());
    const auto cluster =
        std::make_shared<const Cluster>(*Cluster::load(OPSCAPE_SOURCE_DIR "/data/clusters/p100x4.json"));
    const std::size_t ops = opened->graph->opCount();
    const RunFiles files(database(), 5);
    ASSERT_TRUE(files.makeFolder());
    Problem problem;
    problem.graph = opened->graph;
    problem.cluster = cluster;
    problem.start = Plan::allOn(DeviceId(2), ops);
    problem.pins.assign(ops, DeviceId());
    problem.pins[1] = DeviceId(3);
    ASSERT_TRUE(files.writeStart(problem));
    std::optional<Plan> start;
    std::vector<DeviceId> pins;
    ASSERT_TRUE(files.readStart(*opened->graph, *cluster, start, pins));
    EXPECT_EQ(start, problem.start);
    EXPECT_EQ(pins, problem.pins);
    ASSERT_TRUE(writeFile(RunStore::folderOf(database(), 5) / "pins", "-1\n9\n"));
    pins.clear();
    EXPECT_THAT(files.readStart(*opened->graph, *cluster, start, pins).error().message, IsOneSentence());
    files.remove();
    EXPECT_FALSE(hasFiles(5));
}

} // namespace
} // namespace opscape::test
