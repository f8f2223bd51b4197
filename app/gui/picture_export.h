// SPDX-License-Identifier: MIT
// Pictures to be written to a file: what is seen of the graph or the schedule, or all of it. Made of shared values, so
// that a worker thread can paint them.
#pragma once

#include "gui/views/gantt_widget.h"
#include "gui/views/graph_widget.h"

namespace opscape {

/// Writes to a file; called on a worker thread.
using PictureExport = std::function<Result<>(const std::filesystem::path& file, const RunContext& context)>;

/// The canvas shows a scene.
[[nodiscard]] PictureExport graphPicture(const GraphWidget& canvas, const Theme& theme, bool whole);
[[nodiscard]] PictureExport schedulePicture(const Session& session, const GanttWidget& canvas, const Theme& theme,
                                            bool whole);

} // namespace opscape
