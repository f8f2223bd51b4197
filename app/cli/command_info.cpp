// SPDX-License-Identifier: MIT
#include "commands.h"
#include "report.h"
#include "service/file_plan.h"
#include "table.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>
#include <opscape/cost/op_cost.h>

#include <algorithm>
#include <map>
#include <set>

namespace opscape {
namespace {

/// What a graph amounts to.
struct Summary {
    double flops = 0;
    std::int64_t parameters = 0; ///< numbers in weights whose shapes are known
    std::int64_t parameterBytes = 0, constantBytes = 0, activationBytes = 0;
    std::size_t depth = 0;                                  ///< ops on the longest path
    std::vector<std::pair<std::string, std::size_t>> types; ///< the most frequent first, then by name
};

Summary summarize(const Graph& graph) {
    Summary summary;
    std::map<std::string, std::size_t> types;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        summary.flops += opCost(graph, OpId(i)).flops;
        ++types[graph.op(OpId(i)).type];
    }
    for (std::size_t i = 0; i < graph.tensorCount(); ++i) {
        const std::int64_t bytes = graph.tensorBytes(TensorId(i));
        const TensorKind kind = graph.tensor(TensorId(i)).kind;
        if (kind == TensorKind::Weight) {
            const Tensor& weight = graph.tensor(TensorId(i));
            summary.parameters += weight.shapeKnown ? elementCount(weight.shape).value_or(0) : 0;
            summary.parameterBytes += bytes;
        }
        if (kind == TensorKind::Constant)
            summary.constantBytes += bytes;
        else if (kind == TensorKind::Activation)
            summary.activationBytes += bytes;
    }
    std::vector<std::size_t> depths(graph.opCount());
    for (const OpId op : graph.topologicalOrder()) {
        for (const OpId before : graph.predecessors(op))
            depths[op.index()] = std::max(depths[op.index()], depths[before.index()]);
        summary.depth = std::max(summary.depth, ++depths[op.index()]);
    }
    summary.types.assign(types.begin(), types.end());
    std::ranges::stable_sort(summary.types, std::greater(), &std::pair<std::string, std::size_t>::second);
    return summary;
}

/// How many ops the file gives a device, and how many devices those are.
struct DevicesSaid {
    std::size_t ops = 0, devices = 0;
};

DevicesSaid devicesSaid(const Graph& graph) {
    DevicesSaid said;
    std::set<std::string_view> devices;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        if (const std::string& device = graph.op(OpId(i)).requestedDevice; !device.empty()) {
            ++said.ops;
            devices.insert(device);
        }
    }
    said.devices = devices.size();
    return said;
}

/// What the file says of a plan: "3 fused groups of 12 ops; scheduled; 40 ops on 4 devices".
std::string planText(const OpenedGraph& opened) {
    const auto words = [](std::size_t n, std::string_view what) { return counted(static_cast<std::int64_t>(n), what); };
    const FusedCount fused = countFused(opened.fusionGroup);
    const DevicesSaid said = devicesSaid(*opened.graph);
    std::vector<std::string> parts;
    parts.push_back(fused.groups == 0
                        ? "no fused groups"
                        : fmt::format("{} of {}", words(fused.groups, "fused group"), words(fused.ops, "op")));
    parts.emplace_back(opened.isScheduled ? "scheduled" : "not scheduled");
    if (said.ops > 0)
        parts.push_back(fmt::format("{} on {}", words(said.ops, "op"), words(said.devices, "device")));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// How many scopes lie in one another.
int scopeDepth(const ScopeTree& scopes) {
    int depth = 0;
    for (std::size_t i = 0; i < scopes.scopeCount(); ++i)
        depth = std::max(depth, scopes.scope(ScopeId(i)).depth);
    return depth;
}

Json scopesJson(const ScopeTree& scopes) {
    Json json = Json::array();
    for (const ScopeId id : scopes.scope(ScopeTree::root()).scopes)
        json.push_back({{"name", scopes.scope(id).name}, {"ops", scopes.scope(id).opsBelow}});
    return json;
}

Json infoJson(const OpenedGraph& opened, const Summary& summary) {
    const Graph& graph = *opened.graph;
    Json json;
    json["name"] = graph.name();
    json["format"] = opened.format;
    json["hash"] = graph.hash();
    json["ops"] = graph.opCount();
    json["edges"] = graph.edgeCount();
    json["file_nodes"] = opened.fileNodes;
    json["file_edges"] = opened.fileEdges;
    json["folded"] = opened.folded;
    json["tensors"] = graph.tensorCount();
    json["flops"] = summary.flops;
    json["depth"] = summary.depth;
    json["parameters"] = summary.parameters;
    json["parameter_bytes"] = summary.parameterBytes;
    json["constant_bytes"] = summary.constantBytes;
    json["activation_bytes"] = summary.activationBytes;
    json["op_types"] = Json::object();
    for (const auto& [type, count] : summary.types)
        json["op_types"][type] = count;
    const FusedCount fused = countFused(opened.fusionGroup);
    const DevicesSaid said = devicesSaid(graph);
    json["fused_groups"] = fused.groups;
    json["fused_ops"] = fused.ops;
    json["is_scheduled"] = opened.isScheduled;
    json["placed_ops"] = said.ops;
    json["named_devices"] = said.devices;
    json["scope_count"] = opened.scopes->scopeCount() - 1;
    json["scope_depth"] = scopeDepth(*opened.scopes);
    json["scopes"] = scopesJson(*opened.scopes);
    json["problems"] = problemsJson(opened.diagnostics);
    return json;
}

std::string scopesText(const ScopeTree& scopes) {
    constexpr std::size_t kShown = 20;
    const std::vector<ScopeId>& top = scopes.scope(ScopeTree::root()).scopes;
    if (top.empty())
        return {};
    Table table({{"scope"}, {"ops", true}, {"scopes inside", true}});
    for (std::size_t i = 0; i < std::min(kShown, top.size()); ++i) {
        const Scope& scope = scopes.scope(top[i]);
        table.row(
            {scope.name, formatCount(scope.opsBelow), formatCount(static_cast<std::int64_t>(scope.scopes.size()))});
    }
    std::string text = fmt::format("\n{}", table.text());
    if (top.size() > kShown)
        text += fmt::format("and {} more\n", top.size() - kShown);
    return text;
}

std::string infoText(const OpenedGraph& opened, const Summary& summary) {
    const Graph& graph = *opened.graph;
    const auto count = [](std::size_t n) { return formatCount(static_cast<std::int64_t>(n)); };
    const auto words = [](std::size_t n, std::string_view what) { return counted(static_cast<std::int64_t>(n), what); };
    const std::string folded =
        fmt::format("{}, {}; {} became state of the ops that read {}", words(opened.fileNodes, "node"),
                    words(opened.fileEdges, "edge"), words(opened.folded, "node"), opened.folded == 1 ? "it" : "them");
    Table facts({{}, {}});
    facts.row({"name", graph.name()});
    facts.row({"format", opened.format});
    facts.row({"ops", count(graph.opCount())});
    facts.row({"edges", count(graph.edgeCount())});
    facts.row({"depth", words(summary.depth, "op")});
    facts.row({"in the file", folded});
    facts.row({"plan in the file", planText(opened)});
    facts.row({"operations", formatSi(summary.flops) + "FLOP"});
    facts.row(
        {"parameters", fmt::format("{} in {}", formatCount(summary.parameters), formatBytes(summary.parameterBytes))});
    facts.row({"constants", formatBytes(summary.constantBytes)});
    facts.row({"activations", formatBytes(summary.activationBytes)});
    facts.row(
        {"scopes", fmt::format("{}, {} deep", count(opened.scopes->scopeCount() - 1), scopeDepth(*opened.scopes))});
    Table types({{"op type"}, {"ops", true}});
    for (const auto& [type, ops] : summary.types)
        types.row({type, count(ops)});
    return facts.text() + "\n" + types.text() + scopesText(*opened.scopes) + problemsText(opened.diagnostics);
}

} // namespace

Result<int> infoCommand(const GlobalArgs& global, const InfoArgs& args) {
    const auto opened = Workbench::openGraph(args.file);
    if (!opened)
        return fail(opened.error());
    const Summary summary = summarize(*(*opened)->graph);
    if (global.json)
        printJson(infoJson(**opened, summary));
    else
        printText(infoText(**opened, summary));
    return kFine;
}

} // namespace opscape
