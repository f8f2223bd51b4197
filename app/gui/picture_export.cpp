// SPDX-License-Identifier: MIT
#include "gui/picture_export.h"

#include "render/graph_file.h"
#include "render/picture_file.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr int kWholeScheduleWidth = 1920;

} // namespace

PictureExport graphPicture(const GraphWidget& canvas, const Theme& theme, bool whole) {
    GraphShown shown = canvas.shown();
    shown.hovered = -1;
    shown.found.clear();
    return [whole, theme, seen = GraphPage{canvas.size(), canvas.camera()},
            shown = std::move(shown)](const std::filesystem::path& file, const RunContext& context) {
        const GraphView what = shown.view();
        return writeGraphPicture(file, whole ? wholeGraph(what, file) : seen, what, theme, context);
    };
}

PictureExport schedulePicture(const Session& session, const GanttWidget& canvas, const Theme& theme, bool whole) {
    QSize size = canvas.size();
    GanttCamera camera = canvas.camera();
    const ShownRunPtr run = canvas.run();
    if (whole) {
        size = QSize(kWholeScheduleWidth, static_cast<int>(std::ceil(ganttHeight(run->gantt))));
        camera = GanttCamera::fit(std::max<std::int64_t>(1, run->outcome->schedule.makespanNs), size.width(),
                                  camera.labelWidth);
    }
    return [size, camera, run, theme, selected = session.selection().ops,
            critical = canvas.criticalShown()](const std::filesystem::path& file, const RunContext& context) {
        GanttView what;
        what.selected = &selected;
        what.critical = critical ? &run->critical : nullptr;
        return writePicture(file, size, theme.background, [&](QPainter& painter) {
            if (!context.stopRequested())
                paintGantt(painter, size, camera, run->gantt, what, theme);
            return !context.stopRequested();
        });
    };
}

} // namespace opscape
