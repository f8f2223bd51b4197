// SPDX-License-Identifier: MIT
// Builds the path of an edge, piece by piece, as a chain of cubic Bezier curves.
#pragma once

#include <opscape/layout/geometry.h>

#include <span>

namespace opscape {

class PathBuilder {
public:
    explicit PathBuilder(LayoutPoint start) : m_points{start} {}

    /// Straight; a piece of no length is left out.
    void line(LayoutPoint to);
    /// Leaves and arrives vertically.
    void flow(LayoutPoint to);

    [[nodiscard]] EdgePath take() { return std::move(m_points); }

private:
    EdgePath m_points;
};

/// Along the corners, each rounded by `radius` or by half of the shorter side.
[[nodiscard]] EdgePath roundedPath(std::span<const LayoutPoint> corners, float radius);
void translate(EdgePath& path, float dx, float dy);
[[nodiscard]] LayoutRect boundsOf(const EdgePath& path);

} // namespace opscape
