// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <render/difference_marks.h>

namespace opscape {
namespace {

TEST(DifferenceMarks, AClosedGroupCountsItsOpsAndAnOpenOneLeavesThemToItsBoxes) {
    const PictureScene picture;
    const std::vector<std::uint8_t> marked{1, 0, 1, 1}; // enc/a, dec/c, dec/d
    const GraphScene closed = picture.scene(false), open = picture.scene(true);
    const auto inGroups = markedOps(closed, marked), inOps = markedOps(open, marked);
    ASSERT_EQ(inGroups.size(), 2U);
    EXPECT_EQ(inGroups[0] + inGroups[1], 3U);
    EXPECT_EQ(std::max(inGroups[0], inGroups[1]), 2U);
    for (std::size_t n = 0; n < open.nodes.size(); ++n) {
        const OpId op = open.nodes[n].op;
        EXPECT_EQ(inOps[n], op.valid() ? marked[op.index()] : 0U) << open.nodes[n].label;
    }
}

TEST(DifferenceMarks, OnlyMarkedBoxesAreMarkedAtAnySize) {
    const PictureScene picture;
    const GraphScene scene = picture.scene(true);
    const auto marks = markedOps(scene, {1, 0, 0, 0});
    const QSize size(600, 400);
    for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
        for (const double zoom : {1.0, 0.02}) { // read with ease; a speck
            GraphCamera camera = GraphCamera::fit(QRectF(0, 0, scene.width, scene.height), size);
            camera.scale *= zoom;
            QImage image(size, QImage::Format_RGB32);
            image.fill(theme.background);
            {
                QPainter painter(&image);
                paintDifferenceMarks(painter, size, camera, scene, marks, theme);
            }
            for (const SceneNode& node : scene.nodes) {
                if (!node.op.valid())
                    continue;
                const QRectF box(camera.toScreen(QPointF(node.rect.x, node.rect.y)),
                                 QSizeF(node.rect.width, node.rect.height) * camera.scale);
                const double share = shareOf(image, box.adjusted(-3, -3, 3, 3), theme.inputHighlight);
                if (node.op == OpId(0)) {
                    EXPECT_GT(share, 0) << zoom;
                } else if (zoom == 1.0) {
                    EXPECT_EQ(share, 0) << node.label;
                }
            }
        }
    }
}

} // namespace
} // namespace opscape
