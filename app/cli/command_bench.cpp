// SPDX-License-Identifier: MIT
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "report.h"
#include "study/baselines.h"
#include "study/sanity.h"
#include "table.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>
#include <opscape/search/finish.h>

#include <algorithm>
#include <optional>

namespace opscape {
namespace {

/// A step time by scheduler, for one optimizer and fuser.
std::string reportText(const BaselineReport& report) {
    std::vector<std::string> orders{std::string(kOwnOrder)};
    for (const SchedulerInfo& scheduler : schedulers())
        orders.emplace_back(scheduler.id);
    std::vector<Table::Column> columns{{"optimizer"}, {"fusion"}};
    for (const std::string& order : orders)
        columns.push_back({order, true});
    columns.push_back({"wall time", true});
    Table table(columns);
    std::vector<std::pair<std::string, std::string>> lines;
    for (const ResultRow& row : report.rows) {
        if (std::ranges::find(lines, std::pair(row.optimizer, row.fuser)) == lines.end())
            lines.emplace_back(row.optimizer, row.fuser);
    }
    for (const auto& [optimizer, fuser] : lines) {
        std::vector<std::string> cells{optimizer, fuser};
        double wallS = 0;
        for (const std::string& order : orders) {
            const auto row = std::ranges::find_if(report.rows, [&](const ResultRow& r) {
                return r.optimizer == optimizer && r.fuser == fuser && r.scheduler == order;
            });
            if (row == report.rows.end()) {
                cells.emplace_back("-");
                continue;
            }
            wallS = std::max(wallS, row->wallS);
            cells.push_back(formatTime(row->stepTimeNs) + (row->feasible ? "" : " OOM"));
        }
        cells.push_back(formatTime(std::llround(wallS * 1e9)));
        table.row(std::move(cells));
    }
    std::string text = fmt::format("{} {}: {} ops, {} edges, on {}, lower bound {} unfused\n{}", report.workload,
                                   report.preset, formatCount(report.ops), formatCount(report.edges), report.cluster,
                                   formatTime(report.lowerBoundNs), table.text(2));
    for (const std::string& failure : report.failures)
        text += "  " + failure + "\n";
    return text + "\n";
}

} // namespace

Result<int> benchBaselinesCommand(const GlobalArgs& global, const BenchArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    BaselineRequest request{args.workloads, args.presets, args.optimizers, args.budgetS, args.seed};
    if (request.workloads.empty())
        request.workloads = publishedWorkloads();
    if (request.optimizers.empty())
        request.optimizers = baselineOptimizers();
    for (const std::string& id : request.optimizers) {
        if (const auto info = workbench.registry().optimizer(id); !info) {
            printError(info.error().message);
            return kWrongUsage;
        }
    }
    auto table = ResultTable::open(args.output);
    if (!table)
        return fail(table.error());
    std::optional<ProgressLine> line;
    Json reports = Json::array();
    BaselineWatcher watcher;
    watcher.begins = [&line](const std::string& what) { line.emplace(what); };
    watcher.progress = [&line](const Progress& progress) { line->show(progress); };
    watcher.done = [&](const BaselineReport& report) {
        line.reset();
        if (global.json) {
            reports.push_back({{"workload", report.workload},
                               {"preset", report.preset},
                               {"ops", report.ops},
                               {"edges", report.edges},
                               {"lower_bound_ns", report.lowerBoundNs},
                               {"rows", report.rows.size()},
                               {"failures", report.failures}});
        } else {
            fmt::print("{}", reportText(report));
            std::fflush(stdout);
        }
    };
    const auto done =
        runBaselines(workbench.registry(), request, *table, provenanceOf(args.typed), watcher, interrupt.token());
    line.reset();
    if (!done)
        return fail(done.error());
    if (global.json)
        printJson(reports);
    if (interrupt.stopped()) {
        printError(fmt::format("stopped; the same command goes on from what is in {}.", args.output.string()));
        return kCouldNot;
    }
    if (!global.json)
        fmt::print("{} rows in {}\n", table->rows().size(), args.output.string());
    return kFine;
}

Result<int> benchSanityCommand(const GlobalArgs& global) {
    const auto rows = sanityTable(dataFolder() / "reference" / "throughput.json");
    if (!rows)
        return fail(rows.error());
    Json json = Json::array();
    Table table({{"model"},
                 {"device"},
                 {"type"},
                 {"source"},
                 {"published", true},
                 {"simulated", true},
                 {"ratio", true},
                 {"step time", true},
                 {"peak memory", true},
                 {"unit, graph"}});
    for (const SanityRow& row : *rows) {
        json.push_back({{"model", row.model},
                        {"device", row.device},
                        {"precision", row.precision},
                        {"source", row.source},
                        {"unit", row.unit},
                        {"published_per_s", row.published}});
        if (row.graph.empty()) {
            table.row({row.model, row.device, row.precision, row.source, fmt::format("{:.0f}", row.published), "-", "-",
                       "-", "-", row.unit + ", not in the zoo"});
            continue;
        }
        json.back().update({{"graph", row.graph},
                            {"simulated_per_s", row.simulated},
                            {"step_time_ns", row.stepNs},
                            {"peak_bytes", row.peakBytes},
                            {"feasible", row.feasible}});
        table.row({row.model, row.device, row.precision, row.source, fmt::format("{:.0f}", row.published),
                   fmt::format("{:.0f}", row.simulated), fmt::format("{:.2f}", row.simulated / row.published),
                   formatTime(row.stepNs), formatBytes(row.peakBytes) + (row.feasible ? "" : " OOM"),
                   row.unit + ", " + row.graph});
    }
    if (global.json)
        printJson(json);
    else
        fmt::print("Units per second on one device, nothing fused; ratio is simulated to published\n{}", table.text());
    return kFine;
}

} // namespace opscape
