// SPDX-License-Identifier: MIT
#include "gui/views/graph_frame.h"

#include "render/raster_surface.h"

#include <algorithm>
#include <cstring>

namespace opscape {
namespace {

constexpr double kMargin = 10;
constexpr QSizeF kLargestMap{220, 160};
constexpr double kLeastMap = 24; ///< the shorter side; of a long thin graph
constexpr double kMapPadding = 4;
constexpr std::size_t kLarge = 5000; ///< boxes and edges: a picture of more takes longer than an event may

bool isLarge(const GraphScene& scene) { return scene.nodes.size() + scene.edges.size() > kLarge; }

} // namespace

QRectF GraphFrame::legendArea(QSize size, const GraphView& what) {
    const QSizeF legend = legendSize(what, size.height() - 2 * kMargin);
    if (legend.isEmpty())
        return {};
    return QRectF({size.width() - kMargin - legend.width(), kMargin}, legend)
        .adjusted(-kMargin, -kMargin, kMargin, kMargin);
}

int GraphFrame::legendRowAt(QPointF position) const {
    const auto row = std::ranges::find_if(m_legend, [&](const QRectF& r) { return r.contains(position); });
    return row == m_legend.end() ? -1 : static_cast<int>(row - m_legend.begin());
}

void GraphFrame::draw(QImage& onto, const GraphPicture& picture, bool moving, const DrawWatch& watch) {
    const QSize pixels = (QSizeF(picture.size) * picture.pixelRatio).toSize();
    if (onto.size() != pixels)
        onto = QImage(pixels, QImage::Format_RGB32);
    onto.setDevicePixelRatio(picture.pixelRatio);
    RasterSurface surface(onto, picture.pixelRatio);
    GraphView what = picture.shown.view();
    what.moving = moving;
    if (!paintGraph(surface, picture.size, picture.camera, what, picture.theme, watch))
        onto = QImage();
}

QImage GraphFrame::drawGround(const GraphPicture& ground, const DrawWatch& watch) {
    QImage image;
    draw(image, ground, false, watch);
    return image;
}

void GraphFrame::take(GraphPicture ground, QImage image) {
    m_ground = std::move(image);
    m_groundOf = std::move(ground);
    m_shownOf.reset();
}

void GraphFrame::compose(const GraphPicture& picture) {
    if (m_shown.size() != m_ground.size())
        m_shown = QImage(m_ground.size(), QImage::Format_RGB32);
    m_shown.setDevicePixelRatio(picture.pixelRatio);
    std::memcpy(m_shown.bits(), m_ground.constBits(), static_cast<std::size_t>(m_ground.sizeInBytes()));
    if (picture.shown.hasMarks()) {
        RasterSurface surface(m_shown, picture.pixelRatio);
        paintGraphMarks(surface, picture.size, picture.camera, picture.shown.view(), picture.theme);
    }
    overlay(picture);
}

void GraphFrame::overlay(const GraphPicture& picture) {
    RasterSurface surface(m_shown, picture.pixelRatio);
    m_legend = paintLegend(surface, {picture.size.width() - kMargin, kMargin}, picture.shown.view(), picture.theme,
                           picture.size.height() - 2 * kMargin);
    m_shownOf = picture;
}

void GraphFrame::paint(QPainter& painter, const GraphPicture& picture, bool moving) {
    m_wanted.reset();
    GraphPicture ground = picture.withoutMarks();
    const bool same = m_shownOf && m_shownOf->isLike(picture);
    bool known = m_groundOf && m_groundOf->isLike(ground);
    if (!known && !moving && !isLarge(*picture.shown.placed.scene)) {
        draw(m_ground, ground, false);
        m_groundOf = ground;
        compose(picture);
        known = true;
    } else if (known && !same) {
        compose(picture);
    } else if (!same) {
        draw(m_shown, picture, true);
        overlay(picture);
    }
    m_whole = known;
    if (!known && !moving)
        m_wanted = std::move(ground);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    painter.drawImage(0, 0, m_shown);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    paintMinimap(painter, picture);
}

void GraphFrame::paintMinimap(QPainter& painter, const GraphPicture& picture) {
    const QSize size = picture.size;
    const GraphCamera& camera = picture.camera;
    const Theme& theme = picture.theme;
    const GraphScene& scene = *picture.shown.placed.scene;
    const QRectF world(0, 0, scene.width, scene.height);
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
    GraphPicture small{picture.shown.withoutMarks(), m_mapCamera, whole, picture.pixelRatio, theme};
    small.shown.critical = false;
    if (!m_mapOf || !m_mapOf->isLike(small)) {
        draw(m_map, small, true);
        m_mapOf = std::move(small);
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
