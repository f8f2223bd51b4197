// SPDX-License-Identifier: MIT
#include "edge_painter.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace opscape {
namespace {

constexpr double kPlainScale = 0.14; ///< below this, edges are plain lines
constexpr double kShortEdge = 40;    ///< pixels; left out while moving, together with those that cross nothing
constexpr double kNoEdgeBoxes = 2.5; ///< boxes lower than this many pixels: edges would only be a haze

} // namespace

EdgePainter::EdgePainter(GraphCanvas& canvas)
    : m_canvas(canvas),
      m_arrow(canvas.scale() < 0.3 ? 0 : std::clamp(7.5 * canvas.scale(), 4.0, 12.0)) {}

EdgePainter::Style EdgePainter::style(int index) const {
    const SceneEdge& edge = m_canvas.scene().edges[index];
    const double scale = std::clamp(m_canvas.scale(), 0.45, 1.2);
    const Theme& theme = m_canvas.theme;
    const bool quiet = m_canvas.what.isolated >= 0;
    Style style{quiet ? Theme::mix(theme.edge, theme.background, 0.35) : theme.edge, 1.15 * scale, 0};
    if (const auto& c = m_canvas.placement.crossing(index); c.from.valid()) {
        // 1 KiB is hardly wider than any other edge, 1 GiB is five times as wide.
        const double byBytes = std::log2(1 + c.bytes / 1024) * 0.22;
        const bool byDevice = m_canvas.colours.by() == ColourBy::Device;
        const QColor sender = byDevice ? m_canvas.fill(static_cast<int>(c.from.index())) : theme.edge;
        style.colour = quiet && !byDevice ? style.colour : Theme::mix(sender, theme.text, byDevice && quiet ? 1 : 0.88);
        style.width = (1.6 + std::min(byBytes, 4.5)) * scale;
        style.order = 1;
    }
    const auto onPath = [&](const auto& end) { return m_canvas.critical(end.first) && m_canvas.critical(end.second); };
    if (m_canvas.what.critical != nullptr && std::ranges::any_of(edge.ends, onPath)) {
        style.colour = theme.critical;
        style.width = std::max(style.width, 2.4 * scale);
        style.order = 2;
    }
    return style;
}

bool EdgePainter::endInView(const SceneEdge& edge) const {
    const auto& nodes = m_canvas.scene().nodes;
    return m_canvas.screen(nodes[edge.from].rect).intersects(m_canvas.view) ||
           m_canvas.screen(nodes[edge.to].rect).intersects(m_canvas.view);
}

bool EdgePainter::isHaze(double boxHeight, double scale) {
    return scale < kPlainScale && boxHeight * scale < kNoEdgeBoxes;
}

void EdgePainter::edges(int first, int last) {
    m_shown.clear();
    const bool plainOnly = m_canvas.scale() < kPlainScale;
    const QColor haze = Theme::mix(m_canvas.theme.edge, m_canvas.theme.background, 0.5);
    for (int i = first; i < last; ++i) {
        const SceneEdge& edge = m_canvas.scene().edges[i];
        const QRectF bounds = m_canvas.screen(edge.bounds);
        if (!bounds.adjusted(-12, -12, 12, 12).intersects(m_canvas.clip) || bounds.width() + bounds.height() < 2 ||
            !endInView(edge))
            continue;
        if (isHaze(m_canvas.scene().nodes[edge.from].rect.height, m_canvas.scale()))
            continue;
        const Style s = style(i);
        if (m_canvas.what.moving && s.order == 0 && bounds.width() + bounds.height() < kShortEdge)
            continue;
        if (plainOnly && s.order == 0) {
            const std::array ends{m_canvas.screen(edge.points.front()), m_canvas.screen(edge.points.back())};
            m_canvas.surface.line(ends, false, haze, 1);
        } else {
            m_shown.emplace_back(s, i);
        }
    }
    std::ranges::stable_sort(m_shown, {}, [](const auto& entry) { return entry.first.order; });
    for (const auto& [s, index] : m_shown)
        draw(m_canvas.scene().edges[index], s.colour, s.width);
}

void EdgePainter::draw(const SceneEdge& edge, const QColor& colour, double width) {
    m_points.clear();
    for (const LayoutPoint& p : edge.points)
        m_points.push_back(m_canvas.screen(p));
    QPointF& end = m_points.back();
    const QPointF before = m_points[m_points.size() - 2];
    const double length = std::hypot(end.x() - before.x(), end.y() - before.y());
    const double head = m_arrow > 0 ? std::max(m_arrow, 2.2 * width) : 0;
    if (head > 0 && length > 0.01) {
        arrow(end, before, colour, width);
        end += (before - end) / length * std::min(head * 0.8, length * 0.9); // a wide line must not show beside the tip
    }
    m_canvas.surface.line(m_points, edge.curved, colour, width);
}

void EdgePainter::arrow(QPointF tip, QPointF from, const QColor& colour, double width) {
    const double head = std::max(m_arrow, 2.2 * width);
    const QPointF along = (from - tip) / std::hypot(from.x() - tip.x(), from.y() - tip.y()) * head;
    const QPointF side(-along.y() * 0.42, along.x() * 0.42);
    m_canvas.surface.triangle({tip, tip + along + side, tip + along - side}, colour);
}

void EdgePainter::curve(int from, int to, const QColor& colour, double width, bool dashed) {
    const QRectF a = m_canvas.screen(m_canvas.scene().nodes[from].rect),
                 b = m_canvas.screen(m_canvas.scene().nodes[to].rect);
    const QPointF start(a.center().x(), a.bottom()), end(b.center().x(), b.top());
    if (!QRectF(start, end).normalized().adjusted(-200, -200, 200, 200).intersects(m_canvas.view))
        return;
    const double reach =
        std::max({24 * m_canvas.scale(), std::abs(end.y() - start.y()) / 2, std::abs(end.x() - start.x()) / 5});
    const double head = m_arrow > 0 ? m_arrow * 1.2 : 5;
    const std::array path{start, start + QPointF(0, reach), end - QPointF(0, reach), end - QPointF(0, head * 0.8)};
    m_canvas.surface.line(path, true, colour, width, dashed);
    arrow(end, end - QPointF(0, head), colour, width);
}

} // namespace opscape
