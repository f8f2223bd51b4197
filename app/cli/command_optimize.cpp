// SPDX-License-Identifier: MIT
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "service/file_plan.h"

#include <opscape/base/paths.h>
#include <opscape/io/plan_json.h>

#include <algorithm>

namespace opscape {
namespace {

void show(const GlobalArgs& global, const ClusterArgs& cluster, const Outcome& outcome) {
    warnIfNotKept(outcome);
    if (global.json)
        printJson(outcomeJson(outcome));
    else
        printText(outcomeText(outcome, cluster.note(*outcome.opened)));
}

/// What becomes of the plan that the graph's own file says.
Result<Outcome> simulateOwn(const Workbench& workbench, const GraphOnCluster& subject, const SimulateArgs& args) {
    auto outcome = workbench.firstLook(subject.opened, subject.cluster, kFirstOptimizer, true, RunContext());
    if (!outcome || outcome->run.optimizer == kAsInFile)
        return outcome;
    for (const Diagnostic& entry : outcome->diagnostics.entries()) {
        if (entry.code == "device-not-in-cluster")
            return fail(
                "{}: its ops are placed on devices that {} lacks, such as {}; choose another --cluster, or name "
                "a plan with --plan.",
                args.file.string(), subject.cluster->id(), entry.examples.front());
    }
    return fail("{}: the file says nothing of a plan, neither what is fused nor in which order or where ops run; name "
                "one with --plan.",
                args.file.string());
}

} // namespace

Result<std::shared_ptr<const Cluster>> ClusterArgs::load(const OpenedGraph& opened) const {
    auto cluster = chooseCluster(opened, name);
    if (const auto model = parseLinkModel(linkModel); cluster && model)
        return std::make_shared<const Cluster>((*cluster)->withLinkModel(*model));
    return cluster;
}

std::string ClusterArgs::note(const OpenedGraph& opened) const {
    if (!name.empty())
        return {};
    return opened.cluster ? " (the graph's own)" : " (the default)";
}

Finish FinishArgs::finish() const {
    Finish finish;
    if (const auto known = parseFuser(fuser))
        finish.fuser = *known;
    if (const auto known = parseScheduler(scheduler))
        finish.scheduler = *known;
    return finish;
}

std::string FinishArgs::note() const {
    return (scheduler.empty() ? "" : ", scheduler " + scheduler) + (fuser.empty() ? "" : ", fuser " + fuser);
}

Result<GraphOnCluster> openOnCluster(const std::filesystem::path& file, const ClusterArgs& args) {
    auto opened = Workbench::openGraph(file);
    if (!opened)
        return fail(opened.error());
    auto cluster = args.load(**opened);
    if (!cluster)
        return fail(cluster.error());
    return GraphOnCluster{std::move(*opened), std::move(*cluster)};
}

Result<Outcome> simulateFile(const Workbench& workbench, const GraphOnCluster& subject,
                             const std::filesystem::path& plan, bool keep) {
    const auto text = readFile(plan);
    if (!text)
        return fail(text.error());
    const auto read = readPlan(*text, plan.string(), *subject.opened->graph, *subject.cluster);
    if (!read)
        return fail(read.error());
    return workbench.simulatePlan(subject.opened, subject.cluster, *read, keep);
}

Result<> checkOutput(const std::filesystem::path& file) {
    std::error_code ec;
    if (std::filesystem::is_directory(file, ec))
        return fail("{}: this is a folder; name a file in it.", file.string());
    if (const auto folder = file.parent_path(); !folder.empty() && !std::filesystem::is_directory(folder, ec))
        return fail("{}: it cannot be written there; name a file in a folder that exists.", file.string());
    return {};
}

Result<int> optimizeCommand(const GlobalArgs& global, const OptimizeArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    // What is asked for is checked before any file is read: a mistake in it is wrong usage.
    const auto info = workbench.registry().optimizer(args.optimizer);
    if (!info) {
        printError(info.error().message);
        return kWrongUsage;
    }
    Options options((*info)->options);
    for (const std::string& pair : args.options) {
        if (auto set = options.setPair(pair); !set) {
            printError(fmt::format("optimizer {}: {}", args.optimizer, set.error().message));
            return kWrongUsage;
        }
    }
    const auto subject = openOnCluster(args.file, args.cluster);
    if (!subject)
        return fail(subject.error());
    const auto& [opened, cluster] = *subject;

    if (!args.output.empty()) {
        if (auto sound = checkOutput(args.output); !sound)
            return fail(sound.error());
    }
    // Said of what decides on fusion by itself; of the others it is plain.
    const auto fuses = std::ranges::find((*info)->options, "fuse", &OptionSpec::name);
    if (!args.finish.fuser.empty() && fuses != (*info)->options.end() && options.flag("fuse"))
        printError(fmt::format("--fuser {} takes the place of what fuse=true decides; leave one of them out.",
                               args.finish.fuser));
    ProgressLine line(args.optimizer);
    RunContext context;
    context.stop = interrupt.token();
    context.pause = interrupt.pause();
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    context.resumed = [&](const Resumed& resumed) {
        line.clear();
        sayResumed(resumed, options.file("resume-from"));
    };
    const OptimizeRequest request{.optimizer = args.optimizer,
                                  .options = options.toMap(),
                                  .seed = args.seed,
                                  .objective = parseObjective(args.objective),
                                  .finish = args.finish.finish()};
    const auto outcome = workbench.optimize(opened, cluster, request, context);
    line.clear();
    if (!outcome)
        return interrupt.failed(outcome.error());
    const bool isCancelled = outcome->run.status == RunStatus::Cancelled;
    if (isCancelled)
        printError("stopped; this is the best plan so far.");
    show(global, args.cluster, *outcome);
    if (!args.output.empty()) {
        if (auto written = writeFile(args.output, writePlan(*opened->graph, *cluster, outcome->plan)); !written)
            return fail(written.error());
    }
    return isCancelled ? kStopped : kFine;
}

Result<int> simulateCommand(const GlobalArgs& global, const SimulateArgs& args) {
    const auto subject = openOnCluster(args.file, args.cluster);
    if (!subject)
        return fail(subject.error());
    const Workbench workbench(global.database);
    const auto outcome =
        args.plan.empty() ? simulateOwn(workbench, *subject, args) : simulateFile(workbench, *subject, args.plan, true);
    if (!outcome)
        return fail(outcome.error());
    show(global, args.cluster, *outcome);
    return kFine;
}

} // namespace opscape
