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

#include <thread>

namespace opscape::test {
namespace {

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

} // namespace
} // namespace opscape::test
