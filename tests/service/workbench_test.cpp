// SPDX-License-Identifier: MIT
#include "service/workbench.h"
#include "support/sentence.h"
#include "support/small_graph.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>
#include <opscape/io/plan_json.h>
#include <opscape/store/database.h>

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

namespace opscape::test {
namespace {

using testing::HasSubstr;

class WorkbenchTest : public testing::Test {
protected:
    WorkbenchTest() {
        ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/tests/plugins", 1);
        auto graph = Workbench::openGraph(writeSmallGraph(m_folder.path()));
        auto loaded = Cluster::load("p100x4");
        if (!graph || !loaded)
            throw std::runtime_error(graph ? loaded.error().message : graph.error().message);
        opened = *graph;
        cluster = std::make_shared<const Cluster>(std::move(*loaded));
    }
    ~WorkbenchTest() override { ::unsetenv("OPSCAPE_PLUGINS"); }

    [[nodiscard]] std::filesystem::path database() const { return m_folder / "runs.sqlite"; }
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }
    [[nodiscard]] Workbench workbench() const { return Workbench(database()); }
    [[nodiscard]] Result<Outcome> optimize(const OptimizeRequest& request, const RunContext& context = {}) const {
        return workbench().optimize(opened, cluster, request, context);
    }
    [[nodiscard]] std::vector<RunRecord> runs() const { return *workbench().openStore()->list(); }
    void sql(const std::string& statement) const {
        const auto db = Database::open(database(), std::chrono::seconds(5));
        ASSERT_TRUE(db->execute(statement));
    }

    std::shared_ptr<const OpenedGraph> opened;
    std::shared_ptr<const Cluster> cluster;

private:
    TemporaryFolder m_folder;
};

void expectEqual(const Schedule& a, const Schedule& b) {
    EXPECT_EQ(a.makespanNs, b.makespanNs);
    EXPECT_EQ(a.peakBytes, b.peakBytes);
    EXPECT_EQ(a.bytesMoved, b.bytesMoved);
    ASSERT_EQ(a.ops.size(), b.ops.size());
    for (std::size_t i = 0; i < a.ops.size(); ++i) {
        EXPECT_EQ(a.ops[i].startNs, b.ops[i].startNs);
        EXPECT_EQ(a.ops[i].endNs, b.ops[i].endNs);
    }
    ASSERT_EQ(a.transfers.size(), b.transfers.size());
    for (std::size_t i = 0; i < a.transfers.size(); ++i) {
        EXPECT_EQ(a.transfers[i].startNs, b.transfers[i].startNs);
        EXPECT_EQ(a.transfers[i].endNs, b.transfers[i].endNs);
    }
}

/// As the store has it, which gives the run a name for other databases.
RunRecord asKept(RunRecord run, const RunRecord& kept) {
    EXPECT_FALSE(kept.uid.empty());
    run.uid = kept.uid;
    return run;
}

TEST_F(WorkbenchTest, OpensAGraphReadyToBeShown) {
    EXPECT_EQ(opened->format, "opscape-json");
    EXPECT_EQ(*opened->graph, smallGraph());
    EXPECT_EQ(opened->scopes->scope(ScopeTree::root()).scopes.size(), 1u);
    EXPECT_EQ(opened->path, (folder() / "small.json").string());
    const auto missing = Workbench::openGraph(folder() / "missing.onnx");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, IsOneSentence());
}

TEST_F(WorkbenchTest, KeepsWhatIsKnownOfARun) {
    const auto outcome = optimize({"scatter", {}, 12345678901234567890ULL, {}});
    ASSERT_TRUE(outcome) << outcome.error().message;
    ASSERT_EQ(outcome->diagnostics.count("run-not-kept"), 0u) << outcome->diagnostics.entries().back().examples[0];
    EXPECT_GT(outcome->run.id, 0);
    const RunRecord run = *workbench().openStore()->get(outcome->run.id);
    EXPECT_EQ(run, asKept(outcome->run, run));
    EXPECT_EQ(run.kind, "optimize");
    EXPECT_EQ(run.status, RunStatus::Finished);
    EXPECT_EQ(run.graphHash, opened->graph->hash());
    EXPECT_EQ(run.graphName, "small");
    EXPECT_EQ(run.ops, 4);
    EXPECT_EQ(run.edges, 4);
    EXPECT_EQ(run.clusterId, "p100x4");
    EXPECT_EQ(run.linkModel, "fifo");
    EXPECT_EQ(run.optimizer, "scatter");
    EXPECT_EQ(run.revision, 4);
    EXPECT_EQ(run.seed, 12345678901234567890ULL);
    EXPECT_EQ(run.version, OPSCAPE_VERSION);
    EXPECT_GT(run.startedMs, 1'600'000'000'000);
    EXPECT_EQ(run.result->makespanNs, outcome->schedule.makespanNs);
    EXPECT_EQ(run.result->lowerBoundNs, outcome->bounds.bestNs);
}

TEST_F(WorkbenchTest, RestoresARunFromTheStoreAlone) {
    const auto outcome = optimize({"scatter", {}, 3, {}});
    std::filesystem::remove(folder() / "small.json");
    const auto restored = workbench().restore(outcome->run.id);
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(*restored->opened->graph, *opened->graph);
    EXPECT_EQ(restored->plan, outcome->plan);
    EXPECT_EQ(restored->run, asKept(outcome->run, restored->run));
    EXPECT_EQ(restored->diagnostics.count("run-differs"), 0u);
    expectEqual(restored->schedule, outcome->schedule);
}

TEST_F(WorkbenchTest, RestoresARunUnderItsOwnLinkModel) {
    cluster = std::make_shared<const Cluster>(cluster->withLinkModel(LinkModel::None));
    const auto outcome = optimize({"scatter", {}, 3, {}});
    const auto restored = workbench().restore(outcome->run.id);
    EXPECT_EQ(restored->problem.cluster->linkModel(), LinkModel::None);
    EXPECT_EQ(restored->run.linkModel, "none");
    expectEqual(restored->schedule, outcome->schedule);
}

TEST_F(WorkbenchTest, RestoresOntoAnOpenGraphOnlyWhenItIsTheSame) {
    const auto outcome = optimize({"scatter", {}, 3, {}});
    EXPECT_EQ(workbench().restore(outcome->run.id, opened)->opened, opened);
    const auto other = *Workbench::openGraph(writeSmallGraph(folder(), "other"));
    EXPECT_EQ(workbench().restore(outcome->run.id, other)->opened->graph->name(), "small");
}

TEST_F(WorkbenchTest, SaysSoWhenAKeptRunIsSimulatedDifferentlyNow) {
    const auto outcome = optimize({"scatter", {}, 3, {}});
    sql("UPDATE runs SET makespan_ns = makespan_ns + 1");
    EXPECT_EQ(workbench().restore(outcome->run.id)->diagnostics.count("run-differs"), 1u);
}

TEST_F(WorkbenchTest, TheSeedDecidesThePlan) {
    const auto plan = [this](std::uint64_t seed) { return optimize({"scatter", {}, seed, {}})->plan; };
    EXPECT_EQ(plan(5), plan(5));
    EXPECT_NE(plan(5), plan(6));
}

TEST_F(WorkbenchTest, KeepsAGraphOnceForManyRuns) {
    for (std::uint64_t seed = 0; seed < 3; ++seed)
        ASSERT_TRUE(optimize({"scatter", {}, seed, {}}));
    const auto db = Database::open(database(), std::chrono::seconds(5));
    EXPECT_EQ(*db->integer("SELECT count(*) FROM runs"), 3);
    EXPECT_EQ(*db->integer("SELECT count(*) FROM graphs"), 1);
    EXPECT_EQ(*db->integer("SELECT count(*) FROM clusters"), 1);
}

TEST_F(WorkbenchTest, AFailureIsKeptWithItsReason) {
    const auto failed = optimize({"fails", {}, 1, {}});
    ASSERT_FALSE(failed);
    EXPECT_THAT(failed.error().message, IsOneSentence());
    const auto thrown = optimize({"fails", {{"throw", "true"}}, 1, {}});
    ASSERT_FALSE(thrown);
    const auto kept = runs();
    ASSERT_EQ(kept.size(), 2u);
    EXPECT_EQ(kept[1].status, RunStatus::Failed);
    EXPECT_EQ(kept[1].error, failed.error().message);
    EXPECT_EQ(kept[0].status, RunStatus::Failed);
    EXPECT_THAT(kept[0].error, HasSubstr("out of luck"));
    EXPECT_EQ(kept[0].options, (std::map<std::string, std::string>{{"throw", "true"}}));
}

TEST_F(WorkbenchTest, AStopGivesTheBestPlanSoFarKeptAsCancelled) {
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.progress = [&stop](const Progress& progress) {
        if (progress.simulations == 3)
            stop.request_stop();
    };
    const auto outcome = optimize({"waits", {}, 1, {}}, context);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->run.status, RunStatus::Cancelled);
    EXPECT_EQ(runs().at(0), asKept(outcome->run, runs().at(0)));
    EXPECT_EQ(workbench().restore(outcome->run.id)->plan, outcome->plan);
}

TEST_F(WorkbenchTest, AStopWithoutAPlanIsKeptAsCancelledToo) {
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    ASSERT_FALSE(optimize({"waits", {{"empty-handed", "true"}}, 1, {}}, context));
    EXPECT_EQ(runs().at(0).status, RunStatus::Cancelled);
    EXPECT_FALSE(runs().at(0).result);
    const auto restored = workbench().restore(runs().at(0).id);
    ASSERT_FALSE(restored);
    EXPECT_THAT(restored.error().message, IsOneSentence());
}

TEST_F(WorkbenchTest, KeepsHowARunLearnsAndTellsItToo) {
    std::vector<std::int64_t> updates;
    std::vector<NamedTime> baselines;
    std::int64_t improvedNs = -1;
    RunContext context;
    context.curve = [&](const CurvePoint& point) { updates.push_back(point.update); };
    context.baselines = [&](const std::vector<NamedTime>& told) { baselines = told; };
    context.improved = [&](const Plan&, std::int64_t bestNs) { improvedNs = bestNs; };
    const auto outcome = optimize({"learns", {{"updates", "40"}}, 3, {}}, context);
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(updates.size(), 40u);
    EXPECT_EQ(improvedNs, outcome->schedule.makespanNs);
    EXPECT_TRUE(outcome->run.learns);
    const auto store = workbench().openStore();
    EXPECT_EQ(*store->get(outcome->run.id), asKept(outcome->run, *store->get(outcome->run.id)));
    const auto curve = store->curve(outcome->run.id);
    ASSERT_EQ(curve->points.size(), 40u);
    for (std::size_t i = 0; i < curve->points.size(); ++i)
        EXPECT_EQ(curve->points[i].update, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(curve->points.back().bestNs, outcome->schedule.makespanNs);
    ASSERT_EQ(curve->baselines.size(), 2u);
    EXPECT_EQ(curve->baselines[1].name, baselines[1].name);
    EXPECT_EQ(curve->baselines[1].ns, baselines[1].ns);
    EXPECT_FALSE(optimize({"scatter", {}, 3, {}})->run.learns);
}

TEST_F(WorkbenchTest, ACurveIsReadByOthersWhileTheRunLearnsAndSurvivesAStop) {
    const auto reader = workbench().openStore();
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    std::size_t seen = 0;
    context.curve = [&](const CurvePoint& point) {
        if (point.update % 20 == 0)
            seen = reader->curve(1)->points.size();
        if (seen > 0 || point.update > 9000)
            stop.request_stop();
    };
    const auto outcome = optimize({"learns", {{"updates", "10000"}}, 1, {}}, context);
    ASSERT_TRUE(outcome);
    EXPECT_GT(seen, 0u);
    EXPECT_EQ(outcome->run.status, RunStatus::Cancelled);
    EXPECT_GT(reader->curve(1)->points.size(), seen);
}

TEST_F(WorkbenchTest, LearningDoesNotWaitForADatabaseThatIsLocked) {
    const auto other = Database::open(database(), std::chrono::seconds(5));
    std::optional<Transaction> lock;
    RunContext context;
    context.baselines = [&](const auto&) { lock.emplace(std::move(*Transaction::begin(*other))); };
    context.curve = [&](const CurvePoint& point) {
        if (point.update == 150) // 750 ms at least, in which there were writes to wait for
            lock.reset();
    };
    const auto outcome = optimize({"learns", {{"updates", "160"}}, 1, {}}, context);
    ASSERT_TRUE(outcome);
    EXPECT_FALSE(lock);
    EXPECT_EQ(outcome->diagnostics.count("curve-not-kept"), 0u);
    EXPECT_EQ(workbench().openStore()->curve(outcome->run.id)->points.size(), 160u);
}

TEST_F(WorkbenchTest, ACurveThatCannotBeKeptCostsNeitherRunNorResult) {
    RunContext context;
    context.baselines = [this](const auto&) { sql("DROP TABLE curve_points"); };
    const auto outcome = optimize({"learns", {}, 1, {}}, context);
    ASSERT_TRUE(outcome);
    EXPECT_GT(outcome->run.id, 0);
    EXPECT_EQ(outcome->diagnostics.count("curve-not-kept"), 1u);
    EXPECT_EQ(runs().at(0).status, RunStatus::Finished);
}

TEST_F(WorkbenchTest, ARequestThatMakesNoSenseIsRefusedAndNotKept) {
    const std::vector<Result<Outcome>> refused{
        optimize({"unheard-of", {}, 1, {}}),
        optimize({"waits", {{"every", "often"}}, 1, {}}),
        optimize({"waits", {{"unheard-of", "1"}}, 1, {}}),
        optimize({"waits", {}, 1, {DeviceId(0), DeviceId(), DeviceId(), DeviceId()}}),
    };
    for (const auto& result : refused) {
        ASSERT_FALSE(result);
        EXPECT_THAT(result.error().message, IsOneSentence());
    }
    EXPECT_TRUE(runs().empty());
}

TEST_F(WorkbenchTest, AStoreThatCannotBeUsedCostsTheRunNotTheResult) {
    const Workbench without(folder() / "small.json" / "runs.sqlite");
    const auto outcome = without.optimize(opened, cluster, {"scatter", {}, 3, {}}, {});
    ASSERT_TRUE(outcome) << outcome.error().message;
    EXPECT_EQ(outcome->run.id, 0);
    EXPECT_GT(outcome->schedule.makespanNs, 0);
    ASSERT_EQ(outcome->diagnostics.count("run-not-kept"), 1u);
    EXPECT_THAT(outcome->diagnostics.entries().back().examples.front(), HasSubstr("runs.sqlite"));
    const auto simulated = without.simulatePlan(opened, cluster, outcome->plan, true);
    EXPECT_EQ(simulated->run.id, 0);
    EXPECT_EQ(simulated->diagnostics.count("run-not-kept"), 1u);
}

TEST_F(WorkbenchTest, ARunDeletedWhileItGoesOnCostsTheRunNotTheResult) {
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.progress = [this, &stop](const Progress& progress) {
        if (progress.simulations == 2) {
            ASSERT_TRUE(workbench().openStore()->remove(runs().at(0).id));
            stop.request_stop();
        }
    };
    const auto outcome = optimize({"waits", {}, 1, {}}, context);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->run.id, 0);
    EXPECT_EQ(outcome->diagnostics.count("run-not-kept"), 1u);
}

TEST_F(WorkbenchTest, ASimulatedPlanIsKeptWhenAsked) {
    const Plan plan = Plan::allOn(DeviceId(2), opened->graph->opCount());
    const auto silent = workbench().simulatePlan(opened, cluster, plan, false);
    EXPECT_EQ(silent->run.id, 0);
    EXPECT_EQ(silent->diagnostics.count("run-not-kept"), 0u);
    EXPECT_TRUE(runs().empty());
    const auto kept = workbench().simulatePlan(opened, cluster, plan, true);
    ASSERT_EQ(runs().size(), 1u);
    EXPECT_EQ(runs()[0].kind, "simulate");
    EXPECT_EQ(runs()[0].optimizer, "");
    EXPECT_EQ(workbench().restore(kept->run.id)->plan, plan);
    expectEqual(kept->schedule, silent->schedule);
}

TEST_F(WorkbenchTest, AnInvalidPlanIsRefusedAndKeptAsFailed) {
    const auto refused = workbench().simulatePlan(opened, cluster, Plan::allOn(DeviceId(99), 4), true);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, IsOneSentence());
    EXPECT_EQ(runs().at(0).status, RunStatus::Failed);
    EXPECT_EQ(runs().at(0).error, refused.error().message);
}

TEST_F(WorkbenchTest, ARunThatIsNotThereIsNotRestored) {
    const auto restored = workbench().restore(7);
    ASSERT_FALSE(restored);
    EXPECT_THAT(restored.error().message, IsOneSentence());
}

TEST_F(WorkbenchTest, ABrokenPluginIsListedAndTheOthersWork) {
    const std::filesystem::path plugins = folder() / "plugins";
    std::filesystem::create_directory(plugins);
    std::filesystem::create_symlink(OPSCAPE_BINARY_DIR "/tests/plugins/test.so", plugins / "test.so");
    ASSERT_TRUE(writeFile(plugins / "broken.so", "not a library"));
    ::setenv("OPSCAPE_PLUGINS", plugins.c_str(), 1);
    const Workbench bench(database());
    ASSERT_EQ(bench.plugins().size(), 2u);
    EXPECT_EQ(bench.plugins()[0].file.filename(), "broken.so");
    EXPECT_FALSE(bench.plugins()[0].loaded());
    EXPECT_TRUE(bench.plugins()[1].loaded());
    EXPECT_TRUE(bench.registry().optimizer("scatter"));
}

TEST_F(WorkbenchTest, RunsOfManyThreadsAreAllKept) {
    const Workbench bench(database());
    constexpr int kThreads = 5;
    std::vector<std::int64_t> ids(kThreads, -1);
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < kThreads; ++t) {
            threads.emplace_back([&bench, &id = ids[static_cast<std::size_t>(t)], t, this] {
                const auto outcome =
                    bench.optimize(opened, cluster, {"scatter", {}, static_cast<std::uint64_t>(t), {}}, {});
                id = outcome ? outcome->run.id : -2;
            });
        }
    }
    EXPECT_THAT(ids, testing::Each(testing::Gt(0)));
    std::ranges::sort(ids);
    EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
    EXPECT_EQ(runs().size(), static_cast<std::size_t>(kThreads));
}

} // namespace
} // namespace opscape::test
