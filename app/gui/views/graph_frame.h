// SPDX-License-Identifier: MIT
// Paints the canvas of the graph: the graph itself into an image of its own, then marks, legend and minimap over it.
// Knows where the last two lie, for clicks. The ground, which is the picture without marks, is kept: what is selected
// or under the pointer changes far more often than the rest. With all its edges the ground of a large graph takes
// longer than an event may, so that a worker draws it while a picture with fewer edges is seen.
#pragma once

#include "gui/views/graph_shown.h"

#include <QImage>

#include <optional>

namespace opscape {

/// What is seen, and all that the picture of it depends on.
struct GraphPicture {
    GraphShown shown;
    GraphCamera camera;
    QSize size;
    double pixelRatio = 1;
    Theme theme;

    [[nodiscard]] bool isLike(const GraphPicture& other) const {
        return camera == other.camera && size == other.size && pixelRatio == other.pixelRatio &&
               theme.dark == other.theme.dark && shown == other.shown;
    }
    [[nodiscard]] GraphPicture withoutMarks() const { return {shown.withoutMarks(), camera, size, pixelRatio, theme}; }
};

class GraphFrame {
public:
    /// Draws what is seen; the legend where there is something to explain, the minimap where not all is in view.
    /// `moving`: one of many pictures.
    void paint(QPainter& painter, const GraphPicture& picture, bool moving);
    /// The ground that is to be drawn on a worker: what was painted last lacks some of its edges.
    [[nodiscard]] const std::optional<GraphPicture>& wanted() const { return m_wanted; }
    /// What was painted last lacks nothing.
    [[nodiscard]] bool isWhole() const { return m_whole; }
    /// Called on a worker thread; a null image when `watch` ended it.
    [[nodiscard]] static QImage drawGround(const GraphPicture& ground, const DrawWatch& watch);
    /// From now on it is painted wherever it fits.
    void take(GraphPicture ground, QImage image);

    /// Where a legend of these colours lies, margins included; empty when there is none.
    [[nodiscard]] static QRectF legendArea(QSize size, const GraphView& what);
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
    static void draw(QImage& onto, const GraphPicture& picture, bool moving, const DrawWatch& watch = {});
    void compose(const GraphPicture& picture);
    void overlay(const GraphPicture& picture);
    void paintMinimap(QPainter& painter, const GraphPicture& picture);

    QImage m_ground, m_shown;
    std::optional<GraphPicture> m_groundOf, m_shownOf, m_wanted;
    bool m_whole = false;
    std::vector<QRectF> m_legend;
    QRectF m_minimap;
    GraphCamera m_mapCamera;
    QImage m_map;
    std::optional<GraphPicture> m_mapOf;
};

} // namespace opscape
