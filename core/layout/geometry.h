// SPDX-License-Identifier: MIT
// Points and rectangles of a layout: abstract points, y downwards.
#pragma once

#include <vector>

namespace opscape {

struct LayoutPoint {
    float x = 0, y = 0;
    friend bool operator==(const LayoutPoint&, const LayoutPoint&) = default;
};

struct LayoutRect {
    float x = 0, y = 0, width = 0, height = 0; ///< top left corner and size
    [[nodiscard]] float right() const { return x + width; }
    [[nodiscard]] float bottom() const { return y + height; }
    friend bool operator==(const LayoutRect&, const LayoutRect&) = default;
};

/// A chain of cubic Bezier curves: 3k+1 points.
using EdgePath = std::vector<LayoutPoint>;

} // namespace opscape
