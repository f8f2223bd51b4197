// SPDX-License-Identifier: MIT
// A schedule as a file: a picture, or what it says as text. Reports how far it is and may be stopped; a file that is
// there already is then left as it was.
#pragma once

#include "gantt_picture.h"

#include <opscape/base/result.h>
#include <opscape/base/run_context.h>

#include <filesystem>

namespace opscape {

struct GanttPage {
    QSize size;
    GanttCamera camera;
};

/// All lanes of the stack over all of the step.
[[nodiscard]] GanttPage wholeGantt(const GanttData& data, const LaneStack& stack, int width);
/// PNG, SVG or PDF by the file's extension.
[[nodiscard]] Result<> writeGanttPicture(const std::filesystem::path& file, const GanttPage& page,
                                         const GanttData& data, const GanttView& what, const Theme& theme,
                                         const RunContext& context);

} // namespace opscape
