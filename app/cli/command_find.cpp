// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/query/query.h>
#include <opscape/sim/critical_path.h>

namespace opscape {
namespace {

/// The graph on a cluster, with the schedule of a plan where one is named.
struct Subject {
    std::shared_ptr<const OpenedGraph> opened;
    Problem problem;
    std::optional<Outcome> outcome;
    std::vector<std::uint8_t> critical;
};

Result<Subject> subjectOf(const GlobalArgs& global, const InfoArgs& args) {
    auto graph = openOnCluster(args.file, args.cluster);
    if (!graph)
        return fail(graph.error());
    Subject subject;
    subject.opened = graph->opened;
    if (args.plan.empty()) {
        Diagnostics diagnostics; // what info says of the graph without --find
        subject.problem = makeProblem(graph->opened->graph, graph->cluster, diagnostics);
        return subject;
    }
    auto outcome = simulateFile(Workbench(global.database), *graph, args.plan, false);
    if (!outcome)
        return fail(outcome.error());
    subject.problem = outcome->problem;
    subject.critical =
        opsOnPath(criticalPath(outcome->problem, outcome->plan, outcome->schedule), outcome->plan.device.size());
    subject.outcome = std::move(*outcome);
    return subject;
}

DeviceId deviceOf(const Subject& subject, OpId op) {
    return subject.outcome ? subject.outcome->plan.device[op.index()] : DeviceId(0);
}

void show(const GlobalArgs& global, const InfoArgs& args, const Subject& subject, const std::vector<OpId>& ops) {
    const Graph& graph = *subject.opened->graph;
    const Cluster& cluster = *subject.problem.cluster;
    Json json{{"query", args.find}, {"ops", graph.opCount()}, {"found", ops.size()}, {"matches", Json::array()}};
    Table table({{"op"}, {"type"}, {"device"}, {"time", true}});
    for (const OpId op : ops) {
        const DeviceId device = deviceOf(subject, op);
        const std::string on = subject.outcome ? cluster.device(device).name : "-";
        const std::int64_t ns = subject.problem.opNs(op, device);
        if (!global.json) {
            table.row({graph.op(op).name, graph.op(op).type, on, formatTime(ns)});
            continue;
        }
        Json match{{"id", op.value}, {"name", graph.op(op).name}, {"type", graph.op(op).type}, {"time_ns", ns}};
        if (subject.outcome)
            match["device"] = on;
        json["matches"].push_back(std::move(match));
    }
    if (global.json)
        return printJson(json);
    printText(fmt::format("{}{} of {} {}.\n", table.empty() ? "" : table.text() + "\n",
                          formatCount(static_cast<std::int64_t>(ops.size())),
                          counted(static_cast<std::int64_t>(graph.opCount()), "op"), ops.size() == 1 ? "fits" : "fit"));
}

} // namespace

Result<int> findCommand(const GlobalArgs& global, const InfoArgs& args) {
    const auto query = Query::parse(args.find);
    if (!query) { // before any file is read: a mistake in it is wrong usage
        printError("--find: " + query.error().message);
        return kWrongUsage;
    }
    const auto subject = subjectOf(global, args);
    if (!subject)
        return fail(subject.error());
    const GraphWords words(*subject->opened->graph, *subject->opened->scopes);
    QueryFacts facts{.graph = subject->opened->graph.get(),
                     .scopes = subject->opened->scopes.get(),
                     .words = &words,
                     .cluster = subject->problem.cluster.get(),
                     .cost = subject->problem.cost.get()};
    if (subject->outcome) {
        facts.plan = &subject->outcome->plan;
        facts.schedule = &subject->outcome->schedule;
        facts.critical = &subject->critical;
    }
    const auto ops = query->match(facts);
    if (!ops) {
        printError("--find: " + ops.error().message);
        return kWrongUsage;
    }
    show(global, args, *subject, *ops);
    return kFine;
}

} // namespace opscape
