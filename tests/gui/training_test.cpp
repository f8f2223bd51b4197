// SPDX-License-Identifier: MIT
// How a run learns, as the window shows it: live, read with pointer and keys, from the store, and made elsewhere.
#include "gui/gui_fixture.h"
#include "gui/views/training_pane.h"
#include "service/curve_csv.h"

#include <opscape/base/paths.h>

#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

#include <gmock/gmock.h>

#include <thread>

namespace opscape::test {
namespace {

using testing::ElementsAre;

class Training : public GuiTest {
protected:
    void open(WindowUnderTest& t) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    }
    static TrainingPane& pane(WindowUnderTest& t) { return *t.window.findChild<TrainingPane*>(); }
    static TrainingPlot& plot(WindowUnderTest& t) { return pane(t).plot(); }
    /// Until that many points have arrived.
    static bool hasPoints(WindowUnderTest& t, std::size_t count) {
        return waitFor([&] { return plot(t).curve().size() >= count; });
    }
    /// Trains on the graph that is open, as the dialog does.
    static void train(WindowUnderTest& t, const char* updates, const char* every = "5") {
        OptimizeRequest request;
        request.optimizer = "learns";
        request.options = {{"updates", updates}, {"every", every}};
        t.session.optimize(request, {"p100x4", nullptr, {}});
    }
    /// What another program does on the same database.
    std::int64_t trainElsewhere(const std::shared_ptr<const OpenedGraph>& opened, const char* updates,
                                const RunContext& context = {}) {
        const Workbench elsewhere(folder / "runs.sqlite");
        OptimizeRequest request;
        request.optimizer = "learns";
        request.options = {{"updates", updates}};
        const auto cluster = std::make_shared<const Cluster>(*Cluster::load("p100x4"));
        const auto outcome = elsewhere.optimize(opened, cluster, request, context);
        return outcome ? outcome->run.id : -1;
    }
};

TEST_F(Training, SaysHowToBeginWhereThereIsNone) {
    WindowUnderTest t(folder);
    open(t);
    EXPECT_TRUE(pane(t).hint().contains("Ctrl+R"));
    EXPECT_EQ(pane(t).followed(), 0);
    t.press(Qt::Key_7, Qt::ControlModifier);
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_TRUE(pane(t).isVisible() && pane(t).isAncestorOf(QApplication::focusWidget()));
    EXPECT_FALSE(plot(t).isVisible());
}

TEST_F(Training, TheDialogStartsOneAndItsCurvesComeToTheFrontWhileItLearns) {
    WindowUnderTest t(folder);
    open(t);
    t.press(Qt::Key_R, Qt::ControlModifier);
    auto* dialog = t.window.findChild<QDialog*>("runDialog");
    auto* optimizer = dialog->findChild<QComboBox*>("optimizer");
    optimizer->setCurrentIndex(optimizer->findData("learns"));
    ASSERT_NE(dialog->findChild<QLabel*>("group-Budget"), nullptr);
    ASSERT_NE(dialog->findChild<QLabel*>("group-Policy"), nullptr);
    dialog->findChild<QSpinBox*>("option-updates")->setValue(100'000);
    QTest::mouseClick(dialog->findChild<QPushButton*>("runButton"), Qt::LeftButton);

    ASSERT_TRUE(waitFor([&] { return plot(t).isVisible(); })) << "the pane comes to the front by itself";
    ASSERT_TRUE(hasPoints(t, 10));
    EXPECT_EQ(pane(t).followed(), 1);
    EXPECT_EQ(plot(t).baselines().size(), 2U);
    EXPECT_EQ(t.find<QComboBox>("trainingRun")->currentData().toLongLong(), 1);
    EXPECT_TRUE(t.find<QComboBox>("trainingRun")->currentText().contains("learning"));
    const std::size_t before = plot(t).curve().size();
    ASSERT_TRUE(hasPoints(t, before + 20)) << "it grows";
    EXPECT_TRUE((t.session.trainings() == 1));

    t.press(Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    ASSERT_TRUE(waitFor([&] { return !t.find<QComboBox>("trainingRun")->currentText().contains("learning"); }));
    EXPECT_EQ(pane(t).followed(), 1) << "what was learned stays in view";
}

TEST_F(Training, GraphAndScheduleFollowTheBestPlanSoFar) {
    WindowUnderTest t(folder);
    open(t);
    train(t, "100000");
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->goesOn; }));
    EXPECT_TRUE((t.session.trainings() == 1));
    EXPECT_TRUE(t.session.shown()->preview);
    EXPECT_TRUE(t.find<QLabel>("figure6")->text().contains("best so far"));
    int shown = 0;
    std::int64_t last = t.session.shown()->outcome->schedule.makespanNs;
    bool everSlower = false;
    QElapsedTimer clock;
    clock.start();
    QObject::connect(&t.session, &Session::shownChanged, &t.window, [&] {
        const std::int64_t now = t.session.shown()->outcome->schedule.makespanNs;
        everSlower = everSlower || now > last;
        last = now;
        ++shown;
    });
    ASSERT_TRUE(hasPoints(t, 100));
    EXPECT_FALSE(everSlower);
    EXPECT_LE(shown, clock.elapsed() / 500 + 1);
    t.session.jobs().cancelAll();
    ASSERT_TRUE(t.settle());
}

TEST_F(Training, TheResultTakesThePlaceOfThePreview) {
    WindowUnderTest t(folder);
    open(t);
    train(t, "30");
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 1; }) && t.settle());
    EXPECT_FALSE(t.session.shown()->preview);
    ASSERT_TRUE(hasPoints(t, 30));
    EXPECT_EQ(plot(t).curve().y(CurveFigure::Best).back(),
              static_cast<double>(t.session.shown()->outcome->schedule.makespanNs));
}

TEST_F(Training, TheBestPlanOfACancelledRunIsShownHoweverLateItStops) {
    WindowUnderTest t(folder);
    open(t);
    train(t, "1000", "900");
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->goesOn; }));
    t.session.jobs().cancelAll();
    ASSERT_TRUE(waitFor([&] { return t.session.jobs().idle(); })) << "the window does not wait for it";
    ASSERT_TRUE(waitFor([&] { return !t.session.shown()->goesOn; }));
    EXPECT_EQ(t.session.shown()->outcome->run.status, RunStatus::Cancelled);
    EXPECT_EQ(t.session.shown()->outcome->run.id, 1);
    EXPECT_FALSE(t.session.shown()->preview);
    ASSERT_TRUE(t.settle());
}

TEST_F(Training, GoesOnWhileAnotherRunIsLookedAt) {
    WindowUnderTest t(folder);
    open(t);
    train(t, "20");
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 1; }) && t.settle());
    train(t, "400");
    ASSERT_TRUE(waitFor([&] { return pane(t).followed() == 2; }));
    t.session.openRun(1);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 1; }));
    EXPECT_TRUE((t.session.trainings() == 1));
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown()->outcome->run.id, 1) << "what is looked at is not taken away";
    EXPECT_TRUE(t.window.message().contains("Run 2 (learns) has finished")) << t.window.message().toStdString();
}

TEST_F(Training, AKeptRunHasItsCurvesAfterARestart) {
    {
        WindowUnderTest t(folder);
        open(t);
        train(t, "25");
        ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 1; }) && t.settle());
    }
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(pane(t).followed(), 0);
    EXPECT_TRUE(pane(t).hint().contains("choose one"));
    t.session.openRun(1);
    ASSERT_TRUE(hasPoints(t, 25));
    EXPECT_EQ(plot(t).curve().size(), 25U);
    EXPECT_EQ(pane(t).followed(), 1);
}

TEST_F(Training, IsChosenByHand) {
    WindowUnderTest t(folder);
    open(t);
    ASSERT_EQ(trainElsewhere(t.session.opened(), "20"), 1);
    auto* choice = t.find<QComboBox>("trainingRun");
    ASSERT_TRUE(waitFor([&] { return choice->count() == 1; }));
    choice->setCurrentIndex(0);
    emit choice->activated(0);
    ASSERT_TRUE(hasPoints(t, 20));
    t.session.openFile(graphFile);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(pane(t).followed(), 1) << "the choice stays";
    ASSERT_TRUE(RunStore::open(folder / "runs.sqlite")->remove(1).has_value());
    ASSERT_TRUE(waitFor([&] { return choice->count() == 0; }));
    EXPECT_EQ(pane(t).followed(), 0);
    EXPECT_TRUE(plot(t).curve().empty());
}

TEST_F(Training, OfAnotherProgramIsShownWhileItLearns) {
    WindowUnderTest t(folder);
    open(t);
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    std::atomic<bool> ended = false;
    std::thread other([&, opened = t.session.opened()] {
        std::ignore = trainElsewhere(opened, "100000", context);
        ended = true;
    });
    EXPECT_TRUE(hasPoints(t, 30));
    EXPECT_FALSE(ended);
    EXPECT_EQ(t.session.shown()->outcome->run.optimizer, "expert") << "only its curves are shown";
    const std::size_t before = plot(t).curve().size();
    EXPECT_TRUE(hasPoints(t, before + 10));
    stop.request_stop();
    other.join();
}

TEST_F(Training, RunsThatAreSelectedAreLaidOverOneAnotherWithTheirMeanWhenTheyAreAlike) {
    WindowUnderTest t(folder);
    open(t);
    for (int run = 1; run <= 2; ++run) {
        train(t, run == 1 ? "12" : "20", "1");
        ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == run; }) && t.settle());
    }
    ASSERT_TRUE(hasPoints(t, 20));
    EXPECT_TRUE(plot(t).overlay().empty());
    auto* table = t.find<QTableView>("runs");
    ASSERT_EQ(table->model()->rowCount(), 2);
    table->selectAll();
    ASSERT_TRUE(waitFor([&] { return plot(t).overlay().runs().size() == 2; }));
    EXPECT_EQ(plot(t).overlay().runs()[0].run, 1);
    EXPECT_EQ(plot(t).overlay().runs()[0].curve.size(), 12U);
    EXPECT_EQ(plot(t).overlay().runs()[1].curve.size(), 20U);
    EXPECT_TRUE(plot(t).overlay().hasMean());
    {
        auto elsewhere = RunStore::open(folder / "runs.sqlite");
        ASSERT_TRUE(elsewhere);
        std::vector<CurvePoint> more(3);
        for (std::int64_t i = 0; i < 3; ++i)
            more[static_cast<std::size_t>(i)].update = 13 + i;
        ASSERT_TRUE(elsewhere->appendCurve(1, more));
    }
    ASSERT_TRUE(waitFor([&] { return plot(t).overlay().runs()[0].curve.size() == 15; })) << "it grows";
    EXPECT_EQ(plot(t).overlay().runs()[0].curve.x(CurveAxis::Updates).back(), 15);
    EXPECT_EQ(plot(t).overlay().runs()[1].curve.size(), 20U);
    table->clearSelection();
    ASSERT_TRUE(waitFor([&] { return plot(t).overlay().empty(); }));
}

TEST_F(Training, ACurveIsExportedWithAllOfItsPoints) {
    WindowUnderTest t(folder);
    open(t);
    train(t, "15", "1");
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 1; }) && t.settle());
    ASSERT_TRUE(hasPoints(t, 15));
    pane(t).exportCurve(path("curve.csv"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("curve.csv")) << t.window.message().toStdString();
    const auto store = RunStore::open(folder / "runs.sqlite");
    ASSERT_TRUE(store);
    const std::string text = readFile(folder / "curve.csv").value_or("");
    EXPECT_EQ(text, curveCsv(*store->curve(1)));
    EXPECT_EQ(std::ranges::count(text, '\n'), 16);
    pane(t).exportCurve(path("no/such/folder/curve.csv"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("cannot be written")) << t.window.message().toStdString();
}

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
