// SPDX-License-Identifier: MIT
#include "gui/models/compare_model.h"
#include "gui/sample_graph.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace opscape {
namespace {

class CompareModelTest : public testing::Test {
protected:
    QModelIndex cell(const QString& row, int column) const {
        for (int r = 0; r < model.rowCount(); ++r) {
            if (model.headerData(r, Qt::Vertical).toString() == row)
                return model.index(r, column);
        }
        ADD_FAILURE() << "no row " << row.toStdString();
        return {};
    }
    bool best(const QString& row, int column) const { return cell(row, column).data(CompareModel::BestRole).toBool(); }

    std::shared_ptr<const OpenedGraph> opened = test::sampleOpened();
    CompareModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(CompareModelTest, MarksTheBetterValueOfEachRow) {
    const auto together = test::sampleRun(opened, false), split = test::sampleRun(opened, true);
    const bool splitIsFaster = split->outcome->schedule.makespanNs < together->outcome->schedule.makespanNs;
    model.setRuns({together, split});
    ASSERT_EQ(model.columnCount(), 2);
    EXPECT_EQ(best("Step time", 1), splitIsFaster);
    EXPECT_EQ(best("Step time", 0), !splitIsFaster);
    EXPECT_TRUE(best("Bytes moved", 0)) << "on one device nothing moves";
    EXPECT_FALSE(best("Bytes moved", 1));
    EXPECT_TRUE(best("Peak memory", 1)) << "the weights are shared out";
    EXPECT_EQ(cell("Ops placed elsewhere", 1).data().toString(), "9");
}

TEST_F(CompareModelTest, MarksNothingWhereAllAreEqual) {
    const auto run = test::sampleRun(opened, true);
    model.setRuns({run, test::sampleRun(opened, true)});
    for (int row = 0; row < model.rowCount(); ++row) {
        EXPECT_FALSE(model.index(row, 0).data(CompareModel::BestRole).toBool());
        EXPECT_FALSE(model.index(row, 1).data(CompareModel::BestRole).toBool());
    }
}

TEST_F(CompareModelTest, HasARowForEveryDevice) {
    model.setRuns({test::sampleRun(opened, false), test::sampleRun(opened, true)});
    EXPECT_EQ(cell("Idle share, B", 0).data().toString(), "100.0%");
    EXPECT_TRUE(best("Idle share, B", 1));
    model.setRuns({});
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace opscape
