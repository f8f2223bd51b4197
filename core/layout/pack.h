// SPDX-License-Identifier: MIT
// Packs rectangles into a page of about the wanted shape.
#pragma once

#include <opscape/layout/box_layout.h>

namespace opscape {

struct Packing {
    std::vector<LayoutPoint> corners; ///< top left, per rectangle
    float width = 0, height = 0;
};

/// Tallest first on shelves from left to right; low ones are stacked where a shelf has room below them.
[[nodiscard]] Packing packBoxes(const std::vector<BoxSize>& boxes, float gap, float aspect);

} // namespace opscape
