// SPDX-License-Identifier: MIT
#include "workbench_parts.h"

#include "unix_time.h"

#include <opscape/io/plan_json.h>
#include <opscape/sim/simulator.h>

namespace opscape {

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

Result<> judge(Outcome& outcome) {
    auto schedule = simulate(outcome.problem, outcome.plan);
    if (!schedule)
        return fail(schedule.error());
    outcome.schedule = std::move(*schedule);
    outcome.pipeline = pipelineReport(outcome.problem, outcome.plan);
    outcome.bounds = lowerBounds(outcome.problem, outcome.plan);
    return {};
}

void finish(Outcome& outcome, KeptRun& kept, RunStatus status, std::int64_t wallMs) {
    outcome.run.status = status;
    outcome.run.wallMs = wallMs;
    outcome.run.result = resultOf(outcome.schedule, outcome.bounds);
    const Problem& problem = outcome.problem;
    outcome.run.id = kept.finish(status, wallMs, outcome.run.result,
                                 writePlan(*problem.graph, *problem.cluster, outcome.plan), {}, outcome.diagnostics);
}

Result<RunSubject> subjectOf(const RunStore& store, const RunRecord& run, std::shared_ptr<const OpenedGraph> opened) {
    const auto clusterText = store.clusterText(run.clusterHash);
    if (!clusterText)
        return fail(clusterText.error());
    auto parsed = Cluster::parse(*clusterText, originOf(run.id));
    if (!parsed)
        return fail(parsed.error());
    const LinkModel linkModel = parseLinkModel(run.linkModel).value_or(parsed->linkModel());
    auto cluster = std::make_shared<const Cluster>(parsed->withLinkModel(linkModel));
    if (!opened || opened->graph->hash() != run.graphHash) {
        const auto graphText = store.graphText(run.graphHash);
        if (!graphText)
            return fail(graphText.error());
        auto read = readGraph(*graphText, originOf(run.id));
        if (!read)
            return fail(read.error());
        opened = openedFrom(std::move(*read), {});
    }
    return RunSubject{run, std::move(opened), std::move(cluster)};
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
    opened->fusionGroup = std::move(file.fusionGroup);
    opened->isScheduled = file.isScheduled;
    opened->diagnostics = std::move(file.diagnostics);
    opened->cluster = std::move(file.cluster);
    return opened;
}

std::string originOf(std::int64_t run) { return fmt::format("run {}", run); }

} // namespace opscape
