// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "service/curve_csv.h"
#include "service/run_again.h"
#include "service/run_filter.h"
#include "service/run_status.h"
#include "service/run_table.h"
#include "table.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>

namespace opscape {
namespace {

std::string listText(const std::vector<RunRecord>& runs, const std::set<std::int64_t>& paused, std::size_t total,
                     bool filtered, bool newest) {
    if (runs.empty())
        return filtered ? "No run fits.\n" : "There are no runs yet.\n";
    Table table({{"run", true},
                 {"started"},
                 {"what"},
                 {"graph"},
                 {"ops", true},
                 {"cluster"},
                 {"links"},
                 {"step time", true},
                 {"gap", true},
                 {"peak memory", true},
                 {"fits"},
                 {"status"},
                 {"tags"}});
    for (const RunRecord& run : runs) {
        const bool has = run.result.has_value();
        table.row({std::to_string(run.id), dateText(run.startedMs), run.optimizer.empty() ? run.kind : run.optimizer,
                   elide(run.graphName, 32), formatCount(run.ops), run.clusterId, run.linkModel,
                   has ? formatTime(run.result->makespanNs) : "-", gapText(run),
                   has ? formatBytes(run.result->peakBytes) : "-", has ? yesNo(run.result->feasible) : "-",
                   std::string(statusText(run, paused.contains(run.id))),
                   fmt::format("{}{}", run.pinned ? "(pinned) " : "", fmt::join(run.tags, " "))});
    }
    std::string text = table.text();
    if (runs.size() < total)
        text += fmt::format("the {} {} of {}; --limit 0 shows all\n", newest ? "newest" : "first", runs.size(), total);
    return text;
}

Json curveJson(const RunCurve& curve) {
    Json json{{"baselines", Json::array()}, {"points", Json::array()}};
    for (const NamedTime& baseline : curve.baselines)
        json["baselines"].push_back({{"name", baseline.name}, {"ns", baseline.ns}});
    for (const CurvePoint& p : curve.points)
        json["points"].push_back({{"update", p.update},
                                  {"seconds", p.seconds},
                                  {"simulations", p.simulations},
                                  {"reward", p.reward},
                                  {"best_ns", p.bestNs < 0 ? Json() : Json(p.bestNs)},
                                  {"entropy", p.entropy},
                                  {"kl", p.kl},
                                  {"clip_fraction", p.clipFraction},
                                  {"value_baseline", p.valueBaseline},
                                  {"policy_loss", p.policyLoss},
                                  {"imitation_loss", p.imitationLoss}});
    return json;
}

} // namespace

Result<RunStore> openStore(const GlobalArgs& global) {
    return RunStore::open(global.database.empty() ? RunStore::defaultFile() : global.database);
}

Result<int> curveCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto store = openStore(global);
    if (!store)
        return fail(store.error());
    const auto curve = store->curve(args.run());
    if (!curve)
        return fail(curve.error());
    if (curve->points.empty() && curve->baselines.empty())
        return fail("run {} has no curve: it does not learn, or has not begun to; runs show {} says what it is.",
                    args.run(), args.run());
    if (!args.file.empty()) {
        if (auto written = writeCurve(*store, args.run(), args.file); !written)
            return fail(written.error());
        if (global.json)
            printJson({{"run_id", args.run()}, {"curve", args.file.string()}});
        else
            printText(fmt::format("The curve of run {} is in {}.\n", args.run(), args.file.string()));
        return kFine;
    }
    if (global.json) {
        Json json{{"run_id", args.run()}};
        json.update(curveJson(*curve));
        printJson(json);
    } else {
        printText(curveCsv(*curve));
    }
    return kFine;
}

Result<int> listRunsCommand(const GlobalArgs& global, const RunsArgs& args) {
    RunQuery query;
    query.pinnedFirst = false;
    query.ascending = args.ascending;
    const std::string filter = fmt::format("{}", fmt::join(args.filter, " "));
    const auto condition = parseRunFilter(filter);
    const auto sort = runFieldNamed(args.sort);
    if (!condition || !sort) {
        printError(condition
                       ? fmt::format("there is no field \"{}\" to sort by; there are {}.", args.sort, runFieldNames())
                       : fmt::format("the filter \"{}\" is not understood: {}", filter, condition.error().message));
        return kWrongUsage;
    }
    query.condition = *condition;
    query.sort = *sort;
    const auto store = openStore(global);
    if (!store)
        return fail(store.error());
    auto ids = store->find(query);
    if (!ids)
        return fail(ids.error());
    const std::size_t total = ids->size();
    if (args.limit != 0 && total > args.limit)
        ids->resize(args.limit);
    const auto runs = store->get(*ids);
    if (!runs)
        return fail(runs.error());
    const std::set<std::int64_t> paused = pausedRuns(*store);
    if (global.json) {
        Json json{{"total", total}, {"runs", Json::array()}};
        for (const RunRecord& run : *runs) {
            json["runs"].push_back(runJson(run));
            json["runs"].back()["status"] = statusText(run, paused.contains(run.id));
        }
        printJson(json);
    } else if (args.csv) {
        fmt::print("{}", runsCsv(*runs, paused));
    } else {
        const bool newest = query.sort == RunField::Id && !query.ascending;
        printText(listText(*runs, paused, total, !args.filter.empty(), newest));
    }
    return kFine;
}

Result<int> showRunCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto store = openStore(global);
    if (!store)
        return fail(store.error());
    const auto run = store->get(args.run());
    if (!run)
        return fail(run.error());
    if (!run->result) {
        if (global.json)
            printJson(runJson(*run));
        else
            printText(runText(*run));
        return kFine;
    }
    const Workbench workbench(global.database);
    const auto outcome = workbench.restore(args.run());
    if (!outcome)
        return fail(outcome.error());
    if (global.json) {
        printJson(outcomeJson(*outcome));
        return kFine;
    }
    printText(outcomeText(*outcome, ""));
    if (const auto info = workbench.registry().optimizer(run->optimizer)) {
        if (const std::string remark = revisionRemark(*run, (*info)->revision); !remark.empty())
            printText(fmt::format("\n{}\n", remark));
    }
    return kFine;
}

Result<int> planCommand(const GlobalArgs& global, const RunsArgs& args) {
    const auto store = openStore(global);
    if (!store)
        return fail(store.error());
    const auto plan = store->planText(args.run());
    if (!plan)
        return fail(plan.error());
    if (auto written = writeFile(args.file, *plan); !written)
        return fail(written.error());
    if (global.json)
        printJson({{"run_id", args.run()}, {"plan", args.file.string()}});
    else
        printText(fmt::format("The plan of run {} is in {}.\n", args.run(), args.file.string()));
    return kFine;
}

} // namespace opscape
