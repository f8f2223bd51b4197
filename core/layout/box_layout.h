// SPDX-License-Identifier: MIT
// One scope's children as plain boxes and edges, and where they come to lie. Knows nothing of graphs or scopes.
#pragma once

#include <opscape/layout/geometry.h>

namespace opscape {

struct BoxSize {
    float width = 0, height = 0;
};

struct BoxEdge {
    int from = 0, to = 0;
    friend bool operator==(const BoxEdge&, const BoxEdge&) = default;
};

/// Boxes in their preferred order: where there is a choice, a lower index lies further up and left. Edges are distinct
/// and join different boxes; they may form cycles.
struct BoxProblem {
    std::vector<BoxSize> boxes;
    std::vector<BoxEdge> edges;
};

/// All coordinates from 0,0.
struct BoxLayout {
    std::vector<LayoutPoint> corners; ///< top left, per box
    std::vector<EdgePath> paths;      ///< per edge, from its tail to its head
    float width = 0, height = 0;
};

/// By our own engine alone: arranged and placed (arrangement.h).
[[nodiscard]] BoxLayout layoutBoxes(const BoxProblem& problem);

} // namespace opscape
