// SPDX-License-Identifier: MIT
#include "cli_subject.h"
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "service/file_plan.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>
#include <opscape/base/units.h>

namespace opscape {
namespace {

/// With the plan of an optimizer, which is kept as a run.
Result<Subject> optimized(const GlobalArgs& global, const ConvertArgs& args, const Interrupt& interrupt) {
    const auto subject = openOnCluster(args.file, args.cluster);
    if (!subject)
        return fail(subject.error());
    ProgressLine line(args.optimizer);
    RunContext context;
    context.stop = interrupt.token();
    context.pause = interrupt.pause();
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    OptimizeRequest request{.optimizer = args.optimizer, .seed = args.seed};
    auto outcome = Workbench(global.database).optimize(subject->opened, subject->cluster, request, context);
    line.clear();
    if (!outcome)
        return fail(outcome.error());
    warnIfNotKept(*outcome);
    return Subject{subject->opened, std::move(*outcome)};
}

/// Fusion and order are a plan's, not a graph's.
void addUnwrittenPlan(const OpenedGraph& opened, Diagnostics& lost) {
    const auto add = [&lost](std::string what) {
        lost.add(Severity::Info, "plan-of-file",
                 "What the file says of a plan, which is no part of the graph; the command simulate makes a run of it, "
                 "which --run writes",
                 std::move(what));
    };
    if (const std::size_t groups = countFused(opened.fusionGroup).groups; groups > 0)
        add(counted(static_cast<std::int64_t>(groups), "fused group"));
    if (opened.isScheduled)
        add("the order of the ops");
}

std::string convertText(const ConvertArgs& args, const GraphFormat& format, const Graph& graph,
                        const WrittenGraph& written) {
    std::string text = fmt::format("{}: {} as {}, {}, {}, {}\n", args.output.string(), graph.name(), format.id,
                                   counted(static_cast<std::int64_t>(graph.opCount()), "op"),
                                   counted(static_cast<std::int64_t>(graph.edgeCount()), "edge"),
                                   formatBytes(static_cast<std::int64_t>(written.bytes.size())));
    return text + problemsText(written.lost, "Not written");
}

} // namespace

Result<int> convertCommand(const GlobalArgs& global, const ConvertArgs& args) {
    const auto format = formatToWrite(args.output, args.format);
    if (!format) {
        printError(format.error().message);
        return kWrongUsage;
    }
    if (auto sound = checkOutput(args.output); !sound)
        return fail(sound.error());
    std::optional<Interrupt> interrupt; // of what goes on long enough to be stopped
    if (!args.optimizer.empty())
        interrupt.emplace();
    auto subject = interrupt ? optimized(global, args, *interrupt)
                             : openSubject(global, args.file, args.cluster, args.plan, args.run);
    if (!subject)
        return interrupt ? interrupt->failed(subject.error()) : fail(subject.error());

    GraphToWrite what{*subject->opened->graph};
    Problem problem;
    if (const auto& outcome = subject->outcome) {
        what.problem = &outcome->problem;
        what.plan = &outcome->plan;
        what.schedule = &outcome->schedule;
    } else if (!args.cluster.name.empty()) {
        auto cluster = args.cluster.load(*subject->opened);
        if (!cluster)
            return fail(cluster.error());
        Diagnostics guesses; // info tells them
        problem = makeProblem(subject->opened->graph, std::move(*cluster), guesses);
        what.problem = &problem;
    }
    auto written = writeGraph(what, **format, args.output);
    if (!written)
        return fail(written.error());
    if (what.plan == nullptr)
        addUnwrittenPlan(*subject->opened, written->lost);
    if (auto done = writeFile(args.output, written->bytes); !done)
        return fail(done.error());
    if (global.json)
        printJson({{"file", args.output.string()},
                   {"format", (*format)->id},
                   {"ops", what.graph.opCount()},
                   {"edges", what.graph.edgeCount()},
                   {"bytes", written->bytes.size()},
                   {"not_written", problemsJson(written->lost)}});
    else
        printText(convertText(args, **format, what.graph, *written));
    return kFine;
}

} // namespace opscape
