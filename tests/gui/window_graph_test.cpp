// SPDX-License-Identifier: MIT
// Getting about in the graph: views to go back to, views that are kept, neighbourhoods, the mouse, and what is read
// aloud.
#include "gui/gui_fixture.h"
#include "gui/views/graph_pane.h"

#include <QAccessible>
#include <QDialog>
#include <QTextBrowser>
#include <QWheelEvent>

namespace opscape::test {
namespace {

class WindowGraph : public GuiTest {
protected:
    WindowGraph() : t(folder) {
        QAccessible::setActive(true);
        t.window.openFiles({graphFile});
        EXPECT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        pane = t.window.findChild<GraphPane*>();
        graph = &pane->canvas();
        graph->setFocus();
        rest();
    }

    OpId op(const char* name) const { return t.session.opened()->graph->findOp(name); }
    std::vector<OpId> ops(const std::vector<const char*>& names) const {
        std::vector<OpId> ids;
        for (const char* name : names)
            ids.push_back(op(name));
        std::ranges::sort(ids);
        return ids;
    }
    int nodeOf(const char* name) const { return graph->scene()->nodeOf(op(name)); }
    ScopeId stage(const char* name) const {
        const ScopeTree& scopes = *t.session.opened()->scopes;
        return scopes.scope(scopes.scopeOf(op(name))).parent;
    }
    void key(Qt::Key pressed, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(graph, pressed, modifiers);
        EXPECT_TRUE(t.settle());
    }
    /// Only the groups at the top are seen.
    void closeAll() {
        pane->goTo({{}, {}, true});
        EXPECT_TRUE(t.settle());
    }
    /// Long enough for a view to count as one.
    static void rest() { QTest::qWait(700); }

    WindowUnderTest t;
    GraphPane* pane = nullptr;
    GraphWidget* graph = nullptr;
};

TEST_F(WindowGraph, GoesBackToTheViewBeforeAndForwardAgain) {
    const GraphPlace first = pane->seen();
    EXPECT_GT(first.expanded.size(), 0U);
    closeAll();
    const GraphPlace closed = pane->seen();
    t.session.selectOps({op("stage_1/left/matmul_1")});
    key(Qt::Key_F);
    const GraphPlace near = pane->seen();
    EXPECT_FALSE(near.isLike(closed));
    key(Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(closed));
    EXPECT_EQ(t.session.selection().ops, ops({"stage_1/left/matmul_1"})) << "views come back, the selection stays";
    key(Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(first));
    key(Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(first)) << "there is none before the first";
    key(Qt::Key_Right, Qt::AltModifier);
    key(Qt::Key_Right, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(near));
}

TEST_F(WindowGraph, APanThatCameToRestIsAView) {
    const GraphPlace before = pane->seen();
    QTest::mousePress(graph, Qt::LeftButton, {}, QPoint(50, 50));
    QTest::mouseMove(graph, QPoint(70, 70));
    QTest::mouseMove(graph, QPoint(150, 90));
    QTest::mouseRelease(graph, Qt::LeftButton, {}, QPoint(150, 90));
    rest();
    EXPECT_FALSE(pane->seen().isLike(before));
    key(Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(before));
}

TEST_F(WindowGraph, KeepsNumberedViews) {
    key(Qt::Key_E);
    t.session.selectOps({op("stage_2/join")});
    key(Qt::Key_F);
    const GraphPlace kept = pane->seen();
    key(Qt::Key_3, Qt::ControlModifier | Qt::ShiftModifier);
    closeAll();
    EXPECT_FALSE(pane->seen().isLike(kept));
    const GraphPlace other = pane->seen();
    key(Qt::Key_4, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(other)) << "nothing was kept there";
    key(Qt::Key_3, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(kept));
    key(Qt::Key_Left, Qt::AltModifier);
    EXPECT_TRUE(pane->seen().isLike(other)) << "a kept view that was gone to is one of the views";
}

TEST_F(WindowGraph, GrowsTheSelectionHopByHop) {
    t.session.selectOps({op("stage_1/left/matmul_1")});
    key(Qt::Key_N);
    const auto oneHop = ops({"stage_1/left/matmul_0", "stage_1/left/matmul_1", "stage_1/left/matmul_2"});
    EXPECT_EQ(t.session.selection().ops, oneHop);
    key(Qt::Key_N);
    EXPECT_EQ(t.session.selection().ops.size(), 5U) << "and the joins before and behind";
    key(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(t.session.selection().ops, oneHop);
    key(Qt::Key_N, Qt::ShiftModifier);
    EXPECT_EQ(t.session.selection().ops, ops({"stage_1/left/matmul_1"}));
    key(Qt::Key_I);
    key(Qt::Key_I);
    EXPECT_EQ(t.session.selection().ops, ops({"stage_0/join", "stage_1/left/matmul_0", "stage_1/left/matmul_1"}));
    t.session.selectOps({op("stage_1/left/matmul_1")});
    key(Qt::Key_O);
    EXPECT_EQ(t.session.selection().ops, ops({"stage_1/left/matmul_1", "stage_1/left/matmul_2"}));
}

TEST_F(WindowGraph, CentresOnAllOfTheSelectionAndOpensWhatHidesIt) {
    closeAll();
    t.session.selectOps(ops({"stage_0/left/matmul_0", "stage_2/right/matmul_2"}));
    key(Qt::Key_R);
    for (const char* name : {"stage_0/left/matmul_0", "stage_2/right/matmul_2"}) {
        const int node = nodeOf(name);
        EXPECT_EQ(graph->scene()->nodes[static_cast<std::size_t>(node)].op, op(name)) << "its groups are open";
        EXPECT_TRUE(QRectF(graph->rect()).contains(graph->nodeRect(node))) << name;
    }
}

TEST_F(WindowGraph, AltDoubleClickOpensEverythingBelowAndBackspaceGoesUp) {
    closeAll();
    const int closed = nodeOf("stage_1/left/matmul_0");
    ASSERT_EQ(graph->scene()->nodes[static_cast<std::size_t>(closed)].scope, stage("stage_1/left/matmul_0"));
    const QPoint at = graph->nodeRect(closed).center().toPoint();
    ASSERT_TRUE(graph->rect().contains(at));
    QTest::mouseDClick(graph, Qt::LeftButton, Qt::AltModifier, at);
    ASSERT_TRUE(t.settle());
    for (const char* name : {"stage_1/left/matmul_0", "stage_1/right/matmul_2", "stage_1/join"})
        EXPECT_EQ(graph->scene()->nodes[static_cast<std::size_t>(nodeOf(name))].op, op(name)) << name;
    EXPECT_FALSE(graph->scene()->nodes[static_cast<std::size_t>(nodeOf("stage_0/join"))].op.valid());

    t.session.selectOps({op("stage_1/left/matmul_0")});
    key(Qt::Key_Backspace);
    EXPECT_EQ(t.session.selection().ops.size(), 3U) << "the group around it";
    key(Qt::Key_Backspace);
    EXPECT_EQ(t.session.selection().ops.size(), 7U) << "and the one around that";
}

TEST_F(WindowGraph, ABoxIsDrawnToZoomTo) {
    const QPointF corner = graph->camera().toWorld({60, 60}), other = graph->camera().toWorld({160, 120});
    QTest::mousePress(graph, Qt::LeftButton, Qt::ControlModifier, QPoint(60, 60));
    QTest::mouseMove(graph, QPoint(100, 100));
    QTest::mouseMove(graph, QPoint(160, 120));
    QTest::mouseRelease(graph, Qt::LeftButton, Qt::ControlModifier, QPoint(160, 120));
    const QRectF box(graph->camera().toScreen(corner), graph->camera().toScreen(other));
    EXPECT_TRUE(QRectF(graph->rect()).adjusted(-1, -1, 1, 1).contains(box));
    EXPECT_TRUE(box.width() > graph->width() - 2 || box.height() > graph->height() - 2) << "it fills the pane";
}

TEST_F(WindowGraph, WhatTheWheelDoesIsSwitchedAndKept) {
    const auto wheel = [](GraphWidget& canvas) {
        QWheelEvent event({80, 80}, canvas.mapToGlobal(QPointF(80, 80)), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&canvas, &event);
    };
    const double scale = graph->camera().scale;
    wheel(*graph);
    EXPECT_DOUBLE_EQ(graph->camera().scale, scale) << "it pans";
    t.trigger("Wheel zooms");
    wheel(*graph);
    EXPECT_GT(graph->camera().scale, scale);
    WindowUnderTest next(folder);
    next.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return next.session.shown() != nullptr; }) && next.settle());
    GraphWidget& canvas = next.window.findChild<GraphPane*>()->canvas();
    const double before = canvas.camera().scale;
    wheel(canvas);
    EXPECT_GT(canvas.camera().scale, before);
}

TEST_F(WindowGraph, IsReadAloudBoxByBox) {
    QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(graph);
    ASSERT_NE(reader, nullptr);
    const QString shown = QString::number(graph->scene()->nodes.size());
    EXPECT_EQ(reader->text(QAccessible::Name), "Graph sample: 21 ops, 22 edges; " + shown + " boxes shown");
    EXPECT_EQ(reader->text(QAccessible::Value), "Nothing selected");
    EXPECT_EQ(reader->childCount(), static_cast<int>(graph->scene()->nodes.size()));
    EXPECT_EQ(reader->focusChild(), nullptr);

    key(Qt::Key_E);
    t.session.selectOps({op("stage_1/join")});
    const int node = nodeOf("stage_1/join");
    QAccessibleInterface* box = reader->focusChild();
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->text(QAccessible::Name), "stage_1/join, Add");
    EXPECT_TRUE(box->text(QAccessible::Description).contains(" on ")) << "time and device";
    EXPECT_TRUE(box->state().selected && box->state().focused);
    EXPECT_EQ(reader->indexOfChild(box), node);
    EXPECT_EQ(box->parent(), reader);
    EXPECT_EQ(box->rect().topLeft(), graph->mapToGlobal(graph->nodeRect(node).toAlignedRect().topLeft()));
    EXPECT_EQ(reader->childAt(box->rect().center().x(), box->rect().center().y()), box);
    EXPECT_EQ(reader->text(QAccessible::Value), "1 op selected");

    key(Qt::Key_Backspace);
    QAccessibleInterface* group = reader->focusChild();
    ASSERT_NE(group, nullptr);
    EXPECT_EQ(group->text(QAccessible::Name), "stage_1, closed group of 7 ops");
    EXPECT_TRUE(group->state().collapsed);
    EXPECT_EQ(reader->text(QAccessible::Value), "7 ops selected");
}

TEST_F(WindowGraph, EveryCommandOfTheGraphIsInTheHelp) {
    t.press(Qt::Key_F1);
    auto* help = t.window.findChild<QDialog*>("keyHelp");
    ASSERT_NE(help, nullptr);
    const QString text = help->findChild<QTextBrowser*>()->toPlainText();
    for (const QAction* action : pane->commands()) {
        if (action == nullptr || action->shortcut().isEmpty())
            continue;
        EXPECT_TRUE(text.contains(action->shortcut().toString(QKeySequence::NativeText)))
            << action->text().toStdString();
    }
    for (const char* said : {"Alt+1 … Alt+9", "Ctrl+Shift+1 … Ctrl+Shift+9", "Ctrl+drag", "Shift+drag",
                             "Alt+double-click", "Arrow keys", "F3", "Shift+Enter"})
        EXPECT_TRUE(text.contains(QString::fromUtf8(said))) << said;
}

} // namespace
} // namespace opscape::test
