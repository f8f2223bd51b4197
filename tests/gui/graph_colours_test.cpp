// SPDX-License-Identifier: MIT
// What the colours of the graph stand for, the legend that isolates one of them, and the minimap.
#include "gui/gui_fixture.h"
#include "gui/views/graph_pane.h"

#include <opscape/base/paths.h>

namespace opscape::test {
namespace {

class GraphColoursTest : public GuiTest {
protected:
    GraphColoursTest() : t(folder) {
        t.window.openFiles({graphFile});
        EXPECT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        pane = t.window.findChild<GraphPane*>();
        canvas = &pane->canvas();
        t.trigger("Open all groups");
        EXPECT_TRUE(t.settle());
        (void)pictureOf(canvas);
    }
    bool colouredBy(ColourBy by) {
        return waitFor([&] { return canvas->placed().colours->by() == by; });
    }

    WindowUnderTest t;
    GraphPane* pane = nullptr;
    GraphWidget* canvas = nullptr;
};

TEST_F(GraphColoursTest, EveryWayToColourIsAnotherPicture) {
    std::vector<QImage> pictures{pictureOf(canvas)};
    const std::pair<const char*, ColourBy> ways[] = {
        {"Time", ColourBy::Time}, {"Memory", ColourBy::Memory}, {"Type of op", ColourBy::OpType}};
    for (const auto& [text, by] : ways) {
        t.trigger(text);
        ASSERT_TRUE(colouredBy(by)) << text;
        const QImage picture = pictureOf(canvas);
        for (const QImage& other : pictures)
            EXPECT_NE(picture, other) << text;
        pictures.push_back(picture);
    }
    t.trigger("Device");
    ASSERT_TRUE(colouredBy(ColourBy::Device));
    EXPECT_EQ(pictureOf(canvas), pictures.front());
}

TEST_F(GraphColoursTest, AClickOnTheLegendIsolatesAndAnotherBringsAllBack) {
    const QImage all = pictureOf(canvas);
    const QPoint row = canvas->frame().legendRow(1).center().toPoint();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, row);
    EXPECT_EQ(canvas->isolated(), 1);
    EXPECT_NE(pictureOf(canvas), all);
    EXPECT_TRUE(t.session.selection().empty()) << "looking is not selecting";
    QTest::mouseClick(canvas, Qt::LeftButton, {}, row);
    EXPECT_EQ(canvas->isolated(), -1);
    EXPECT_EQ(pictureOf(canvas), all);
}

TEST_F(GraphColoursTest, AShiftClickOnTheLegendSelectsItsOps) {
    QTest::mouseClick(canvas, Qt::LeftButton, Qt::ShiftModifier, canvas->frame().legendRow(0).center().toPoint());
    const auto& ops = t.session.selection().ops;
    EXPECT_EQ(ops.size(), canvas->placed().colours->classes()[0].ops);
    for (const OpId op : ops)
        EXPECT_EQ(t.session.shown()->deviceOf(op), DeviceId(0));
}

TEST_F(GraphColoursTest, ValuesComeFromAFile) {
    ASSERT_TRUE(writeFile(folder / "heat.csv", "op,heat\nstage_0/join,1\nstage_1/join,5\nno/such/op,9\n").has_value());
    pane->colours().readValuesFrom(path("heat.csv"));
    ASSERT_TRUE(colouredBy(ColourBy::Value));
    EXPECT_EQ(canvas->placed().colours->title(), "heat");
    EXPECT_TRUE(t.window.message().contains("no/such/op"));
    ASSERT_TRUE(writeFile(folder / "bad.csv", "stage_0/join,hot\nstage_1/join,5").has_value());
    pane->colours().readValuesFrom(path("bad.csv"));
    ASSERT_TRUE(waitFor([&] {
        return t.window.message().contains("line 2") || t.window.message().contains("line 1") ||
               t.session.jobs().idle();
    }));
    EXPECT_EQ(canvas->placed().colours->by(), ColourBy::Value) << "a file that is wrong changes nothing";
}

TEST_F(GraphColoursTest, TheMinimapIsThereWhereNotAllIsSeenAndMovesTheView) {
    canvas->fit();
    (void)pictureOf(canvas);
    EXPECT_TRUE(canvas->frame().minimap().isEmpty());
    canvas->zoomBy(6);
    (void)pictureOf(canvas);
    const QRectF map = canvas->frame().minimap();
    ASSERT_FALSE(map.isEmpty());
    EXPECT_TRUE(QRectF(canvas->rect()).contains(map));
    const QPointF aim = map.topLeft() + QPointF(map.width() * 0.3, map.height() * 0.3);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, aim.toPoint());
    const QPointF centre = canvas->camera().toWorld(QRectF(canvas->rect()).center());
    const QPointF meant = canvas->frame().minimapToWorld(aim.toPoint());
    EXPECT_NEAR(centre.x(), meant.x(), 1);
    EXPECT_NEAR(centre.y(), meant.y(), 1);
    EXPECT_TRUE(t.session.selection().empty());
}

} // namespace
} // namespace opscape::test
