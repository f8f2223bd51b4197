// SPDX-License-Identifier: MIT
#include "bench_report.h"
#include "commands.h"
#include "interrupt.h"
#include "progress_line.h"
#include "study/sanity.h"
#include "table.h"

#include <opscape/base/paths.h>
#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <optional>

namespace opscape {

Result<int> benchStudyCommand(const GlobalArgs& global, const StudyKind& kind, const BenchArgs& args) {
    const Interrupt interrupt;
    const Workbench workbench(global.database);
    StudyRequest request = args.request;
    request.methods.clear();
    for (const std::string& name : args.methods.empty() ? args.request.methods : args.methods) {
        const auto method = findMethod(workbench.registry(), name);
        if (method) {
            request.methods.push_back(name);
            continue;
        }
        if (!args.methods.empty()) {
            printError(method.error().message);
            return kWrongUsage;
        }
        printError("left out, " + method.error().message);
    }
    request.seeds.clear();
    for (std::size_t i = 0; i < args.seeds; ++i)
        request.seeds.push_back(args.seed + i);
    const auto runs = runsOf(workbench.registry(), request);
    if (!runs)
        return fail(runs.error());
    auto files = openStudy(args.output);
    if (!files)
        return fail(files.error());
    std::optional<ProgressLine> line;
    Json failures = Json::array();
    StudyWatcher watcher;
    watcher.begins = [&line](const std::string& what) { line.emplace(what); };
    watcher.progress = [&line](const Progress& progress) { line->show(progress); };
    watcher.done = [&](const WorkloadReport& report) {
        line.reset();
        for (const std::string& remark : report.remarks)
            printError(remark);
        for (const std::string& failure : report.failures)
            failures.push_back(fmt::format("{} {}, {}", report.workload, report.preset, failure));
        if (global.json)
            return;
        printText(workloadText(report.rows));
        for (const std::string& failure : report.failures)
            printText(fmt::format("  {}\n", failure));
        std::fflush(stdout);
    };
    const Provenance provenance = provenanceOf(args.typed);
    if (args.onlyReport) {
        for (const WorkloadReport& report : reportsOf(*runs, files->results))
            watcher.done(report);
    } else if (auto done = runStudy(workbench.registry(), *runs, *files, provenance, watcher, interrupt.token(),
                                    {args.onlyTable ? nullptr : &workbench, kind.id});
               !done) {
        line.reset();
        return interrupt.failed(done.error());
    }
    line.reset();
    const StudyRows study = rowsOf(*runs, files->results);
    if (global.json) {
        Json json = studyJson(kind, study, files->curves.rows());
        json["failures"] = failures;
        printJson(json);
    } else {
        printText(fmt::format("{}{} in {}\n", studyText(kind, study, files->curves.rows()),
                              counted(static_cast<std::int64_t>(files->results.rows().size()), "row"),
                              args.output.string()));
    }
    if (!interrupt.stopped())
        return kFine;
    printError(fmt::format("stopped; the same command goes on from what is in {}.", args.output.string()));
    return kStopped;
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
        printText("Units per second on one device, nothing fused; ratio is simulated to published\n" + table.text());
    return kFine;
}

} // namespace opscape
