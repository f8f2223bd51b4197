// SPDX-License-Identifier: MIT
#include "gui/views/graph_frame.h"

#include "render/raster_surface.h"

#include <QPicture>

#include <algorithm>

namespace opscape {
namespace {

constexpr double kMargin = 10;
constexpr QSizeF kLargestMap{220, 160};
constexpr double kLeastMap = 24; ///< the shorter side; of a long thin graph
constexpr double kMapPadding = 4;

} // namespace

QRectF GraphFrame::legendArea(QSize size, const GraphView& what, const Theme& theme) {
    QPicture measured;
    QPainter painter(&measured);
    QRectF area;
    for (const QRectF& row : paintLegend(painter, {size.width() - kMargin, kMargin}, what, theme))
        area = area.united(row);
    return area.isEmpty() ? area : area.adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

int GraphFrame::legendRowAt(QPointF position) const {
    const auto row = std::ranges::find_if(m_legend, [&](const QRectF& r) { return r.contains(position); });
    return row == m_legend.end() ? -1 : static_cast<int>(row - m_legend.begin());
}

void GraphFrame::paint(QPainter& painter, QSize size, double pixelRatio, const GraphCamera& camera,
                       const GraphView& what, const Theme& theme) {
    const QSize pixels = (QSizeF(size) * pixelRatio).toSize();
    if (m_image.size() != pixels)
        m_image = QImage(pixels, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(pixelRatio);
    RasterSurface surface(m_image, pixelRatio);
    paintGraph(surface, size, camera, what, theme);
    m_legend = paintLegend(surface, {size.width() - kMargin, kMargin}, what, theme);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.drawImage(0, 0, m_image);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    paintMinimap(painter, size, pixelRatio, camera, what, theme);
}

void GraphFrame::paintMinimap(QPainter& painter, QSize size, double pixelRatio, const GraphCamera& camera,
                              const GraphView& what, const Theme& theme) {
    const QRectF world(0, 0, what.scene->width, what.scene->height);
    const QRectF seen(camera.origin, QSizeF(size) / camera.scale);
    m_minimap = {};
    if (world.isEmpty() || seen.contains(world) || size.width() < 4 * kLargestMap.width() / 2)
        return;
    const double scale = std::min((kLargestMap.width() - 2 * kMapPadding) / world.width(),
                                  (kLargestMap.height() - 2 * kMapPadding) / world.height());
    const QSizeF map(std::max(kLeastMap, world.width() * scale + 2 * kMapPadding),
                     std::max(kLeastMap, world.height() * scale + 2 * kMapPadding));
    const QSize whole = map.toSize();
    m_minimap =
        QRectF(QPointF(size.width() - kMargin - whole.width(), size.height() - kMargin - whole.height()), whole);
    m_mapCamera = GraphCamera::fit(world, whole, kMapPadding);
    const MapOf of{what.scene, what.placement, theme.dark, what.isolated, (QSizeF(whole) * pixelRatio).toSize()};
    if (of != m_mapOf) {
        m_mapOf = of;
        m_map = QImage(of.size, QImage::Format_RGB32);
        m_map.setDevicePixelRatio(pixelRatio);
        GraphView plain = what;
        plain.selected = nullptr;
        plain.critical = nullptr;
        plain.hovered = -1;
        plain.moving = true;
        RasterSurface surface(m_map, pixelRatio);
        paintGraph(surface, whole, m_mapCamera, plain, theme);
    }
    painter.drawImage(m_minimap.topLeft(), m_map);
    const QPointF corner = m_minimap.topLeft();
    const QRectF view =
        QRectF(corner + m_mapCamera.toScreen(seen.topLeft()), seen.size() * m_mapCamera.scale).intersected(m_minimap);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.frame, 1));
    painter.drawRect(m_minimap);
    QColor shade = theme.selection;
    shade.setAlphaF(0.14F);
    painter.fillRect(view, shade);
    painter.setPen(QPen(theme.selection, 2));
    // What is seen may be too little to be seen here.
    const QSizeF least(std::max(view.width(), 5.0), std::max(view.height(), 5.0));
    painter.drawRect(QRectF(view.center() - QPointF(least.width(), least.height()) / 2, least));
}

} // namespace opscape
