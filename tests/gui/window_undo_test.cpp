// SPDX-License-Identifier: MIT
// One undo for what was done last, whatever it was and wherever the focus is.
#include "gui/gui_fixture.h"
#include "gui/views/graph_pane.h"
#include "gui/views/runs_pane.h"

#include <QLineEdit>
#include <QMenuBar>

namespace opscape::test {
namespace {

class WindowUndo : public GuiTest {
protected:
    /// A graph with its plan, and two kept runs.
    void open(WindowUnderTest& t) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        for (int i = 0; i < 2; ++i) {
            OptimizeRequest request;
            request.optimizer = "heft";
            t.session.optimize(request, {"p100x4", nullptr, {}});
            ASSERT_TRUE(t.settle());
        }
        t.press(Qt::Key_5, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([&] { return rows(t) == 2; }));
        first = *t.session.shown()->problem().graph->topologicalOrder().begin();
    }
    static RunsPane& pane(WindowUnderTest& t) { return *t.window.findChild<RunsPane*>(); }
    static int rows(WindowUnderTest& t) { return pane(t).table().model()->rowCount(); }
    void deleteFirstRun(WindowUnderTest& t) {
        const int before = rows(t);
        t.press(Qt::Key_5, Qt::ControlModifier);
        pane(t).table().selectRow(0);
        QTest::keyClick(&pane(t).table(), Qt::Key_Delete);
        ASSERT_TRUE(waitFor([&] { return rows(t) == before - 1 && t.window.runsListed(); }));
    }
    void moveFirst(WindowUnderTest& t) {
        const DeviceId to(t.session.shown()->deviceOf(first) == DeviceId(0) ? 1 : 0);
        t.session.selectOps({first});
        t.press(Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(t.find<GraphWidget>("graphWidget"), to == DeviceId(0) ? Qt::Key_1 : Qt::Key_2);
        ASSERT_TRUE(waitFor([&] { return t.session.shown()->deviceOf(first) == to; }) && t.settle());
    }
    static QString undoText(WindowUnderTest& t) {
        for (QAction* menu : t.window.menuBar()->actions()) {
            for (QAction* action : menu->menu() != nullptr ? menu->menu()->actions() : QList<QAction*>()) {
                if (action->shortcut() == QKeySequence(QKeySequence::Undo))
                    return action->text().remove(u'&');
            }
        }
        return {};
    }

    OpId first;
};

TEST_F(WindowUndo, TakesBackDeletionsAndEditsInOneOrder) {
    WindowUnderTest t(folder);
    open(t);
    const DeviceId before = t.session.shown()->deviceOf(first);
    deleteFirstRun(t);
    moveFirst(t);
    deleteFirstRun(t);
    EXPECT_EQ(undoText(t), "Undo delete 1 run");
    t.press(Qt::Key_1, Qt::ControlModifier); // the focus is in the graph
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return rows(t) == 1; }));
    EXPECT_NE(t.session.shown()->deviceOf(first), before);
    EXPECT_TRUE(undoText(t).startsWith("Undo move ")) << undoText(t).toStdString();
    t.press(Qt::Key_5, Qt::ControlModifier); // and now among the runs
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->deviceOf(first) == before; }) && t.settle());
    EXPECT_EQ(rows(t), 1);
    EXPECT_EQ(undoText(t), "Undo delete 1 run");
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return rows(t) == 2; }));
}

TEST_F(WindowUndo, SaysHowManyRunsComeBack) {
    WindowUnderTest t(folder);
    open(t);
    t.press(Qt::Key_5, Qt::ControlModifier);
    pane(t).table().selectAll();
    QTest::keyClick(&pane(t).table(), Qt::Key_Delete);
    EXPECT_EQ(undoText(t), "Undo delete 2 runs") << "at once, so that an undo that follows is of this";
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.window.runsListed() && rows(t) == 2; }));
}

TEST_F(WindowUndo, ATextFieldKeepsItsOwn) {
    WindowUnderTest t(folder);
    open(t);
    deleteFirstRun(t);
    auto* field = t.find<QLineEdit>("runsFilter");
    field->setFocus();
    QTest::keyClicks(field, "heft");
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(field->text(), "");
    ASSERT_TRUE(waitFor([&] { return t.window.runsListed(); }));
    EXPECT_EQ(rows(t), 1) << "the run stays deleted";
    EXPECT_EQ(undoText(t), "Undo delete 1 run");
}

} // namespace
} // namespace opscape::test
