// SPDX-License-Identifier: MIT
// Trainings as a person handles them in the window: paused and stopped with keys and clicks, left to themselves, found
// again, and taken up after their process died.
#include "gui/gui_fixture.h"
#include "gui/views/runs_pane.h"
#include "gui/views/training_pane.h"

#include <opscape/store/run_store.h>

#include <QComboBox>
#include <QDockWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

#include <csignal>

namespace opscape::test {
namespace {

class TrainingControl : public GuiTest {
protected:
    void begin(WindowUnderTest& t, std::map<std::string, std::string> options) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        OptimizeRequest request;
        request.optimizer = "learns";
        request.options = std::move(options);
        t.session.optimize(request, {"p100x4", nullptr, {}});
    }
    static TrainingPane& pane(WindowUnderTest& t) { return *t.window.findChild<TrainingPane*>(); }
    static std::size_t points(WindowUnderTest& t) { return pane(t).plot().curve().size(); }
    [[nodiscard]] RunStore store() const { return std::move(*RunStore::open(folder / "runs.sqlite")); }
    [[nodiscard]] RunRecord run(std::int64_t id = 1) const { return store().get(id).value_or(RunRecord()); }
    static QAction* command(WindowUnderTest& t, const QString& text) {
        for (QAction* action : pane(t).commands()) {
            if (action != nullptr && QString(action->text()).remove(u'&') == text)
                return action;
        }
        return nullptr;
    }
    /// The button over the pane that stands for a command.
    static QToolButton* button(WindowUnderTest& t, const QString& text) {
        QAction* action = command(t, text);
        for (auto* tool : pane(t).header()->findChildren<QToolButton*>()) {
            if (action != nullptr && tool->defaultAction() == action)
                return tool;
        }
        return nullptr;
    }
    /// Closes the window and answers what it asks with the button of that name; empty: with Escape. False: not asked.
    static bool close(WindowUnderTest& t, const char* answer) {
        bool asked = false;
        QTimer::singleShot(300, &t.window, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr)
                return;
            asked = true;
            auto* pressed = box->findChild<QPushButton*>(QString::fromLatin1(answer));
            if (pressed != nullptr)
                QTest::mouseClick(pressed, Qt::LeftButton);
            else
                QTest::keyClick(box, Qt::Key_Escape);
        });
        t.window.close();
        return asked;
    }
};

TEST_F(TrainingControl, PIsForPauseAndThenForGoOn) {
    WindowUnderTest t(folder);
    begin(t, {{"updates", "100000"}});
    ASSERT_TRUE(waitFor([&] { return points(t) > 5; }));
    t.press(Qt::Key_7, Qt::ControlModifier);
    ASSERT_EQ(QApplication::focusWidget(), &pane(t).plot());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return command(t, "Let the training go on") != nullptr; }));
    EXPECT_TRUE(pane(t).header()->findChildren<QLabel*>().size() > 0);
    QTest::qWait(600); // what was learned before arrives
    const std::size_t before = points(t);
    QTest::qWait(800);
    EXPECT_EQ(points(t), before) << "nothing is learned meanwhile";
    EXPECT_TRUE(store().progress(1)->paused);
    EXPECT_EQ(run().status, RunStatus::Running);
    const auto listedAs = [&](const char* status) {
        const auto& model = t.window.findChild<RunsPane*>()->model();
        return model.rowCount() == 1 && model.index(0, RunsModel::Status).data() == status;
    };
    EXPECT_TRUE(waitFor([&] { return listedAs("paused"); }));
    QTest::keyClick(&pane(t).plot(), Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return points(t) > before + 10; }));
    EXPECT_NE(command(t, "Pause the training"), nullptr);
    EXPECT_TRUE(waitFor([&] { return listedAs("running"); }));
    QTest::keyClick(&pane(t).plot(), Qt::Key_T);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(run().status, RunStatus::Cancelled);
}

TEST_F(TrainingControl, ItsButtonsPauseResumeAndStopIt) {
    WindowUnderTest t(folder, {1500, 800});
    begin(t, {{"updates", "100000"}});
    ASSERT_TRUE(waitFor([&] { return points(t) > 5; }));
    ASSERT_NE(button(t, "Pause the training"), nullptr);
    ASSERT_TRUE(button(t, "Pause the training")->isVisible());
    QTest::mouseClick(button(t, "Pause the training"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return button(t, "Let the training go on") != nullptr; }));
    QTest::mouseClick(button(t, "Stop the training"), Qt::LeftButton);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(run().status, RunStatus::Cancelled);
    EXPECT_TRUE(t.session.shown() && t.session.shown()->outcome->run.id == 1) << "its best plan is shown";
    ASSERT_TRUE(waitFor([&] { return button(t, "Resume the training") != nullptr; }));
    ASSERT_TRUE(waitFor([&] { return button(t, "Resume the training")->isEnabled(); }));
    EXPECT_FALSE(button(t, "Stop the training")->isEnabled());
    const std::size_t before = points(t);
    QTest::mouseClick(button(t, "Resume the training"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return points(t) > before + 10; })) << "the same run goes on";
    EXPECT_EQ(store().list()->size(), 1U);
    EXPECT_EQ(t.session.trainings(), 1);
    t.press(Qt::Key_Period, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(run().status, RunStatus::Cancelled);
}

TEST_F(TrainingControl, OneThatDiesIsARowWithItsReasonAndResumesToTheEnd) {
    WindowUnderTest t(folder);
    begin(t, {{"updates", "40"}, {"every", "20"}, {"die-at", "20"}});
    ASSERT_TRUE(waitFor([&] { return t.window.message().contains("SIGKILL"); })) << t.window.message().toStdString();
    EXPECT_EQ(run().status, RunStatus::Interrupted);
    EXPECT_TRUE(run().error.find("no more memory") != std::string::npos) << run().error;
    ASSERT_TRUE(waitFor([&] { return points(t) > 0; })) << "its curve is there";
    ASSERT_TRUE(waitFor([&] { return command(t, "Resume the training") != nullptr; }));
    ASSERT_TRUE(waitFor([&] { return command(t, "Resume the training")->isEnabled(); }));
    pane(t).plot().setFocus();
    QTest::keyClick(&pane(t).plot(), Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return run().status == RunStatus::Finished; })) << run().error;
    ASSERT_TRUE(t.settle());
    ASSERT_TRUE(waitFor([&] { return points(t) == 40U; }));
    EXPECT_EQ(store().curve(1)->points.size(), 40U) << "each update once";
    EXPECT_FALSE(std::filesystem::exists(RunStore::folderOf(folder / "runs.sqlite", 1)));
}

TEST_F(TrainingControl, ClosingTheWindowAsksAndWhatGoesOnIsFoundAgain) {
    std::int64_t pid = 0;
    {
        WindowUnderTest t(folder);
        begin(t, {{"updates", "100000"}});
        ASSERT_TRUE(waitFor([&] { return points(t) > 5; }));
        EXPECT_TRUE(close(t, ""));
        EXPECT_TRUE(t.window.isVisible()) << "it stays where the question is left";
        EXPECT_TRUE(close(t, "goOnButton"));
        EXPECT_FALSE(t.window.isVisible());
        pid = *store().process(1);
        EXPECT_NE(pid, 0);
        EXPECT_NE(pid, ::getpid());
    }
    EXPECT_EQ(*store().process(1), pid) << "it goes on without the window";
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    ASSERT_TRUE(waitFor([&] { return pane(t).followed() == 1 && points(t) > 5; }));
    const std::size_t before = points(t);
    ASSERT_TRUE(waitFor([&] { return points(t) > before + 5; }));
    t.window.raisePane("training");
    pane(t).plot().setFocus();
    QTest::keyClick(&pane(t).plot(), Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return command(t, "Let the training go on") != nullptr; }));
    ::kill(static_cast<pid_t>(pid), SIGKILL); // nobody waits for it here
    ASSERT_TRUE(waitFor([&] {
        QAction* resume = command(t, "Resume the training");
        return resume != nullptr && resume->isEnabled();
    })) << "its end is noticed, and it stays in sight";
    EXPECT_EQ(pane(t).followed(), 1);
    EXPECT_EQ(run().status, RunStatus::Interrupted);
    EXPECT_FALSE(close(t, "goOnButton")) << "nothing goes on";
}

TEST_F(TrainingControl, ClosingTheWindowCanStopThem) {
    {
        WindowUnderTest t(folder);
        begin(t, {{"updates", "100000"}});
        ASSERT_TRUE(waitFor([&] { return points(t) > 5; }));
        EXPECT_TRUE(close(t, "stopButton"));
    }
    EXPECT_EQ(run().status, RunStatus::Cancelled);
    EXPECT_TRUE(store().planText(1).has_value());
}

TEST_F(TrainingControl, SeveralGoOnBesideOneAnother) {
    WindowUnderTest t(folder);
    begin(t, {{"updates", "100000"}});
    ASSERT_TRUE(waitFor([&] { return points(t) > 5; }));
    OptimizeRequest second;
    second.optimizer = "learns";
    second.options = {{"updates", "20"}};
    t.session.optimize(second, {"p100x4", nullptr, {}});
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.id == 2 && !t.session.shown()->goesOn; }));
    EXPECT_EQ(run(2).status, RunStatus::Finished);
    EXPECT_EQ(run(1).status, RunStatus::Running);
    EXPECT_EQ(t.session.trainings(), 1);
    t.session.jobs().cancelAll();
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown()->outcome->run.id, 2) << "what is looked at stays";
}

TEST_F(TrainingControl, TheTableHasTheFiguresUnderThePointerAndIsSortedByAClick) {
    WindowUnderTest t(folder, {1500, 900});
    for (const char* updates : {"12", "30"}) {
        begin(t, {{"updates", updates}, {"every", "1"}});
        ASSERT_TRUE(t.settle());
    }
    auto* runs = t.find<QTableView>("runs");
    ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 2; }));
    ASSERT_TRUE(waitFor([&] { return points(t) == 30; }));
    t.press(Qt::Key_7, Qt::ControlModifier);
    QTest::keyClick(&pane(t).plot(), Qt::Key_F);
    CurveTable& table = pane(t).table();
    ASSERT_TRUE(waitFor([&] { return table.isVisible() && table.model()->rowCount() == 1; }));
    EXPECT_EQ(table.model()->index(0, CurveTableModel::Run).data().toString(), "2");
    runs->selectAll();
    ASSERT_TRUE(waitFor([&] { return table.model()->rowCount() == 2; }));
    const auto cell = [&](int row, int column) { return table.model()->index(row, column).data().toString(); };
    EXPECT_EQ(cell(0, CurveTableModel::Update), "12") << "at the end of each";
    EXPECT_EQ(cell(1, CurveTableModel::Update), "30");
    const QHeaderView* header = table.horizontalHeader();
    const QPoint column(header->sectionViewportPosition(CurveTableModel::Update) + 20, header->height() / 2);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, column);
    QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, column);
    EXPECT_EQ(cell(0, CurveTableModel::Update), "30") << "the other way round";
    const QCPAxisRect* chart = pane(t).plot().line(CurveFigure::Best).keyAxis()->axisRect();
    QTest::mouseMove(&pane(t).plot(), chart->center());
    QTest::mouseMove(&pane(t).plot(), QPoint(chart->left() + 1, chart->center().y()));
    ASSERT_TRUE(waitFor([&] { return cell(0, CurveTableModel::Update) == "1"; }));
    EXPECT_EQ(cell(1, CurveTableModel::Update), "1");
}

} // namespace
} // namespace opscape::test
