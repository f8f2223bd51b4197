// SPDX-License-Identifier: MIT
// The only command that needs Qt, which it starts without a display.
#include "commands.h"
#include "report.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/io/plan_json.h>

#include <QGuiApplication>
#include <QImage>

#include <render/gantt_picture.h>
#include <render/graph_picture.h>
#include <render/picture_file.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

/// What is drawn: a graph, and what became of it where there is a plan.
struct Subject {
    std::shared_ptr<const OpenedGraph> opened;
    std::optional<Outcome> outcome;
};

Result<Subject> subjectOf(const GlobalArgs& global, const RenderArgs& args) {
    Subject subject;
    if (!args.file.empty()) {
        auto opened = Workbench::openGraph(args.file);
        if (!opened)
            return fail(opened.error());
        subject.opened = std::move(*opened);
    }
    if (args.run != 0) {
        auto outcome = Workbench(global.database).restore(args.run);
        if (!outcome)
            return fail(outcome.error());
        if (subject.opened && subject.opened->graph->hash() != outcome->run.graphHash)
            return fail("{}: run {} is about another graph, {}; leave the file out to draw that.", args.file.string(),
                        args.run, outcome->run.graphName);
        subject.opened = outcome->opened;
        subject.outcome = std::move(*outcome);
    } else if (!args.plan.empty()) {
        const auto cluster = args.cluster.load(*subject.opened);
        if (!cluster)
            return fail(cluster.error());
        const auto text = readFile(args.plan);
        if (!text)
            return fail(text.error());
        const auto plan = readPlan(*text, args.plan.string(), *subject.opened->graph, **cluster);
        if (!plan)
            return fail(plan.error());
        auto outcome = Workbench(global.database).simulatePlan(subject.opened, *cluster, *plan, false);
        if (!outcome)
            return fail(outcome.error());
        subject.outcome = std::move(*outcome);
    }
    return subject;
}

constexpr double kMargin = 24;
constexpr double kMostPixels = 64e6; // of a picture that sizes itself; a larger one is drawn smaller
constexpr double kMostSide = 16'000;

/// As large as the picture needs, within what viewers can show.
QSize ownSize(double width, double height) {
    const double scale =
        std::min({1.0, std::sqrt(kMostPixels / (width * height)), kMostSide / std::max(width, height)});
    return QSizeF(width * scale, height * scale).toSize();
}

double legendWidth(const GraphView& view, const Theme& theme) {
    QImage nowhere(1, 1, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&nowhere);
    const std::vector<QRectF> rows = paintLegend(painter, {}, view, theme);
    return rows.empty() ? 0 : rows.front().width();
}

Result<QSize> drawGraph(const RenderArgs& args, const Subject& subject, const Theme& theme) {
    const Graph& graph = *subject.opened->graph;
    const ScopeTree& scopes = *subject.opened->scopes;
    GraphLayout layout(defaultLayoutHelper());
    const ExpandedScopes expanded = expandToBudget(scopes, args.boxes);
    GraphScene scene = layout.layout(graph, scopes, expanded);
    if (layout.improve())
        scene = layout.layout(graph, scopes, expanded);
    GraphView view;
    view.graph = &graph;
    view.scopes = &scopes;
    view.scene = &scene;
    if (subject.outcome) {
        view.cluster = subject.outcome->problem.cluster.get();
        view.plan = &subject.outcome->plan;
        view.cost = subject.outcome->problem.cost.get();
    }
    // The legend has the right edge to itself.
    const double legend = subject.outcome ? legendWidth(view, theme) + kMargin : 0;
    const QSize size = args.width > 0 ? QSize(args.width, args.height)
                                      : ownSize(std::max(scene.width + 2 * kMargin + legend, 320.0),
                                                std::max(scene.height + 2 * kMargin, 200.0));
    const QSizeF free(std::max(size.width() - legend, size.width() / 2.0), size.height());
    const auto camera = GraphCamera::fit(QRectF(0, 0, scene.width, scene.height), free, kMargin);
    const auto written = writePicture(args.output, size, theme.background, [&](QPainter& painter) {
        paintGraph(painter, size, camera, view, theme);
        if (subject.outcome)
            paintLegend(painter, QPointF(size.width() - kMargin / 2, kMargin / 2), view, theme);
    });
    if (!written)
        return fail(written.error());
    return size;
}

Result<QSize> drawGantt(const RenderArgs& args, const Outcome& outcome, const Theme& theme) {
    const GanttData data(outcome.problem, outcome.plan, outcome.schedule);
    const std::vector<CriticalSegment> critical = criticalPath(outcome.problem, outcome.plan, outcome.schedule);
    GanttView view;
    view.critical = &critical;
    constexpr double kWidth = 1600;
    const QSize size = args.width > 0 ? QSize(args.width, args.height) : ownSize(kWidth, ganttHeight(data));
    const GanttCamera camera = GanttCamera::fit(std::max<std::int64_t>(1, outcome.schedule.makespanNs), size.width());
    const auto written = writePicture(args.output, size, theme.background,
                                      [&](QPainter& painter) { paintGantt(painter, size, camera, data, view, theme); });
    if (!written)
        return fail(written.error());
    return size;
}

/// Stderr is for our own sentences, not for Qt's remarks on the machine, such as a missing XDG_RUNTIME_DIR.
void dropRemarks(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg)
        printError(message.toStdString());
}

} // namespace

Result<int> renderCommand(const GlobalArgs& global, const RenderArgs& args) {
    const auto subject = subjectOf(global, args);
    if (!subject)
        return fail(subject.error());
    qInstallMessageHandler(dropRemarks);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "opscape-cli";
    char* argv[] = {name, nullptr};
    const QGuiApplication application(argc, argv);
    const Theme theme = args.theme == "dark" ? Theme::darkTheme() : Theme::light();
    const std::string what = !args.what.empty() ? args.what : subject->outcome ? "gantt" : "graph";
    const auto size = what == "gantt" ? drawGantt(args, *subject->outcome, theme) : drawGraph(args, *subject, theme);
    if (!size)
        return fail(size.error());
    if (global.json) {
        Json json{
            {"picture", args.output.string()}, {"what", what}, {"width", size->width()}, {"height", size->height()}};
        if (subject->outcome)
            json["run"] = runJson(subject->outcome->run);
        printJson(json);
        return kFine;
    }
    fmt::print("{}: the {}, {} x {}\n", args.output.string(), what, size->width(), size->height());
    if (subject->outcome)
        fmt::print("{}, step time {} on {} with {} links\n", subject->outcome->run.graphName,
                   formatTime(subject->outcome->schedule.makespanNs), subject->outcome->run.clusterId,
                   subject->outcome->run.linkModel);
    return kFine;
}

} // namespace opscape
