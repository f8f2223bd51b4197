// SPDX-License-Identifier: MIT
#include "baselines.h"

#include "service/zoo_source.h"

#include <opscape/search/finish.h>
#include <opscape/sim/simulator.h>

#include <algorithm>
#include <chrono>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// What is done to the placement of an optimizer.
struct Ending {
    std::string scheduler;
    Fuser fuser;
};

bool takesTime(const OptimizerInfo& info) {
    return std::ranges::any_of(info.options, [](const OptionSpec& option) { return option.name == "seconds"; });
}

std::vector<Ending> endingsOf(const OptimizerInfo& info) {
    std::vector<Ending> endings;
    for (const Fuser fuser : {Fuser::None, Fuser::TimeSaved}) {
        if (takesTime(info))
            endings.push_back({std::string(kOwnOrder), fuser});
        for (const SchedulerInfo& scheduler : schedulers())
            endings.push_back({std::string(scheduler.id), fuser});
    }
    if (info.id == "single") // what a framework does by default
        endings.push_back({std::string(toString(Scheduler::Fifo)), Fuser::Elementwise});
    return endings;
}

class WorkloadStudy {
public:
    WorkloadStudy(const Registry& registry, const BaselineRequest& request, ResultTable& table,
                  const Provenance& provenance, const BaselineWatcher& watcher, std::stop_token stop)
        : m_registry(registry),
          m_request(request),
          m_table(table),
          m_provenance(provenance),
          m_watcher(watcher),
          m_stop(std::move(stop)) {}

    Result<> run(const std::string& workload, const std::string& preset) {
        ZooSource source;
        source.model = workload;
        source.preset = preset;
        auto opened = Workbench::openGraph(source.text());
        if (!opened)
            return fail(opened.error());
        std::shared_ptr<const Cluster> cluster = (*opened)->cluster;
        if (!cluster)
            return fail("{} was published on one device; there is nothing to place.", workload);
        Diagnostics diagnostics;
        m_problem = makeProblem((*opened)->graph, cluster, diagnostics);
        m_report = {workload,
                    preset,
                    cluster->id(),
                    static_cast<std::int64_t>(m_problem.graph->opCount()),
                    static_cast<std::int64_t>(m_problem.graph->edgeCount()),
                    lowerBounds(m_problem).bestNs,
                    static_cast<int>(cluster->deviceCount()),
                    {},
                    {}};
        for (const std::string& optimizer : m_request.optimizers) {
            if (m_stop.stop_requested())
                return {};
            if (auto done = runOptimizer(optimizer); !done)
                return done;
        }
        m_watcher.done(m_report);
        return {};
    }

private:
    Result<> runOptimizer(const std::string& id) {
        const auto info = m_registry.optimizer(id);
        if (!info)
            return fail(info.error());
        std::vector<ResultRow> cells;
        for (const Ending& ending : endingsOf(**info)) {
            ResultRow& cell = cells.emplace_back();
            cell.workload = m_report.workload;
            cell.preset = m_report.preset;
            cell.devices = m_report.devices;
            cell.optimizer = id;
            cell.scheduler = ending.scheduler;
            cell.fuser = toString(ending.fuser);
            cell.seed = m_request.seed;
            cell.budgetS = takesTime(**info) ? m_request.budgetS : 0;
        }
        if (std::ranges::all_of(cells, [this](const ResultRow& cell) { return m_table.find(cell) != nullptr; })) {
            for (const ResultRow& cell : cells)
                m_report.rows.push_back(*m_table.find(cell));
            return {};
        }
        m_watcher.begins(fmt::format("{} {}, {}", m_report.workload, m_report.preset, id));
        RunContext context;
        context.seed = m_request.seed;
        context.stop = m_stop;
        std::int64_t simulations = 0;
        context.progress = [&](const Progress& progress) {
            simulations = std::max(simulations, progress.simulations);
            m_watcher.progress(progress);
        };
        const Clock::time_point begin = Clock::now();
        const auto plan = solve(**info, context);
        if (m_stop.stop_requested())
            return {};
        if (!plan) {
            m_report.failures.push_back(fmt::format("{}: {}", id, plan.error().message));
            return {};
        }
        const double solveS = secondsSince(begin);
        const auto endings = endingsOf(**info);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Clock::time_point started = Clock::now();
            if (auto judged = judge(*plan, endings[i], cells[i]); !judged) {
                m_report.failures.push_back(fmt::format("{}: {}", id, judged.error().message));
                continue;
            }
            if (m_stop.stop_requested())
                return {};
            cells[i].wallS = std::round((solveS + secondsSince(started)) * 1000) / 1000;
            cells[i].simulations = simulations;
            if (m_table.find(cells[i]) == nullptr) {
                if (auto added = m_table.add(cells[i], m_provenance); !added)
                    return added;
            }
            m_report.rows.push_back(cells[i]);
        }
        return {};
    }

    Result<Plan> solve(const OptimizerInfo& info, const RunContext& context) {
        auto optimizer = m_registry.makeOptimizer(info.id);
        if (!optimizer)
            return fail(optimizer.error());
        Options options(info.options);
        if (takesTime(info)) {
            if (auto set = options.set("seconds", fmt::format("{}", m_request.budgetS)); !set)
                return fail(set.error());
        }
        Problem problem = m_problem;
        problem.decide = info.decides;
        return (*optimizer)->solve(problem, options, context);
    }

    Result<> judge(const Plan& placed, const Ending& ending, ResultRow& row) {
        Finish finish{ending.fuser, {}};
        if (ending.scheduler != kOwnOrder)
            finish.scheduler = *parseScheduler(ending.scheduler);
        RunContext quiet;
        quiet.stop = m_stop;
        const auto plan = finished(m_problem, placed, finish, quiet);
        if (!plan)
            return fail(plan.error());
        const auto schedule = simulate(m_problem, *plan);
        if (!schedule)
            return fail(schedule.error());
        row.stepTimeNs = schedule->makespanNs;
        row.feasible = schedule->feasible;
        row.lowerBoundNs = lowerBounds(m_problem, *plan).bestNs;
        return {};
    }

    const Registry& m_registry;
    const BaselineRequest& m_request;
    ResultTable& m_table;
    const Provenance& m_provenance;
    const BaselineWatcher& m_watcher;
    std::stop_token m_stop;
    Problem m_problem;
    BaselineReport m_report;
};

} // namespace

std::vector<std::string> publishedWorkloads() {
    std::vector<std::string> ids;
    for (const ZooModel& model : zooModels()) {
        if (model.devices > 1)
            ids.push_back(model.id);
    }
    return ids;
}

std::vector<std::string> baselineOptimizers() {
    return {"single", "expert", "metis", "heft", "peft", "anneal", "refine"};
}

Result<> runBaselines(const Registry& registry, const BaselineRequest& request, ResultTable& table,
                      const Provenance& provenance, const BaselineWatcher& watcher, std::stop_token stop) {
    WorkloadStudy study(registry, request, table, provenance, watcher, stop);
    for (const std::string& preset : request.presets) {
        for (const std::string& workload : request.workloads) {
            if (stop.stop_requested())
                return {};
            if (auto done = study.run(workload, preset); !done)
                return done;
        }
    }
    return {};
}

} // namespace opscape
