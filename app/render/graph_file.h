// SPDX-License-Identifier: MIT
// Writes the picture of a graph to a file, all of it or what is seen. It can be large: it tells how far it is and ends
// when asked to, and of a PNG's pixels there is never more than a band.
#pragma once

#include "graph_picture.h"

#include <opscape/base/result.h>
#include <opscape/base/run_context.h>

#include <QSize>

#include <filesystem>

namespace opscape {

struct GraphPage {
    QSize size; ///< pixels
    GraphCamera camera;
    bool legend = true;
};

/// The whole graph with its legend beside it, every name readable; a PNG of more pixels than viewers open is drawn
/// smaller.
[[nodiscard]] GraphPage wholeGraph(const GraphView& what, const std::filesystem::path& file);
/// The whole graph on a page of a given size.
[[nodiscard]] GraphPage fittedGraph(const GraphView& what, QSize size);

/// As PNG, SVG, PDF or, of what would be seen, DOT by the file's extension. Where it was stopped nothing is written and
/// that is the error.
[[nodiscard]] Result<> writeGraphPicture(const std::filesystem::path& file, const GraphPage& page,
                                         const GraphView& what, const Theme& theme, const RunContext& context);

} // namespace opscape
