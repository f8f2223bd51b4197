// SPDX-License-Identifier: MIT
#include "study.h"

#include "service/unix_time.h"
#include "service/zoo_source.h"

#include <opscape/search/finish.h>
#include <opscape/sim/simulator.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <mutex>
#include <set>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kShortestS = 0.01; ///< that a search may be told to last

double secondsSince(Clock::time_point begin) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return std::round(seconds * 1000) / 1000;
}

/// How a search gets on.
class Curve {
public:
    Curve(const StudyRun& run, const StudyWatcher& watcher) : m_watcher(watcher) {
        m_row.workload = run.workload;
        m_row.preset = run.preset;
        m_row.optimizer = run.method.name;
        m_row.seed = run.seed;
        m_row.budgetS = run.budgetS;
    }

    /// What the search is to tell, and to whom.
    [[nodiscard]] RunContext context(std::uint64_t seed, std::stop_token stop) {
        RunContext context;
        context.seed = seed;
        context.stop = std::move(stop);
        context.progress = [this](const Progress& progress) { report(progress); };
        context.baselines = [this](const std::vector<NamedTime>& baselines) { m_learning.baselines = baselines; };
        context.curve = [this](const CurvePoint& point) { m_learning.points.push_back(point); };
        return context;
    }
    /// From any thread of the optimizer.
    void report(const Progress& progress) {
        const std::scoped_lock lock(m_mutex);
        m_row.simulations = std::max(m_row.simulations, progress.simulations);
        if (progress.feasible && progress.bestNs > 0)
            add(progress.bestNs, 1 - kCurveStep);
        m_watcher.progress(progress);
    }
    /// The plan that came out.
    void finish(std::int64_t bestNs) { add(bestNs, 1); }

    [[nodiscard]] std::int64_t simulations() const { return m_row.simulations; }
    [[nodiscard]] double seconds() const { return secondsSince(m_begin); }
    [[nodiscard]] const std::vector<CurveRow>& rows() const { return m_rows; }
    [[nodiscard]] const RunCurve& learning() const { return m_learning; }

private:
    void add(std::int64_t bestNs, double share) {
        if (!m_rows.empty() && static_cast<double>(bestNs) >= share * static_cast<double>(m_rows.back().bestNs))
            return;
        m_row.timeS = seconds();
        m_row.bestNs = bestNs;
        m_rows.push_back(m_row);
    }

    const StudyWatcher& m_watcher;
    Clock::time_point m_begin = Clock::now();
    std::mutex m_mutex;
    CurveRow m_row;
    std::vector<CurveRow> m_rows;
    RunCurve m_learning;
};

std::vector<ResultRow> rowsOfRuns(std::span<const StudyRun> runs, const ResultTable& table) {
    std::vector<ResultRow> rows;
    for (const StudyRun& run : runs) {
        for (const ResultRow& cell : run.cells) {
            if (const ResultRow* row = table.find(cell); row != nullptr)
                rows.push_back(*row);
        }
    }
    return rows;
}

/// Runs of one workload and preset follow one another.
std::vector<std::span<const StudyRun>> byWorkload(std::span<const StudyRun> runs) {
    std::vector<std::span<const StudyRun>> parts;
    for (auto begin = runs.begin(); begin != runs.end();) {
        const auto end = std::find_if(begin, runs.end(), [begin](const StudyRun& run) {
            return run.workload != begin->workload || run.preset != begin->preset;
        });
        parts.emplace_back(begin, end);
        begin = end;
    }
    return parts;
}

class Study {
public:
    Study(const Registry& registry, StudyFiles& files, const Provenance& provenance, const StudyWatcher& watcher,
          std::stop_token stop, const StudyRuns& kept)
        : m_registry(registry),
          m_files(files),
          m_provenance(provenance),
          m_watcher(watcher),
          m_stop(std::move(stop)),
          m_kept(kept) {}

    /// Runs of one workload and preset.
    Result<> workload(std::span<const StudyRun> runs) {
        m_report = {runs[0].workload, runs[0].preset};
        m_problem.reset();
        for (const StudyRun& run : runs) {
            if (m_stop.stop_requested())
                return {};
            if (isThere(run))
                continue;
            if (!m_problem) {
                auto opened = Workbench::openGraph(run.graph.empty() ? ZooSource{run.workload, run.preset, {}}.text()
                                                                     : run.graph);
                if (!opened)
                    return fail(opened.error());
                m_opened = std::move(*opened);
                auto cluster = chooseCluster(*m_opened, {});
                if (!cluster)
                    return fail(cluster.error());
                m_problem = problemOf(*m_opened, std::move(*cluster));
            }
            if (auto made = make(run); !made)
                return made;
        }
        if (m_stop.stop_requested())
            return {};
        m_report.rows = rowsOfRuns(runs, m_files.results);
        m_watcher.done(m_report);
        return {};
    }

private:
    [[nodiscard]] bool isThere(const StudyRun& run) const {
        return std::ranges::all_of(run.cells,
                                   [this](const ResultRow& cell) { return m_files.results.find(cell) != nullptr; });
    }

    static Problem problemOf(const OpenedGraph& opened, std::shared_ptr<const Cluster> cluster) {
        Diagnostics diagnostics;
        return makeProblem(opened.graph, std::move(cluster), diagnostics);
    }

    /// An optimizer may load what it needs when it first runs, which is not to count as search.
    Result<> loadLibraries(const std::string& optimizer) {
        if (!m_loaded.insert(optimizer).second)
            return {};
        const auto tiny = Workbench::openGraph(ZooSource{"rnnlm2", "small", {{"steps", "1"}}}.text());
        if (!tiny)
            return fail(tiny.error());
        RunContext context;
        context.stop = m_stop;
        StudyRun run;
        run.method = {optimizer, optimizer};
        run.budgetS = kShortestS;
        (void)solve(problemOf(**tiny, (*tiny)->cluster), run, context); // how it ends is for the real run
        return {};
    }

    Result<> make(const StudyRun& run) {
        std::string title = fmt::format("{} {}, {}", run.workload, run.preset, run.method.name);
        if (run.budgetS > 0)
            title += fmt::format(", {} s, seed {}", run.budgetS, run.seed);
        m_watcher.begins(title);
        if (takesTime(**m_registry.optimizer(run.method.optimizer))) {
            if (auto begun = loadLibraries(run.method.optimizer); !begun)
                return begun;
        }
        const std::clock_t cpuBegin = std::clock();
        Curve curve(run, m_watcher);
        const std::int64_t startedMs = unixMs();
        const auto plan = solve(*m_problem, run, curve.context(run.seed, m_stop));
        const double solveS = curve.seconds();
        if (m_stop.stop_requested())
            return {};
        if (!plan) {
            m_report.failures.push_back(fmt::format("{}: {}", run.method.name, plan.error().message));
            return {};
        }
        if (run.budgetS > 0) {
            const double share = static_cast<double>(std::clock() - cpuBegin) / CLOCKS_PER_SEC / std::max(solveS, 1e-3);
            if (share < kLeastShare)
                m_report.remarks.push_back(
                    fmt::format("{}: it had a processor for {:.0f}% of its time, and would have found more on a quiet "
                                "machine; delete its rows and run it again.",
                                title, 100 * share));
            const auto schedule = simulate(*m_problem, *plan);
            if (schedule && schedule->feasible)
                curve.finish(schedule->makespanNs);
        }
        std::vector<ResultRow> rows;
        for (std::size_t i = 0; i < run.cells.size(); ++i) {
            ResultRow row = run.cells[i];
            const Clock::time_point begin = Clock::now();
            const auto judged = judge(*plan, run.endings[i], row);
            if (m_stop.stop_requested())
                return {};
            if (!judged) {
                m_report.failures.push_back(fmt::format("{}: {}", run.method.name, judged.error().message));
                continue;
            }
            row.wallS = solveS + secondsSince(begin);
            row.simulations = curve.simulations();
            if (m_files.results.find(row) == nullptr)
                rows.push_back(std::move(row));
        }
        if (!curve.rows().empty() && run.budgetS > 0 && m_files.curves.find(curve.rows()[0]) == nullptr) {
            if (auto added = m_files.curves.add(curve.rows(), m_provenance); !added)
                return added;
        }
        if (auto added = m_files.results.add(rows, m_provenance); !added)
            return added;
        keep(run, *plan, curve.learning(), startedMs, solveS); // now that nothing is measured
        return {};
    }

    void keep(const StudyRun& run, const Plan& plan, const RunCurve& learning, std::int64_t startedMs, double solveS) {
        if (m_kept.workbench == nullptr)
            return;
        const auto options = optionsOf(run);
        if (!options)
            return; // it would not have run
        RunRecord about;
        about.optimizer = run.method.optimizer;
        about.revision = (*m_registry.optimizer(run.method.optimizer))->revision;
        about.options = options->toMap();
        about.seed = run.seed;
        about.notes = fmt::format("{}: {}, {}", m_kept.study, run.method.name, run.preset);
        about.startedMs = startedMs;
        about.wallMs = std::llround(solveS * 1000);
        const auto kept = m_kept.workbench->keep({m_opened, *m_problem, plan, std::move(about), learning});
        if (kept || std::exchange(m_saidNotKept, true))
            return;
        m_report.remarks.push_back("the runs are in the table, but not kept as runs: " + kept.error().message);
    }

    [[nodiscard]] Result<Options> optionsOf(const StudyRun& run) const {
        Options options((*m_registry.optimizer(run.method.optimizer))->options);
        for (const auto& [name, value] : run.method.options) {
            if (auto set = options.set(name, value); !set)
                return fail(set.error());
        }
        if (run.budgetS > 0) {
            if (auto set = options.set("seconds", fmt::format("{}", run.budgetS)); !set)
                return fail(set.error());
        }
        return options;
    }

    Result<Plan> solve(Problem problem, const StudyRun& run, const RunContext& context) {
        const auto info = m_registry.optimizer(run.method.optimizer);
        auto optimizer = m_registry.makeOptimizer(run.method.optimizer);
        if (!optimizer)
            return fail(optimizer.error());
        const auto options = optionsOf(run);
        if (!options)
            return fail(options.error());
        problem.decide = run.method.decide.empty() ? (*info)->decides : run.method.decide;
        return (*optimizer)->solve(problem, *options, context);
    }

    Result<> judge(const Plan& placed, const Ending& ending, ResultRow& row) {
        Finish finish;
        if (ending.fuser != kOwn)
            finish.fuser = *parseFuser(ending.fuser);
        if (ending.scheduler != kOwn)
            finish.scheduler = *parseScheduler(ending.scheduler);
        RunContext quiet;
        quiet.stop = m_stop;
        const auto plan = finished(*m_problem, placed, finish, quiet);
        if (!plan)
            return fail(plan.error());
        const auto schedule = simulate(*m_problem, *plan);
        if (!schedule)
            return fail(schedule.error());
        row.stepTimeNs = schedule->makespanNs;
        row.feasible = schedule->feasible;
        row.lowerBoundNs = lowerBounds(*m_problem, *plan).bestNs;
        return {};
    }

    const Registry& m_registry;
    StudyFiles& m_files;
    const Provenance& m_provenance;
    const StudyWatcher& m_watcher;
    std::stop_token m_stop;
    const StudyRuns& m_kept;
    std::shared_ptr<const OpenedGraph> m_opened; ///< of the workload, once something is to be computed
    std::optional<Problem> m_problem;
    WorkloadReport m_report;
    std::set<std::string> m_loaded; ///< optimizers
    bool m_saidNotKept = false;
};

} // namespace

std::vector<ResultRow> cellsOf(const StudyRun& run, int devices) {
    std::vector<ResultRow> cells;
    for (const Ending& ending : run.endings) {
        ResultRow& cell = cells.emplace_back();
        cell.workload = run.workload;
        cell.preset = run.preset;
        cell.devices = devices;
        cell.optimizer = run.method.name;
        cell.scheduler = ending.scheduler;
        cell.fuser = ending.fuser;
        cell.seed = run.seed;
        cell.budgetS = run.budgetS;
    }
    return cells;
}

Result<std::vector<StudyRun>> runsOf(const Registry& registry, const StudyRequest& request) {
    std::vector<StudyRun> runs;
    for (const std::string& preset : request.presets) {
        for (const std::string& workload : request.workloads) {
            const ZooModel* model = findZooModel(workload);
            if (model == nullptr)
                return fail("there is no workload {}; those with a number of devices are {}.", workload,
                            fmt::join(publishedWorkloads(), ", "));
            if (model->devices < 2)
                return fail("{} was published on one device; there is nothing to place.", workload);
            for (const std::string& name : request.methods) {
                const auto method = findMethod(registry, name);
                if (!method)
                    return fail(method.error());
                const OptimizerInfo& info = **registry.optimizer(method->optimizer);
                const bool searches = takesTime(info);
                const std::vector<double> budgets = searches ? request.budgetsS : std::vector<double>{0};
                const std::vector<std::uint64_t> seeds =
                    searches ? request.seeds : std::vector<std::uint64_t>{request.seeds.at(0)};
                for (const double budgetS : budgets) {
                    for (const std::uint64_t seed : seeds) {
                        StudyRun run{
                            workload, preset, {}, *method, seed, budgetS, endingsOf(*method, info, request.fusers)};
                        run.cells = cellsOf(run, model->devices);
                        runs.push_back(std::move(run));
                    }
                }
            }
        }
    }
    return runs;
}

Result<StudyFiles> openStudy(const std::filesystem::path& file) {
    std::error_code ec;
    if (std::filesystem::is_directory(file, ec))
        return fail("{}: this is a folder; name a file in it.", file.string());
    if (const auto folder = file.parent_path(); !folder.empty() && !std::filesystem::is_directory(folder, ec))
        return fail("{}: the table cannot be written there; name a file in a folder that exists.", file.string());
    auto results = ResultTable::open(file);
    if (!results)
        return fail(results.error());
    auto curves =
        CurveTable::open(file.parent_path() / (file.stem().string() + "_progress" + file.extension().string()));
    if (!curves)
        return fail(curves.error());
    return StudyFiles{std::move(*results), std::move(*curves)};
}

Result<> runStudy(const Registry& registry, const std::vector<StudyRun>& runs, StudyFiles& files,
                  const Provenance& provenance, const StudyWatcher& watcher, std::stop_token stop,
                  const StudyRuns& kept) {
    Study study(registry, files, provenance, watcher, stop, kept);
    for (const std::span<const StudyRun> part : byWorkload(runs)) {
        if (stop.stop_requested())
            return {};
        if (auto done = study.workload(part); !done)
            return done;
    }
    return {};
}

std::vector<WorkloadReport> reportsOf(const std::vector<StudyRun>& runs, const ResultTable& table) {
    std::vector<WorkloadReport> reports;
    for (const std::span<const StudyRun> part : byWorkload(runs))
        reports.push_back({part[0].workload, part[0].preset, rowsOfRuns(part, table)});
    return reports;
}

} // namespace opscape
