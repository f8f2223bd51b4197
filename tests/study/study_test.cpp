// SPDX-License-Identifier: MIT
#include "study/sanity.h"
#include "study/study.h"
#include "support/sentence.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace opscape::test {
namespace {

class Studies : public testing::Test {
protected:
    static StudyRequest smallOne(std::vector<std::string> methods) {
        StudyRequest request;
        request.workloads = {"rnnlm2"};
        request.presets = {"small"};
        request.methods = std::move(methods);
        request.budgetsS = {0.05};
        return request;
    }
    std::vector<ResultRow> run(const StudyRequest& request, std::stop_token stop = {}) {
        const auto runs = runsOf(m_workbench.registry(), request);
        EXPECT_TRUE(runs) << runs.error().message;
        return run(*runs, std::move(stop));
    }
    std::vector<ResultRow> run(const std::vector<StudyRun>& runs, std::stop_token stop = {}) {
        auto files = openStudy(m_file);
        EXPECT_TRUE(files) << files.error().message;
        std::vector<ResultRow> rows;
        StudyWatcher watcher;
        watcher.begins = [this](const std::string& what) { m_begun.push_back(what); };
        watcher.progress = [](const Progress&) {};
        watcher.done = [this, &rows](const WorkloadReport& report) {
            EXPECT_TRUE(report.failures.empty()) << report.failures[0];
            rows = report.rows;
            m_remarks.insert(m_remarks.end(), report.remarks.begin(), report.remarks.end());
        };
        const auto done = runStudy(m_workbench.registry(), runs, *files, {"test", "m", "c"}, watcher, stop, m_kept);
        EXPECT_TRUE(done) << done.error().message;
        return rows;
    }
    [[nodiscard]] static const ResultRow& find(const std::vector<ResultRow>& rows, std::string_view method,
                                               std::string_view scheduler, std::string_view fuser) {
        const auto found = std::ranges::find_if(rows, [&](const ResultRow& row) {
            return row.optimizer == method && row.scheduler == scheduler && row.fuser == fuser;
        });
        if (found == rows.end())
            throw std::runtime_error("no such row");
        return *found;
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder / "table.csv";
    Workbench m_workbench{m_folder / "runs.sqlite"};
    std::vector<std::string> m_begun, m_remarks;
    StudyRuns m_kept;
};

TEST_F(Studies, JudgeEveryPlacementUnderEverySchedulerAndFuser) {
    StudyRequest request = smallOne({"single", "framework", "expert", "refine"});
    request.fusers = {Fuser::None, Fuser::TimeSaved};
    const auto rows = run(request);
    EXPECT_EQ(rows.size(), 6U + 1U + 6U + 8U);
    for (const ResultRow& row : rows) {
        EXPECT_GE(row.stepTimeNs, row.lowerBoundNs);
        EXPECT_EQ(row.devices, 2);
        EXPECT_EQ(row.budgetS > 0, row.optimizer == "refine");
        EXPECT_EQ(row.simulations > 0, row.optimizer == "refine");
    }
    const std::int64_t single = find(rows, "single", "fifo", "none").stepTimeNs;
    const std::int64_t framework = find(rows, "framework", "fifo", "elementwise").stepTimeNs;
    EXPECT_LT(framework, single);
    EXPECT_LT(find(rows, "single", "fifo", "time-saved").stepTimeNs, framework);
    EXPECT_LE(find(rows, "expert", "fbi", "none").stepTimeNs, find(rows, "expert", "rank", "none").stepTimeNs);
    EXPECT_LE(find(rows, "refine", "own", "none").stepTimeNs, single) << "in whatever time it was given";
}

TEST_F(Studies, MakeNothingTwice) {
    const auto first = run(smallOne({"single", "expert"}));
    EXPECT_EQ(m_begun.size(), 2U);
    const auto second = run(smallOne({"single", "expert", "heft"}));
    EXPECT_EQ(m_begun,
              (std::vector<std::string>{"rnnlm2 small, single", "rnnlm2 small, expert", "rnnlm2 small, heft"}));
    EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin()));
}

TEST_F(Studies, GoOnWhereOneRowIsMissing) {
    StudyRequest request = smallOne({"refine", "expert"});
    request.seeds = {1, 2};
    const auto first = run(request);
    const std::string text = *readFile(m_file);
    const std::size_t line = text.find("rnnlm2,small,2,refine,rank,none,2,");
    ASSERT_NE(line, std::string::npos);
    ASSERT_TRUE(writeFile(m_file, text.substr(0, line) + text.substr(text.find('\n', line) + 1)));
    m_begun.clear();
    EXPECT_EQ(run(request).size(), first.size());
    EXPECT_EQ(m_begun, std::vector<std::string>{"rnnlm2 small, refine, 0.05 s, seed 2"});
}

TEST_F(Studies, SearchWithEverySeedAndBudgetAndPlaceWithoutASearchOnce) {
    StudyRequest request = smallOne({"heft", "refine"});
    request.budgetsS = {0.05, 0.1};
    request.seeds = {3, 4};
    std::set<std::tuple<std::string, double, std::uint64_t>> searches;
    for (const ResultRow& row : run(request))
        searches.insert({row.optimizer, row.budgetS, row.seed});
    EXPECT_EQ(searches,
              (std::set<std::tuple<std::string, double, std::uint64_t>>{
                  {"heft", 0, 3}, {"refine", 0.05, 3}, {"refine", 0.05, 4}, {"refine", 0.1, 3}, {"refine", 0.1, 4}}));
}

TEST_F(Studies, KeepHowEachSearchGotToItsPlan) {
    StudyRequest request = smallOne({"single", "refine"});
    request.budgetsS = {0.2};
    const auto rows = run(request);
    const auto curves = CurveTable::open(m_folder / "table_progress.csv");
    ASSERT_TRUE(curves) << curves.error().message;
    ASSERT_FALSE(curves->rows().empty());
    EXPECT_EQ(curves->rows().back().bestNs, find(rows, "refine", "own", "none").stepTimeNs);
    for (std::size_t i = 0; i < curves->rows().size(); ++i) {
        const CurveRow& row = curves->rows()[i];
        EXPECT_EQ(row.optimizer, "refine");
        if (i == 0)
            continue;
        EXPECT_LT(row.bestNs, curves->rows()[i - 1].bestNs);
        EXPECT_GE(row.timeS, curves->rows()[i - 1].timeS);
        EXPECT_GE(row.simulations, curves->rows()[i - 1].simulations);
    }
}

TEST_F(Studies, SetTheOptionsOfAMethodAndLeaveItsPlanAsItIs) {
    const auto framework = run(smallOne({"framework"}));
    auto runs = runsOf(m_workbench.registry(), smallOne({"fuse"}));
    ASSERT_TRUE(runs);
    EXPECT_EQ(runs->at(0).cells.at(0).fuser, "own");
    StudyRun& fused = runs->at(0);
    fused.method = {"fused", "fuse", {{"fuser", "elementwise"}}};
    fused.endings = {{"own", "own"}};
    fused.cells.resize(1);
    fused.cells[0].optimizer = "fused";
    fused.cells[0].scheduler = "own";
    EXPECT_EQ(run(*runs).at(0).stepTimeNs, framework.at(0).stepTimeNs);
}

TEST_F(Studies, DecideWhatTheMethodSaysAndNothingElse) {
    auto runs = runsOf(m_workbench.registry(), smallOne({"single", "refine"}));
    ASSERT_TRUE(runs);
    for (StudyRun& onlyOrder : *runs) { // of which one device alone has none that is faster
        onlyOrder.method.decide = {"scheduling"};
        onlyOrder.endings = {{"own", "own"}};
        onlyOrder.cells.resize(1);
        onlyOrder.cells[0].scheduler = onlyOrder.cells[0].fuser = "own";
    }
    const auto rows = run(*runs);
    EXPECT_EQ(rows.at(0).stepTimeNs, rows.at(1).stepTimeNs);
}

TEST_F(Studies, KeepTheirPlansAsRunsUnderTheirNameOnce) {
    const auto runsOfStudy = [this] {
        const auto store = m_workbench.openStore();
        EXPECT_TRUE(store);
        return *store->list();
    };
    StudyRequest request = smallOne({"single"});
    request.seeds = {4, 5};
    run(request);
    EXPECT_TRUE(runsOfStudy().empty()) << "not asked for";
    m_kept = {&m_workbench, "table9"};
    request.methods = {"single", "expert", "refine"};
    const auto rows = run(request);
    const auto runs = runsOfStudy(); // newest first
    ASSERT_EQ(runs.size(), 3U) << "what the table had already is not made again";
    EXPECT_EQ(runs[2].optimizer, "expert");
    EXPECT_EQ(runs[2].notes, "table9: expert, small");
    EXPECT_EQ(runs[1].seed, 4U);
    EXPECT_EQ(runs[0].seed, 5U);
    EXPECT_EQ(runs[0].options.at("seconds"), "0.05");
    EXPECT_EQ(runs[0].status, RunStatus::Finished);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto outcome = m_workbench.restore(runs[i].id);
        ASSERT_TRUE(outcome) << outcome.error().message;
        EXPECT_EQ(outcome->schedule.makespanNs, runs[i].result->makespanNs);
    }
    run(request);
    EXPECT_EQ(runsOfStudy().size(), 3U);
}

TEST_F(Studies, GoOnWhereTheirRunsCannotBeKept) {
    const Workbench broken(m_folder.file("broken.sqlite", "this is no database, whatever it is called"));
    m_kept = {&broken, "table9"};
    EXPECT_EQ(run(smallOne({"single", "heft"})).size(), 6U);
    ASSERT_EQ(m_remarks.size(), 1U) << "said once";
    EXPECT_NE(m_remarks[0].find("broken.sqlite"), std::string::npos) << m_remarks[0];
}

TEST_F(Studies, StoppedLeaveNoHalfRows) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(run(smallOne({"single", "refine"}), stop.get_token()).empty());
    EXPECT_FALSE(std::filesystem::exists(m_file));
}

TEST_F(Studies, OfWhatIsNotThereSaySo) {
    StudyRequest request = smallOne({"single"});
    for (const std::string workload : {"unheard-of", "resnet50"}) {
        request.workloads = {workload};
        const auto runs = runsOf(m_workbench.registry(), request);
        ASSERT_FALSE(runs);
        EXPECT_THAT(runs.error().message, IsOneSentence());
        EXPECT_NE(runs.error().message.find(workload), std::string::npos);
    }
    const auto method = findMethod(m_workbench.registry(), "unheard-of");
    ASSERT_FALSE(method);
    EXPECT_NE(method.error().message.find("method unheard-of"), std::string::npos) << method.error().message;
}

TEST_F(Studies, KnowEveryMethodWhoseOptimizerThereIs) {
    for (const StudyKind& kind : studyKinds()) {
        for (const std::string& name : kind.request.methods) {
            const std::string learned = name.starts_with("go") ? "go" : name.starts_with("hdp") ? "hdp" : "";
            if (!learned.empty() && !m_workbench.registry().optimizer(learned))
                continue;
            const auto method = findMethod(m_workbench.registry(), name);
            EXPECT_TRUE(method) << method.error().message;
        }
        for (const Contest& contest : kind.contests) {
            EXPECT_EQ(std::ranges::count(kind.request.methods, contest.reference), 1) << contest.reference;
            for (const std::string& other : contest.others)
                EXPECT_EQ(std::ranges::count(kind.request.methods, other), other == kBestHeuristic ? 0 : 1) << other;
        }
    }
}

TEST_F(Studies, AreOfTheFourteenPublishedWorkloads) { EXPECT_EQ(publishedWorkloads().size(), 14U); }

TEST(Sanity, HoldsEveryPublishedFigureThatHasAGraphBesideASimulatedOne) {
    const auto rows = sanityTable(dataFolder() / "reference" / "throughput.json");
    ASSERT_TRUE(rows) << rows.error().message;
    std::size_t simulated = 0;
    for (const SanityRow& row : *rows) {
        EXPECT_EQ(row.simulated > 0, !row.graph.empty()) << row.model;
        EXPECT_TRUE(row.feasible) << row.model << " was run on that device";
        simulated += row.graph.empty() ? 0 : 1;
    }
    EXPECT_GE(simulated, 10U);
}

} // namespace
} // namespace opscape::test
