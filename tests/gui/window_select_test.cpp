// SPDX-License-Identifier: MIT
// What is selected in one pane is selected in all; moving about in the graph and the schedule.
#include "gui/gui_fixture.h"
#include "gui/views/gantt_widget.h"
#include "gui/views/graph_widget.h"
#include "gui/views/outline_pane.h"

#include <QDockWidget>
#include <QTextBrowser>
#include <QTreeView>
#include <QWheelEvent>

namespace opscape::test {
namespace {

class WindowSelect : public GuiTest {
protected:
    WindowSelect() : t(folder) {
        t.window.openFiles({graphFile});
        EXPECT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        graph = t.find<GraphWidget>("graphWidget");
        gantt = t.find<GanttWidget>("ganttWidget");
        outline = t.find<QTreeView>("outline");
        inspector = t.find<QTextBrowser>("inspector");
    }

    OpId op(const char* name) const { return t.session.opened()->graph->findOp(name); }
    /// The box that shows an op, in the middle of the graph pane.
    QPoint boxOf(OpId id) { return graph->nodeRect(graph->scene()->nodeOf(id)).center().toPoint(); }
    bool inspected(const char* text) {
        return waitFor([&] { return inspector->toPlainText().remove(QChar(0x200B)).contains(QLatin1String(text)); });
    }
    void openAllGroups() {
        t.trigger("Open all groups");
        EXPECT_TRUE(t.settle());
    }
    void wheel(QWidget* widget, QPointF at, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(at, widget->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(widget, &event);
    }

    WindowUnderTest t;
    GraphWidget* graph = nullptr;
    GanttWidget* gantt = nullptr;
    QTreeView* outline = nullptr;
    QTextBrowser* inspector = nullptr;
};

TEST_F(WindowSelect, FromTheOutlineToInspectorAndGraph) {
    auto* model = qobject_cast<OutlineModel*>(outline->model());
    ASSERT_NE(model, nullptr);
    const OpId wanted = op("stage_1/left/matmul_1");
    outline->setFocus();
    outline->setCurrentIndex(model->indexOf(wanted));
    EXPECT_EQ(t.session.selection().ops, std::vector{wanted});
    EXPECT_TRUE(inspected("stage_1/left/matmul_1"));
    EXPECT_TRUE(inspected("f32 512x512"));
    EXPECT_EQ(graph->selectedNode(), graph->scene()->nodeOf(wanted));
}

TEST_F(WindowSelect, ANameManyGroupsDeepHasRoomInTheOutlineOfASmallWindow) {
    t.window.resize(1280, 720);
    t.trigger("Reset the layout");
    t.window.openFiles({QStringLiteral("zoo:rnnlm2,steps=2")});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() && t.session.opened()->graph->name() == "rnnlm2"; }) &&
                t.settle());
    const Graph& graph = *t.session.opened()->graph;
    OpId deepest(0);
    for (std::size_t op = 0; op < graph.opCount(); ++op) {
        if (std::ranges::count(graph.op(OpId(op)).name, '/') > std::ranges::count(graph.op(deepest).name, '/'))
            deepest = OpId(op);
    }
    ASSERT_GE(std::ranges::count(graph.op(deepest).name, '/'), 4) << graph.op(deepest).name;
    t.session.selectOps({deepest});
    const QModelIndexList rows = outline->selectionModel()->selectedRows(OutlineModel::Name);
    ASSERT_EQ(rows.size(), 1);
    EXPECT_GE(outline->visualRect(rows.front()).width(), 50) << "of " << outline->viewport()->width();
}

TEST_F(WindowSelect, FromTheGraphToOutlineAndInspector) {
    openAllGroups();
    const OpId wanted = op("stage_2/right/matmul_0");
    ASSERT_TRUE(graph->rect().contains(boxOf(wanted)));
    QTest::mouseClick(graph, Qt::LeftButton, {}, boxOf(wanted));
    EXPECT_EQ(t.session.selection().ops, std::vector{wanted});
    EXPECT_TRUE(inspected("stage_2/right/matmul_0"));
    auto* model = qobject_cast<OutlineModel*>(outline->model());
    EXPECT_TRUE(
        outline->selectionModel()->isRowSelected(model->indexOf(wanted).row(), model->indexOf(wanted).parent()));
}

TEST_F(WindowSelect, FromABarOfTheScheduleToTheOthers) {
    gantt->setFocus();
    QTest::keyClick(gantt, Qt::Key_Period);
    ASSERT_EQ(t.session.selection().ops.size(), 1U);
    const OpId first = t.session.selection().ops.front();
    QTest::keyClick(gantt, Qt::Key_Period);
    const OpId second = t.session.selection().ops.front();
    EXPECT_NE(first, second);
    QTest::keyClick(gantt, Qt::Key_Comma);
    EXPECT_EQ(t.session.selection().ops.front(), first);
    EXPECT_TRUE(inspected(t.session.opened()->graph->op(first).name.c_str()));

    const GanttHit hit = ganttBarOf(t.session.shown()->gantt, second);
    const auto& bar =
        t.session.shown()->gantt.lanes()[static_cast<std::size_t>(hit.lane)].bars[static_cast<std::size_t>(hit.bar)];
    const double x = gantt->camera().toX(static_cast<double>(bar.startNs + bar.endNs) / 2);
    for (int y = 0; y < gantt->height() && t.session.selection().ops != std::vector{second}; y += 4)
        QTest::mouseClick(gantt, Qt::LeftButton, {}, QPoint(static_cast<int>(x), y));
    EXPECT_EQ(t.session.selection().ops, std::vector{second}) << "the bar is where the picture has it";
}

TEST_F(WindowSelect, LinksOfTheInspectorLeadToOtherOps) {
    t.session.selectOps({op("stage_0/join")});
    ASSERT_TRUE(inspected("stage_0/join"));
    emit inspector->anchorClicked(QUrl(QStringLiteral("op:%1").arg(op("stage_0/left/matmul_2").value)));
    EXPECT_EQ(t.session.selection().ops, std::vector{op("stage_0/left/matmul_2")});
    emit inspector->anchorClicked(QUrl(QStringLiteral("op:99999")));
    EXPECT_EQ(t.session.selection().ops, std::vector{op("stage_0/left/matmul_2")});
}

TEST_F(WindowSelect, AGroupIsSelectedAsAWholeAndSummedUp) {
    t.trigger("Close groups to fit");
    ASSERT_TRUE(t.settle());
    const ScopeId scope = t.session.opened()->scopes->scopeOf(op("stage_0/left/matmul_0"));
    t.session.selectScope(scope);
    EXPECT_EQ(t.session.selection().ops.size(), 3U);
    EXPECT_TRUE(inspected("stage_0/left"));
    EXPECT_TRUE(inspected("3 ops"));
}

TEST_F(WindowSelect, ABoxIsDrawnToSelectWhatIsInIt) {
    openAllGroups();
    graph->fit();
    QTest::mousePress(graph, Qt::LeftButton, Qt::ShiftModifier, QPoint(1, 1));
    QTest::mouseMove(graph, QPoint(40, 40));
    QTest::mouseMove(graph, QPoint(graph->width() - 2, graph->height() - 2));
    QTest::mouseRelease(graph, Qt::LeftButton, Qt::ShiftModifier, QPoint(graph->width() - 2, graph->height() - 2));
    EXPECT_EQ(t.session.selection().ops.size(), t.session.opened()->graph->opCount());
    t.press(Qt::Key_Escape);
    EXPECT_TRUE(t.session.selection().empty());
}

TEST_F(WindowSelect, GroupsOpenAndCloseWithoutMovingOnTheScreen) {
    const auto& scopes = *t.session.opened()->scopes;
    const ScopeId stage = scopes.scope(scopes.scopeOf(op("stage_0/left/matmul_0"))).parent;
    const auto frame = [&]() -> const SceneNode* {
        for (const SceneNode& node : graph->scene()->nodes) {
            if (!node.op.valid() && node.scope == stage)
                return &node;
        }
        return nullptr;
    };
    ASSERT_NE(frame(), nullptr);
    const bool open = frame()->expanded;
    const auto index = [&] { return static_cast<int>(frame() - graph->scene()->nodes.data()); };
    const QPointF before = graph->nodeRect(index()).topLeft();
    t.session.selectScope(stage);
    graph->setFocus();
    QTest::keyClick(graph, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return frame() != nullptr && frame()->expanded != open; }));
    EXPECT_NEAR(graph->nodeRect(index()).left(), before.x(), 1);
    EXPECT_NEAR(graph->nodeRect(index()).top(), before.y(), 1);
}

TEST_F(WindowSelect, ZoomsAtThePointerAndPansByDrag) {
    graph->fit();
    const QPointF at(100, 80);
    const QPointF world = graph->camera().toWorld(at);
    const double scale = graph->camera().scale;
    wheel(graph, at, 120, Qt::ControlModifier);
    EXPECT_GT(graph->camera().scale, scale);
    EXPECT_NEAR(graph->camera().toScreen(world).x(), at.x(), 0.5);
    EXPECT_NEAR(graph->camera().toScreen(world).y(), at.y(), 0.5);

    const QPointF origin = graph->camera().origin;
    QTest::mousePress(graph, Qt::LeftButton, {}, QPoint(50, 50));
    QTest::mouseMove(graph, QPoint(60, 60));
    QTest::mouseMove(graph, QPoint(90, 70));
    QTest::mouseRelease(graph, Qt::LeftButton, {}, QPoint(90, 70));
    EXPECT_NEAR(graph->camera().origin.x(), origin.x() - 40 / graph->camera().scale, 1e-6);
    QTest::keyClick(graph, Qt::Key_Space);
    EXPECT_DOUBLE_EQ(graph->camera().scale, scale);
}

TEST_F(WindowSelect, TheScheduleZoomsPansAndFits) {
    gantt->setFocus();
    const GanttCamera fitted = gantt->camera();
    QTest::keyClick(gantt, Qt::Key_W);
    EXPECT_LT(gantt->camera().nsPerPixel, fitted.nsPerPixel);
    const double start = gantt->camera().startNs;
    QTest::keyClick(gantt, Qt::Key_D);
    EXPECT_GT(gantt->camera().startNs, start);
    QTest::keyClick(gantt, Qt::Key_A);
    EXPECT_NEAR(gantt->camera().startNs, start, 1);
    const double ns = gantt->camera().toNs(300);
    wheel(gantt, {300, 40}, 120, Qt::ControlModifier);
    EXPECT_NEAR(gantt->camera().toX(ns), 300, 0.5);
    QTest::keyClick(gantt, Qt::Key_Home);
    EXPECT_DOUBLE_EQ(gantt->camera().nsPerPixel, fitted.nsPerPixel);
    EXPECT_DOUBLE_EQ(gantt->camera().startNs, fitted.startNs);
}

} // namespace
} // namespace opscape::test
