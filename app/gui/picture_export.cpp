// SPDX-License-Identifier: MIT
#include "gui/picture_export.h"

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kMargin = 24;
constexpr double kLegendWidth = 220; ///< kept free at the right of a whole graph
constexpr double kMostPixels = 64e6; ///< of a whole graph; a larger one is drawn smaller
constexpr double kMostSide = 16'000;
constexpr int kWholeScheduleWidth = 1920;

} // namespace

PictureExport graphPicture(const Session& session, const GraphWidget& canvas, const Theme& theme, bool whole) {
    QSize size = canvas.size();
    GraphCamera camera = canvas.camera();
    const auto scene = canvas.scene();
    if (whole) {
        const double width = scene->width + 2 * kMargin, height = scene->height + 2 * kMargin;
        const double scale =
            std::min({1.0, std::sqrt(kMostPixels / (width * height)), kMostSide / std::max(width, height)});
        const bool legend = session.shown() != nullptr;
        size = QSize(static_cast<int>(std::ceil(width * scale + (legend ? kLegendWidth : 0))),
                     std::max(160, static_cast<int>(std::ceil(height * scale))));
        camera.scale = scale;
        camera.origin = QPointF(-kMargin, -kMargin);
    }
    const auto paint = [size, camera, scene, theme, opened = session.opened(), run = session.shown(),
                        selected = session.selection().ops, critical = canvas.criticalShown()](QPainter& painter) {
        GraphView what;
        what.graph = opened->graph.get();
        what.scopes = opened->scopes.get();
        what.scene = scene.get();
        what.selected = &selected;
        if (run) {
            what.cluster = &run->cluster();
            what.plan = &run->outcome->plan;
            what.cost = run->problem().cost.get();
            what.critical = critical ? &run->onCritical : nullptr;
        }
        paintGraph(painter, size, camera, what, theme);
        if (run)
            paintLegend(painter, {size.width() - 10.0, 10.0}, what, theme);
    };
    return {size, theme.background, paint};
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
    const auto paint = [size, camera, run, theme, selected = session.selection().ops,
                        critical = canvas.criticalShown()](QPainter& painter) {
        GanttView what;
        what.selected = &selected;
        what.critical = critical ? &run->critical : nullptr;
        paintGantt(painter, size, camera, run->gantt, what, theme);
    };
    return {size, theme.background, paint};
}

} // namespace opscape
