// SPDX-License-Identifier: MIT
#include "compared_colours.h"
#include "delta_picture.h"
#include "difference_marks.h"
#include "graph_file.h"
#include "memory_overlay.h"
#include "painter_surface.h"
#include "report_parts.h"
#include "service/comparison_ops.h"

#include <opscape/base/units.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr int kWidth = 1200;
constexpr int kLeastGraph = 260, kMostGraph = 1100; ///< height, pixels

QString numbered(const ReportRequest& request, std::size_t plan) {
    return QStringLiteral("%1  %2").arg(plan + 1).arg(QString::fromStdString(request.plans[plan].title));
}

std::int64_t longestNs(const ReportRequest& request) {
    std::int64_t longest = 1;
    for (const ReportPlan& plan : request.plans)
        longest = std::max(longest, plan.outcome->schedule.makespanNs);
    return longest;
}

void addSchedules(std::vector<ReportPicture>& pictures, const ReportRequest& request, const Theme& theme) {
    const std::int64_t longest = longestNs(request);
    for (std::size_t i = 0; i < request.plans.size(); ++i) {
        const OutcomePtr outcome = request.plans[i].outcome;
        const auto data = std::make_shared<const GanttData>(outcome->problem, outcome->plan, outcome->schedule);
        const QSize size(kWidth, static_cast<int>(std::ceil(ganttHeight(*data))));
        pictures.push_back({i == 0 ? QStringLiteral("Schedules on one time axis") : QString(), numbered(request, i),
                            size, [outcome, data, size, longest, theme](QPainter& painter) {
                                paintGantt(painter, size, GanttCamera::fit(longest, size.width()), *data, {}, theme);
                            }});
    }
}

void addDeltas(std::vector<ReportPicture>& pictures, const ReportRequest& request, const Theme& theme) {
    const auto sideOf = [](const Outcome& o) { return ScheduledPlan{&o.problem, &o.plan, &o.schedule}; };
    for (std::size_t i = 1; i < request.plans.size(); ++i) {
        const OutcomePtr a = request.plans[0].outcome, b = request.plans[i].outcome;
        const auto data = std::make_shared<const DeltaGantt>(sideOf(*a), sideOf(*b));
        DeltaView view;
        view.nameB = QString::number(i + 1);
        view.colourA = planColour(theme, 0);
        view.colourB = planColour(theme, i);
        const QSize size(kWidth, static_cast<int>(std::ceil(deltaHeight(*data))));
        pictures.push_back({i == 1 ? QStringLiteral("What runs in both, and what is shifted") : QString(),
                            numbered(request, 0) + QStringLiteral("  against  ") + numbered(request, i), size,
                            [a, b, data, size, view, theme](QPainter& painter) {
                                paintDelta(painter, size, GanttCamera::fit(data->endNs(), size.width()), *data, view,
                                           theme);
                            }});
    }
}

void addMemory(std::vector<ReportPicture>& pictures, const ReportRequest& request, const Theme& theme) {
    std::vector<OutcomePtr> kept;
    std::vector<const Problem*> problems;
    std::vector<const Schedule*> schedules;
    std::vector<QString> names;
    for (std::size_t i = 0; i < request.plans.size(); ++i) {
        kept.push_back(request.plans[i].outcome);
        problems.push_back(&kept.back()->problem);
        schedules.push_back(&kept.back()->schedule);
        names.push_back(numbered(request, i));
    }
    const auto data = std::make_shared<const MemoryOverlay>(problems, schedules);
    const QSize size(kWidth, static_cast<int>(std::ceil(memoryHeight(*data))));
    pictures.push_back({QStringLiteral("Memory"), {}, size, [kept, data, size, names, theme](QPainter& painter) {
                            paintMemory(painter, size, GanttCamera::fit(data->endNs(), size.width()), *data, names,
                                        theme);
                        }});
}

/// Marked where any plan has the op elsewhere than the first.
std::vector<std::uint8_t> differingOps(const ReportRequest& request) {
    std::vector<std::uint8_t> differs(request.plans[0].outcome->problem.graph->opCount());
    for (std::size_t i = 1; i < request.plans.size(); ++i) {
        for (const OpDifference& d : differencesOf(*request.plans[0].outcome, *request.plans[i].outcome).ops)
            differs[d.op.index()] = 1;
    }
    return differs;
}

struct DrawnGraph {
    OutcomePtr outcome;
    std::shared_ptr<const GraphScene> scene;
    std::vector<std::uint32_t> marks;

    [[nodiscard]] GraphView view() const {
        GraphView v;
        v.graph = outcome->problem.graph.get();
        v.scopes = outcome->opened->scopes.get();
        v.scene = scene.get();
        v.cluster = outcome->problem.cluster.get();
        v.plan = &outcome->plan;
        v.cost = outcome->problem.cost.get();
        return v;
    }
};

void addGraphs(std::vector<ReportPicture>& pictures, const ReportRequest& request, const RunContext& context,
               const Theme& theme) {
    const OpenedGraph& opened = *request.plans[0].outcome->opened;
    const ExpandedScopes expanded = expandToBudget(*opened.scopes, request.boxes);
    GraphLayout layout(defaultLayoutHelper());
    auto scene = std::make_shared<GraphScene>(layout.layout(*opened.graph, *opened.scopes, expanded));
    if (layout.improve(context.stop))
        *scene = layout.layout(*opened.graph, *opened.scopes, expanded);
    const auto marks = markedOps(*scene, differingOps(request));
    const double aspect = scene->height / std::max(1.0, static_cast<double>(scene->width));
    const QSize size(kWidth, std::clamp(static_cast<int>(aspect * kWidth * 0.75), kLeastGraph, kMostGraph));
    for (std::size_t i = 0; i < request.plans.size(); ++i) {
        const DrawnGraph drawn{request.plans[i].outcome, scene, marks};
        pictures.push_back({i == 0 ? QStringLiteral("Graphs") : QString(), numbered(request, i), size,
                            [drawn, size, theme](QPainter& painter) {
                                const GraphView view = drawn.view();
                                const GraphPage page = fittedGraph(view, size);
                                PainterSurface surface(painter);
                                painter.setRenderHint(QPainter::Antialiasing);
                                paintGraph(surface, size, page.camera, view, theme);
                                paintDifferenceMarks(painter, size, page.camera, *drawn.scene, drawn.marks, theme);
                                paintLegend(surface, {size.width() - 12.0, 12}, view, theme, size.height() - 24);
                            }});
    }
}

} // namespace

std::vector<ReportPicture> reportPictures(const ReportRequest& request, const RunContext& context,
                                          const ReportWatch& watch) {
    const Theme theme = Theme::light(); // it is read on paper, too
    std::vector<ReportPicture> pictures;
    addSchedules(pictures, request, theme);
    addDeltas(pictures, request, theme);
    addMemory(pictures, request, theme);
    if (!watch(0.1, "laying out the graph"))
        return {};
    addGraphs(pictures, request, context, theme);
    return context.stopRequested() ? std::vector<ReportPicture>() : pictures;
}

} // namespace opscape
