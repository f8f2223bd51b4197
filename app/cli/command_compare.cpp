// SPDX-License-Identifier: MIT
#include "commands.h"
#include "interrupt.h"
#include "painting.h"
#include "progress_line.h"
#include "report.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <render/report.h>
#include <service/comparison_ops.h>
#include <service/comparison_runs.h>

#include <algorithm>
#include <array>
#include <ctime>

namespace opscape {
namespace {

struct Row {
    std::string optimizer;
    RunRecord run;             ///< of status finished or cancelled when there is a result
    std::string error;         ///< why there is none
    std::int64_t periodNs = 0; ///< of the plan as a pipeline
    bool isLeftOut = false;    ///< the comparison was stopped before

    /// Of one without a result.
    [[nodiscard]] std::string status() const { return isLeftOut ? "not run" : "failed"; }
};

/// No other row has less of the figure; one that does not fit in memory is best only when none fits.
bool isBest(const std::vector<Row>& rows, const Row& row, const auto& figure) {
    const auto key = [&figure](const Row& r) { return std::pair(!r.run.result->feasible, figure(r)); };
    return std::ranges::none_of(rows, [&](const Row& other) { return other.run.result && key(other) < key(row); });
}

std::string compareText(const std::vector<Row>& rows) {
    // The column for the mark is there in every row, so that the digits stay below one another.
    const auto marked = [&rows](std::string (*text)(std::int64_t), const Row& row, const auto& figure) {
        return text(figure(row)) + (isBest(rows, row, figure) ? " *" : "  ");
    };
    Table table({{"optimizer"},
                 {"objective"},
                 {"step time  ", true},
                 {"lower bound", true},
                 {"gap", true},
                 {"pipelined  ", true},
                 {"peak memory  ", true},
                 {"moved  ", true},
                 {"fits"},
                 {"wall time", true},
                 {"run", true}});
    std::string notes;
    for (const Row& row : rows) {
        if (!row.run.result) {
            table.row({row.optimizer, "-", row.status() + "  ", "-", "-", "-  ", "-  ", "-  ", "-", "-", "-"});
            notes += fmt::format("{}: {}\n", row.optimizer, row.error);
            continue;
        }
        if (row.run.status == RunStatus::Cancelled)
            notes += fmt::format("{}: stopped; this is its best plan so far.\n", row.optimizer);
        const RunResult& result = *row.run.result;
        table.row({row.optimizer, row.run.objective,
                   marked(formatTime, row, [](const Row& r) { return r.run.result->makespanNs; }),
                   formatTime(result.lowerBoundNs), gapText(row.run),
                   marked(formatTime, row, [](const Row& r) { return r.periodNs; }),
                   marked(formatBytes, row, [](const Row& r) { return r.run.result->peakBytes; }),
                   marked(formatBytes, row, [](const Row& r) { return r.run.result->bytesMoved; }),
                   yesNo(result.feasible), wallText(row.run),
                   row.run.id == 0 ? "not kept" : std::to_string(row.run.id)});
    }
    return table.text() + "* the best of its column; pipelined is the time from result to result in steady state\n" +
           (notes.empty() ? "" : "\n" + notes);
}

/// `outcomes` are those of the rows that have one, in their order.
Json compareJson(const std::vector<Row>& rows, const std::vector<OutcomePtr>& outcomes, const Graph& graph,
                 const Cluster& cluster) {
    Json json;
    json["graph"] = {{"name", graph.name()}, {"ops", graph.opCount()}, {"edges", graph.edgeCount()}};
    json["cluster"] = cluster.id();
    json["link_model"] = toString(cluster.linkModel());
    json["runs"] = Json::array();
    auto next = outcomes.begin();
    for (const Row& row : rows) {
        Json run = row.run.result ? runJson(row.run) : Json{{"optimizer", row.optimizer}, {"status", row.status()}};
        if (row.run.result) {
            const Outcome& outcome = **next++;
            run["period_ns"] = row.periodNs;
            run["cut_edges"] = cutEdges(graph, outcome.plan);
            run["simulations"] = outcome.simulations > 0 ? Json(outcome.simulations) : Json();
            run["placed_elsewhere"] = countDifferences(*outcomes.front(), outcome);
            run["devices"] = Json::array();
            for (std::size_t d = 0; d < outcome.problem.cluster->deviceCount(); ++d)
                run["devices"].push_back({{"name", outcome.problem.cluster->device(DeviceId(d)).name},
                                          {"peak_bytes", outcome.schedule.devices[d].peakBytes},
                                          {"idle_share", idleShare(outcome.schedule, DeviceId(d))}});
        }
        if (!row.error.empty())
            run["error"] = row.error;
        json["runs"].push_back(std::move(run));
    }
    return json;
}

/// A plan of each optimizer, or why there is none.
struct Compared {
    std::vector<Row> rows;
    std::vector<OutcomePtr> outcomes; ///< of the rows that have one
    Diagnostics problems;             ///< of the cost model: the same for every optimizer

    void add(Row& row, Outcome outcome) {
        row.run = outcome.run;
        row.periodNs = outcome.pipeline.periodNs;
        problems = outcome.diagnostics;
        outcomes.push_back(std::make_shared<const Outcome>(std::move(outcome)));
    }
};

Compared runOptimizers(const Workbench& workbench, const GraphOnCluster& subject, const CompareArgs& args,
                       const Interrupt& interrupt) {
    Compared compared;
    for (const std::string& id : args.optimizers) {
        Row& row = compared.rows.emplace_back(Row{id, {}, {}, 0, interrupt.stopped()});
        if (row.isLeftOut) {
            row.error = "not run, since the comparison was stopped.";
            continue;
        }
        ProgressLine line(id);
        RunContext context;
        context.stop = interrupt.token();
        context.pause = interrupt.pause();
        context.progress = [&line](const Progress& progress) { line.show(progress); };
        const OptimizeRequest request{.optimizer = id,
                                      .seed = args.seed,
                                      .objective = parseObjective(args.objective),
                                      .finish = args.finish.finish()};
        auto outcome = args.reuse ? keptOrNew(workbench, subject.opened, subject.cluster, request, context)
                                  : workbench.optimize(subject.opened, subject.cluster, request, context);
        line.clear();
        if (!outcome) {
            row.error = outcome.error().message;
            continue;
        }
        warnIfNotKept(*outcome);
        compared.add(row, *std::move(outcome));
    }
    return compared;
}

Result<Compared> restoreRuns(const Workbench& workbench, const CompareArgs& args) {
    Compared compared;
    std::shared_ptr<const OpenedGraph> opened;
    for (const std::int64_t id : args.runs) {
        auto outcome = workbench.restore(id, opened);
        if (!outcome)
            return fail(outcome.error());
        opened = outcome->opened;
        const std::string optimizer = outcome->run.optimizer.empty() ? "given plan" : outcome->run.optimizer;
        Row& row = compared.rows.emplace_back(Row{optimizer, {}, {}, 0, false});
        compared.add(row, *std::move(outcome));
        const std::array pair{compared.outcomes.front(), compared.outcomes.back()};
        if (const auto can = checkComparable(pair); !can)
            return fail(can.error());
    }
    return compared;
}

Result<> report(const Compared& compared, const CompareArgs& args, const Interrupt& interrupt) {
    ReportRequest request;
    request.commandLine = args.typed;
    request.madeAt = dateText(std::int64_t{std::time(nullptr)} * 1000);
    for (const OutcomePtr& outcome : compared.outcomes) {
        if (request.plans.size() < kMostCompared)
            request.plans.push_back({planTitle(*outcome), outcome});
    }
    if (compared.outcomes.size() > kMostCompared)
        printError(fmt::format("{}: the report is about the first {} of {} plans.", args.report.string(), kMostCompared,
                               compared.outcomes.size()));
    const Painting painting;
    ProgressLine line(args.report.string());
    RunContext context;
    context.stop = interrupt.token();
    context.progress = [&line](const Progress& progress) { line.show(progress); };
    return writeReport(args.report, request, context);
}

} // namespace

Result<int> compareCommand(const GlobalArgs& global, const CompareArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    for (const std::string& id : args.optimizers) {
        if (const auto info = workbench.registry().optimizer(id); !info) {
            printError(info.error().message);
            return kWrongUsage;
        }
    }
    if (!args.report.empty()) {
        if (const auto possible = checkReport(args.report); !possible) { // before the search
            printError(possible.error().message);
            return kWrongUsage;
        }
    }
    Compared compared;
    std::string heading;
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const OpenedGraph> opened;
    if (args.runs.empty()) {
        const auto subject = openOnCluster(args.file, args.cluster);
        if (!subject)
            return fail(subject.error());
        opened = subject->opened;
        cluster = subject->cluster;
        heading = fmt::format(", on {}{} with {} links{}", cluster->id(), args.cluster.note(*opened),
                              toString(cluster->linkModel()), args.finish.note());
        compared = runOptimizers(workbench, *subject, args, interrupt);
    } else {
        auto restored = restoreRuns(workbench, args);
        if (!restored)
            return fail(restored.error());
        compared = *std::move(restored);
        opened = compared.outcomes.front()->opened;
        cluster = compared.outcomes.front()->problem.cluster;
        const bool one = std::ranges::all_of(compared.outcomes, [&](const OutcomePtr& o) {
            return clusterTitle(*o->problem.cluster) == clusterTitle(*cluster);
        });
        heading = ", on " + (one ? clusterTitle(*cluster) : std::string("several clusters"));
    }
    const Graph& graph = *opened->graph;
    if (global.json) {
        printJson(compareJson(compared.rows, compared.outcomes, graph, *cluster));
    } else {
        printText(fmt::format("{}, {}, {}{}\n\n{}{}", graph.name(),
                              counted(static_cast<std::int64_t>(graph.opCount()), "op"),
                              counted(static_cast<std::int64_t>(graph.edgeCount()), "edge"), heading,
                              compareText(compared.rows), problemsText(compared.problems)));
    }
    if (compared.outcomes.empty())
        return interrupt.failed({"none of the optimizers gave a plan."});
    if (!args.report.empty()) {
        if (const auto written = report(compared, args, interrupt); !written)
            return interrupt.failed(written.error());
        if (!global.json)
            printText(fmt::format("\n{}: the report\n", args.report.string()));
    }
    const bool isStopped = std::ranges::any_of(
        compared.rows, [](const Row& row) { return row.isLeftOut || row.run.status == RunStatus::Cancelled; });
    return isStopped && args.runs.empty() ? kStopped : kFine;
}

} // namespace opscape
