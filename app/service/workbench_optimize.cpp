// SPDX-License-Identifier: MIT
// An optimizer at work on a run: begun here, handed over to another process, or gone on with after it was cut off. A
// run that learns keeps a checkpoint in its folder (run_files.h), unless it was given a file of its own.
#include "curve_keeper.h"
#include "pinned_ops.h"
#include "progress_keeper.h"
#include "run_files.h"
#include "workbench_parts.h"

#include <opscape/io/plan_json.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr const char *kCheckpoint = "checkpoint", *kResumeFrom = "resume-from"; ///< options of what learns
constexpr const char *kFuser = "fuser", *kScheduler = "scheduler";              ///< kept with the options

/// All that a run needs.
struct Prepared {
    Outcome outcome;
    OptimizerInfo info;
    std::unique_ptr<Optimizer> optimizer;
    Options options;
    Finish finish;
};

bool hasOption(const OptimizerInfo& info, std::string_view name) {
    return std::ranges::count(info.options, name, &OptionSpec::name) > 0;
}

Result<Prepared> prepare(const Registry& registry, const std::shared_ptr<const OpenedGraph>& opened,
                         const std::shared_ptr<const Cluster>& cluster, const OptimizeRequest& request) {
    const auto info = registry.optimizer(request.optimizer);
    if (!info)
        return fail(info.error());
    Prepared run;
    run.info = **info;
    run.finish = request.finish;
    run.options = Options(run.info.options);
    for (const auto& [name, value] : request.options) {
        if (auto set = run.options.set(name, value); !set)
            return fail("optimizer {}: {}", request.optimizer, set.error().message);
    }
    if (!request.pins.empty() && !run.info.honoursPins)
        return fail("optimizer {} cannot keep pinned ops on their devices; unpin them or choose another optimizer.",
                    request.optimizer);
    auto optimizer = registry.makeOptimizer(request.optimizer);
    if (!optimizer)
        return fail(optimizer.error());
    run.optimizer = std::move(*optimizer);

    Outcome& outcome = run.outcome;
    outcome.opened = opened;
    outcome.problem = makeProblem(opened->graph, cluster, outcome.diagnostics);
    outcome.problem.decide = run.info.decides;
    outcome.problem.pins = request.pins;
    outcome.problem.start = request.start;
    outcome.problem.objective = request.objective.value_or(run.info.objectives.front());
    outcome.run = recordOf(*opened, *cluster, "optimize");
    outcome.run.optimizer = request.optimizer;
    outcome.run.revision = run.info.revision;
    outcome.run.objective = toString(outcome.problem.objective);
    outcome.run.options = run.optimizer->inForce(run.options).toMap();
    if (request.finish.fuser)
        outcome.run.options[kFuser] = toString(*request.finish.fuser);
    if (request.finish.scheduler)
        outcome.run.options[kScheduler] = toString(*request.finish.scheduler);
    if (std::string pinned = pinnedText(request.pins); !pinned.empty())
        outcome.run.options[kPinnedOption] = std::move(pinned);
    outcome.run.seed = request.seed;
    return run;
}

/// The request that a kept run was begun with, but for its start plan and its pins.
OptimizeRequest requestOf(const RunRecord& run) {
    OptimizeRequest request{.optimizer = run.optimizer, .options = run.options, .seed = run.seed};
    request.objective = parseObjective(run.objective);
    if (const auto fuser = run.options.find(kFuser); fuser != run.options.end())
        request.finish.fuser = parseFuser(fuser->second).value_or(Fuser());
    if (const auto scheduler = run.options.find(kScheduler); scheduler != run.options.end())
        request.finish.scheduler = parseScheduler(scheduler->second).value_or(Scheduler());
    request.options.erase(kPinnedOption);
    request.options.erase(kFuser);
    request.options.erase(kScheduler);
    return request;
}

/// Where a run that learns is begun: what another process needs to go on with it.
void openFiles(const RunFiles& files, Prepared& run) {
    if (!run.info.learns)
        return;
    auto made = files.makeFolder();
    if (made)
        made = files.writeStart(run.outcome.problem);
    if (!made)
        run.outcome.diagnostics.add(Severity::Warning, "not-resumable", "The run cannot be resumed if it is cut off",
                                    made.error().message);
}

/// Solves, simulates, ends the row. What can be resumed leaves its files.
Result<Outcome> carryOut(const std::filesystem::path& database, Prepared& run, KeptRun& kept,
                         const RunContext& context) {
    Outcome& outcome = run.outcome;
    const std::int64_t id = kept.id();
    const RunFiles files(database, id);
    const bool keepsFiles = id != 0 && run.info.learns && files.hasFolder();
    if (keepsFiles && hasOption(run.info, kCheckpoint) && run.options.file(kCheckpoint).empty())
        std::ignore = run.options.set(kCheckpoint, files.checkpoint().string());

    CurveKeeper curve(database, id);
    ProgressKeeper progress(
        database, id, context.pause, [&outcome](const Plan& plan) -> std::optional<ProgressKeeper::Judged> {
            Outcome best;
            best.problem = outcome.problem;
            best.plan = plan;
            if (!judge(best))
                return std::nullopt;
            return ProgressKeeper::Judged{resultOf(best.schedule, best.bounds),
                                          writePlan(*best.problem.graph, *best.problem.cluster, plan)};
        });
    RunContext ours = context;
    ours.seed = outcome.run.seed;
    double secondsBefore = 0;
    if (context.goesOn)
        curve.goOn();
    ours.resumed = [&](const Resumed& resumed) {
        if (context.goesOn && !resumed.onlyNetwork)
            secondsBefore = resumed.seconds;
        if (context.resumed)
            context.resumed(resumed);
    };
    ours.progress = [&](const Progress& now) {
        outcome.verdict = now.verdict;
        outcome.simulations = std::max(outcome.simulations, now.simulations);
        progress.show(now);
        context.report(now);
    };
    ours.baselines = [&](const std::vector<NamedTime>& baselines) {
        curve.setBaselines(baselines);
        if (context.baselines)
            context.baselines(baselines);
    };
    ours.curve = [&](const CurvePoint& point) {
        curve.add(point);
        if (context.curve)
            context.curve(point);
    };
    ours.improved = [&](const Plan& plan, std::int64_t bestNs) {
        progress.improved(plan);
        if (context.improved)
            context.improved(plan, bestNs);
    };
    const auto start = context.now();
    auto plan = run.optimizer->solve(outcome.problem, run.options, ours);
    if (plan) {
        auto finishedPlan = finished(outcome.problem, *plan, run.finish, ours);
        if (!finishedPlan || *finishedPlan != *plan)
            outcome.verdict.clear(); // it was about the optimizer's plan
        plan = std::move(finishedPlan);
    }
    const std::int64_t wallMs = millisecondsOf(context.now() - start) + std::llround(1e3 * secondsBefore);
    const bool stopped = context.stopRequested();
    outcome.run.learns = curve.finish(outcome.diagnostics) || outcome.run.learns;
    progress.finish();
    Result<> judged;
    if (plan) {
        outcome.plan = std::move(*plan);
        judged = judge(outcome);
    } else {
        judged = fail(plan.error());
    }
    if (judged)
        finish(outcome, kept, stopped ? RunStatus::Cancelled : RunStatus::Finished, wallMs);
    else
        std::ignore = kept.finish(stopped ? RunStatus::Cancelled : RunStatus::Failed, wallMs, std::nullopt, {},
                                  judged.error().message, outcome.diagnostics);
    if (keepsFiles && ((judged && !stopped) || !files.hasCheckpoint()))
        files.remove();
    if (!judged)
        return fail(judged.error());
    return std::move(outcome);
}

} // namespace

Result<Outcome> Workbench::optimize(std::shared_ptr<const OpenedGraph> opened, std::shared_ptr<const Cluster> cluster,
                                    const OptimizeRequest& request, const RunContext& context) const {
    return guarded([&]() -> Result<Outcome> {
        auto run = prepare(m_registry, opened, cluster, request);
        if (!run)
            return fail(run.error());
        KeptRun kept;
        kept.begin(m_database, run->outcome.run, *opened->graph, *cluster, run->outcome.diagnostics);
        if (kept.id() != 0)
            openFiles(RunFiles(m_database, kept.id()), *run);
        return carryOut(m_database, *run, kept, context);
    });
}

Result<std::int64_t> Workbench::begin(std::shared_ptr<const OpenedGraph> opened, std::shared_ptr<const Cluster> cluster,
                                      const OptimizeRequest& request) const {
    return guarded([&]() -> Result<std::int64_t> {
        auto run = prepare(m_registry, opened, cluster, request);
        if (!run)
            return fail(run.error());
        KeptRun kept;
        kept.begin(m_database, run->outcome.run, *opened->graph, *cluster, run->outcome.diagnostics);
        const std::int64_t id = kept.id();
        if (id != 0)
            openFiles(RunFiles(m_database, id), *run);
        for (const Diagnostic& entry : run->outcome.diagnostics.entries()) {
            const bool isFatal = entry.code == "run-not-kept" || entry.code == "not-resumable";
            if (isFatal && !entry.examples.empty())
                return fail("{}", entry.examples.front());
        }
        kept.handOver();
        return id;
    });
}

Result<Outcome> Workbench::resume(std::int64_t runId, const RunContext& context) const {
    return guarded([&]() -> Result<Outcome> {
        const auto store = openStore();
        if (!store)
            return fail(store.error());
        const auto record = store->get(runId);
        const auto process = store->process(runId);
        if (!record || !process)
            return fail(record ? process.error() : record.error());
        if (record->status == RunStatus::Finished)
            return fail("run {} has finished; there is nothing left to resume.", runId);
        const RunFiles files(m_database, runId);
        const auto info = m_registry.optimizer(record->optimizer);
        if (!info)
            return fail(info.error());
        if (!(*info)->learns || (*process == 0 && !hasOption(**info, kCheckpoint)))
            return fail("run {} cannot be resumed: {} keeps nothing to go on from; run it again.", runId,
                        record->optimizer);
        const auto subject = subjectOf(*store, *record, {});
        if (!subject)
            return fail(subject.error());
        OptimizeRequest request = requestOf(*record);
        if (auto read = files.readStart(*subject->opened->graph, *subject->cluster, request.start, request.pins); !read)
            return fail(read.error());
        auto run = prepare(m_registry, subject->opened, subject->cluster, request);
        if (!run)
            return fail(run.error());
        run->outcome.run = *record;
        run->outcome.run.error.clear();
        std::filesystem::path from = files.checkpoint();
        if (hasOption(run->info, kCheckpoint) && !run->options.file(kCheckpoint).empty())
            from = run->options.file(kCheckpoint);
        std::error_code ec;
        if (hasOption(run->info, kResumeFrom) && std::filesystem::exists(from, ec))
            std::ignore = run->options.set(kResumeFrom, from.string());
        KeptRun kept;
        if (auto claimed = kept.resume(m_database, runId); !claimed)
            return fail(claimed.error());
        openFiles(files, *run);
        RunContext ours = context;
        ours.goesOn = true;
        return carryOut(m_database, *run, kept, ours);
    });
}

Result<RunSubject> Workbench::reopen(std::int64_t runId, std::shared_ptr<const OpenedGraph> opened) const {
    return guarded([&]() -> Result<RunSubject> {
        const auto store = openStore();
        const auto run = store ? store->get(runId) : Result<RunRecord>(fail(store.error()));
        return run ? subjectOf(*store, *run, std::move(opened)) : Result<RunSubject>(fail(run.error()));
    });
}

} // namespace opscape
