// SPDX-License-Identifier: MIT
// Paints the canvas of the graph: the graph itself into an image of its own, then legend and minimap over it. Knows
// where these two lie, for clicks.
#pragma once

#include "render/graph_picture.h"

#include <QImage>

namespace opscape {

class GraphFrame {
public:
    /// Draws what is seen; the legend where there is something to explain, the minimap where not all is in view.
    void paint(QPainter& painter, QSize size, double pixelRatio, const GraphCamera& camera, const GraphView& what,
               const Theme& theme);

    /// Where a legend of these colours lies, margins included; empty when there is none.
    [[nodiscard]] static QRectF legendArea(QSize size, const GraphView& what, const Theme& theme);
    /// Class of the legend's row at a place, as painted last; -1 when there is none.
    [[nodiscard]] int legendRowAt(QPointF position) const;
    [[nodiscard]] QRectF legendRow(int of) const { return m_legend.at(static_cast<std::size_t>(of)); }
    /// True inside the minimap, as painted last.
    [[nodiscard]] bool minimapContains(QPointF position) const { return m_minimap.contains(position); }
    [[nodiscard]] const QRectF& minimap() const { return m_minimap; }
    /// The place in the scene that a place in the minimap stands for.
    [[nodiscard]] QPointF minimapToWorld(QPointF position) const {
        return m_mapCamera.toWorld(position - m_minimap.topLeft());
    }

private:
    void paintMinimap(QPainter& painter, QSize size, double pixelRatio, const GraphCamera& camera,
                      const GraphView& what, const Theme& theme);

    QImage m_image;
    std::vector<QRectF> m_legend;
    QRectF m_minimap;
    GraphCamera m_mapCamera;
    QImage m_map;
    /// What the map shows; compared, never followed.
    struct MapOf {
        const void* scene = nullptr;
        const void* placement = nullptr;
        bool dark = false;
        int isolated = -1;
        QSize size;
        friend bool operator==(const MapOf&, const MapOf&) = default;
    } m_mapOf;
};

} // namespace opscape
