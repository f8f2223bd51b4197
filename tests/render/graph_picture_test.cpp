// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <cmath>

namespace opscape {
namespace {

constexpr QSize kSize{600, 500};

class GraphPicture : public testing::TestWithParam<bool> {
protected:
    PictureScene m_picture;
    Theme m_theme = GetParam() ? Theme::darkTheme() : Theme::light();

    static GraphCamera fitted(const GraphScene& scene) {
        return GraphCamera::fit(QRectF(0, 0, scene.width, scene.height), kSize);
    }
    static QRectF boxOf(const GraphScene& scene, const GraphCamera& camera, std::string_view label) {
        for (const SceneNode& node : scene.nodes) {
            if (node.label == label)
                return {camera.toScreen(QPointF(node.rect.x, node.rect.y)),
                        QSizeF(node.rect.width, node.rect.height) * camera.scale};
        }
        ADD_FAILURE() << "no box " << label;
        return {};
    }
};

INSTANTIATE_TEST_SUITE_P(Themes, GraphPicture, testing::Bool(),
                         [](const auto& test) { return test.param ? "dark" : "light"; });

TEST_P(GraphPicture, AnOpIsFilledWithItsDevicesColour) {
    const GraphScene scene = m_picture.scene(true);
    const GraphCamera camera = fitted(scene);
    const QImage image = drawGraph(m_picture.view(scene), camera, kSize, m_theme);
    const std::pair<const char*, std::size_t> expected[] = {{"a", 0}, {"b", 0}, {"c", 1}, {"d", 2}};
    for (const auto& [label, device] : expected) {
        const QRectF box = boxOf(scene, camera, label);
        EXPECT_GT(shareOf(image, box, m_theme.device(DeviceId(device))), 0.5) << label;
        EXPECT_EQ(image.pixel(static_cast<int>(box.right()) - 6, static_cast<int>(box.center().y())),
                  m_theme.device(DeviceId(device)).rgb());
    }
}

TEST_P(GraphPicture, ACollapsedScopeHasABarWithTheShareOfEachDevice) {
    const GraphScene scene = m_picture.scene(false);
    const GraphCamera camera = fitted(scene);
    const QImage image = drawGraph(m_picture.view(scene), camera, kSize, m_theme);
    const QRectF box = boxOf(scene, camera, "dec");
    // device 1 has 3/7 of the time, device 2 has 4/7
    const int y = static_cast<int>(box.bottom() - box.height() * 0.12 - 2);
    int first = 0, second = 0;
    for (int x = static_cast<int>(box.left()); x < static_cast<int>(box.right()); ++x) {
        first += image.pixel(x, y) == m_theme.device(DeviceId(1)).rgb() ? 1 : 0;
        second += image.pixel(x, y) == m_theme.device(DeviceId(2)).rgb() ? 1 : 0;
    }
    EXPECT_GT(first + second, box.width() * 0.7);
    EXPECT_NEAR(static_cast<double>(first) / (first + second), 3.0 / 7, 0.06);
}

TEST_P(GraphPicture, WithoutAPlanOpsAreDrawnInTheNeutralColour) {
    const GraphScene scene = m_picture.scene(true);
    const GraphCamera camera = fitted(scene);
    GraphView view = m_picture.view(scene);
    view.plan = nullptr;
    const QImage image = drawGraph(view, camera, kSize, m_theme);
    EXPECT_GT(shareOf(image, boxOf(scene, camera, "a"), m_theme.unplaced), 0.5);
}

/// Pixels of other colours than the ground, on a horizontal line through the middle of an edge.
int widthOfEdge(const QImage& image, const GraphScene& scene, const GraphCamera& camera, const SceneEdge& edge) {
    const LayoutPoint start = edge.points.front(), end = edge.points.back();
    const QPointF middle = camera.toScreen(QPointF((start.x + end.x) / 2, start.y + (end.y - start.y) * 0.3));
    const QRgb ground = image.pixel(static_cast<int>(middle.x()) - 25, static_cast<int>(middle.y()));
    int width = 0;
    for (int x = -20; x <= 20; ++x)
        width += image.pixel(static_cast<int>(middle.x()) + x, static_cast<int>(middle.y())) != ground ? 1 : 0;
    EXPECT_FALSE(scene.edges.empty());
    return width;
}

TEST_P(GraphPicture, AnEdgeBetweenDevicesIsStronger) {
    const GraphScene scene = m_picture.scene(true);
    const GraphCamera camera = fitted(scene);
    const QImage image = drawGraph(m_picture.view(scene), camera, kSize, m_theme);
    int same = 0, between = 0;
    for (const SceneEdge& edge : scene.edges) {
        const bool crosses =
            m_picture.plan.device[edge.ends[0].first.index()] != m_picture.plan.device[edge.ends[0].second.index()];
        (crosses ? between : same) = widthOfEdge(image, scene, camera, edge);
    }
    EXPECT_GT(same, 0);
    EXPECT_GT(between, same);
}

TEST_P(GraphPicture, TheSelectedOpIsOutlinedAndSoAreItsInputsAndOutputs) {
    const GraphScene scene = m_picture.scene(true);
    const GraphCamera camera = fitted(scene);
    GraphView view = m_picture.view(scene);
    const std::vector<OpId> selected{OpId(1)};
    view.selected = &selected;
    const QImage image = drawGraph(view, camera, kSize, m_theme);
    const QImage plain = drawGraph(m_picture.view(scene), camera, kSize, m_theme);
    const auto ring = [&](const char* label) { return boxOf(scene, camera, label).adjusted(-6, -6, 6, 6); };
    EXPECT_GT(shareOf(image, ring("b"), m_theme.selection), shareOf(plain, ring("b"), m_theme.selection) + 0.02);
    EXPECT_GT(shareOf(image, ring("a"), m_theme.inputHighlight), 0.01);
    EXPECT_GT(shareOf(image, ring("c"), m_theme.outputHighlight), 0.01);
    EXPECT_EQ(shareOf(image, ring("d"), m_theme.outputHighlight), 0);
}

TEST_P(GraphPicture, TheCriticalPathIsMarked) {
    const GraphScene scene = m_picture.scene(true);
    const GraphCamera camera = fitted(scene);
    GraphView view = m_picture.view(scene);
    const std::vector<std::uint8_t> critical{1, 1, 0, 0};
    view.critical = &critical;
    const QImage image = drawGraph(view, camera, kSize, m_theme);
    EXPECT_GT(shareOf(image, boxOf(scene, camera, "a").adjusted(-4, -4, 4, 4), m_theme.critical), 0.01);
    EXPECT_EQ(shareOf(image, boxOf(scene, camera, "d").adjusted(-4, -4, 4, 4), m_theme.critical), 0);
}

TEST_P(GraphPicture, FarFromTheGraphThereIsOnlyBackground) {
    const GraphScene scene = m_picture.scene(true);
    GraphCamera camera = fitted(scene);
    camera.origin += QPointF(scene.width * 20, 0);
    EXPECT_EQ(
        shareOf(drawGraph(m_picture.view(scene), camera, kSize, m_theme), QRectF({0, 0}, kSize), m_theme.background),
        1);
}

TEST_P(GraphPicture, AScopeTooSmallToReadIsABlockOfItsDevices) {
    const GraphScene scene = m_picture.scene(true);
    GraphCamera camera;
    camera.origin = QPointF(-20 / 0.05, -20 / 0.05);
    camera.scale = 0.05;
    const QImage image = drawGraph(m_picture.view(scene), camera, kSize, m_theme);
    const QRectF box = boxOf(scene, camera, "enc");
    ASSERT_LT(box.width(), 12);
    EXPECT_EQ(image.pixel(box.center().toPoint()), m_theme.device(DeviceId(0)).rgb());
}

TEST_P(GraphPicture, EveryZoomCanBeDrawn) {
    const GraphScene scene = m_picture.scene(true);
    for (double scale = 1e-4; scale < 1e4; scale *= 3) {
        GraphCamera camera;
        camera.scale = scale;
        camera.origin = QPointF(scene.width / 2, scene.height / 2) - QPointF(kSize.width(), kSize.height()) / 2 / scale;
        EXPECT_FALSE(drawGraph(m_picture.view(scene), camera, kSize, m_theme).isNull());
    }
}

TEST_P(GraphPicture, TheSamePictureTwiceIsTheSame) {
    const GraphScene scene = m_picture.scene(true);
    const GraphCamera camera = fitted(scene);
    const QImage first = drawGraph(m_picture.view(scene), camera, kSize, m_theme);
    GraphView view = m_picture.view(scene);
    const ScenePlacement kept(*view.graph, scene, view.plan, view.cluster, view.cost);
    view.placement = &kept;
    EXPECT_EQ(first, drawGraph(view, camera, kSize, m_theme));
}

TEST_P(GraphPicture, AnEmptyGraphIsAnEmptyPicture) {
    const GraphScene nothing;
    const Graph graph;
    GraphView view;
    const ScopeTree scopes(graph);
    view.graph = &graph;
    view.scopes = &scopes;
    view.scene = &nothing;
    EXPECT_EQ(shareOf(drawGraph(view, fitted(nothing), kSize, m_theme), QRectF({0, 0}, kSize), m_theme.background), 1);
}

TEST_P(GraphPicture, TheLegendHasARowForEachDevice) {
    const GraphScene scene = m_picture.scene(true);
    const GraphView view = m_picture.view(scene);
    QImage image(kSize, QImage::Format_RGB32);
    image.fill(m_theme.background);
    QPainter painter(&image);
    const std::vector<QRectF> rows = paintLegend(painter, {590, 10}, view, m_theme, 480);
    painter.end();
    ASSERT_EQ(rows.size(), 3U);
    for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_LE(rows[d].right(), 591);
        EXPECT_GT(shareOf(image, rows[d], m_theme.device(DeviceId(d))), 0.02);
        if (d > 0) {
            EXPECT_GE(rows[d].top(), rows[d - 1].bottom() - 0.5);
        }
    }
}

TEST(GraphCamera, FitShowsAllAndTheWayBackIsExact) {
    const QRectF world(10, 20, 3000, 800);
    const GraphCamera camera = GraphCamera::fit(world, {500, 400});
    EXPECT_TRUE(QRectF(0, 0, 500, 400)
                    .contains(QRectF(camera.toScreen(world.topLeft()), camera.toScreen(world.bottomRight()))));
    const QPointF there = camera.toWorld(camera.toScreen(QPointF(123, 456)));
    EXPECT_NEAR(there.x(), 123, 1e-6);
    EXPECT_NEAR(there.y(), 456, 1e-6);
    EXPECT_LE(GraphCamera::fit(QRectF(0, 0, 1, 1), {500, 400}).scale, 2);
    EXPECT_TRUE(std::isfinite(GraphCamera::fit(QRectF(), {0, 0}).scale));
}

TEST(NodeAt, FindsTheInnermostBox) {
    const PictureScene s;
    const GraphScene scene = s.scene(true);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        const LayoutRect& r = scene.nodes[i].rect;
        const bool frame = scene.nodes[i].expanded;
        const QPointF inside(r.x + r.width / 2, frame ? r.y + 4 : r.y + r.height / 2); // the title line of a frame
        EXPECT_EQ(nodeAt(scene, inside), static_cast<int>(i));
    }
    EXPECT_EQ(nodeAt(scene, QPointF(-50, -50)), -1);
}

} // namespace
} // namespace opscape
