// SPDX-License-Identifier: MIT
// The scene is walked as a tree: a frame outside the view is skipped with all that is in it, and one too small to read
// becomes a block in the colours of its devices, faded over its content as the size changes, so that nothing pops.
#include "graph_picture.h"

#include "edge_painter.h"
#include "node_painter.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace opscape {
namespace {

constexpr double kBlockOnly = 12; ///< a frame smaller than this, pixels, is a block and nothing else
constexpr double kBlockGone = 32; ///< one larger than this is no block at all

/// A long narrow frame can be read while its boxes can; once they are mere lines, its narrow side counts.
double readableSize(const QRectF& box, double scale) {
    const double narrow = std::min(box.width(), box.height());
    return narrow + (std::sqrt(box.width() * box.height()) - narrow) * fade(scale, 0.08, 0.16);
}

struct PendingBlock {
    int end; ///< the node after the frame's last descendant
    int frame;
    double opacity;
};

} // namespace

GraphCamera GraphCamera::fit(const QRectF& world, const QSizeF& view, double margin, double maxScale) {
    GraphCamera camera;
    const double width = std::max(1.0, view.width() - 2 * margin), height = std::max(1.0, view.height() - 2 * margin);
    camera.scale = std::min({maxScale, width / std::max(1.0, world.width()), height / std::max(1.0, world.height())});
    camera.origin = world.center() - QPointF(view.width(), view.height()) / 2 / camera.scale;
    return camera;
}

void paintGraph(QPainter& painter, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                const Theme& theme) {
    std::optional<ScenePlacement> own;
    if (what.placement == nullptr)
        own.emplace(*what.graph, *what.scene, what.plan, what.cluster, what.cost);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    LabelPainter labels(painter);
    GraphCanvas canvas{painter, labels, camera, what, theme, own ? *own : *what.placement, QRectF({0, 0}, view)};
    NodePainter boxes(canvas);
    EdgePainter lines(canvas);

    lines.edges(0, what.scene->topEdges);
    std::vector<PendingBlock> pending;
    const auto& nodes = what.scene->nodes;
    const auto closeFrames = [&](int next) {
        for (; !pending.empty() && pending.back().end <= next; pending.pop_back())
            boxes.block(pending.back().frame, pending.back().opacity);
    };
    for (int i = 0; i < static_cast<int>(nodes.size());) {
        closeFrames(i);
        const SceneNode& node = nodes[i];
        const QRectF box = canvas.screen(node.rect);
        if (!box.adjusted(-4, -4, 4, 4).intersects(canvas.view)) {
            i = node.end;
            continue;
        }
        if (!node.expanded) {
            node.op.valid() ? boxes.op(node) : boxes.collapsed(i);
            ++i;
            continue;
        }
        const double content = fade(readableSize(box, camera.scale), kBlockOnly, kBlockGone);
        if (content <= 0) {
            boxes.block(i, 1);
            i = node.end;
            continue;
        }
        boxes.frame(i);
        lines.edges(node.firstEdge, node.lastEdge);
        if (content < 1)
            pending.push_back({node.end, i, 1 - content});
        ++i;
    }
    closeFrames(static_cast<int>(nodes.size()));
    lines.criticalBoxes();
    boxes.frameNames();
    lines.selection(boxes);
    painter.restore();
}

int nodeAt(const GraphScene& scene, QPointF world) {
    int found = -1;
    for (int i = 0; i < static_cast<int>(scene.nodes.size());) {
        const SceneNode& node = scene.nodes[i];
        const bool inside = QRectF(node.rect.x, node.rect.y, node.rect.width, node.rect.height).contains(world);
        if (inside)
            found = i;
        i = inside ? i + 1 : node.end;
    }
    return found;
}

} // namespace opscape
