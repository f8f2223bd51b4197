// SPDX-License-Identifier: MIT
#include "gui/models/curve_table_model.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

#include <gtest/gtest.h>

#include <cmath>

namespace opscape::test {
namespace {

CurveColumns curveOf(std::int64_t updates, std::int64_t bestNs) {
    CurveColumns curve;
    std::vector<CurvePoint> points;
    for (std::int64_t i = 1; i <= updates; ++i) {
        CurvePoint point;
        point.update = i;
        point.seconds = static_cast<double>(i) / 2;
        point.simulations = 1000 * i;
        point.bestNs = bestNs;
        point.clipFraction = .125;
        point.policyLoss = -static_cast<double>(i);
        points.push_back(point);
    }
    curve.append(points);
    return curve;
}

TEST(CurveTable, HasOfEveryRunTheNearestPoint) {
    const CurveTableRow row = curveRow(7, curveOf(10, 20'000'000), CurveAxis::Seconds, 2.1);
    EXPECT_EQ(row.run, 7);
    EXPECT_EQ(row.update, 4);
    EXPECT_EQ(row.seconds, 2);
    EXPECT_EQ(row.figures[static_cast<std::size_t>(CurveFigure::PolicyLoss)], -4);
    EXPECT_TRUE(std::isnan(row.figures[static_cast<std::size_t>(CurveFigure::ImitationLoss)]));
    EXPECT_EQ(curveRow(7, curveOf(10, 1), CurveAxis::Updates, 99).update, 10);
}

TEST(CurveTable, SaysFiguresAsPeopleReadThemAndSortsThemAsNumbers) {
    CurveTableModel model;
    const QAbstractItemModelTester tester(&model);
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(CurveTableModel::SortRole);
    model.setRows({curveRow(1, curveOf(3, 100'000'000), CurveAxis::Updates, 3),
                   curveRow(2, curveOf(9, 9'000'000), CurveAxis::Updates, 9),
                   curveRow(3, curveOf(5, 20'000'000), CurveAxis::Updates, 5)});
    const auto text = [&](int row, int column) { return sorted.index(row, column).data().toString(); };
    constexpr int kBest = CurveTableModel::FirstFigure;
    EXPECT_EQ(text(1, CurveTableModel::Simulations), "9,000");
    EXPECT_EQ(text(1, kBest), "9.00 ms");
    EXPECT_EQ(text(0, kBest + static_cast<int>(CurveFigure::ClipFraction)), "12.5%");
    EXPECT_EQ(text(0, kBest + static_cast<int>(CurveFigure::ImitationLoss)), "–");
    EXPECT_EQ(model.headerData(kBest + static_cast<int>(CurveFigure::PolicyLoss), Qt::Horizontal).toString(),
              "Policy loss");
    sorted.sort(kBest, Qt::AscendingOrder);
    EXPECT_EQ(text(0, CurveTableModel::Run), "2");
    EXPECT_EQ(text(2, CurveTableModel::Run), "1");
    sorted.sort(CurveTableModel::Update, Qt::DescendingOrder);
    EXPECT_EQ(text(0, CurveTableModel::Run), "2");
    EXPECT_EQ(text(1, CurveTableModel::Run), "3");
}

} // namespace
} // namespace opscape::test
