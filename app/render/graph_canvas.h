// SPDX-License-Identifier: MIT
// What the parts of the graph's picture share while one picture is drawn.
#pragma once

#include "graph_picture.h"
#include "label.h"

#include <optional>
#include <vector>

namespace opscape {

/// Colours and placement of a view: those that it brings along, else worked out.
class GraphMeaning {
public:
    explicit GraphMeaning(const GraphView& what) : m_what(what) {
        if (what.colours == nullptr)
            m_colours.emplace(ColourBy::Device, ColourSource{what.graph, what.cluster, what.plan, what.cost, nullptr});
        if (what.placement == nullptr)
            m_placement.emplace(*what.graph, *what.scene, colours(), what.plan);
    }
    [[nodiscard]] const OpColours& colours() const { return m_colours ? *m_colours : *m_what.colours; }
    [[nodiscard]] const ScenePlacement& placement() const { return m_placement ? *m_placement : *m_what.placement; }

private:
    const GraphView& m_what;
    std::optional<OpColours> m_colours;
    std::optional<ScenePlacement> m_placement;
};

struct GraphCanvas {
    GraphCanvas(Surface& onto, const GraphCamera& from, const GraphView& shown, const OpColours& by,
                const ScenePlacement& placed, const Theme& look, const QSizeF& size);

    Surface& surface;
    LabelPainter labels;
    const GraphCamera& camera;
    const GraphView& what;
    const OpColours& colours;
    const ScenePlacement& placement;
    const Theme& theme;
    QRectF view;               ///< pixels
    QRectF clip;               ///< the part of the view that the surface takes
    std::vector<QColor> fills; ///< per class; pale where another one is isolated

    [[nodiscard]] const GraphScene& scene() const { return *what.scene; }
    [[nodiscard]] double scale() const { return camera.scale; }
    [[nodiscard]] QPointF screen(LayoutPoint p) const { return camera.toScreen(QPointF(p.x, p.y)); }
    [[nodiscard]] QRectF screen(const LayoutRect& r) const {
        return {camera.toScreen(QPointF(r.x, r.y)), QSizeF(r.width, r.height) * camera.scale};
    }
    [[nodiscard]] QColor fill(int of) const { return of < 0 ? theme.unplaced : fills[static_cast<std::size_t>(of)]; }
    /// Another class is isolated than this one.
    [[nodiscard]] bool isDimmed(int of) const { return what.isolated >= 0 && of != what.isolated; }
    /// The class a scope is drawn in.
    [[nodiscard]] int dominant(int node) const;
    [[nodiscard]] bool critical(OpId op) const {
        return what.critical != nullptr && op.index() < what.critical->size() && (*what.critical)[op.index()] != 0;
    }
};

/// 0 below `low`, 1 above `high`, smooth between: detail fades in, nothing pops.
[[nodiscard]] inline double fade(double value, double low, double high) {
    const double t = value <= low ? 0 : value >= high ? 1 : (value - low) / (high - low);
    return t * t * (3 - 2 * t);
}

[[nodiscard]] inline QColor withAlpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(colour.alphaF() * alpha));
    return colour;
}

} // namespace opscape
