// SPDX-License-Identifier: MIT
// The only command that needs Qt, which it starts without a display.
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/io/plan_json.h>

#include <QGuiApplication>

#include <render/gantt_picture.h>
#include <render/graph_dot.h>
#include <render/graph_file.h>
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

/// Values for the colours: of a file or of an attribute; empty when neither was named.
Result<std::optional<OpValues>> valuesOf(const RenderArgs& args, const Graph& graph) {
    if (!args.values.empty()) {
        auto values = readValues(args.values, graph);
        if (!values)
            return fail(values.error());
        if (values->strangers > 0)
            printError(fmt::format("{}: {} lines name no op of {}, such as \"{}\"; they are left out.",
                                   args.values.string(), values->strangers, graph.name(), values->firstStranger));
        return std::optional(std::move(*values));
    }
    if (args.attribute.empty())
        return std::optional<OpValues>();
    OpValues values = attributeValues(graph, args.attribute);
    if (values.known == 0 && numberAttributes(graph).empty())
        return fail("{}: no op has a number as attribute \"{}\", nor as any other; choose another --colour-by.",
                    graph.name(), args.attribute);
    if (values.known == 0)
        return fail("{}: no op has a number as attribute \"{}\"; those that have are {}.", graph.name(), args.attribute,
                    fmt::join(numberAttributes(graph), ", "));
    return std::optional(std::move(values));
}

Result<QSize> drawGraph(const RenderArgs& args, const Subject& subject, const Theme& theme, std::stop_token stop) {
    const Graph& graph = *subject.opened->graph;
    const ScopeTree& scopes = *subject.opened->scopes;
    const auto values = valuesOf(args, graph);
    if (!values)
        return fail(values.error());
    GraphLayout layout(defaultLayoutHelper());
    const ExpandedScopes expanded = expandToBudget(scopes, args.boxes);
    GraphScene scene = layout.layout(graph, scopes, expanded);
    if (layout.improve(stop))
        scene = layout.layout(graph, scopes, expanded);
    ColourSource source;
    source.graph = &graph;
    source.values = *values ? &**values : nullptr;
    if (subject.outcome) {
        source.cluster = subject.outcome->problem.cluster.get();
        source.plan = &subject.outcome->plan;
        source.cost = subject.outcome->problem.cost.get();
    }
    const OpColours colours(
        source.values != nullptr ? ColourBy::Value : parseColourBy(args.colourBy).value_or(ColourBy::Device), source);
    const ScenePlacement placement(graph, scene, colours, source.plan,
                                   subject.outcome ? std::span(subject.outcome->problem.pins)
                                                   : std::span<const DeviceId>());
    GraphView view;
    view.graph = &graph;
    view.scopes = &scopes;
    view.scene = &scene;
    view.cluster = source.cluster;
    view.plan = source.plan;
    view.cost = source.cost;
    view.colours = &colours;
    view.placement = &placement;
    const GraphPage page =
        args.width > 0 ? fittedGraph(view, QSize(args.width, args.height)) : wholeGraph(view, args.output);
    ProgressLine line(args.output.string());
    RunContext context;
    context.stop = std::move(stop);
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    const auto written = writeGraphPicture(args.output, page, view, theme, context);
    if (!written)
        return fail(written.error());
    return page.size;
}

Result<QSize> drawGantt(const RenderArgs& args, const Outcome& outcome, const Theme& theme,
                        const std::stop_token& stop) {
    const GanttData data(outcome.problem, outcome.plan, outcome.schedule);
    std::vector<CriticalSegment> critical;
    if (!stop.stop_requested())
        critical = criticalPath(outcome.problem, outcome.plan, outcome.schedule);
    GanttView view;
    view.critical = &critical;
    constexpr double kWidth = 1600;
    const QSizeF wanted(kWidth, ganttHeight(data));
    const QSize size = args.width > 0 ? QSize(args.width, args.height) : (wanted * ownScale(wanted)).toSize();
    const GanttCamera camera = GanttCamera::fit(std::max<std::int64_t>(1, outcome.schedule.makespanNs), size.width());
    const auto written = writePicture(args.output, size, theme.background, [&](QPainter& painter) {
        if (!stop.stop_requested())
            paintGantt(painter, size, camera, data, view, theme);
        return !stop.stop_requested();
    });
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
    // Opening and simulating cannot be stopped in between. Nothing is written by then, so that an interrupt may end the
    // program as it is; from here on it is heard.
    const auto subject = subjectOf(global, args);
    if (!subject)
        return fail(subject.error());
    const Interrupt interrupt;
    qInstallMessageHandler(dropRemarks);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int argc = 1;
    char name[] = "opscape-cli";
    char* argv[] = {name, nullptr};
    const QGuiApplication application(argc, argv);
    const Theme theme = args.theme == "dark" ? Theme::darkTheme() : Theme::light();
    const std::string what = !args.what.empty() ? args.what : subject->outcome ? "gantt" : "graph";
    const auto size = what == "gantt" ? drawGantt(args, *subject->outcome, theme, interrupt.token())
                                      : drawGraph(args, *subject, theme, interrupt.token());
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
    if (isDotFile(args.output)) // has no size
        fmt::print("{}: the {} for Graphviz\n", args.output.string(), what);
    else
        fmt::print("{}: the {}, {} x {}\n", args.output.string(), what, size->width(), size->height());
    if (subject->outcome)
        fmt::print("{}, step time {} on {} with {} links\n", subject->outcome->run.graphName,
                   formatTime(subject->outcome->schedule.makespanNs), subject->outcome->run.clusterId,
                   subject->outcome->run.linkModel);
    return kFine;
}

} // namespace opscape
