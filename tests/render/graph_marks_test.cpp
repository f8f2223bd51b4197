// SPDX-License-Identifier: MIT
// What is laid over the picture of a graph: pins, what a search found, names of frames, the legend.
#include "picture_scene.h"

#include <render/raster_surface.h>

namespace opscape {
namespace {

constexpr QSize kSize{600, 500};

class GraphMarks : public testing::Test {
protected:
    PictureScene m_picture;
    Theme m_theme = Theme::light();
    GraphScene m_scene = m_picture.scene(true);
    GraphCamera m_camera = GraphCamera::fit(QRectF(0, 0, m_scene.width, m_scene.height), kSize);

    [[nodiscard]] QRectF boxOf(std::string_view label) const {
        for (const SceneNode& node : m_scene.nodes) {
            if (node.label == label)
                return {m_camera.toScreen(QPointF(node.rect.x, node.rect.y)),
                        QSizeF(node.rect.width, node.rect.height) * m_camera.scale};
        }
        ADD_FAILURE() << "no box " << label;
        return {};
    }
    [[nodiscard]] QImage draw(const GraphView& view) const { return drawGraph(view, m_camera, kSize, m_theme); }
    [[nodiscard]] static double changed(const QImage& a, const QImage& b, const QRectF& in) {
        int pixels = 0;
        const QRect area = in.toAlignedRect() & a.rect();
        for (int y = area.top(); y <= area.bottom(); ++y) {
            for (int x = area.left(); x <= area.right(); ++x)
                pixels += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
        }
        return pixels;
    }
};

TEST_F(GraphMarks, APinnedOpHasAPinInItsCornerAndNoOtherHas) {
    const OpColours colours(ColourBy::Device, {m_picture.graph.get(), m_picture.problem.cluster.get(), &m_picture.plan,
                                               m_picture.problem.cost.get(), nullptr});
    std::vector<DeviceId> pins(4);
    pins[1] = DeviceId(0);
    const ScenePlacement free(*m_picture.graph, m_scene, colours, &m_picture.plan);
    const ScenePlacement pinned(*m_picture.graph, m_scene, colours, &m_picture.plan, pins);
    GraphView view = m_picture.view(m_scene);
    view.colours = &colours;
    view.placement = &free;
    const QImage before = draw(view);
    view.placement = &pinned;
    const QImage after = draw(view);
    const auto corner = [&](const char* label) {
        const QRectF box = boxOf(label);
        return QRectF(box.right() - 14, box.top() - 10, 18, 22);
    };
    EXPECT_GT(changed(before, after, corner("b")), 25);
    for (const char* label : {"a", "c", "d"})
        EXPECT_EQ(changed(before, after, boxOf(label).adjusted(-8, -8, 8, 8)), 0) << label;
}

TEST_F(GraphMarks, FoundOpsAreMarkedLessThanSelectedOnes) {
    GraphView view = m_picture.view(m_scene);
    const QImage plain = draw(view);
    const std::vector<OpId> ops{OpId(3)};
    view.found = &ops;
    const QImage found = draw(view);
    view.found = nullptr;
    view.selected = &ops;
    const QImage selected = draw(view);
    const QRectF whole({0, 0}, kSize);
    const double marked = changed(plain, found, whole);
    EXPECT_GT(marked, 50);
    EXPECT_EQ(changed(plain, found, boxOf("d").adjusted(-8, -8, 8, 8)), marked) << "nothing but its own box";
    EXPECT_GT(changed(plain, selected, whole), marked);
}

TEST_F(GraphMarks, AFoundOpIsSeenHoweverSmallItIs) {
    m_camera.scale = 0.05;
    m_camera.origin = {-1000, -1000};
    GraphView view = m_picture.view(m_scene);
    const QImage plain = draw(view);
    const std::vector<OpId> ops{OpId(0)};
    view.found = &ops;
    EXPECT_GE(changed(plain, draw(view), QRectF({0, 0}, kSize)), 16);
}

TEST_F(GraphMarks, LaidOverAPictureWithoutThemTheyMakeTheWholePicture) {
    GraphView view = m_picture.view(m_scene);
    QImage image = draw(view);
    const std::vector<OpId> selected{OpId(1)}, found{OpId(2), OpId(3)};
    view.selected = &selected;
    view.found = &found;
    view.hovered = 0;
    {
        RasterSurface surface(image);
        paintGraphMarks(surface, kSize, m_camera, view, m_theme);
    }
    EXPECT_EQ(image, draw(view));
}

TEST(FrameNames, OfSmallFramesCoverNoneOfTheirBoxes) {
    GraphBuilder builder("wide");
    for (int i = 0; i < 24; ++i) {
        Op op;
        op.name = i < 22 ? fmt::format("frame/op{}", i) : fmt::format("op{}", i);
        op.type = "MatMul";
        builder.addOp(std::move(op));
    }
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    const ScopeTree scopes(graph);
    ExpandedScopes open;
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s)
        open.insert(ScopeId(s));
    const GraphScene scene = GraphLayout().layout(graph, scopes, open);
    const Plan plan = Plan::allOn(DeviceId(0), graph.opCount());
    GraphView view;
    view.graph = &graph;
    view.scopes = &scopes;
    view.scene = &scene;
    view.plan = &plan;
    const Theme theme = Theme::light();
    const GraphCamera camera{{-200, -200}, 0.2}; // no room for a title line, nor for text in boxes
    const QImage image = drawGraph(view, camera, kSize, theme);
    double ink = 0;
    for (const SceneNode& node : scene.nodes) {
        const QRectF box(camera.toScreen({node.rect.x, node.rect.y}),
                         QSizeF(node.rect.width, node.rect.height) * camera.scale);
        if (node.op.valid())
            EXPECT_GT(shareOf(image, box.adjusted(1.5, 1.5, -1.5, -1.5), theme.device(DeviceId(0))), 0.6) << node.label;
        else
            ink += shareOf(image, {box.left(), box.top() - 10, box.width(), 16}, theme.text);
    }
    EXPECT_GT(ink, 0.005) << "the frame has its name";
}

TEST_F(GraphMarks, TheLegendHasTheSizeThatWasTold) {
    const GraphView view = m_picture.view(m_scene);
    for (const double room : {400.0, 90.0}) {
        const QSizeF size = legendSize(view, room);
        ASSERT_FALSE(size.isEmpty());
        QImage image(kSize, QImage::Format_RGB32);
        image.fill(Qt::magenta);
        RasterSurface surface(image);
        paintLegend(surface, {590, 10}, view, m_theme, room);
        const QRectF panel({590 - size.width(), 10}, size);
        EXPECT_EQ(shareOf(image, panel.adjusted(2, 2, -2, -2), Qt::magenta), 0);
        EXPECT_EQ(shareOf(image, {0, 0, panel.left() - 2, 500}, Qt::magenta), 1);
        EXPECT_EQ(shareOf(image, {0, panel.bottom() + 2, 600, 500 - panel.bottom() - 2}, Qt::magenta), 1);
    }
}

TEST_F(GraphMarks, ALegendThatSaysThatNoOpHasOneHasASizeToo) {
    const OpColours colours(ColourBy::Priority, {m_picture.graph.get(), nullptr, &m_picture.plan, nullptr, nullptr});
    GraphView view = m_picture.view(m_scene);
    view.colours = &colours;
    EXPECT_GT(legendSize(view, 400).width(), 60);
    EXPECT_GT(legendSize(view, 400).height(), 30);
    view.colours = nullptr;
    view.plan = nullptr;
    EXPECT_TRUE(legendSize(view, 400).isEmpty()) << "there is nothing to explain";
}

TEST_F(GraphMarks, ALegendOfManyClassesKeepsToItsRoom) {
    GraphBuilder builder("types");
    for (int t = 0; t < 30; ++t) {
        Op op;
        op.name = op.type = fmt::format("type{}", t);
        builder.addOp(std::move(op));
    }
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    const OpColours colours(ColourBy::OpType, {&graph});
    GraphView view;
    view.graph = &graph;
    view.colours = &colours;
    const double full = legendSize(view, 1e6).height();
    EXPECT_GT(full, 500);
    EXPECT_LE(legendSize(view, 300).height(), 300);
    EXPECT_GT(legendSize(view, 300).height(), 250);
}

} // namespace
} // namespace opscape
