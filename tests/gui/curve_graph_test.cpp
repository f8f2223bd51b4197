// SPDX-License-Identifier: MIT
// A line with more points than pixels is painted by columns: it covers in each what the line covers.
#include "gui/gui_fixture.h"
#include "gui/views/curve_graph.h"

#include <opscape/base/random.h>

#include <cmath>

namespace opscape::test {
namespace {

class CurveGraphTest : public GuiTest {
protected:
    CurveGraphTest() : graph(new CurveGraph(plot.xAxis, plot.yAxis)) {
        plot.resize(320, 220);
        plot.axisRect()->setAutoMargins(QCP::msNone);
        plot.axisRect()->setMargins({10, 10, 10, 10});
        plot.xAxis->setVisible(false);
        plot.yAxis->setVisible(false);
        plot.xAxis->grid()->setVisible(false);
        plot.yAxis->grid()->setVisible(false);
        plot.xAxis->setRange(0, 300);
        plot.yAxis->setRange(0, 1);
        graph->setPen(QPen(Qt::red, 1));
    }
    QImage drawn() {
        plot.replot(QCustomPlot::rpImmediateRefresh);
        return plot.toPixmap(320, 220).toImage();
    }
    /// Rows of a column of pixels that are red: the first and the last; -1: none is.
    static std::pair<int, int> rows(const QImage& image, int column) {
        std::pair<int, int> found{-1, -1};
        for (int y = 0; y < image.height(); ++y) {
            if (image.pixelColor(column, y).red() > 200 && image.pixelColor(column, y).green() < 100)
                found = {found.first < 0 ? y : found.first, y};
        }
        return found;
    }

    QCustomPlot plot;
    CurveGraph* graph;
};

TEST_F(CurveGraphTest, CoversOfEveryColumnWhatTheLineCovers) {
    Random random(3);
    std::vector<double> x, y;
    for (int i = 0; i <= 3000; ++i) {
        x.push_back(i / 10.0);
        y.push_back(0.1 + 0.8 * random.uniform());
    }
    graph->setPoints(x, y);
    const QImage image = drawn();
    for (int column = 1; column < 299; ++column) {
        double low = 1, high = 0; // of the points in the column and of the lines that enter and leave it
        for (int i = 10 * column - 1; i <= 10 * column + 10; ++i) {
            low = std::min(low, y[static_cast<std::size_t>(i)]);
            high = std::max(high, y[static_cast<std::size_t>(i)]);
        }
        double inLow = 1, inHigh = 0;
        for (int i = 10 * column; i < 10 * column + 10; ++i) {
            inLow = std::min(inLow, y[static_cast<std::size_t>(i)]);
            inHigh = std::max(inHigh, y[static_cast<std::size_t>(i)]);
        }
        const auto [top, bottom] = rows(image, 10 + column);
        const auto rowOf = [](double value) { return 10 + (1 - value) * 200; };
        EXPECT_GE(top, rowOf(high) - 1.5) << column;
        EXPECT_LE(top, rowOf(inHigh) + 1.5) << column;
        EXPECT_LE(bottom, rowOf(low) + 1.5) << column;
        EXPECT_GE(bottom, rowOf(inLow) - 1.5) << column;
    }
}

TEST_F(CurveGraphTest, GoesOnAsALineWhereThereAreNoPoints) {
    std::vector<double> x, y;
    for (int i = 0; i <= 3000; ++i) {
        if (i > 1000 && i < 2000)
            continue; // from 0.2 up to 0.8, with nothing between
        x.push_back(i / 10.0);
        y.push_back(i <= 1000 ? 0.2 : 0.8);
    }
    graph->setPoints(x, y);
    const QImage image = drawn();
    for (int column = 102; column < 198; ++column) {
        const auto [top, bottom] = rows(image, 10 + column);
        const double middle = 10 + (1 - (0.2 + 0.6 * (column + 0.5 - 100) / 100)) * 200;
        EXPECT_NEAR(top, middle, 2.5) << column;
        EXPECT_NEAR(bottom, middle, 2.5) << column;
    }
}

TEST_F(CurveGraphTest, StaysWithinItsChartHoweverFarPointsAreOutside) {
    std::vector<double> x{-1e9}, y{0.5};
    for (int i = 0; i <= 3000; ++i) {
        x.push_back(i / 10.0);
        y.push_back(0.5);
    }
    x.push_back(1e9);
    y.push_back(0.5);
    graph->setPoints(x, y);
    const QImage image = drawn();
    for (int column = 12; column < 308; ++column)
        EXPECT_NEAR(rows(image, column).first, 110, 1.5) << column;
    EXPECT_EQ(rows(image, 5).first, -1);
    EXPECT_EQ(rows(image, 315).first, -1);
}

TEST_F(CurveGraphTest, FillsTheSpaceBetweenTwoLines) {
    auto* other = new CurveGraph(plot.xAxis, plot.yAxis);
    graph->setPoints({0, 100, 300}, {0.2, 0.4, 0.4});
    other->setPoints({0, 300}, {0.6, 0.9});
    graph->setPen(Qt::NoPen);
    other->setPen(Qt::NoPen);
    graph->setBrush(QColor(255, 0, 0));
    graph->setChannelFillGraph(other);
    const QImage image = drawn();
    for (int column = 5; column < 295; ++column) {
        const double low = column < 100 ? 0.2 + 0.2 * (column + 0.5) / 100 : 0.4;
        const double high = 0.6 + 0.3 * (column + 0.5) / 300;
        const auto [top, bottom] = rows(image, 10 + column);
        EXPECT_NEAR(top, 10 + (1 - high) * 200, 1.5) << column;
        EXPECT_NEAR(bottom, 10 + (1 - low) * 200, 1.5) << column;
    }
}

} // namespace
} // namespace opscape::test
