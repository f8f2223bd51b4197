// SPDX-License-Identifier: MIT
// Draws what is laid over a picture of the graph: what is selected with its inputs and outputs, what a search found,
// what the pointer is on, and the boxes of the critical path.
#pragma once

#include "edge_painter.h"
#include "node_painter.h"

#include <algorithm>

namespace opscape {

class MarkPainter {
public:
    /// Boxes at the ends of highlighted edges are drawn again by `boxes`, so that no line runs over them.
    MarkPainter(GraphCanvas& canvas, NodePainter& boxes, EdgePainter& lines)
        : m_canvas(canvas),
          m_boxes(boxes),
          m_lines(lines),
          m_width(std::clamp(2.2 * canvas.scale(), 1.5, 3.5)) {}

    void criticalBoxes();
    /// Found, selected, under the pointer, in this order.
    void draw();

private:
    void found();
    void selection();
    void outline(int node, const QColor& colour, double width, bool dashed, double gap = 0);
    void mark(const std::vector<int>& nodes, const QColor& colour, double width, bool dashed);

    GraphCanvas& m_canvas;
    NodePainter& m_boxes;
    EdgePainter& m_lines;
    double m_width; ///< of highlighted edges, pixels
};

} // namespace opscape
