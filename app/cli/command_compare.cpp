// SPDX-License-Identifier: MIT
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <algorithm>

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

Json compareJson(const std::vector<Row>& rows, const Graph& graph, const Cluster& cluster) {
    Json json;
    json["graph"] = {{"name", graph.name()}, {"ops", graph.opCount()}, {"edges", graph.edgeCount()}};
    json["cluster"] = cluster.id();
    json["link_model"] = toString(cluster.linkModel());
    json["runs"] = Json::array();
    for (const Row& row : rows) {
        Json run = row.run.result ? runJson(row.run) : Json{{"optimizer", row.optimizer}, {"status", row.status()}};
        if (row.run.result)
            run["period_ns"] = row.periodNs;
        if (!row.error.empty())
            run["error"] = row.error;
        json["runs"].push_back(std::move(run));
    }
    return json;
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
    const auto subject = openOnCluster(args.file, args.cluster);
    if (!subject)
        return fail(subject.error());
    const auto& [opened, cluster] = *subject;

    std::vector<Row> rows;
    Diagnostics problems;
    for (const std::string& id : args.optimizers) {
        Row& row = rows.emplace_back(Row{id, {}, {}, 0, interrupt.stopped()});
        if (row.isLeftOut) {
            row.error = "not run, since the comparison was stopped.";
            continue;
        }
        ProgressLine line(id);
        RunContext context;
        context.stop = interrupt.token();
        context.pause = interrupt.pause();
        context.progress = [&line](const Progress& progress) { line.show(progress); };
        auto outcome = workbench.optimize(opened, cluster,
                                          {.optimizer = id,
                                           .seed = args.seed,
                                           .objective = parseObjective(args.objective),
                                           .finish = args.finish.finish()},
                                          context);
        line.clear();
        if (!outcome) {
            row.error = outcome.error().message;
            continue;
        }
        warnIfNotKept(*outcome);
        row.run = outcome->run;
        row.periodNs = outcome->pipeline.periodNs;
        problems = outcome->diagnostics; // of the cost model: the same for every optimizer
    }

    const Graph& graph = *opened->graph;
    if (global.json) {
        printJson(compareJson(rows, graph, *cluster));
    } else {
        printText(fmt::format("{}, {}, {}, on {}{} with {} links{}\n\n{}{}", graph.name(),
                              counted(static_cast<std::int64_t>(graph.opCount()), "op"),
                              counted(static_cast<std::int64_t>(graph.edgeCount()), "edge"), cluster->id(),
                              args.cluster.note(*opened), toString(cluster->linkModel()), args.finish.note(),
                              compareText(rows), problemsText(problems)));
    }
    const bool any = std::ranges::any_of(rows, [](const Row& row) { return row.run.result.has_value(); });
    if (!any)
        return interrupt.failed({"none of the optimizers gave a plan."});
    const bool isStopped = std::ranges::any_of(
        rows, [](const Row& row) { return row.isLeftOut || row.run.status == RunStatus::Cancelled; });
    return isStopped ? kStopped : kFine;
}

} // namespace opscape
