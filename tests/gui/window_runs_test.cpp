// SPDX-License-Identifier: MIT
// Optimizing, cancelling, reopening and comparing runs.
#include "gui/gui_fixture.h"
#include "gui/views/compare_pane.h"
#include "gui/views/gantt_widget.h"
#include "gui/views/graph_widget.h"

#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>

namespace opscape::test {
namespace {

class WindowRuns : public GuiTest {
protected:
    void open(WindowUnderTest& t) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    }
    /// The dialog with an optimizer chosen.
    QDialog* dialogFor(WindowUnderTest& t, const char* optimizer) {
        t.press(Qt::Key_R, Qt::ControlModifier);
        auto* dialog = t.window.findChild<QDialog*>("runDialog");
        EXPECT_NE(dialog, nullptr);
        auto* choice = dialog->findChild<QComboBox*>("optimizer");
        EXPECT_GE(choice->findData(QLatin1String(optimizer)), 0) << optimizer;
        choice->setCurrentIndex(choice->findData(QLatin1String(optimizer)));
        return dialog;
    }
    void start(QDialog* dialog) {
        auto* button = dialog->findChild<QPushButton*>("runButton");
        ASSERT_TRUE(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
    }
    void runAndWait(WindowUnderTest& t, const char* optimizer) {
        const int before = rows(t);
        start(dialogFor(t, optimizer));
        ASSERT_TRUE(waitFor([&] { return rows(t) == before + 1; }) && t.settle());
    }
    int rows(WindowUnderTest& t) { return t.find<QTableView>("runs")->model()->rowCount(); }
    QString cell(WindowUnderTest& t, int row, RunsModel::Column column) {
        return t.find<QTableView>("runs")->model()->index(row, column).data().toString();
    }
};

TEST_F(WindowRuns, TheDialogRunsAnOptimizerAndTheRunAppears) {
    WindowUnderTest t(folder);
    open(t);
    EXPECT_EQ(rows(t), 0) << "the preview is not kept";
    runAndWait(t, "heft");
    EXPECT_EQ(cell(t, 0, RunsModel::Method), "heft");
    EXPECT_EQ(cell(t, 0, RunsModel::Status), "finished");
    EXPECT_EQ(cell(t, 0, RunsModel::Graph), "sample");
    EXPECT_EQ(t.session.shown()->outcome->run.optimizer, "heft");
    EXPECT_EQ(cell(t, 0, RunsModel::StepTime), t.find<QLabel>("figure1")->text());
    EXPECT_TRUE(t.find<QLabel>("figure6")->text().contains("run 1"));
}

TEST_F(WindowRuns, TheDialogPassesOptionsSeedClusterAndLinks) {
    WindowUnderTest t(folder);
    open(t);
    QDialog* dialog = dialogFor(t, "fails");
    auto* cluster = dialog->findChild<QComboBox*>("cluster");
    cluster->setCurrentIndex(cluster->findData("p100x2"));
    auto* links = dialog->findChild<QComboBox*>("links");
    links->setCurrentIndex(links->findData(static_cast<int>(LinkModel::None)));
    dialog->findChild<QLineEdit*>("seed")->setText("77");
    start(dialog);
    ASSERT_TRUE(waitFor([&] { return !t.window.message().isEmpty(); }) && t.settle());
    EXPECT_TRUE(t.window.message().contains("no plan was found")) << t.window.message().toStdString();
    ASSERT_TRUE(waitFor([&] { return rows(t) == 1 && cell(t, 0, RunsModel::Status) == "failed"; }));
    EXPECT_EQ(cell(t, 0, RunsModel::Cluster), "p100x2");
    EXPECT_EQ(cell(t, 0, RunsModel::Links), "none");
    const auto store = RunStore::open(folder / "runs.sqlite");
    ASSERT_TRUE(store.has_value());
    EXPECT_EQ(store->get(1)->seed, 77U);
    EXPECT_EQ(t.session.shown()->outcome->run.optimizer, "expert") << "a failed run leaves what is shown";
}

TEST_F(WindowRuns, TheDialogOffersTheObjectivesThatTheOptimizerTakes) {
    WindowUnderTest t(folder);
    open(t);
    QDialog* dialog = dialogFor(t, "heft");
    auto* objective = dialog->findChild<QComboBox*>("objective");
    EXPECT_EQ(objective->count(), 1);
    EXPECT_FALSE(objective->isEnabled()) << "there is nothing to choose";
    EXPECT_EQ(objective->currentData().toString(), "step-time");
    auto* choice = dialog->findChild<QComboBox*>("optimizer");
    choice->setCurrentIndex(choice->findData("scatter"));
    ASSERT_EQ(objective->count(), 2);
    EXPECT_TRUE(objective->isEnabled());
    EXPECT_EQ(objective->currentData().toString(), "step-time") << "its own";
    objective->setCurrentIndex(objective->findData("pipeline"));
    start(dialog);
    ASSERT_TRUE(waitFor([&] { return rows(t) == 1; }) && t.settle());
    EXPECT_EQ(t.session.shown()->outcome->run.objective, "pipeline");
    ASSERT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("runDialog") == nullptr; }));
    dialog = dialogFor(t, "heft");
    EXPECT_EQ(dialog->findChild<QComboBox*>("objective")->currentData().toString(), "step-time");
    dialog->reject();
    ASSERT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("runDialog") == nullptr; }));
    dialog = dialogFor(t, "scatter");
    EXPECT_EQ(dialog->findChild<QComboBox*>("objective")->currentData().toString(), "pipeline") << "as chosen last";
    dialog->reject();
}

TEST_F(WindowRuns, TheDialogRemembersWhatWasChosen) {
    WindowUnderTest t(folder);
    open(t);
    QDialog* dialog = dialogFor(t, "waits");
    dialog->findChild<QSpinBox*>("option-every")->setValue(3);
    start(dialog);
    ASSERT_TRUE(waitFor([&] { return !t.session.jobs().idle(); }));
    t.press(Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    ASSERT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("runDialog") == nullptr; }));
    t.press(Qt::Key_R, Qt::ControlModifier);
    dialog = t.window.findChild<QDialog*>("runDialog");
    EXPECT_EQ(dialog->findChild<QComboBox*>("optimizer")->currentData().toString(), "waits");
    EXPECT_EQ(dialog->findChild<QSpinBox*>("option-every")->value(), 3);
    dialog->reject();
}

TEST_F(WindowRuns, ALongRunShowsProgressAndIsCancelled) {
    WindowUnderTest t(folder);
    open(t);
    start(dialogFor(t, "waits"));
    auto* strip = t.find<QWidget>("jobStrip");
    auto* cancel = t.find<QPushButton>("cancelJob");
    ASSERT_TRUE(waitFor([&] { return strip->isVisible(); }));
    ASSERT_TRUE(waitFor([&] {
        const auto labels = strip->findChildren<QLabel*>();
        return !labels.isEmpty() && labels.first()->text().contains("best 1.00 ms");
    }));
    QTest::mouseClick(cancel, Qt::LeftButton);
    ASSERT_TRUE(t.settle());
    EXPECT_FALSE(strip->isVisible());
    ASSERT_TRUE(waitFor([&] { return rows(t) == 1 && cell(t, 0, RunsModel::Status) == "cancelled"; }));
    EXPECT_TRUE(t.window.message().contains("kept as run 1")) << t.window.message().toStdString();
}

TEST_F(WindowRuns, OpeningAnotherGraphStopsTheRun) {
    const QString other = path("other.json");
    ASSERT_TRUE(writeGraph(sampleGraph(1), other.toStdString()).has_value());
    WindowUnderTest t(folder);
    open(t);
    start(dialogFor(t, "waits"));
    ASSERT_TRUE(waitFor([&] { return t.session.jobs().busy("run"); }));
    t.window.openFiles({other});
    ASSERT_TRUE(
        waitFor([&] { return t.session.opened()->path == other.toStdString() && t.session.shown() != nullptr; }));
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown()->problem().graph->hash(), t.session.opened()->graph->hash());
}

TEST_F(WindowRuns, ARunOpenedAgainShowsTheSamePicture) {
    WindowUnderTest t(folder);
    open(t);
    runAndWait(t, "heft");
    auto* graph = t.find<GraphWidget>("graphWidget");
    auto* gantt = t.find<GanttWidget>("ganttWidget");
    const QImage graphThen = pictureOf(graph), ganttThen = pictureOf(gantt);
    runAndWait(t, "scatter");
    ASSERT_NE(pictureOf(gantt), ganttThen) << "another plan is another picture";

    auto* table = t.find<QTableView>("runs");
    t.press(Qt::Key_5, Qt::ControlModifier);
    table->selectRow(1);
    ASSERT_EQ(cell(t, 1, RunsModel::Method), "heft");
    QTest::keyClick(table, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 1; }) && t.settle());
    t.press(Qt::Key_2, Qt::ControlModifier);
    EXPECT_EQ(pictureOf(graph), graphThen);
    EXPECT_EQ(pictureOf(gantt), ganttThen);
}

TEST_F(WindowRuns, ARunIsThereAfterARestartEvenWithoutItsFile) {
    QImage ganttThen;
    {
        WindowUnderTest t(folder);
        open(t);
        runAndWait(t, "heft");
        ganttThen = pictureOf(t.find<GanttWidget>("ganttWidget"));
    }
    std::filesystem::remove(graphFile.toStdString());
    WindowUnderTest t(folder);
    ASSERT_TRUE(waitFor([&] { return rows(t) == 1; }));
    t.session.openRun(1);
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    EXPECT_EQ(t.session.opened()->graph->opCount(), 21U);
    EXPECT_EQ(pictureOf(t.find<GanttWidget>("ganttWidget")), ganttThen);
}

TEST_F(WindowRuns, RunsOfAnotherProgramAppearByThemselves) {
    WindowUnderTest t(folder);
    open(t);
    const Workbench elsewhere(folder / "runs.sqlite");
    OptimizeRequest request;
    request.optimizer = "single";
    const auto cluster = std::make_shared<const Cluster>(*Cluster::load("p100x2"));
    ASSERT_TRUE(elsewhere.optimize(t.session.opened(), cluster, request, {}).has_value());
    EXPECT_TRUE(waitFor([&] { return rows(t) == 1 && cell(t, 0, RunsModel::Status) == "finished"; }));
}

TEST_F(WindowRuns, TwoRunsAreComparedOnOneTimeAxis) {
    WindowUnderTest t(folder, {1200, 800});
    open(t);
    runAndWait(t, "single");
    runAndWait(t, "scatter");
    auto* table = t.find<QTableView>("runs");
    t.press(Qt::Key_5, Qt::ControlModifier);
    table->selectAll();
    QTest::keyClick(table, Qt::Key_C);
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 2; }) && t.settle());
    EXPECT_TRUE(t.find<QDockWidget>("compareDock")->isVisible());
    EXPECT_EQ(t.find<QTableView>("comparison")->model()->columnCount(), 2);

    const auto charts = t.window.findChild<ComparePane*>()->charts();
    ASSERT_EQ(charts.size(), 2U);
    EXPECT_DOUBLE_EQ(charts[0]->camera().nsPerPixel, charts[1]->camera().nsPerPixel);
    charts[0]->setFocus();
    charts[0]->zoomBy(2);
    charts[0]->panBy(0.1);
    EXPECT_DOUBLE_EQ(charts[0]->camera().nsPerPixel, charts[1]->camera().nsPerPixel);
    EXPECT_DOUBLE_EQ(charts[0]->camera().startNs, charts[1]->camera().startNs);
    charts[1]->fit();
    EXPECT_DOUBLE_EQ(charts[0]->camera().startNs, charts[1]->camera().startNs);
    charts[1]->stepBar(1);
    EXPECT_EQ(t.session.selection().ops.size(), 1U) << "selection is shared with the compared runs";
}

TEST_F(WindowRuns, RunsOfDifferentGraphsAreNotCompared) {
    const QString other = path("other.json");
    ASSERT_TRUE(writeGraph(sampleGraph(1), other.toStdString()).has_value());
    WindowUnderTest t(folder);
    open(t);
    runAndWait(t, "single");
    t.window.openFiles({other});
    ASSERT_TRUE(
        waitFor([&] { return t.session.opened()->path == other.toStdString() && t.session.shown() != nullptr; }));
    ASSERT_TRUE(t.settle());
    runAndWait(t, "single");
    t.session.compareRuns({1, 2});
    ASSERT_TRUE(waitFor([&] { return !t.window.message().isEmpty(); }));
    EXPECT_TRUE(t.window.message().contains("different graphs")) << t.window.message().toStdString();
    EXPECT_TRUE(t.session.comparison().empty());
}

TEST_F(WindowRuns, OneCommandComparesTheStandardMethods) {
    WindowUnderTest t(folder, {1200, 800});
    open(t);
    t.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 3; }) && t.settle());
    EXPECT_TRUE(waitFor([&] { return rows(t) == 3; }));
    t.trigger("End the comparison");
    EXPECT_TRUE(t.session.comparison().empty());
}

TEST_F(WindowRuns, ADatabaseThatCannotBeOpenedIsSaidAndTheRestWorks) {
    std::filesystem::create_directory(folder / "runs.sqlite");
    WindowUnderTest t(folder);
    open(t);
    EXPECT_NE(t.session.shown(), nullptr);
    bool said = false;
    for (const QLabel* label : t.find<QTableView>("runs")->findChildren<QLabel*>())
        said = said || label->text().contains("runs.sqlite");
    EXPECT_TRUE(said);
}

} // namespace
} // namespace opscape::test
