// SPDX-License-Identifier: MIT
// The scene is walked as a tree: a frame outside the view is skipped with all that is in it, and one too small to read
// becomes a block in its colours, faded over its content as the size changes, so that nothing pops. Where the view lies
// inside a frame, what is outside that frame cannot be seen, and the walk begins there.
#include "graph_picture.h"

#include "edge_painter.h"
#include "mark_painter.h"
#include "node_painter.h"
#include "painter_surface.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kBlockOnly = 18; ///< a frame smaller than this, pixels, is a block and nothing else
constexpr double kBlockGone = 40; ///< one larger than this is no block at all
/// Where even the largest box in a frame has fewer pixels than the first there is nothing to be made out in it; with
/// more than the second there is.
constexpr double kNothingInside = 2.5, kAllInside = 6;
constexpr int kWatchEvery = 256; ///< nodes

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

/// The frames around the view, outer ones first.
std::vector<int> framesAroundView(const GraphCanvas& canvas) {
    std::vector<int> around;
    const auto& nodes = canvas.scene().nodes;
    const double round = 10; // corners
    const QRectF hidden = canvas.view.adjusted(-round, -round, round, round);
    int end = static_cast<int>(nodes.size());
    for (int i = 0; i < end;) {
        const bool inside = nodes[i].expanded && canvas.screen(nodes[i].rect).contains(hidden);
        if (inside) {
            around.push_back(i);
            end = nodes[i].end;
        }
        i = inside ? i + 1 : nodes[i].end;
    }
    return around;
}

class GraphWalk {
public:
    explicit GraphWalk(GraphCanvas& canvas) : m_canvas(canvas), m_boxes(canvas), m_lines(canvas) {}

    bool draw(const DrawWatch& watch) {
        const auto& nodes = m_canvas.scene().nodes;
        const std::vector<int> around = framesAroundView(m_canvas);
        int first = 0, last = static_cast<int>(nodes.size());
        if (around.empty()) {
            m_canvas.surface.rect(m_canvas.view, m_canvas.theme.background);
            m_lines.edges(0, m_canvas.scene().topEdges);
        } else {
            const SceneNode& inner = nodes[around.back()];
            m_canvas.surface.rect(m_canvas.view, m_boxes.frameFill(inner));
            for (const int frame : around)
                m_boxes.nameLater(frame);
            m_lines.edges(inner.firstEdge, inner.lastEdge);
            first = around.back() + 1;
            last = inner.end;
        }
        for (int i = first; i < last;) {
            if (watch && ++m_seen % kWatchEvery == 0 &&
                !watch(static_cast<double>(i - first) / std::max(1, last - first)))
                return false;
            closeFrames(i);
            i = node(i);
        }
        closeFrames(last);
        MarkPainter marks(m_canvas, m_boxes, m_lines);
        marks.criticalBoxes();
        m_boxes.frameNames();
        marks.draw();
        return true;
    }

private:
    void closeFrames(int next) {
        for (; !m_pending.empty() && m_pending.back().end <= next; m_pending.pop_back())
            m_boxes.block(m_pending.back().frame, m_pending.back().opacity);
    }

    /// Draws node i and returns the next one to be drawn.
    int node(int i) {
        const SceneNode& node = m_canvas.scene().nodes[i];
        const QRectF box = m_canvas.screen(node.rect);
        if (!box.adjusted(-4, -4, 4, 4).intersects(m_canvas.view))
            return node.end;
        if (!node.expanded) {
            if (box.adjusted(-8, -8, 8, 8).intersects(m_canvas.clip))
                node.op.valid() ? m_boxes.op(i) : m_boxes.collapsed(i);
            return i + 1;
        }
        const double content =
            std::min(fade(readableSize(box, m_canvas.scale()), kBlockOnly, kBlockGone),
                     fade(m_canvas.placement.largestInside(i) * m_canvas.scale(), kNothingInside, kAllInside));
        if (content <= 0) {
            if (box.intersects(m_canvas.clip))
                m_boxes.block(i, 1);
            return node.end;
        }
        m_boxes.frame(i);
        if (!EdgePainter::isHaze(m_canvas.placement.largestInside(i), m_canvas.scale()))
            m_lines.edges(node.firstEdge, node.lastEdge);
        if (content < 1)
            m_pending.push_back({node.end, i, 1 - content});
        return i + 1;
    }

    GraphCanvas& m_canvas;
    NodePainter m_boxes;
    EdgePainter m_lines;
    std::vector<PendingBlock> m_pending;
    std::size_t m_seen = 0;
};

} // namespace

GraphCanvas::GraphCanvas(Surface& onto, const GraphCamera& from, const GraphView& shown, const OpColours& by,
                         const ScenePlacement& placed, const Theme& look, const QSizeF& size)
    : surface(onto),
      labels(onto),
      camera(from),
      what(shown),
      colours(by),
      placement(placed),
      theme(look),
      view({0, 0}, size),
      clip(view & onto.clip()) {
    for (int c = 0; c < static_cast<int>(by.classes().size()); ++c) {
        const QColor colour = by.colour(look, c);
        fills.push_back(isDimmed(c) ? Theme::mix(colour, look.background, 0.14) : colour);
    }
}

int GraphCanvas::dominant(int node) const {
    if (what.isolated >= 0) {
        const auto shares = placement.shares(node);
        if (static_cast<std::size_t>(what.isolated) < shares.size() &&
            shares[static_cast<std::size_t>(what.isolated)] > 0)
            return what.isolated;
    }
    return placement.dominant(node);
}

GraphCamera GraphCamera::fit(const QRectF& world, const QSizeF& view, double margin, double maxScale) {
    GraphCamera camera;
    const double width = std::max(1.0, view.width() - 2 * margin), height = std::max(1.0, view.height() - 2 * margin);
    camera.scale = std::min({maxScale, width / std::max(1.0, world.width()), height / std::max(1.0, world.height())});
    camera.origin = world.center() - QPointF(view.width(), view.height()) / 2 / camera.scale;
    return camera;
}

bool paintGraph(Surface& surface, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                const Theme& theme, const DrawWatch& watch) {
    const GraphMeaning meaning(what);
    GraphCanvas canvas(surface, camera, what, meaning.colours(), meaning.placement(), theme, view);
    return GraphWalk(canvas).draw(watch);
}

void paintGraphMarks(Surface& surface, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                     const Theme& theme) {
    const GraphMeaning meaning(what);
    GraphCanvas canvas(surface, camera, what, meaning.colours(), meaning.placement(), theme, view);
    NodePainter boxes(canvas);
    EdgePainter lines(canvas);
    MarkPainter(canvas, boxes, lines).draw();
}

bool paintGraph(QPainter& painter, const QSizeF& view, const GraphCamera& camera, const GraphView& what,
                const Theme& theme, const DrawWatch& watch) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    PainterSurface surface(painter);
    const bool whole = paintGraph(surface, view, camera, what, theme, watch);
    painter.restore();
    return whole;
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
