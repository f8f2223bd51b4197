// SPDX-License-Identifier: MIT
// Changing the plan by hand: with keys and menus, back and forth, beside the start, kept as a run, optimized around.
#include "gui/gui_fixture.h"
#include "gui/views/gantt_widget.h"
#include "gui/views/graph_widget.h"
#include "gui/widgets/edit_actions.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QTreeView>

namespace opscape::test {
namespace {

class WindowEdit : public GuiTest {
protected:
    void open(WindowUnderTest& t) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        start = t.session.shown();
        first = t.session.opened()->graph->findOp("stage_0/left/matmul_0");
        for (std::size_t d = 0; d < start->cluster().deviceCount(); ++d) {
            if (DeviceId(d) != start->deviceOf(first))
                elsewhere = DeviceId(d);
        }
    }
    static Qt::Key keyOf(DeviceId device) { return static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(device.value)); }
    static void press(QWidget* at, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(at, key, modifiers);
    }
    /// Selects the first op and moves it to another device by its key.
    void moveFirst(WindowUnderTest& t) {
        t.session.selectOps({first});
        t.press(Qt::Key_1, Qt::ControlModifier);
        press(t.find<GraphWidget>("graphWidget"), keyOf(elsewhere));
        ASSERT_TRUE(waitFor([&] { return t.session.shown()->deviceOf(first) == elsewhere; }) && t.settle());
    }
    static QString stepTime(WindowUnderTest& t) { return t.find<QLabel>("figure1")->text(); }

    ShownRunPtr start;
    OpId first;
    DeviceId elsewhere;
};

TEST_F(WindowEdit, ANumberMovesTheSelectionAndEverythingFollows) {
    WindowUnderTest t(folder);
    open(t);
    const QString before = stepTime(t);
    moveFirst(t);
    const ShownRunPtr now = t.session.shown();
    EXPECT_EQ(now->start, start);
    EXPECT_EQ(t.find<GanttWidget>("ganttWidget")->run(), now);
    const GanttHit bar = ganttBarOf(now->gantt, first);
    ASSERT_GE(bar.bar, 0);
    EXPECT_EQ(now->gantt.lanes()[static_cast<std::size_t>(bar.lane)].index, elsewhere.value);
    EXPECT_EQ(simulate(now->problem(), now->outcome->plan)->makespanNs, now->outcome->schedule.makespanNs);
    EXPECT_TRUE(stepTime(t).contains("start")) << stepTime(t).toStdString();
    EXPECT_NE(stepTime(t), before);
    EXPECT_TRUE(t.find<QLabel>("figure6")->text().contains("edited"));
}

TEST_F(WindowEdit, UndoAndRedoGoBackAndForth) {
    WindowUnderTest t(folder);
    open(t);
    const QString before = stepTime(t);
    moveFirst(t);
    const QString after = stepTime(t);
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.shown() == start; }) && t.settle());
    EXPECT_EQ(stepTime(t), before);
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown(), start) << "there is nothing more to undo";
    t.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != start; }) && t.settle());
    EXPECT_EQ(stepTime(t), after);
    EXPECT_EQ(t.session.shown()->deviceOf(first), elsewhere);
}

TEST_F(WindowEdit, WhatASearchFindsIsMovedFromTheOutline) {
    WindowUnderTest t(folder);
    open(t);
    t.press(Qt::Key_F, Qt::ControlModifier);
    auto* search = t.find<QLineEdit>("search");
    auto* outline = t.find<QTreeView>("outline");
    QTest::keyClicks(search, "right matmul_1");
    press(search, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return QApplication::focusWidget() == outline; }));
    press(outline, Qt::Key_A, Qt::ControlModifier);
    const Selection selection = t.session.selection();
    ASSERT_GE(selection.ops.size(), 3U);
    const DeviceId to(start->deviceOf(selection.ops.back()) == DeviceId(0) ? 1 : 0);
    press(outline, keyOf(to));
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != start; }) && t.settle());
    for (const OpId op : selection.ops)
        EXPECT_EQ(t.session.shown()->deviceOf(op), to);
}

TEST_F(WindowEdit, WhatIsFoundIsMovedFromTheListOfFoundOps) {
    WindowUnderTest t(folder);
    open(t);
    t.press(Qt::Key_F, Qt::ControlModifier);
    auto* field = t.find<QLineEdit>("find");
    auto* list = t.find<QTableView>("found");
    QTest::keyClicks(field, "join");
    ASSERT_TRUE(waitFor([&] { return list->isVisible() && list->model()->rowCount() > 0; }));
    press(field, Qt::Key_Down);
    ASSERT_EQ(QApplication::focusWidget(), list);
    const std::vector<OpId> found = t.session.selection().ops;
    ASSERT_EQ(found.size(), 1U);
    const DeviceId to(start->deviceOf(found[0]) == DeviceId(0) ? 1 : 0);
    press(list, keyOf(to));
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != start; }) && t.settle());
    EXPECT_EQ(t.session.shown()->deviceOf(found[0]), to);
}

TEST_F(WindowEdit, ARightClickOpensAMenuAboutWhatIsUnderThePointer) {
    WindowUnderTest t(folder);
    open(t);
    auto* graph = t.find<GraphWidget>("graphWidget");
    press(graph, Qt::Key_E);
    ASSERT_TRUE(t.settle());
    press(graph, Qt::Key_Space);
    const auto& nodes = graph->scene()->nodes;
    const auto node = std::ranges::find(nodes, first, &SceneNode::op);
    ASSERT_NE(node, nodes.end());
    const QPoint at = graph->nodeRect(static_cast<int>(node - nodes.begin())).center().toPoint();
    QTest::mouseClick(graph, Qt::RightButton, {}, at);
    EXPECT_EQ(t.session.selection().ops, std::vector{first});
    auto* menu = t.window.findChild<QMenu*>("editMenu");
    ASSERT_NE(menu, nullptr);
    if (!menu->isVisible()) // not every platform makes the request of a synthetic click
        emit graph->customContextMenuRequested(at);
    ASSERT_TRUE(menu->isVisible());
    const auto actions = menu->actions();
    const auto pin = std::ranges::find_if(actions, [](QAction* a) { return a->text().contains("Pin where"); });
    ASSERT_NE(pin, actions.end());
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(*pin).center());
    ASSERT_TRUE(waitFor([&] { return t.session.whatIf().pinnedCount() == 1; }) && t.settle());
    EXPECT_EQ(t.session.shown()->problem().pin(first), start->deviceOf(first));
}

TEST_F(WindowEdit, APinnedOpIsNotMovedAndTheReasonIsSaid) {
    WindowUnderTest t(folder);
    open(t);
    auto* gantt = t.find<GanttWidget>("ganttWidget");
    t.session.selectOps({first});
    t.press(Qt::Key_2, Qt::ControlModifier);
    press(gantt, Qt::Key_H);
    ASSERT_TRUE(waitFor([&] { return t.session.whatIf().pinnedCount() == 1; }) && t.settle());
    press(gantt, keyOf(elsewhere));
    EXPECT_TRUE(t.window.message().contains("is pinned to")) << t.window.message().toStdString();
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown()->deviceOf(first), start->deviceOf(first));
    press(gantt, Qt::Key_H, Qt::ShiftModifier);
    press(gantt, keyOf(elsewhere));
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->deviceOf(first) == elsewhere; }) && t.settle());
}

TEST_F(WindowEdit, OpsAreFusedAndRunEarlierByKeys) {
    WindowUnderTest t(folder);
    open(t);
    auto* graph = t.find<GraphWidget>("graphWidget");
    const Graph& g = *t.session.opened()->graph;
    const OpId join = g.findOp("stage_0/join");
    t.press(Qt::Key_1, Qt::ControlModifier);
    t.session.selectOps({first, join});
    press(graph, Qt::Key_U);
    EXPECT_FALSE(t.window.message().isEmpty()) << "a path leaves them and comes back, or they are apart";
    EXPECT_FALSE(t.session.whatIf().edited());
    t.session.selectScope(ScopeTree::root());
    press(graph, keyOf(elsewhere));
    press(graph, Qt::Key_U);
    ASSERT_TRUE(waitFor([&] { return !t.session.shown()->outcome->plan.fusionGroup.empty(); }) && t.settle());
    const auto& runs = t.session.shown()->outcome->schedule.ops;
    EXPECT_EQ(runs.front().startNs, runs.back().startNs) << "one kernel";
    press(graph, Qt::Key_U, Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->plan.fusionGroup.empty(); }) && t.settle());

    const OpId left = g.findOp("stage_0/left/matmul_0"), right = g.findOp("stage_0/right/matmul_0");
    const auto startOf = [&](OpId op) { return t.session.shown()->outcome->schedule.ops[op.index()].startNs; };
    const OpId late = startOf(left) < startOf(right) ? right : left;
    t.session.selectOps({late});
    press(graph, Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([&] { return startOf(late) == 0; }) && t.settle()) << "it runs first";
    press(graph, Qt::Key_Down, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return startOf(late) > 0; }) && t.settle());
}

TEST_F(WindowEdit, OfManyEditsInARowTheLastOneIsShown) {
    WindowUnderTest t(folder);
    open(t);
    auto* graph = t.find<GraphWidget>("graphWidget");
    t.press(Qt::Key_1, Qt::ControlModifier);
    t.session.selectScope(ScopeTree::root());
    for (int i = 0; i < 40; ++i)
        press(graph, i % 2 == 0 ? Qt::Key_2 : Qt::Key_1);
    press(graph, Qt::Key_2);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown()->deviceOps[1], static_cast<std::int64_t>(start->outcome->plan.device.size()));
    for (int i = 0; i < 60; ++i)
        t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown(), start);
}

TEST_F(WindowEdit, TheEditedPlanIsComparedWithTheStartAndKept) {
    WindowUnderTest t(folder);
    open(t);
    moveFirst(t);
    t.press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    auto* table = t.find<QTableView>("comparison");
    ASSERT_EQ(table->model()->columnCount(), 2);
    EXPECT_TRUE(table->isVisible());
    EXPECT_TRUE(table->model()->headerData(1, Qt::Horizontal).toString().contains("edited"));

    const std::int64_t makespan = t.session.shown()->outcome->schedule.makespanNs;
    t.press(Qt::Key_S, Qt::ControlModifier);
    auto* runs = t.find<QTableView>("runs");
    ASSERT_TRUE(waitFor([&] { return runs->model()->rowCount() == 1; }) && t.settle());
    EXPECT_TRUE(t.window.message().contains("Kept as run 1")) << t.window.message().toStdString();
    const auto store = RunStore::open(folder / "runs.sqlite");
    ASSERT_TRUE(store.has_value());
    EXPECT_EQ(store->get(1)->result->makespanNs, makespan);
    EXPECT_TRUE(store->get(1)->notes.starts_with("Edited by hand from expert")) << store->get(1)->notes;
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.shown() == start; })) << "keeping it leaves the way back";
}

TEST_F(WindowEdit, TheRestIsOptimizedAndPinsAreKept) {
    WindowUnderTest t(folder);
    open(t);
    moveFirst(t);
    press(t.find<GraphWidget>("graphWidget"), Qt::Key_H);
    ASSERT_TRUE(waitFor([&] { return t.session.whatIf().pinnedCount() == 1; }) && t.settle());
    const ShownRunPtr edited = t.session.shown();
    t.press(Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    auto* dialog = t.window.findChild<QDialog*>("runDialog");
    ASSERT_NE(dialog, nullptr);
    EXPECT_TRUE(dialog->findChild<QCheckBox*>("keepPins")->isChecked());
    auto* choice = dialog->findChild<QComboBox*>("optimizer");
    const auto* items = qobject_cast<const QStandardItemModel*>(choice->model());
    EXPECT_FALSE(items->item(choice->findData("waits"))->isEnabled()) << "it cannot keep pins";
    EXPECT_TRUE(items->item(choice->findData("heft"))->isEnabled());
    choice->setCurrentIndex(choice->findData("heft"));
    QTest::mouseClick(dialog->findChild<QPushButton*>("runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.optimizer == "heft"; }) && t.settle());
    EXPECT_EQ(t.session.shown()->deviceOf(first), elsewhere);
    EXPECT_EQ(t.session.whatIf().pinnedCount(), 1U);
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->start != nullptr; }) && t.settle());
    EXPECT_EQ(t.session.shown()->outcome->plan, edited->outcome->plan) << "undo leads back to the plan edited by hand";
}

TEST_F(WindowEdit, AnotherGraphBeginsAnew) {
    const QString other = path("other.json");
    ASSERT_TRUE(writeGraph(sampleGraph(1), other.toStdString()).has_value());
    WindowUnderTest t(folder);
    open(t);
    moveFirst(t);
    t.window.openFiles({other});
    ASSERT_TRUE(waitFor([&] { return t.session.opened()->path == other.toStdString() && t.session.shown(); }) &&
                t.settle());
    const ShownRunPtr shown = t.session.shown();
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.shown(), shown);
}

} // namespace
} // namespace opscape::test
