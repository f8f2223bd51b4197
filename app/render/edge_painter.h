// SPDX-License-Identifier: MIT
// Draws the edges of a graph: quiet by default, in the producer's colour and as wide as their bytes where they cross
// devices.
#pragma once

#include "graph_canvas.h"

#include <vector>

namespace opscape {

class EdgePainter {
public:
    explicit EdgePainter(GraphCanvas& canvas);

    /// Edges between boxes that are no higher than this would only be a haze at this scale; they are not drawn.
    [[nodiscard]] static bool isHaze(double boxHeight, double scale);
    /// The edges first .. last - 1, all among the children of one scope.
    void edges(int first, int last);
    /// A highlighted edge between two boxes wherever they lie, above what was drawn before.
    void curve(int from, int to, const QColor& colour, double width, bool dashed);

private:
    struct Style {
        QColor colour;
        double width = 1;
        int order = 0; ///< later ones lie above
    };
    [[nodiscard]] Style style(int index) const;
    [[nodiscard]] bool endInView(const SceneEdge& edge) const;
    void draw(const SceneEdge& edge, const QColor& colour, double width);
    void arrow(QPointF tip, QPointF from, const QColor& colour, double width);

    GraphCanvas& m_canvas;
    std::vector<std::pair<Style, int>> m_shown;
    std::vector<QPointF> m_points;
    double m_arrow; ///< length of an arrow head, pixels; 0: none
};

} // namespace opscape
