// SPDX-License-Identifier: MIT
#include <opscape/layout/edge_path.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

LayoutPoint between(LayoutPoint a, LayoutPoint b, float t) { return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; }

float distance(LayoutPoint a, LayoutPoint b) { return std::hypot(b.x - a.x, b.y - a.y); }

} // namespace

void PathBuilder::line(LayoutPoint to) {
    const LayoutPoint from = m_points.back();
    if (distance(from, to) < 0.01F)
        return;
    m_points.insert(m_points.end(), {between(from, to, 1.0F / 3), between(from, to, 2.0F / 3), to});
}

void PathBuilder::flow(LayoutPoint to) {
    const LayoutPoint from = m_points.back();
    if (std::abs(from.x - to.x) < 0.5F) {
        line(to);
        return;
    }
    const float middle = (from.y + to.y) / 2;
    m_points.insert(m_points.end(), {{from.x, middle}, {to.x, middle}, to});
}

EdgePath roundedPath(std::span<const LayoutPoint> corners, float radius) {
    EdgePath points{corners.front()};
    const auto line = [&](LayoutPoint to) {
        const LayoutPoint from = points.back();
        if (distance(from, to) >= 0.01F)
            points.insert(points.end(), {between(from, to, 1.0F / 3), between(from, to, 2.0F / 3), to});
    };
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const LayoutPoint corner = corners[i];
        const float before = distance(corners[i - 1], corner);
        const float after = distance(corner, corners[i + 1]);
        const float r = std::min({radius, before / 2, after / 2});
        if (r < 0.1F)
            continue;
        line(between(corner, corners[i - 1], r / before));
        const LayoutPoint out = between(corner, corners[i + 1], r / after);
        points.insert(points.end(), {between(points.back(), corner, 0.6F), between(out, corner, 0.6F), out});
    }
    line(corners.back());
    return points;
}

void translate(EdgePath& path, float dx, float dy) {
    for (LayoutPoint& p : path) {
        p.x += dx;
        p.y += dy;
    }
}

LayoutRect boundsOf(const EdgePath& path) {
    if (path.empty())
        return {};
    LayoutPoint low = path.front(), high = path.front();
    for (const LayoutPoint p : path) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    return {low.x, low.y, high.x - low.x, high.y - low.y};
}

} // namespace opscape
