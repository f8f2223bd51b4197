// SPDX-License-Identifier: MIT
// The whole window without a mouse, and its looks.
#include "gui/gui_fixture.h"
#include "gui/views/gantt_widget.h"
#include "gui/views/graph_widget.h"

#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QTextBrowser>
#include <QTreeView>

#include <set>

namespace opscape::test {
namespace {

class WindowKeys : public GuiTest {
protected:
    void open(WindowUnderTest& t) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    }
    void press(QWidget* at, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(at, key, modifiers);
    }
};

TEST_F(WindowKeys, WalkTheGraphFromGroupToOp) {
    WindowUnderTest t(folder);
    open(t);
    auto* graph = t.find<GraphWidget>("graphWidget");
    t.press(Qt::Key_1, Qt::ControlModifier);
    ASSERT_EQ(QApplication::focusWidget(), graph);
    press(graph, Qt::Key_Down);
    ASSERT_GE(graph->selectedNode(), 0);
    std::set<int> visited;
    for (int i = 0; i < 40 && visited.insert(graph->selectedNode()).second; ++i)
        press(graph, Qt::Key_Down);
    EXPECT_GT(visited.size(), 2U) << "Down leads along the edges to the end";

    press(graph, Qt::Key_E, Qt::NoModifier);
    ASSERT_TRUE(t.settle());
    press(graph, Qt::Key_Up);
    ASSERT_EQ(t.session.selection().ops.size(), 1U) << "with all groups open, keys lead from op to op";
    const OpId op = t.session.selection().ops.front();
    press(graph, Qt::Key_Backspace);
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.session.selection().scope.valid()) << "the group around it is closed and selected";
    EXPECT_TRUE(std::ranges::binary_search(t.session.selection().ops, op));
    EXPECT_FALSE(graph->scene()->nodes[static_cast<std::size_t>(graph->selectedNode())].expanded);
}

TEST_F(WindowKeys, FilterTheOutlineAndShowAnOpInTheGraph) {
    WindowUnderTest t(folder);
    open(t);
    auto* search = t.find<QLineEdit>("search");
    auto* outline = t.find<QTreeView>("outline");
    auto* graph = t.find<GraphWidget>("graphWidget");
    t.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_EQ(QApplication::focusWidget(), search);
    QTest::keyClicks(search, "stage_2 join");
    QTest::qWait(50); // the list of offers is there: offscreen, it takes the focus and leaves the window inactive
    press(search, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return t.window.focusWidget() == outline; }));
    const OpId wanted = t.session.opened()->graph->findOp("stage_2/join");
    for (int i = 0; i < 4 && t.session.selection().ops != std::vector{wanted}; ++i)
        press(outline, Qt::Key_Down);
    ASSERT_EQ(t.session.selection().ops, std::vector{wanted});
    press(outline, Qt::Key_Return);
    ASSERT_TRUE(t.settle());
    const int node = graph->selectedNode();
    ASSERT_GE(node, 0);
    EXPECT_EQ(graph->scene()->nodes[static_cast<std::size_t>(node)].op, wanted) << "its groups were opened";
    EXPECT_TRUE(QRectF(graph->rect()).contains(graph->nodeRect(node).center()));

    t.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    press(search, Qt::Key_Escape);
    EXPECT_TRUE(search->text().isEmpty());
    EXPECT_EQ(t.session.selection().ops, std::vector{wanted}) << "Esc emptied the field, nothing else";
}

TEST_F(WindowKeys, ReachEveryPane) {
    WindowUnderTest t(folder);
    open(t);
    const auto paneOf = [](QWidget* widget) -> QString {
        for (; widget != nullptr; widget = widget->parentWidget()) {
            if (auto* dock = qobject_cast<QDockWidget*>(widget))
                return dock->objectName();
            if (widget->objectName() == QStringLiteral("graphWidget"))
                return widget->objectName();
        }
        return {};
    };
    std::set<QString> byNumber, byCycle;
    for (int i = 0; i < 8; ++i) {
        t.press(static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
        ASSERT_NE(QApplication::focusWidget(), nullptr);
        EXPECT_TRUE(QApplication::focusWidget()->isVisible()) << i;
        byNumber.insert(paneOf(QApplication::focusWidget()));
        t.press(Qt::Key_F6);
        byCycle.insert(paneOf(QApplication::focusWidget()));
    }
    EXPECT_EQ(byNumber.size(), 8U);
    EXPECT_EQ(byCycle.size(), 8U);
    EXPECT_FALSE(byNumber.contains(QString()));
}

TEST_F(WindowKeys, TabReachesTheSearchFieldAndTheTreeUnderIt) {
    WindowUnderTest t(folder);
    open(t);
    std::set<QString> reached;
    for (int i = 0; i < 80; ++i) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &t.window, Qt::Key_Tab);
        if (QWidget* now = QApplication::focusWidget())
            reached.insert(now->objectName());
    }
    for (const char* name : {"search", "outline", "graphWidget", "ganttWidget"})
        EXPECT_TRUE(reached.contains(QString::fromLatin1(name))) << name;
}

TEST_F(WindowKeys, AreExplainedInADialog) {
    WindowUnderTest t(folder);
    t.press(Qt::Key_F1);
    auto* help = t.window.findChild<QDialog*>("keyHelp");
    ASSERT_NE(help, nullptr);
    EXPECT_TRUE(help->isVisible());
    const QString text = help->findChild<QTextBrowser*>()->toPlainText();
    for (const char* said : {"Ctrl+R", "Ctrl+F", "Backspace", "Space", "F6", "Double-click", "Ctrl+wheel",
                             "Export a picture: Graph as seen", "Move to: Device 1"})
        EXPECT_TRUE(text.contains(QLatin1String(said))) << said;
    QTest::keyClick(help, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("keyHelp") == nullptr; }));
}

TEST_F(WindowKeys, MaximizeThePaneAndBringTheOthersBack) {
    WindowUnderTest t(folder);
    open(t);
    auto* schedule = t.find<QDockWidget>("scheduleDock");
    auto* outline = t.find<QDockWidget>("outlineDock");
    t.press(Qt::Key_2, Qt::ControlModifier);
    const int height = schedule->height();
    t.press(Qt::Key_M, Qt::ControlModifier);
    QTest::qWait(50);
    EXPECT_GT(schedule->height(), height);
    EXPECT_FALSE(outline->isVisible());
    t.press(Qt::Key_M, Qt::ControlModifier);
    QTest::qWait(50);
    EXPECT_TRUE(outline->isVisible());
    EXPECT_NEAR(schedule->height(), height, 2);
}

TEST_F(WindowKeys, SwitchBetweenLightAndDark) {
    WindowUnderTest t(folder);
    open(t);
    auto* graph = t.find<GraphWidget>("graphWidget");
    const QColor light = pictureOf(graph).pixelColor(3, graph->height() - 3);
    EXPECT_GT(light.lightness(), 200);
    t.press(Qt::Key_T, Qt::ControlModifier);
    EXPECT_TRUE(t.look.theme().dark);
    const QColor dark = pictureOf(graph).pixelColor(3, graph->height() - 3);
    EXPECT_LT(dark.lightness(), 60);
    EXPECT_LT(t.window.palette().color(QPalette::Window).lightness(), 80);
    t.press(Qt::Key_T, Qt::ControlModifier);
    EXPECT_EQ(pictureOf(graph).pixelColor(3, graph->height() - 3), light);
}

TEST_F(WindowKeys, LayoutAndThemeAreKeptForTheNextWindow) {
    {
        WindowUnderTest t(folder);
        t.find<QDockWidget>("inspectorDock")->close();
        t.window.close();
    }
    WindowUnderTest t(folder);
    EXPECT_FALSE(t.find<QDockWidget>("inspectorDock")->isVisible());
    EXPECT_TRUE(t.find<QDockWidget>("outlineDock")->isVisible());
    t.trigger("Reset the layout");
    EXPECT_TRUE(t.find<QDockWidget>("inspectorDock")->isVisible());
}

TEST_F(WindowKeys, EveryControlHasANameToBeReadAloud) {
    WindowUnderTest t(folder);
    open(t);
    for (const QWidget* widget : t.window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || (widget->focusPolicy() & Qt::TabFocus) == 0 || widget->focusProxy() != nullptr)
            continue;
        const QVariant text = widget->property("text");
        EXPECT_TRUE(!widget->accessibleName().isEmpty() || !text.toString().isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString();
    }
}

} // namespace
} // namespace opscape::test
