// SPDX-License-Identifier: MIT
#include "report.h"

#include "service/file_plan.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/sim/idle.h>

#include <fmt/chrono.h>

#include <ctime>

namespace opscape {
namespace {

double gapOf(const RunResult& result) { return gap(result.makespanNs, result.lowerBoundNs); }

std::string optionsText(const std::map<std::string, std::string>& options) {
    std::vector<std::string> pairs;
    for (const auto& [name, value] : options)
        pairs.push_back(name + "=" + value);
    return fmt::format("{}", fmt::join(pairs, " "));
}

/// What led to a result: the graph, the cluster, the optimizer.
void inputRows(Table& table, const RunRecord& run, const std::string& clusterNote) {
    table.row({"graph", fmt::format("{}, {}, {}", run.graphName, counted(run.ops, "op"), counted(run.edges, "edge"))});
    table.row({"cluster", fmt::format("{}{}, {} links", run.clusterId, clusterNote, run.linkModel)});
    if (run.optimizer == kAsInFile)
        table.row({"plan", run.optimizer});
    else if (!run.optimizer.empty())
        table.row({"optimizer", fmt::format("{}, revision {}, seed {}", run.optimizer, run.revision, run.seed)});
    if (!run.objective.empty())
        table.row({"objective", run.objective});
    if (!run.options.empty())
        table.row({"options", optionsText(run.options)});
}

void resultRows(Table& table, const RunRecord& run, const std::string& boundName) {
    if (!run.result)
        return;
    const RunResult& result = *run.result;
    table.row({"step time", formatTime(result.makespanNs)});
    table.row({"lower bound", formatTime(result.lowerBoundNs) + (boundName.empty() ? "" : " (" + boundName + ")")});
    table.row({"gap", gapText(run)});
    table.row({"peak memory", formatBytes(result.peakBytes)});
    table.row({"bytes moved", formatBytes(result.bytesMoved)});
    table.row({"fits memory", yesNo(result.feasible)});
}

void endRows(Table& table, const RunRecord& run) {
    table.row({"wall time", wallText(run)});
    table.row({"status", std::string(toString(run.status))});
    if (!run.version.empty())
        table.row({"version", run.version});
    if (!run.tags.empty())
        table.row({"tags", fmt::format("{}", fmt::join(run.tags, " "))});
    if (!run.notes.empty())
        table.row({"notes", run.notes});
    table.row({"run", run.id == 0 ? "not kept" : std::to_string(run.id)});
}

std::vector<std::size_t> opsPerDevice(const Outcome& outcome) {
    std::vector<std::size_t> counts(outcome.problem.cluster->deviceCount(), 0);
    for (const DeviceId device : outcome.plan.device)
        ++counts[device.index()];
    return counts;
}

std::string devicesText(const Outcome& outcome) {
    const Cluster& cluster = *outcome.problem.cluster;
    const auto counts = opsPerDevice(outcome);
    Table table(
        {{"device"}, {"kind"}, {"ops", true}, {"busy", true}, {"share", true}, {"peak memory", true}, {"of", true}});
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        const DeviceReport& report = outcome.schedule.devices[d];
        const DeviceKind& kind = cluster.kindOf(DeviceId(d));
        const auto makespan = static_cast<double>(std::max<std::int64_t>(outcome.schedule.makespanNs, 1));
        table.row({cluster.device(DeviceId(d)).name, kind.name, formatCount(static_cast<std::int64_t>(counts[d])),
                   formatTime(report.busyNs), formatPercent(static_cast<double>(report.busyNs) / makespan),
                   formatBytes(report.peakBytes), kind.memoryBytes == 0 ? "any" : formatBytes(kind.memoryBytes)});
    }
    return table.text();
}

/// Why the devices idle, as shares of the step. Reasons that no device has are left out.
std::string idleText(const Outcome& outcome, const std::vector<DeviceIdle>& idle) {
    constexpr std::array<const char*, kIdleReasons> kTitles{"input not made", "link taken", "input on its way",
                                                            "own send",       "order",      "nothing left"};
    std::vector<std::size_t> shown;
    std::vector<Table::Column> columns{{"idle"}, {"all", true}};
    for (std::size_t reason = 0; reason < kIdleReasons; ++reason) {
        if (std::ranges::none_of(idle, [reason](const DeviceIdle& device) { return device.ns[reason] > 0; }))
            continue;
        shown.push_back(reason);
        columns.push_back({kTitles[reason], true});
    }
    if (shown.empty())
        return {};
    Table table(columns);
    const auto share = [&outcome](std::int64_t ns) {
        return formatPercent(static_cast<double>(ns) / static_cast<double>(outcome.schedule.makespanNs));
    };
    for (std::size_t d = 0; d < idle.size(); ++d) {
        std::vector<std::string> row{outcome.problem.cluster->device(DeviceId(d)).name,
                                     share(outcome.schedule.devices[d].idleNs)};
        for (const std::size_t reason : shown)
            row.push_back(share(idle[d].ns[reason]));
        table.row(row);
    }
    return "\n" + table.text();
}

} // namespace

void printJson(const Json& json) {
    // A name that is not UTF-8 is shown with replacement characters rather than refused.
    fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void printText(const std::string& text) { fmt::print("{}", printableLines(text)); }

void printError(const std::string& sentence) { fmt::print(stderr, "opscape-cli: {}\n", printable(sentence)); }

std::string yesNo(bool value) { return value ? "yes" : "no"; }

std::string gapText(const RunRecord& run) { return run.result ? formatPercent(gapOf(*run.result)) : "-"; }

std::string wallText(const RunRecord& run) { return run.wallMs == 0 ? "< 1 ms" : formatTime(run.wallMs * 1'000'000); }

std::string dateText(std::int64_t unixMs) {
    return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(unixMs / 1000)));
}

Json runJson(const RunRecord& run) {
    Json json;
    json["run_id"] = run.id == 0 ? Json() : Json(run.id);
    json["kind"] = run.kind;
    json["status"] = toString(run.status);
    json["graph"] = run.graphName;
    json["graph_hash"] = run.graphHash;
    json["graph_path"] = run.graphPath;
    json["ops"] = run.ops;
    json["edges"] = run.edges;
    json["cluster"] = run.clusterId;
    json["link_model"] = run.linkModel;
    json["optimizer"] = run.optimizer.empty() ? Json() : Json(run.optimizer);
    json["revision"] = run.revision;
    json["objective"] = run.objective.empty() ? Json() : Json(run.objective);
    json["options"] = run.options;
    json["seed"] = run.seed;
    json["learns"] = run.learns;
    if (run.result) {
        json["makespan_ns"] = run.result->makespanNs;
        json["lower_bound_ns"] = run.result->lowerBoundNs;
        json["gap"] = gapOf(*run.result);
        json["peak_bytes"] = run.result->peakBytes;
        json["bytes_moved"] = run.result->bytesMoved;
        json["feasible"] = run.result->feasible;
    }
    json["wall_ms"] = run.wallMs;
    json["started_ms"] = run.startedMs;
    json["version"] = run.version;
    if (!run.error.empty())
        json["error"] = run.error;
    if (!run.notes.empty())
        json["notes"] = run.notes;
    json["tags"] = run.tags;
    json["pinned"] = run.pinned;
    return json;
}

Json outcomeJson(const Outcome& outcome) {
    const Cluster& cluster = *outcome.problem.cluster;
    Json json = runJson(outcome.run);
    json["lower_bound"] = outcome.bounds.bestName;
    if (!outcome.verdict.empty())
        json["verdict"] = outcome.verdict;
    json["period_ns"] = outcome.pipeline.periodNs;
    json["devices"] = Json::array();
    const auto counts = opsPerDevice(outcome);
    const auto idle = idleTimes(outcome.problem, outcome.plan, outcome.schedule);
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        const DeviceReport& report = outcome.schedule.devices[d];
        Json reasons;
        for (std::size_t reason = 0; reason < kIdleReasons; ++reason)
            reasons[std::string(toString(static_cast<IdleReason>(reason)))] = idle[d].ns[reason];
        json["devices"].push_back({{"name", cluster.device(DeviceId(d)).name},
                                   {"kind", cluster.kindOf(DeviceId(d)).name},
                                   {"ops", counts[d]},
                                   {"busy_ns", report.busyNs},
                                   {"idle_ns", reasons},
                                   {"peak_bytes", report.peakBytes},
                                   {"over_bytes", report.overBytes}});
    }
    json["problems"] = problemsJson(outcome.diagnostics);
    return json;
}

Json problemsJson(const Diagnostics& diagnostics) {
    Json json = Json::array();
    for (const Diagnostic& d : diagnostics.entries()) {
        json.push_back({{"severity", toString(d.severity)},
                        {"code", d.code},
                        {"summary", d.summary},
                        {"count", d.count},
                        {"examples", d.examples}});
    }
    return json;
}

std::string outcomeText(const Outcome& outcome, const std::string& clusterNote) {
    Table table({{}, {}});
    inputRows(table, outcome.run, clusterNote);
    resultRows(table, outcome.run,
               outcome.bounds.bestName + (outcome.plan.fusionGroup.empty() ? "" : ", for this fusion"));
    if (!outcome.verdict.empty())
        table.row({"verdict", outcome.verdict});
    table.row(
        {"pipelined", fmt::format("{} from result to result, {} the busiest", formatTime(outcome.pipeline.periodNs),
                                  outcome.problem.cluster->device(outcome.pipeline.bottleneck).name)});
    endRows(table, outcome.run);
    std::string text = table.text() + "\n" + devicesText(outcome);
    text += idleText(outcome, idleTimes(outcome.problem, outcome.plan, outcome.schedule));
    if (const std::string report = outOfMemoryReport(*outcome.problem.cluster, outcome.schedule); !report.empty())
        text += "\n" + report + "\n";
    return text + problemsText(outcome.diagnostics);
}

std::string runText(const RunRecord& run) {
    Table table({{}, {}});
    inputRows(table, run, {});
    resultRows(table, run, {});
    endRows(table, run);
    if (!run.error.empty())
        table.row({"reason", run.error});
    return table.text();
}

std::string problemsText(const Diagnostics& diagnostics, std::string_view title) {
    if (diagnostics.empty())
        return {};
    constexpr std::size_t kShown = 3;
    std::string text = fmt::format("\n{}\n", title);
    for (const Diagnostic& d : diagnostics.entries()) {
        text += fmt::format("  {}: {} ({})\n", toString(d.severity), d.summary,
                            formatCount(static_cast<std::int64_t>(d.count)));
        for (std::size_t i = 0; i < std::min(kShown, d.examples.size()); ++i)
            text += fmt::format("    {}\n", printable(d.examples[i]));
        if (d.count > std::min(kShown, d.examples.size()))
            text += "    ...\n";
    }
    return text;
}

void warnIfNotKept(const Outcome& outcome) {
    for (const Diagnostic& d : outcome.diagnostics.entries()) {
        if (d.code == "run-not-kept")
            printError(fmt::format("the run is not kept: {}", d.examples.front()));
    }
}

} // namespace opscape
