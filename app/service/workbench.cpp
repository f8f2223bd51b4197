// SPDX-License-Identifier: MIT
#include "workbench.h"

#include "curve_keeper.h"
#include "kept_run.h"
#include "zoo_source.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/io/plan_json.h>
#include <opscape/sim/simulator.h>

#include <chrono>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t millisecondsSince(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

std::int64_t unixMs() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

std::shared_ptr<const OpenedGraph> openedFrom(GraphFile file, std::string path) {
    auto opened = std::make_shared<OpenedGraph>();
    opened->graph = std::make_shared<const Graph>(std::move(file.graph));
    opened->scopes = std::make_shared<const ScopeTree>(shownScopes(*opened->graph));
    opened->path = std::move(path);
    opened->format = std::move(file.format);
    opened->fileNodes = file.fileNodes;
    opened->fileEdges = file.fileEdges;
    opened->folded = file.folded;
    opened->diagnostics = std::move(file.diagnostics);
    opened->cluster = std::move(file.cluster);
    return opened;
}

Result<std::shared_ptr<const OpenedGraph>> openFromZoo(const std::string& path) {
    const auto source = ZooSource::parse(path);
    if (!source)
        return fail(source.error());
    auto graph = source->build();
    if (!graph)
        return fail(graph.error());
    GraphFile file;
    file.graph = std::move(*graph);
    file.format = "zoo";
    file.fileNodes = file.graph.opCount();
    file.fileEdges = file.graph.edgeCount();
    if (auto cluster = source->publishedCluster())
        file.cluster = std::make_shared<const Cluster>(std::move(*cluster));
    return openedFrom(std::move(file), source->text());
}

/// What is known of a run before it begins.
RunRecord recordOf(const OpenedGraph& opened, const Cluster& cluster, std::string kind) {
    RunRecord run;
    run.kind = std::move(kind);
    run.graphHash = opened.graph->hash();
    run.graphName = opened.graph->name();
    run.graphPath = opened.path;
    run.ops = static_cast<std::int64_t>(opened.graph->opCount());
    run.edges = static_cast<std::int64_t>(opened.graph->edgeCount());
    run.clusterHash = cluster.hash();
    run.clusterId = cluster.id();
    run.linkModel = toString(cluster.linkModel());
    run.version = OPSCAPE_VERSION;
    run.startedMs = unixMs();
    return run;
}

RunResult resultOf(const Schedule& schedule, const Bounds& bounds) {
    return {schedule.makespanNs, bounds.bestNs, schedule.peakBytes, schedule.bytesMoved, schedule.feasible};
}

/// Judges the plan of an outcome: its schedule and bounds.
Result<> judge(Outcome& outcome) {
    auto schedule = simulate(outcome.problem, outcome.plan);
    if (!schedule)
        return fail(schedule.error());
    outcome.schedule = std::move(*schedule);
    outcome.pipeline = pipelineReport(outcome.problem, outcome.plan);
    outcome.bounds = lowerBounds(outcome.problem, outcome.plan);
    return {};
}

/// Completes the record of a judged plan and ends its row.
void finish(Outcome& outcome, KeptRun& kept, RunStatus status, std::int64_t wallMs) {
    outcome.run.status = status;
    outcome.run.wallMs = wallMs;
    outcome.run.result = resultOf(outcome.schedule, outcome.bounds);
    const Problem& problem = outcome.problem;
    outcome.run.id = kept.finish(status, wallMs, outcome.run.result,
                                 writePlan(*problem.graph, *problem.cluster, outcome.plan), {}, outcome.diagnostics);
}

/// Nothing thrown leaves the workbench: its callers are worker threads.
auto guarded(const auto& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail("there is not enough memory for this graph; close other programs or try a smaller graph.");
    } catch (const std::exception& error) {
        return fail("the run failed unexpectedly: {}.", error.what());
    }
}

} // namespace

Result<std::shared_ptr<const Cluster>> chooseCluster(const OpenedGraph& opened, const std::string& pathOrName) {
    if (pathOrName.empty() && opened.cluster)
        return opened.cluster;
    auto cluster = Cluster::load(pathOrName.empty() ? kDefaultCluster : pathOrName);
    if (!cluster)
        return fail(cluster.error());
    return std::make_shared<const Cluster>(std::move(*cluster));
}

Workbench::Workbench(std::filesystem::path database)
    : m_database(database.empty() ? RunStore::defaultFile() : std::move(database)) {
    m_plugins = loadPlugins(pluginFolder(), m_registry);
}

Result<std::shared_ptr<const OpenedGraph>> Workbench::openGraph(const std::filesystem::path& file) {
    if (ZooSource::isMeant(file.string()))
        return openFromZoo(file.string());
    auto read = readGraph(file);
    if (!read)
        return fail(read.error());
    std::error_code ec;
    const std::filesystem::path absolute = std::filesystem::absolute(file, ec); // the run is looked at from elsewhere
    return openedFrom(std::move(*read), (ec ? file : absolute).string());
}

Result<Outcome> Workbench::optimize(std::shared_ptr<const OpenedGraph> opened, std::shared_ptr<const Cluster> cluster,
                                    const OptimizeRequest& request, const RunContext& context) const {
    return guarded([&]() -> Result<Outcome> {
        const auto info = m_registry.optimizer(request.optimizer);
        if (!info)
            return fail(info.error());
        Options options((*info)->options);
        for (const auto& [name, value] : request.options) {
            if (auto set = options.set(name, value); !set)
                return fail("optimizer {}: {}", request.optimizer, set.error().message);
        }
        if (!request.pins.empty() && !(*info)->honoursPins)
            return fail("optimizer {} cannot keep pinned ops on their devices; unpin them or choose another optimizer.",
                        request.optimizer);
        auto optimizer = m_registry.makeOptimizer(request.optimizer);
        if (!optimizer)
            return fail(optimizer.error());

        Outcome outcome;
        outcome.opened = opened;
        outcome.problem = makeProblem(opened->graph, cluster, outcome.diagnostics);
        outcome.problem.decide = (*info)->decides;
        outcome.problem.pins = request.pins;
        outcome.problem.start = request.start;
        outcome.problem.objective = request.objective.value_or((*info)->objectives.front());
        outcome.run = recordOf(*opened, *cluster, "optimize");
        outcome.run.optimizer = request.optimizer;
        outcome.run.revision = (*info)->revision;
        outcome.run.objective = toString(outcome.problem.objective);
        outcome.run.options = options.toMap();
        if (request.finish.fuser)
            outcome.run.options["fuser"] = toString(*request.finish.fuser);
        if (request.finish.scheduler)
            outcome.run.options["scheduler"] = toString(*request.finish.scheduler);
        outcome.run.seed = request.seed;
        KeptRun kept;
        kept.begin(m_database, outcome.run, *opened->graph, *cluster, outcome.diagnostics);

        RunContext ours = context;
        ours.seed = request.seed;
        ours.progress = [&outcome, &context](const Progress& progress) {
            outcome.verdict = progress.verdict;
            context.report(progress);
        };
        CurveKeeper curve(m_database, kept.id());
        ours.baselines = [&curve, &context](const std::vector<NamedTime>& baselines) {
            curve.setBaselines(baselines);
            if (context.baselines)
                context.baselines(baselines);
        };
        ours.curve = [&curve, &context](const CurvePoint& point) {
            curve.add(point);
            if (context.curve)
                context.curve(point);
        };
        const auto start = Clock::now();
        auto plan = (*optimizer)->solve(outcome.problem, options, ours);
        if (plan) {
            auto finishedPlan = finished(outcome.problem, *plan, request.finish, ours);
            if (!finishedPlan || *finishedPlan != *plan)
                outcome.verdict.clear(); // it was about the optimizer's plan
            plan = std::move(finishedPlan);
        }
        const std::int64_t wallMs = millisecondsSince(start);
        const bool stopped = context.stopRequested();
        outcome.run.learns = curve.finish(outcome.diagnostics);
        Result<> judged;
        if (plan) {
            outcome.plan = std::move(*plan);
            judged = judge(outcome);
        } else {
            judged = fail(plan.error());
        }
        if (!judged) {
            std::ignore = kept.finish(stopped ? RunStatus::Cancelled : RunStatus::Failed, wallMs, std::nullopt, {},
                                      judged.error().message, outcome.diagnostics);
            return fail(judged.error());
        }
        finish(outcome, kept, stopped ? RunStatus::Cancelled : RunStatus::Finished, wallMs);
        return outcome;
    });
}

Result<Outcome> Workbench::simulatePlan(std::shared_ptr<const OpenedGraph> opened,
                                        std::shared_ptr<const Cluster> cluster, const Plan& plan, bool keep,
                                        const std::string& notes) const {
    return guarded([&]() -> Result<Outcome> {
        Outcome outcome;
        outcome.opened = opened;
        outcome.problem = makeProblem(opened->graph, cluster, outcome.diagnostics);
        outcome.plan = plan;
        outcome.run = recordOf(*opened, *cluster, "simulate");
        outcome.run.notes = notes;
        KeptRun kept;
        if (keep)
            kept.begin(m_database, outcome.run, *opened->graph, *cluster, outcome.diagnostics);
        const auto start = Clock::now();
        const auto judged = judge(outcome);
        const std::int64_t wallMs = millisecondsSince(start);
        if (!judged) {
            std::ignore =
                kept.finish(RunStatus::Failed, wallMs, std::nullopt, {}, judged.error().message, outcome.diagnostics);
            return fail(judged.error());
        }
        finish(outcome, kept, RunStatus::Finished, wallMs);
        return outcome;
    });
}

Result<std::int64_t> Workbench::keep(const Finding& finding) const {
    return guarded([&]() -> Result<std::int64_t> {
        Outcome outcome;
        outcome.opened = finding.opened;
        outcome.problem = finding.problem;
        outcome.plan = finding.plan;
        const Cluster& cluster = *finding.problem.cluster;
        const RunRecord& about = finding.about;
        outcome.run = recordOf(*finding.opened, cluster, "optimize");
        outcome.run.optimizer = about.optimizer;
        outcome.run.revision = about.revision;
        outcome.run.options = about.options;
        outcome.run.seed = about.seed;
        outcome.run.notes = about.notes;
        outcome.run.startedMs = about.startedMs;
        outcome.run.objective = toString(finding.problem.objective);
        if (auto judged = judge(outcome); !judged)
            return fail(judged.error());
        KeptRun kept;
        kept.begin(m_database, outcome.run, *finding.opened->graph, cluster, outcome.diagnostics);
        CurveKeeper curve(m_database, kept.id());
        if (!finding.curve.baselines.empty())
            curve.setBaselines(finding.curve.baselines);
        for (const CurvePoint& point : finding.curve.points)
            curve.add(point);
        outcome.run.learns = curve.finish(outcome.diagnostics);
        finish(outcome, kept, RunStatus::Finished, about.wallMs);
        if (outcome.run.id > 0)
            return outcome.run.id;
        for (const Diagnostic& entry : outcome.diagnostics.entries()) {
            if (entry.code == "run-not-kept" && !entry.examples.empty())
                return fail("{}", entry.examples.front());
        }
        return fail("the run could not be kept.");
    });
}

Result<Outcome> Workbench::restore(std::int64_t runId, std::shared_ptr<const OpenedGraph> opened) const {
    return guarded([&]() -> Result<Outcome> {
        const auto store = openStore();
        if (!store)
            return fail(store.error());
        auto run = store->get(runId);
        if (!run)
            return fail(run.error());
        const auto planText = store->planText(runId);
        if (!planText)
            return fail(planText.error());
        const std::string origin = fmt::format("run {}", runId);

        const auto clusterText = store->clusterText(run->clusterHash);
        if (!clusterText)
            return fail(clusterText.error());
        auto parsed = Cluster::parse(*clusterText, origin);
        if (!parsed)
            return fail(parsed.error());
        const LinkModel linkModel = parseLinkModel(run->linkModel).value_or(parsed->linkModel());
        const auto cluster = std::make_shared<const Cluster>(parsed->withLinkModel(linkModel));

        if (!opened || opened->graph->hash() != run->graphHash) {
            const auto graphText = store->graphText(run->graphHash);
            if (!graphText)
                return fail(graphText.error());
            auto read = readGraph(*graphText, origin);
            if (!read)
                return fail(read.error());
            opened = openedFrom(std::move(*read), {});
        }

        Outcome outcome;
        outcome.opened = opened;
        outcome.problem = makeProblem(opened->graph, cluster, outcome.diagnostics);
        auto plan = readPlan(*planText, origin, *opened->graph, *cluster);
        if (!plan)
            return fail(plan.error());
        outcome.plan = std::move(*plan);
        outcome.run = std::move(*run);
        outcome.problem.objective = parseObjective(outcome.run.objective).value_or(Objective::StepTime);
        if (auto judged = judge(outcome); !judged)
            return fail(judged.error());
        if (outcome.run.result && outcome.run.result->makespanNs != outcome.schedule.makespanNs)
            outcome.diagnostics.add(
                Severity::Warning, "run-differs", "Kept runs that this version simulates differently",
                fmt::format("run {}, made by version {}: {} then, {} now", runId, outcome.run.version,
                            formatTime(outcome.run.result->makespanNs), formatTime(outcome.schedule.makespanNs)));
        return outcome;
    });
}

} // namespace opscape
