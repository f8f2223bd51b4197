// SPDX-License-Identifier: MIT
// Walking over a laid-out graph by arrow keys: down to a consumer, up to a producer, sideways to what stands beside.
#pragma once

#include <opscape/layout/graph_layout.h>

namespace opscape {

/// The topmost box that is not an open frame; -1 in an empty scene.
[[nodiscard]] int firstNode(const GraphScene& scene);
/// Where an arrow key (Qt::Key_Up, ...) leads from a node; -1 when there is nothing in that direction. Never an open
/// frame: it leads into it instead.
[[nodiscard]] int neighbourOf(const GraphScene& scene, int node, int key);

} // namespace opscape
