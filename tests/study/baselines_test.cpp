// SPDX-License-Identifier: MIT
#include "study/baselines.h"
#include "study/sanity.h"
#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace opscape::test {
namespace {

class Baselines : public testing::Test {
protected:
    std::vector<ResultRow> run(std::vector<std::string> optimizers) {
        auto table = ResultTable::open(m_file);
        EXPECT_TRUE(table);
        std::vector<ResultRow> rows;
        BaselineWatcher watcher;
        watcher.begins = [this](const std::string& what) { m_begun.push_back(what); };
        watcher.progress = [](const Progress&) {};
        watcher.done = [&rows](const BaselineReport& report) {
            EXPECT_TRUE(report.failures.empty()) << report.failures[0];
            rows = report.rows;
        };
        const BaselineRequest request{{"rnnlm2"}, {"small"}, std::move(optimizers), 0.05, 1};
        const auto done = runBaselines(m_workbench.registry(), request, *table, {"test", "m", "c"}, watcher, {});
        EXPECT_TRUE(done) << done.error().message;
        return rows;
    }
    [[nodiscard]] static const ResultRow& find(const std::vector<ResultRow>& rows, std::string_view optimizer,
                                               std::string_view scheduler, std::string_view fuser) {
        const auto found = std::ranges::find_if(rows, [&](const ResultRow& row) {
            return row.optimizer == optimizer && row.scheduler == scheduler && row.fuser == fuser;
        });
        if (found == rows.end())
            throw std::runtime_error("no such row");
        return *found;
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_file = m_folder / "baselines.csv";
    Workbench m_workbench{m_folder / "runs.sqlite"};
    std::vector<std::string> m_begun;
};

TEST_F(Baselines, JudgeEveryPlacementUnderEverySchedulerAndFuser) {
    const auto rows = run({"single", "expert", "refine"});
    EXPECT_EQ(rows.size(), 7U + 6U + 8U);
    for (const ResultRow& row : rows) {
        EXPECT_GE(row.stepTimeNs, row.lowerBoundNs);
        EXPECT_EQ(row.devices, 2);
        EXPECT_EQ(row.budgetS > 0, row.optimizer == "refine");
        EXPECT_EQ(row.simulations > 0, row.optimizer == "refine");
    }
    const std::int64_t single = find(rows, "single", "fifo", "none").stepTimeNs;
    EXPECT_LT(find(rows, "single", "fifo", "elementwise").stepTimeNs, single);
    EXPECT_LT(find(rows, "single", "fifo", "time-saved").stepTimeNs,
              find(rows, "single", "fifo", "elementwise").stepTimeNs);
    EXPECT_LE(find(rows, "expert", "fbi", "none").stepTimeNs, find(rows, "expert", "rank", "none").stepTimeNs);
    EXPECT_LT(find(rows, "refine", "own", "none").stepTimeNs, single);
}

TEST_F(Baselines, AreNotMadeTwice) {
    const auto first = run({"single", "expert"});
    EXPECT_EQ(m_begun.size(), 2U);
    const auto second = run({"single", "expert", "heft"});
    EXPECT_EQ(m_begun,
              (std::vector<std::string>{"rnnlm2 small, single", "rnnlm2 small, expert", "rnnlm2 small, heft"}));
    EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin()));
}

TEST_F(Baselines, AreOfTheFourteenPublishedWorkloads) { EXPECT_EQ(publishedWorkloads().size(), 14U); }

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
