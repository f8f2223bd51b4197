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

PictureExport graphPicture(const Session& session, const GraphWidget& canvas, const Theme& theme, bool whole) {
    return [whole, theme, seen = GraphPage{canvas.size(), canvas.camera()}, opened = session.opened(),
            placed = canvas.placed(), isolated = canvas.isolated(), selected = session.selection().ops,
            critical = canvas.criticalShown()](const std::filesystem::path& file, const RunContext& context) {
        GraphView what;
        what.graph = opened->graph.get();
        what.scopes = opened->scopes.get();
        what.scene = placed.scene.get();
        what.selected = &selected;
        what.colours = placed.colours.get();
        what.placement = placed.placement.get();
        what.isolated = isolated;
        if (const ShownRun* run = placed.run.get()) {
            what.cluster = &run->cluster();
            what.plan = &run->outcome->plan;
            what.cost = run->problem().cost.get();
            what.critical = critical ? &run->onCritical : nullptr;
        }
        return writeGraphPicture(file, whole ? wholeGraph(what, theme, file) : seen, what, theme, context);
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
            critical = canvas.criticalShown()](const std::filesystem::path& file, const RunContext&) {
        GanttView what;
        what.selected = &selected;
        what.critical = critical ? &run->critical : nullptr;
        return writePicture(file, size, theme.background, [&](QPainter& painter) {
            paintGantt(painter, size, camera, run->gantt, what, theme);
            return true;
        });
    };
}

} // namespace opscape
