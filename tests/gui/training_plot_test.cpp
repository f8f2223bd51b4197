// SPDX-License-Identifier: MIT
// The curves of a training as they are drawn and read.
#include "gui/gui_fixture.h"
#include "gui/views/training_pane.h"

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using testing::ElementsAre;

/// A plot of its own, with a curve that is known.
class TrainingPlotTest : public GuiTest {
protected:
    TrainingPlotTest() : plot(look) {
        plot.resize(1200, 300);
        plot.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&plot));
    }
    void fill(std::int64_t count) {
        std::vector<CurvePoint> points;
        for (std::int64_t i = 1; i <= count; ++i) {
            const auto x = static_cast<double>(i);
            points.push_back({i, x / 4, 10 * i, -1 / x, 20'000'000 + 10'000'000 / i, 2 / x, 1e-3, .25, -.5, -2 / x, 3});
        }
        plot.append(points);
        drawn();
    }
    void drawn() { QTest::qWait(120); }
    void key(Qt::Key key) { QTest::keyClick(&plot, key); }
    [[nodiscard]] QPoint inFirstChart(double share) {
        const QCPAxisRect* rect = plot.line(CurveFigure::Best).keyAxis()->axisRect();
        return {rect->left() + static_cast<int>(share * (rect->width() - 1)), rect->center().y()};
    }

    Look look;
    TrainingPlot plot;
};

TEST_F(TrainingPlotTest, ReadsTheLastPointAndThatUnderThePointer) {
    fill(100);
    EXPECT_EQ(plot.place(), "update 100, 25 s, 1,000 simulations");
    EXPECT_EQ(plot.readings()[0], "Step time  20.1 ms at update 100, 25 s, 1,000 simulations");
    QTest::mouseMove(&plot, inFirstChart(0.1));
    QTest::mouseMove(&plot, inFirstChart(0));
    drawn();
    EXPECT_EQ(plot.pointRead(), 0U);
    EXPECT_EQ(plot.readings()[0], "Step time  30.0 ms at update 1, 0.25 s, 10 simulations");
    EXPECT_EQ(plot.readings()[1], "Reward  -1   - -  expected  -0.5");
    EXPECT_EQ(plot.readings()[4], "Clipped  25.0%");
    EXPECT_EQ(plot.readings()[5], "Policy loss  -2");
    EXPECT_EQ(plot.readings()[6], "Imitation loss  3");
    QTest::mouseMove(&plot, inFirstChart(1));
    drawn();
    EXPECT_EQ(plot.pointRead(), 99U);
}

TEST_F(TrainingPlotTest, LossesThatAreNotKnownLeaveTheirChartsEmpty) {
    plot.append(
        std::vector<CurvePoint>{{1, 1, 10, -1, 20'000'000, 1, 0, 0, 0}, {2, 2, 20, -1, 20'000'000, 1, 0, 0, 0}});
    drawn();
    EXPECT_EQ(plot.line(CurveFigure::PolicyLoss).data()->size(), 0);
    EXPECT_EQ(plot.line(CurveFigure::Entropy).data()->size(), 2);
    EXPECT_EQ(plot.readings()[6], "Imitation loss  –");
}

TEST_F(TrainingPlotTest, StepsThroughThePoints) {
    fill(100);
    plot.stepReading(-1);
    EXPECT_EQ(plot.pointRead(), 99U);
    plot.stepReading(-1);
    EXPECT_EQ(plot.pointRead(), 98U);
    plot.stepReading(-1000);
    EXPECT_EQ(plot.pointRead(), 0U);
    plot.readLast();
    plot.stepReading(1);
    EXPECT_EQ(plot.pointRead(), 0U);
}

TEST_F(TrainingPlotTest, DrawsByUpdateTimeAndSimulation) {
    fill(100);
    const auto upper = [&] { return plot.line(CurveFigure::Kl).keyAxis()->range().upper; };
    EXPECT_EQ(upper(), 100);
    plot.setAxis(CurveAxis::Seconds);
    drawn();
    EXPECT_EQ(upper(), 25);
    plot.setAxis(CurveAxis::Simulations);
    drawn();
    EXPECT_EQ(upper(), 1000);
    EXPECT_EQ(plot.line(CurveFigure::Reward).keyAxis()->range().upper, 1000);
}

TEST_F(TrainingPlotTest, IsLogarithmicWhereAllValuesArePositive) {
    fill(100);
    plot.setLogarithmic(true);
    drawn();
    EXPECT_EQ(plot.line(CurveFigure::Best).valueAxis()->scaleType(), QCPAxis::stLogarithmic);
    EXPECT_EQ(plot.line(CurveFigure::Entropy).valueAxis()->scaleType(), QCPAxis::stLogarithmic);
    EXPECT_EQ(plot.line(CurveFigure::Reward).valueAxis()->scaleType(), QCPAxis::stLinear) << "rewards are negative";
    for (const CurveFigure figure : {CurveFigure::Best, CurveFigure::Entropy, CurveFigure::Reward})
        EXPECT_GE(plot.line(figure).valueAxis()->tickVector().size(), 2) << "also within less than a decade";
    plot.setLogarithmic(false);
    drawn();
    EXPECT_EQ(plot.line(CurveFigure::Best).valueAxis()->scaleType(), QCPAxis::stLinear);
}

TEST_F(TrainingPlotTest, ItsAxisIsLogarithmicFromTheFirstPointAboveZero) {
    fill(1000);
    plot.setAxisLogarithmic(true);
    drawn();
    const QCPAxis& axis = *plot.line(CurveFigure::Kl).keyAxis();
    EXPECT_EQ(axis.scaleType(), QCPAxis::stLogarithmic);
    EXPECT_NEAR(axis.range().lower, 1, 1e-9);
    EXPECT_NEAR(axis.range().upper, 1000, 1e-6);
    EXPECT_GE(axis.tickVector().size(), 3);
    plot.zoomBy(2);
    drawn();
    EXPECT_NEAR(std::log(axis.range().upper / axis.range().lower), std::log(1000.0) / 2, 0.01);
    EXPECT_NEAR(std::sqrt(axis.range().lower * axis.range().upper), std::sqrt(1000.0), 0.5) << "about the middle";
    plot.panBy(-10);
    drawn();
    EXPECT_NEAR(axis.range().lower, 1, 1e-6) << "never beyond the curve";
    plot.stepReading(-1);
    drawn();
    EXPECT_NEAR(axis.range().upper, 1000, 1e-6) << "what is read comes into view";
    plot.fit();
    plot.setAxisLogarithmic(false);
    drawn();
    EXPECT_EQ(axis.range(), QCPRange(1, 1000));
    plot.clear();
    plot.append(std::vector<CurvePoint>{{1, 0, 10}, {2, 0, 20}, {3, 5, 30}, {4, 50, 40}});
    plot.setAxis(CurveAxis::Seconds);
    plot.setAxisLogarithmic(true);
    drawn();
    EXPECT_NEAR(axis.range().lower, 5, 1e-9) << "there is no place for 0";
    EXPECT_EQ(plot.line(CurveFigure::Kl).data()->size(), 2);
    plot.stepReading(-1000);
    drawn();
    EXPECT_EQ(plot.pointRead(), 0U);
    EXPECT_NEAR(axis.range().upper, 50, 1e-6);
}

TEST_F(TrainingPlotTest, IsDrawnAnewWhenItComesIntoSight) {
    fill(100);
    plot.hide();
    plot.append(std::vector<CurvePoint>{{101, 200, 2000, -1, 20'000'000, 1, 0, 0, 0}});
    drawn();
    EXPECT_EQ(plot.line(CurveFigure::Kl).data()->size(), 100) << "nobody sees it";
    EXPECT_EQ(plot.curve().size(), 101U);
    plot.show();
    drawn();
    EXPECT_EQ(plot.line(CurveFigure::Kl).data()->size(), 101);
    EXPECT_EQ(plot.line(CurveFigure::Kl).keyAxis()->range().upper, 101);
}

TEST_F(TrainingPlotTest, ThePointerLeavesTheCurvesAsTheyAre) {
    fill(5000);
    const QImage before = plot.grab().toImage();
    QTest::mouseMove(&plot, inFirstChart(0.2));
    QTest::mouseMove(&plot, inFirstChart(0.5));
    const QImage read = plot.grab().toImage();
    EXPECT_NE(read, before) << "a line and what it reads";
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&plot, &leave);
    EXPECT_EQ(plot.grab().toImage(), before);
}

TEST_F(TrainingPlotTest, ShowsTheWholeCurveAsItGrowsUnlessZoomed) {
    fill(100);
    const auto range = [&] { return plot.line(CurveFigure::Kl).keyAxis()->range(); };
    plot.zoomBy(2);
    drawn();
    EXPECT_NEAR(range().size(), 49.5, 0.1);
    EXPECT_EQ(plot.line(CurveFigure::Best).keyAxis()->range(), range()) << "all charts move together";
    const QCPRange zoomed = range();
    fill(100);
    EXPECT_EQ(range(), zoomed);
    plot.panBy(-10);
    drawn();
    EXPECT_EQ(range().lower, 1) << "never beyond the curve";
    plot.fit();
    drawn();
    EXPECT_EQ(range().upper, 200);
}

TEST_F(TrainingPlotTest, EveryBaselineIsNamedAlsoOneFarAbove) {
    fill(100);
    plot.setBaselines({{"expert", 25'000'000}, {"heft", 25'000'001}, {"one device", 900'000'000}});
    drawn();
    const QCPRange seen = plot.line(CurveFigure::Best).valueAxis()->range();
    EXPECT_TRUE(seen.contains(25'000'000));
    EXPECT_LT(seen.upper, 900'000'000);
    QStringList labels;
    std::vector<double> places;
    for (int i = 0; i < plot.itemCount(); ++i) {
        if (const auto* label = qobject_cast<QCPItemText*>(plot.item(i))) {
            labels << label->text();
            places.push_back(label->position->pixelPosition().y());
            EXPECT_GT(label->position->pixelPosition().x(), inFirstChart(1).x());
        }
    }
    EXPECT_THAT(labels, ElementsAre("↑ one device  900 ms", "heft  25.0 ms", "expert  25.0 ms"));
    EXPECT_GE(places[2] - places[1], 12) << "labels do not lie on one another";
    plot.setLogarithmic(true);
    drawn();
    EXPECT_GT(plot.line(CurveFigure::Best).valueAxis()->range().upper, 900'000'000);
}

TEST_F(TrainingPlotTest, ManyBaselinesAreReducedToThoseWorthALine) {
    fill(100);
    std::vector<NamedTime> all{{"start", 60'000'000}};
    for (const char* place : {"default", "all on gpu:0", "layers balanced by time", "layers in turn", "earliest finish",
                              "least cut", "least cut, memory balanced"}) {
        for (const char* order : {"default", "upward rank"})
            all.push_back({fmt::format("{}, {}", place, order), 25'000'000 + 1'000'000 * std::ssize(all)});
    }
    all[6].ns = 21'000'000;
    plot.setBaselines(all);
    drawn();
    const auto names = [&] {
        std::vector<std::string> shown;
        for (const NamedTime& baseline : plot.marks().shown())
            shown.push_back(baseline.name);
        return shown;
    };
    EXPECT_THAT(names(), testing::UnorderedElementsAre("default, default", "all on gpu:0, default",
                                                       "layers balanced by time, upward rank",
                                                       "earliest finish, default", "least cut, default"));
    const QStringList listed = plot.marks().list().split(u'\n');
    EXPECT_EQ(listed.size(), std::ssize(all)) << "none is lost";
    plot.showAllBaselines(true);
    EXPECT_EQ(names().size(), all.size());
    plot.showAllBaselines(false);
    EXPECT_EQ(names().size(), 5U);
}

TEST_F(TrainingPlotTest, NamesOfBaselinesNeverLieOnOneAnother) {
    fill(100);
    std::vector<NamedTime> all{{"start", 60'000'000}, {"single", 58'000'000}, {"expert", 22'000'000}};
    for (int i = 0; i < 17; ++i)
        all.push_back({fmt::format("other {}", i), 25'000'000 + 1'000'000 * i});
    plot.setBaselines(all);
    plot.showAllBaselines(true);
    plot.setLogarithmic(true);
    for (const int height : {700, 240, 120}) {
        plot.resize(900, height);
        drawn();
        std::vector<double> places;
        QStringList names;
        for (int i = 0; i < plot.itemCount(); ++i) {
            const auto* label = qobject_cast<QCPItemText*>(plot.item(i));
            if (label == nullptr || !label->visible())
                continue;
            names << label->text();
            places.push_back(label->position->pixelPosition().y());
        }
        std::ranges::sort(places);
        for (std::size_t i = 1; i < places.size(); ++i)
            EXPECT_GE(places[i] - places[i - 1], 12) << "of " << places.size() << " at a height of " << height;
        const QStringList more = names.filter(QStringLiteral("more"));
        const auto named = names.size() - more.size();
        if (named < std::ssize(all)) {
            ASSERT_EQ(more.size(), 1) << height;
            EXPECT_EQ(more.front(), QStringLiteral("and %1 more").arg(std::ssize(all) - named));
            EXPECT_FALSE(names.filter(QStringLiteral("expert")).isEmpty()) << "the fastest is worth a name";
        } else {
            EXPECT_TRUE(more.isEmpty()) << height;
        }
    }
    EXPECT_EQ(plot.marks().shown().size(), all.size()) << "their lines are drawn all the same";
}

TEST_F(TrainingPlotTest, TicksOfValuesHaveRoomForTheirLabelsInChartsOfAnyHeight) {
    fill(100);
    plot.setBaselines({{"start", 120'000'000}, {"expert", 22'000'000}});
    for (const bool logarithmic : {false, true}) {
        plot.setLogarithmic(logarithmic);
        for (const int height : {110, 160, 300}) {
            plot.resize(900, height);
            drawn();
            drawn(); // how high the charts are is known
            for (const QCPAxisRect* chart : plot.axisRects()) {
                const QCPAxis* axis = chart->axis(QCPAxis::atLeft);
                double before = 1e9;
                for (const double tick : axis->tickVector()) {
                    const double at = axis->coordToPixel(tick);
                    EXPECT_GE(before - at, 9) << "at a height of " << height << ", " << chart->height()
                                              << " of the chart, logarithmic " << logarithmic;
                    before = at;
                }
            }
        }
    }
}

TEST_F(TrainingPlotTest, SmoothsOverTheCurveAsItIs) {
    fill(100);
    plot.setSmoothing(0.9);
    drawn();
    const auto& smooth = *plot.line(CurveFigure::Reward).data();
    EXPECT_EQ(smooth.size(), 100);
    EXPECT_LT(smooth.at(99)->value, -1.0 / 100) << "behind a curve that rises";
    EXPECT_EQ(plot.line(CurveFigure::Best).data()->at(99)->value, 20'100'000) << "step times are what they are";
    EXPECT_EQ(plot.readings()[1], "Reward  -0.01   - -  expected  -0.5") << "what is read out, too";
    plot.setSmoothing(0);
    drawn();
    EXPECT_DOUBLE_EQ(plot.line(CurveFigure::Reward).data()->at(99)->value, -1.0 / 100);
}

TEST_F(TrainingPlotTest, TheLastTickLabelOfEveryChartIsInside) {
    fill(100'000);
    for (const CurveFigure figure : {CurveFigure::Best, CurveFigure::Kl, CurveFigure::ClipFraction}) {
        const QCPAxis* axis = plot.line(figure).keyAxis();
        const QString label = axis->tickVectorLabels().last();
        const double middle = axis->coordToPixel(axis->tickVector().last());
        const int width = QFontMetrics(axis->tickLabelFont()).horizontalAdvance(label);
        EXPECT_LE(middle + width / 2.0, axis->axisRect()->outerRect().right() + 1) << label.toStdString();
    }
}

TEST_F(TrainingPlotTest, DrawsFewPointsOfALongCurve) {
    fill(100'000);
    EXPECT_EQ(plot.curve().size(), 100'000U);
    EXPECT_LT(plot.line(CurveFigure::Reward).data()->size(), 4 * plot.width());
    EXPECT_GT(plot.line(CurveFigure::Reward).data()->size(), 100);
}

TEST_F(TrainingPlotTest, FollowsTheTheme) {
    fill(100);
    look.setMode(ThemeMode::Dark);
    drawn();
    EXPECT_LT(plot.grab().toImage().pixelColor(2, 2).lightness(), 60);
    look.setMode(ThemeMode::Light);
    drawn();
    EXPECT_GT(plot.grab().toImage().pixelColor(2, 2).lightness(), 200);
}

} // namespace
} // namespace opscape::test
