// SPDX-License-Identifier: MIT
// Comparisons of tables made by hand, whose ratios are worked out on paper.
#include "study/comparison.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace opscape::test {
namespace {

ResultRow row(const std::string& workload, const std::string& method, const std::string& scheduler, std::uint64_t seed,
              double budgetS, std::int64_t ns, bool feasible = true) {
    ResultRow result;
    result.workload = workload;
    result.preset = "small";
    result.devices = 2;
    result.optimizer = method;
    result.scheduler = scheduler;
    result.fuser = "none";
    result.seed = seed;
    result.budgetS = budgetS;
    result.stepTimeNs = ns;
    result.feasible = feasible;
    return result;
}

const Standing& find(const std::vector<Standing>& all, std::string_view other, std::string_view scheduler,
                     double budgetS = 60) {
    const auto found = std::ranges::find_if(
        all, [&](const Standing& s) { return s.other == other && s.scheduler == scheduler && s.budgetS == budgetS; });
    if (found == all.end())
        throw std::runtime_error("no such standing");
    return *found;
}

bool has(const std::vector<Standing>& all, std::string_view other, std::string_view scheduler) {
    return std::ranges::any_of(all, [&](const Standing& s) { return s.other == other && s.scheduler == scheduler; });
}

/// Two workloads, two seeds of the reference.
std::vector<ResultRow> reference() {
    return {row("a", "go", "fifo", 1, 60, 100), row("a", "go", "fifo", 2, 60, 100), row("b", "go", "fifo", 1, 60, 200),
            row("b", "go", "fifo", 2, 60, 400)};
}

TEST(Comparison, IsAGeometricMeanOverWorkloadsWithItsSpreadOverSeeds) {
    StudyRows study{reference(), {}};
    study.rows.push_back(row("a", "expert", "fifo", 1, 0, 200)); // 2 and 2
    study.rows.push_back(row("b", "expert", "fifo", 1, 0, 400)); // 2 and 1
    const auto all = standings(study, {"go"});
    const Standing& s = find(all, "expert", "fifo");
    EXPECT_NEAR(s.ratio, std::pow(2, 0.75), 1e-12);
    EXPECT_EQ(s.seeds, 2U);
    EXPECT_NEAR(s.least, std::sqrt(2), 1e-12);
    EXPECT_NEAR(s.most, 2, 1e-12);
    EXPECT_EQ(s.worst, "b");
    EXPECT_NEAR(s.worstRatio, std::sqrt(2), 1e-12);
    EXPECT_EQ(s.won, 2U);
    EXPECT_TRUE(s.missing.empty());
    EXPECT_FALSE(has(all, "expert", "rank"));
    EXPECT_FALSE(has(all, "go", "fifo")) << "against itself";
}

TEST(Comparison, IsWithTheSameSeedAndTheSameBudget) {
    StudyRows study{reference(), {}};
    study.rows.push_back(row("a", "anneal", "fifo", 1, 60, 100));
    study.rows.push_back(row("a", "anneal", "fifo", 2, 60, 121));
    study.rows.push_back(row("b", "anneal", "fifo", 2, 60, 400)); // no seed 1
    study.rows.push_back(row("b", "anneal", "fifo", 1, 2, 1));    // another budget
    const auto all = standings(study, {"go"});
    const Standing& s = find(all, "anneal", "fifo");
    EXPECT_NEAR(s.ratio, std::sqrt(1.1), 1e-12) << "of 1.1 on a and 1 on b";
    EXPECT_EQ(s.seeds, 1U) << "only seed 2 is on both workloads";
    EXPECT_NEAR(s.least, 1.1, 1e-12);
    EXPECT_EQ(s.won, 1U);
    EXPECT_EQ(s.tied, 1U);
}

TEST(Comparison, LetsEachSideHaveItsBestScheduler) {
    StudyRows study;
    study.rows = {row("a", "go", "own", 1, 60, 100), row("a", "go", "fifo", 1, 60, 150),
                  row("a", "expert", "fifo", 1, 0, 180), row("a", "expert", "rank", 1, 0, 90),
                  row("a", "expert", "fbi", 1, 0, 50, false)};
    const auto all = standings(study, {"go"});
    EXPECT_NEAR(find(all, "expert", "best").ratio, 0.9, 1e-12);
    EXPECT_EQ(find(all, "expert", "best").lost, 1U);
    EXPECT_NEAR(find(all, "expert", "fifo").ratio, 1.2, 1e-12);
    EXPECT_FALSE(has(all, "expert", "own"));
}

TEST(Comparison, SaysWhatIsMissingAndWhatDoesNotFit) {
    StudyRows study{reference(), {}};
    study.rows.push_back(row("a", "metis", "fifo", 1, 0, 50, false));
    study.rows.push_back(row("b", "metis", "fifo", 1, 0, 400));
    study.missing.push_back(row("a", "hdp", "fifo", 1, 60, 0));
    study.missing.push_back(row("c", "go", "fifo", 1, 60, 0));
    const auto all = standings(study, {"go"});
    const Standing& metis = find(all, "metis", "best");
    EXPECT_EQ(metis.outOfMemory, std::vector<std::string>{"a"});
    EXPECT_EQ(metis.missing, std::vector<std::string>{"c"});
    EXPECT_EQ(metis.workloads(), 1U);
    const Standing& hdp = find(all, "hdp", "best");
    EXPECT_EQ(hdp.workloads(), 0U);
    EXPECT_EQ(hdp.missing, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Comparison, IsWithTheBestHeuristicOfEachWorkload) {
    StudyRows study{reference(), {}};
    study.rows.push_back(row("a", "expert", "fifo", 1, 0, 300));
    study.rows.push_back(row("a", "heft", "fifo", 1, 0, 200));
    study.rows.push_back(row("a", "single", "fifo", 1, 0, 10, false));
    study.rows.push_back(row("b", "expert", "fifo", 1, 0, 200));
    study.rows.push_back(row("b", "heft", "fifo", 1, 0, 900));
    study.rows.push_back(row("a", "refine", "fifo", 1, 60, 1)); // searches
    const Standing s = find(standings(study, {"go"}), kBestHeuristic, "fifo");
    EXPECT_NEAR(s.ratio, std::sqrt(2 * std::sqrt(0.5)), 1e-12) << "of 2 on a, 1 and 1/2 on b";
    EXPECT_TRUE(bestHeuristics(reference()).empty());
}

TEST(Comparison, IsOnlyWithThoseThatTheContestNames) {
    StudyRows study{reference(), {}};
    study.rows.push_back(row("a", "go-no-sage", "fifo", 1, 60, 101));
    study.rows.push_back(row("a", "go-policy-no-sage", "fifo", 1, 60, 150));
    const auto all = standings(study, {"go", {"go-no-sage"}});
    EXPECT_EQ(find(all, "go-no-sage", "fifo").tied, 1U);
    EXPECT_FALSE(has(all, "go-policy-no-sage", "fifo"));
}

CurveRow curve(const std::string& method, std::uint64_t seed, double timeS, std::int64_t simulations,
               std::int64_t bestNs) {
    return {"a", "small", method, seed, 60, timeS, simulations, bestNs};
}

TEST(Comparison, TellsWhenASearchPassesTheBestHeuristic) {
    StudyRows study{reference(), {}};
    study.rows.push_back(row("a", "expert", "fifo", 1, 0, 150));
    study.rows.push_back(row("a", "heft", "rank", 1, 0, 120));
    const std::vector<CurveRow> curves{curve("go", 1, 0.5, 10, 150), curve("go", 1, 2, 40, 119),
                                       curve("go", 2, 1, 20, 120), curve("go", 2, 9, 90, 100),
                                       curve("go", 3, 1, 20, 121)};
    const auto all = reaches(study, curves);
    ASSERT_EQ(all.size(), 1U) << "on b there is no heuristic";
    EXPECT_EQ(all[0].runs, 3U);
    EXPECT_EQ(all[0].reached, 2U);
    EXPECT_EQ(all[0].medianS, 2);
    EXPECT_EQ(all[0].medianSimulations, 40);
}

TEST(Comparison, TellsHowMuchLongerAnotherSearches) {
    const std::vector<CurveRow> curves{curve("hdp", 1, 1, 10, 300),    curve("hdp", 1, 20, 1000, 202),
                                       curve("hdp", 1, 50, 2000, 200), // converged at 20 s
                                       curve("go", 1, 0.5, 10, 250),   curve("go", 1, 2, 100, 190),
                                       curve("go", 1, 30, 900, 180),   curve("refine", 1, 3, 50, 100)};
    const auto all = searchRatios(curves, {"go"});
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].other, "hdp");
    EXPECT_NEAR(all[0].time, 10, 1e-12);
    EXPECT_NEAR(all[0].simulations, 10, 1e-12);
    EXPECT_EQ(all[1].other, "refine");
    EXPECT_EQ(all[1].workloads, 0U);
    EXPECT_EQ(all[1].notReached, std::vector<std::string>{"a"});
}

TEST(Comparison, ReadsATableAndKnowsWhichOfItsRowsAreMissing) {
    const TemporaryFolder folder;
    const Workbench workbench(folder / "runs.sqlite");
    ASSERT_TRUE(writeFile(folder / "table.csv",
                          "workload,preset,devices,optimizer,scheduler,fuser,seed,budget_s,step_time_ns,"
                          "lower_bound_ns,feasible,wall_s,simulations\n# made by hand\n"
                          "rnnlm2,small,2,single,fifo,none,1,0,300,50,yes,0,0\n"
                          "rnnlm2,small,2,single,rank,none,1,0,280,50,yes,0,0\n"
                          "rnnlm2,small,2,single,fbi,none,1,0,270,50,yes,0,0\n"
                          "rnnlm2,small,2,refine,own,none,1,0.5,90,50,yes,0.5,77\n"
                          "rnnlm2,small,2,refine,fifo,none,1,0.5,100,50,yes,0.5,77\n"
                          "rnnlm2,small,2,refine,fifo,time-saved,1,0.5,1,1,yes,0.5,77\n"));
    StudyRequest request;
    request.workloads = {"rnnlm2", "rnnlm4"};
    request.presets = {"small"};
    request.methods = {"single", "refine"};
    request.budgetsS = {0.5};
    const auto runs = runsOf(workbench.registry(), request);
    ASSERT_TRUE(runs) << runs.error().message;
    const auto table = ResultTable::open(folder / "table.csv");
    ASSERT_TRUE(table) << table.error().message;
    const StudyRows study = rowsOf(*runs, *table);
    EXPECT_EQ(study.rows.size(), 5U) << "the study does not fuse";
    EXPECT_EQ(study.missing.size(), 2U + 7U);
    const auto all = standings(study, {"refine"});
    EXPECT_NEAR(find(all, "single", "best", 0.5).ratio, 3, 1e-12);
    EXPECT_NEAR(find(all, "single", "fifo", 0.5).ratio, 3, 1e-12);
    EXPECT_EQ(find(all, "single", "best", 0.5).missing, std::vector<std::string>{"rnnlm4"});
}

TEST(GeometricMean, OfNothingIsZero) {
    EXPECT_EQ(geometricMean({}), 0);
    EXPECT_NEAR(geometricMean(std::vector<double>{1, 4, 16}), 4, 1e-12);
}

} // namespace
} // namespace opscape::test
