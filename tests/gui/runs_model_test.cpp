// SPDX-License-Identifier: MIT
#include "gui/models/runs_model.h"

#include <QAbstractItemModelTester>
#include <QFont>
#include <QPersistentModelIndex>

#include <gtest/gtest.h>

namespace opscape {
namespace {

RunRecord record(std::int64_t id, std::int64_t makespanNs, const std::string& hash = "g") {
    RunRecord run;
    run.id = id;
    run.status = RunStatus::Finished;
    run.graphHash = hash;
    run.graphName = "graph " + hash;
    run.clusterId = "p100x4";
    run.linkModel = "fifo";
    run.optimizer = id % 2 == 0 ? "heft" : "metis";
    run.result = RunResult{makespanNs, makespanNs / 2, 1 << 20, 1 << 10, true};
    return run;
}

RunList listOf(std::vector<RunRecord> runs) { return std::make_shared<const std::vector<RunRecord>>(std::move(runs)); }

class RunsModelTest : public testing::Test {
protected:
    RunsModelTest() { filter.setSourceModel(&model); }
    std::vector<qlonglong> ids() const {
        std::vector<qlonglong> seen;
        for (int row = 0; row < filter.rowCount(); ++row)
            seen.push_back(filter.index(row, 0).data(RunsModel::RunIdRole).toLongLong());
        return seen;
    }

    RunsModel model;
    RunsFilter filter;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QAbstractItemModelTester filterTester{&filter, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(RunsModelTest, SortsNumbersAsNumbers) {
    model.setRuns(listOf({record(3, 9'000), record(2, 1'000'000), record(1, 20'000)}));
    filter.sort(RunsModel::StepTime, Qt::AscendingOrder);
    EXPECT_EQ(ids(), (std::vector<qlonglong>{3, 1, 2}));
    filter.sort(RunsModel::Id, Qt::DescendingOrder);
    EXPECT_EQ(ids(), (std::vector<qlonglong>{3, 2, 1}));
}

TEST_F(RunsModelTest, PutsRunsWithoutAResultLast) {
    RunRecord failed = record(2, 0);
    failed.result.reset();
    failed.status = RunStatus::Failed;
    model.setRuns(listOf({record(3, 9'000), failed, record(1, 20'000)}));
    filter.sort(RunsModel::StepTime, Qt::AscendingOrder);
    EXPECT_EQ(ids(), (std::vector<qlonglong>{3, 1, 2}));
    EXPECT_EQ(filter.index(2, RunsModel::StepTime).data().toString(), QStringLiteral("–"));
}

TEST_F(RunsModelTest, FiltersByGraphAndWords) {
    model.setRuns(listOf({record(4, 1, "other"), record(3, 1), record(2, 1), record(1, 1)}));
    filter.setGraph("g");
    EXPECT_EQ(ids(), (std::vector<qlonglong>{3, 2, 1}));
    filter.setWords("HEFT p100");
    EXPECT_EQ(ids(), (std::vector<qlonglong>{2}));
    filter.setGraph("");
    EXPECT_EQ(ids(), (std::vector<qlonglong>{4, 2}));
}

TEST_F(RunsModelTest, KeepsRowsWhenRunsAreAdded) {
    model.setRuns(listOf({record(2, 5), record(1, 5)}));
    const QPersistentModelIndex first(model.index(1, 0));
    model.setRuns(listOf({record(4, 5), record(3, 5), record(2, 5), record(1, 5)}));
    ASSERT_TRUE(first.isValid());
    EXPECT_EQ(first.data(RunsModel::RunIdRole).toLongLong(), 1);
}

TEST_F(RunsModelTest, FollowsRunsThatWereRemoved) {
    model.setRuns(listOf({record(3, 5), record(2, 5), record(1, 5)}));
    model.setRuns(listOf({record(3, 5), record(1, 5)}));
    EXPECT_EQ(ids(), (std::vector<qlonglong>{3, 1}));
    model.setRuns(listOf({}));
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(RunsModelTest, ShowsTheRunThatIsOpenInBold) {
    model.setRuns(listOf({record(2, 5), record(1, 5)}));
    model.setShown(1);
    EXPECT_FALSE(model.index(0, 0).data(Qt::FontRole).value<QFont>().bold());
    EXPECT_TRUE(model.index(1, 0).data(Qt::FontRole).value<QFont>().bold());
}

} // namespace
} // namespace opscape
