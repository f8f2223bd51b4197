// SPDX-License-Identifier: MIT
// Writes the boxes of a laid-out graph in the language of Graphviz: a cluster for each open group, ops and closed
// groups as nodes in the colours of the picture, edges between devices in the sender's colour and as wide as their
// bytes. Names may be anything.
#pragma once

#include "graph_picture.h"

#include <filesystem>
#include <string>

namespace opscape {

/// By the extension: .dot or .gv.
[[nodiscard]] bool isDotFile(const std::filesystem::path& file);
/// What lies in a part of the scene, with the edges among it; empty when `watch` ended it.
[[nodiscard]] std::string graphAsDot(const QRectF& part, const GraphView& what, const Theme& theme,
                                     const DrawWatch& watch = {});

} // namespace opscape
