// SPDX-License-Identifier: MIT
// Draws the boxes of a graph: ops, collapsed scopes, frames of expanded ones, and blocks where a frame is too small to
// read.
#pragma once

#include "graph_canvas.h"

#include <vector>

namespace opscape {

class NodePainter {
public:
    explicit NodePainter(GraphCanvas& canvas) : m_canvas(canvas) {}

    void op(int index);
    void collapsed(int index);
    void frame(int index);
    /// A box that is no frame, once more above what was drawn since.
    void again(int index);
    /// A scope as one block in the colours of its devices, as opaque as told.
    void block(int index, double opacity);
    /// The frame is named with those whose title line cannot be read, though it is not drawn itself.
    void nameLater(int index) { m_named.push_back(index); }
    [[nodiscard]] QColor frameFill(const SceneNode& node) const {
        return node.depth % 2 == 0 ? m_canvas.theme.frameFill : m_canvas.theme.background;
    }
    /// Names of frames whose own title line is too small to read; drawn last, they never overlap each other.
    void frameNames();

private:
    void shareBar(const QRectF& bar, int index, double radius, bool letters, double opacity = 1);
    void opText(const SceneNode& node, const QRectF& box, int of, const QColor& fill, double visible);
    void scopeText(int index, const QRectF& upper, double visible);
    void pin(int index, const QRectF& box);
    [[nodiscard]] QString figures(int index, double width, double size) const;
    [[nodiscard]] QString countText(const SceneNode& node) const;

    GraphCanvas& m_canvas;
    std::vector<BarPart> m_parts;
    std::vector<int> m_named; ///< frames to be named at the end, outer ones first
};

} // namespace opscape
