// SPDX-License-Identifier: MIT
#include "cli_subject.h"
#include "commands.h"
#include "interrupt.h"
#include "painting.h"
#include "progress_line.h"
#include "report.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/io/schedule_export.h>

#include <render/gantt_file.h>
#include <render/graph_dot.h>
#include <render/graph_file.h>
#include <render/picture_file.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

/// Values for the colours: of a file or of an attribute; empty when neither was named.
Result<std::optional<OpValues>> valuesOf(const RenderArgs& args, const Graph& graph) {
    if (!args.values.empty()) {
        auto values = readValues(args.values, graph);
        if (!values)
            return fail(values.error());
        if (values->strangers > 0)
            printError(values->strangers == 1
                           ? fmt::format("{}: one line names no op of {}, \"{}\"; it is left out.",
                                         args.values.string(), graph.name(), values->firstStranger)
                           : fmt::format("{}: {} lines name no op of {}, such as \"{}\"; they are left out.",
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

/// What the colours cannot tell, said so that nobody looks for it in the picture.
void sayWhatIsMissing(ColourBy by, const Plan* plan) {
    const std::string_view what = by == ColourBy::Priority ? "priorities" : "fused ops";
    if ((by != ColourBy::Priority && by != ColourBy::FusionGroup) ||
        (plan != nullptr && !(by == ColourBy::Priority ? plan->priority.empty() : plan->fusionGroup.empty())))
        return;
    printError(fmt::format("--colour-by {}: {} no {}, so that the ops are of one colour.", toString(by),
                           plan == nullptr ? "without --plan or --run there are" : "the plan has", what));
}

/// What the colours stand for, as asked for; `values` outlives them.
OpColours coloursOf(const RenderArgs& args, const Subject& subject, const std::optional<OpValues>& values) {
    ColourSource source;
    source.graph = subject.opened->graph.get();
    source.values = values ? &*values : nullptr;
    if (subject.outcome) {
        source.cluster = subject.outcome->problem.cluster.get();
        source.plan = &subject.outcome->plan;
        source.cost = subject.outcome->problem.cost.get();
    }
    const ColourBy by =
        source.values != nullptr ? ColourBy::Value : parseColourBy(args.colourBy).value_or(ColourBy::Device);
    sayWhatIsMissing(by, source.plan);
    return {by, source};
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
    const OpColours colours = coloursOf(args, subject, *values);
    const Plan* plan = subject.outcome ? &subject.outcome->plan : nullptr;
    const ScenePlacement placement(graph, scene, colours, plan,
                                   subject.outcome ? std::span(subject.outcome->problem.pins)
                                                   : std::span<const DeviceId>());
    GraphView view;
    view.graph = &graph;
    view.scopes = &scopes;
    view.scene = &scene;
    view.plan = plan;
    if (subject.outcome) {
        view.cluster = subject.outcome->problem.cluster.get();
        view.cost = subject.outcome->problem.cost.get();
    }
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

/// Lanes keep their height, so that a low picture ends before the last of them.
void sayWhatDoesNotFit(const RenderArgs& args, const LaneStack& stack) {
    const auto needed = static_cast<int>(std::ceil(stack.height()));
    const auto cut = std::ranges::count_if(stack.inOrder(), [&](const LaneStack::Slot& slot) {
        return slot.isShown && stack.yOf(slot, 0) + slot.height > args.height;
    });
    if (args.height > 0 && cut > 0)
        printError(fmt::format("--size: {} of {} {} not fit into {} pixels; a height of {} shows all.", cut,
                               counted(static_cast<std::int64_t>(stack.shownCount()), "lane"), cut == 1 ? "does" : "do",
                               args.height, needed));
}

/// The schedule for other programs, by the extension.
Result<> writeSchedule(const RenderArgs& args, const Outcome& outcome, std::stop_token stop) {
    ProgressLine line(args.output.string());
    RunContext context;
    context.stop = std::move(stop);
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    const auto text = args.writesTable()
                          ? writeScheduleCsv(outcome.problem, outcome.plan, outcome.schedule, ScheduleSlice(), context)
                          : writeChromeTrace(outcome.problem, outcome.plan, outcome.schedule, ScheduleSlice(), context);
    if (!text)
        return fail(text.error());
    return writeFile(args.output, *text);
}

Result<QSize> drawGantt(const RenderArgs& args, const Subject& subject, const Theme& theme, std::stop_token stop) {
    const Outcome& outcome = *subject.outcome;
    const auto values = valuesOf(args, *subject.opened->graph);
    if (!values)
        return fail(values.error());
    const OpColours colours = coloursOf(args, subject, *values);
    const GanttData data(outcome.problem, outcome.plan, outcome.schedule);
    std::vector<CriticalSegment> critical;
    if (!stop.stop_requested())
        critical = criticalPath(outcome.problem, outcome.plan, outcome.schedule);
    sayWhatDoesNotFit(args, LaneStack(data));
    GanttView view;
    view.critical = &critical;
    view.colours = &colours;
    constexpr double kWidth = 1600;
    const QSizeF wanted(kWidth, ganttHeight(data));
    GanttPage page;
    page.size = args.width > 0 ? QSize(args.width, args.height) : (wanted * ownScale(wanted)).toSize();
    page.camera = GanttCamera::fit(std::max<std::int64_t>(1, outcome.schedule.makespanNs), page.size.width());
    ProgressLine line(args.output.string());
    RunContext context;
    context.stop = std::move(stop);
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    const auto written = writeGanttPicture(args.output, page, data, view, theme, context);
    if (!written)
        return fail(written.error());
    return page.size;
}

} // namespace

Result<int> renderCommand(const GlobalArgs& global, const RenderArgs& args) {
    if (auto sound = checkOutput(args.output); !sound)
        return fail(sound.error());
    // Opening and simulating cannot be stopped in between. Nothing is written by then, so that an interrupt may end the
    // program as it is; from here on it is heard.
    const auto subject = openSubject(global, args.file, args.cluster, args.plan, args.run);
    if (!subject)
        return fail(subject.error());
    const Interrupt interrupt;
    if (args.writesTable() || args.writesTrace()) {
        if (!subject->outcome)
            return fail("{}: a schedule is written there, but there is no plan; name one with --plan, or a kept run "
                        "with --run.",
                        args.output.string());
        const auto written = writeSchedule(args, *subject->outcome, interrupt.token());
        if (!written)
            return interrupt.failed(written.error());
        const char* kind = args.writesTable() ? "table" : "trace";
        if (global.json)
            printJson(Json{{"file", args.output.string()}, {"what", kind}, {"run", runJson(subject->outcome->run)}});
        else
            printText(fmt::format("{}: the schedule as a {}\n", args.output.string(), kind));
        return kFine;
    }
    const Painting painting;
    const Theme theme = args.theme == "dark" ? Theme::darkTheme() : Theme::light();
    const std::string what = !args.what.empty() ? args.what : subject->outcome ? "gantt" : "graph";
    const auto size = what == "gantt" ? drawGantt(args, *subject, theme, interrupt.token())
                                      : drawGraph(args, *subject, theme, interrupt.token());
    if (!size)
        return interrupt.failed(size.error());
    if (global.json) {
        Json json{
            {"picture", args.output.string()}, {"what", what}, {"width", size->width()}, {"height", size->height()}};
        if (subject->outcome)
            json["run"] = runJson(subject->outcome->run);
        printJson(json);
        return kFine;
    }
    if (isDotFile(args.output)) // has no size
        printText(fmt::format("{}: the {} for Graphviz\n", args.output.string(), what));
    else
        printText(fmt::format("{}: the {}, {} x {}\n", args.output.string(), what, size->width(), size->height()));
    if (subject->outcome)
        printText(fmt::format("{}, step time {} on {} with {} links\n", subject->outcome->run.graphName,
                              formatTime(subject->outcome->schedule.makespanNs), subject->outcome->run.clusterId,
                              subject->outcome->run.linkModel));
    return kFine;
}

} // namespace opscape
