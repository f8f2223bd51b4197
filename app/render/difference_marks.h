// SPDX-License-Identifier: MIT
// Marks over the picture of a graph: which of its ops other plans have on another device, and how many of a group.
#pragma once

#include "graph_picture.h"

namespace opscape {

/// Per node of the scene, how many ops inside are marked; 0 for open groups, whose boxes inside say it.
[[nodiscard]] std::vector<std::uint32_t> markedOps(const GraphScene& scene, const std::vector<std::uint8_t>& marked);

void paintDifferenceMarks(QPainter& painter, const QSizeF& view, const GraphCamera& camera, const GraphScene& scene,
                          const std::vector<std::uint32_t>& markedOfNode, const Theme& theme);

} // namespace opscape
