// SPDX-License-Identifier: MIT
#include "workbench.h"

#include "curve_keeper.h"
#include "workbench_parts.h"
#include "zoo_source.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/io/plan_json.h>

namespace opscape {
namespace {

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

Result<Outcome> Workbench::simulatePlan(std::shared_ptr<const OpenedGraph> opened,
                                        std::shared_ptr<const Cluster> cluster, const Plan& plan, bool keep,
                                        const std::string& notes, const std::string& optimizer) const {
    return guarded([&]() -> Result<Outcome> {
        Outcome outcome;
        outcome.opened = opened;
        outcome.problem = makeProblem(opened->graph, cluster, outcome.diagnostics);
        outcome.plan = plan;
        outcome.run = recordOf(*opened, *cluster, "simulate");
        outcome.run.notes = notes;
        outcome.run.optimizer = optimizer;
        KeptRun kept;
        if (keep)
            kept.begin(m_database, outcome.run, *opened->graph, *cluster, outcome.diagnostics);
        const auto start = std::chrono::steady_clock::now();
        const auto judged = judge(outcome);
        const std::int64_t wallMs = millisecondsOf(std::chrono::steady_clock::now() - start);
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
        const auto planText = store->planText(runId);
        if (!planText)
            return fail(planText.error());
        auto subject = reopen(runId, std::move(opened));
        if (!subject)
            return fail(subject.error());

        Outcome outcome;
        outcome.opened = subject->opened;
        outcome.problem = makeProblem(subject->opened->graph, subject->cluster, outcome.diagnostics);
        auto plan = readPlan(*planText, originOf(runId), *subject->opened->graph, *subject->cluster);
        if (!plan)
            return fail(plan.error());
        outcome.plan = std::move(*plan);
        outcome.run = std::move(subject->run);
        outcome.problem.objective = parseObjective(outcome.run.objective).value_or(Objective::StepTime);
        if (outcome.run.learns) {
            if (const auto curve = store->curve(runId); curve && !curve->points.empty())
                outcome.simulations = curve->points.back().simulations;
        }
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
