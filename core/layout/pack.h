// SPDX-License-Identifier: MIT
// Packs rectangles into a page of about the wanted shape.
#pragma once

#include <opscape/layout/box_layout.h>

namespace opscape {

struct Packing {
    std::vector<LayoutPoint> corners; ///< top left, per rectangle
    float width = 0, height = 0;
};

/// Shelves from the top down, on each stacks from left to right, in each rectangles from the top down.
using PackingPlan = std::vector<std::vector<std::vector<int>>>;

/// Tallest first; low ones are stacked where a shelf has room below them.
[[nodiscard]] PackingPlan planPacking(const std::vector<BoxSize>& boxes, float gap, float aspect);
/// For rectangles of any size.
[[nodiscard]] Packing placePacking(const PackingPlan& plan, const std::vector<BoxSize>& boxes, float gap);

} // namespace opscape
