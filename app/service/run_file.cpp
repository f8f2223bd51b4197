// SPDX-License-Identifier: MIT
#include "run_file.h"

#include <opscape/base/hash.h>
#include <opscape/base/paths.h>
#include <opscape/device/cluster.h>
#include <opscape/io/format.h>
#include <opscape/io/plan_json.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace opscape {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

/// A text that is not UTF-8 is written with replacement characters; the checksum is of what is written.
std::string compact(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json number(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

double toNumber(const Json& json) {
    if (!json.is_string())
        return json.get<double>();
    const auto& text = json.get_ref<const std::string&>();
    if (text == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (text == "inf" || text == "-inf")
        return text[0] == '-' ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    throw std::invalid_argument(text);
}

Json curveJson(const RunCurve& curve) {
    Json json{{"baselines", Json::array()}, {"points", Json::array()}};
    for (const NamedTime& baseline : curve.baselines)
        json["baselines"].push_back(Json::array({baseline.name, baseline.ns}));
    for (const CurvePoint& p : curve.points)
        json["points"].push_back(Json::array({p.update, number(p.seconds), p.simulations, number(p.reward), p.bestNs,
                                              number(p.entropy), number(p.kl), number(p.clipFraction),
                                              number(p.valueBaseline), number(p.policyLoss), number(p.imitationLoss)}));
    return json;
}

RunCurve toCurve(const Json& json) {
    RunCurve curve;
    for (const Json& baseline : json.at("baselines"))
        curve.baselines.push_back({baseline.at(0).get<std::string>(), baseline.at(1).get<std::int64_t>()});
    for (const Json& p : json.at("points"))
        curve.points.push_back({p.at(0).get<std::int64_t>(), toNumber(p.at(1)), p.at(2).get<std::int64_t>(),
                                toNumber(p.at(3)), p.at(4).get<std::int64_t>(), toNumber(p.at(5)), toNumber(p.at(6)),
                                toNumber(p.at(7)), toNumber(p.at(8)), toNumber(p.at(9)), toNumber(p.at(10))});
    return curve;
}

Json runJson(const WholeRun& whole) {
    const RunRecord& run = whole.run;
    const bool goesOn = run.status == RunStatus::Running;
    Json json{{"uid", run.uid},
              {"number", run.id},
              {"kind", run.kind},
              {"status", toString(goesOn ? RunStatus::Interrupted : run.status)},
              {"graph_hash", run.graphHash},
              {"graph_name", run.graphName},
              {"graph_path", run.graphPath},
              {"ops", run.ops},
              {"edges", run.edges},
              {"cluster_hash", run.clusterHash},
              {"cluster_id", run.clusterId},
              {"link_model", run.linkModel},
              {"optimizer", run.optimizer},
              {"revision", run.revision},
              {"objective", run.objective},
              {"options", run.options},
              {"seed", run.seed},
              {"version", run.version},
              {"started_ms", run.startedMs},
              {"wall_ms", run.wallMs},
              {"error", goesOn ? std::string("It was still going on when it was exported.") : run.error},
              {"notes", run.notes},
              {"tags", run.tags},
              {"pinned", run.pinned}};
    if (run.result)
        json["result"] = {{"makespan_ns", run.result->makespanNs},
                          {"lower_bound_ns", run.result->lowerBoundNs},
                          {"peak_bytes", run.result->peakBytes},
                          {"bytes_moved", run.result->bytesMoved},
                          {"feasible", run.result->feasible}};
    if (!whole.planJson.empty())
        json["plan"] = Json::parse(whole.planJson);
    if (run.learns)
        json["curve"] = curveJson(whole.curve);
    return json;
}

WholeRun toRun(const Json& json) {
    WholeRun whole;
    RunRecord& run = whole.run;
    run.uid = json.at("uid").get<std::string>();
    run.kind = json.at("kind").get<std::string>();
    const auto status = parseRunStatus(json.at("status").get<std::string>());
    if (run.uid.empty() || (run.kind != "optimize" && run.kind != "simulate") || !status ||
        *status == RunStatus::Running)
        throw std::invalid_argument("no run");
    run.status = *status;
    run.graphHash = json.at("graph_hash").get<std::string>();
    run.graphName = json.at("graph_name").get<std::string>();
    run.graphPath = json.at("graph_path").get<std::string>();
    run.ops = json.at("ops").get<std::int64_t>();
    run.edges = json.at("edges").get<std::int64_t>();
    run.clusterHash = json.at("cluster_hash").get<std::string>();
    run.clusterId = json.at("cluster_id").get<std::string>();
    run.linkModel = json.at("link_model").get<std::string>();
    run.optimizer = json.at("optimizer").get<std::string>();
    run.revision = json.at("revision").get<int>();
    run.objective = json.at("objective").get<std::string>();
    run.options = json.at("options").get<std::map<std::string, std::string>>();
    run.seed = json.at("seed").get<std::uint64_t>();
    run.version = json.at("version").get<std::string>();
    run.startedMs = json.at("started_ms").get<std::int64_t>();
    run.wallMs = json.at("wall_ms").get<std::int64_t>();
    run.error = json.at("error").get<std::string>();
    run.notes = json.at("notes").get<std::string>();
    for (const Json& tag : json.at("tags")) // also of a hand that wrote them as it pleased
        for (const std::string& part : parseTags(tag.get<std::string>()))
            run.tags.push_back(part);
    run.pinned = json.at("pinned").get<bool>();
    if (const auto result = json.find("result"); result != json.end())
        run.result = {result->at("makespan_ns").get<std::int64_t>(), result->at("lower_bound_ns").get<std::int64_t>(),
                      result->at("peak_bytes").get<std::int64_t>(), result->at("bytes_moved").get<std::int64_t>(),
                      result->at("feasible").get<bool>()};
    if (const auto plan = json.find("plan"); plan != json.end())
        whole.planJson = compact(*plan);
    if (const auto curve = json.find("curve"); curve != json.end()) {
        run.learns = true;
        whole.curve = toCurve(*curve);
    }
    return whole;
}

Result<> checkSum(Json& json, const std::string& origin) {
    constexpr std::array<std::string_view, 6> kKeys{"opscape_runs", "version", "graphs",
                                                    "clusters",     "runs",    "checksum"};
    for (const auto& [key, value] : json.items()) {
        if (std::ranges::find(kKeys, key) == kKeys.end())
            return fail("{}: this file of runs is damaged: \"{}\" means nothing in it.", origin, key);
    }
    const auto sum = json.find("checksum");
    if (sum == json.end())
        return {}; // written by another program
    const Json stated = *sum;
    json.erase("checksum");
    if (stated != contentHash(compact(json)))
        return fail("{}: this file of runs is damaged: its checksum is not that of its content; take it from where it "
                    "came once more.",
                    origin);
    return {};
}

/// Graphs, clusters and plans are read as they are when a run is shown, and have the hashes they are known by.
Result<> checkContent(const RunBundle& bundle, const std::string& origin) {
    std::map<std::string, Graph> graphs;
    std::map<std::string, Cluster> clusters;
    for (const auto& [hash, text] : bundle.graphs) {
        auto graph = readGraph(text, origin);
        if (!graph)
            return fail(graph.error());
        if (graph->graph.hash() != hash)
            return fail("{}: this file of runs is damaged: graph {} is not the one of that hash.", origin, hash);
        graphs.emplace(hash, std::move(graph->graph));
    }
    for (const auto& [hash, text] : bundle.clusters) {
        auto cluster = Cluster::parse(text, origin);
        if (!cluster)
            return fail(cluster.error());
        if (cluster->hash() != hash)
            return fail("{}: this file of runs is damaged: cluster {} is not the one of that hash.", origin, hash);
        clusters.emplace(hash, std::move(*cluster));
    }
    for (const WholeRun& whole : bundle.runs) {
        const auto graph = graphs.find(whole.run.graphHash);
        const auto cluster = clusters.find(whole.run.clusterHash);
        if (graph == graphs.end() || cluster == clusters.end())
            return fail("{}: this file of runs is damaged: the {} of one of its runs is missing.", origin,
                        graph == graphs.end() ? "graph" : "cluster");
        if (whole.planJson.empty())
            continue;
        if (auto plan = readPlan(whole.planJson, origin, graph->second, cluster->second); !plan)
            return fail(plan.error());
    }
    return {};
}

std::string numbers(const std::vector<std::int64_t>& ids) {
    std::string text;
    for (std::size_t i = 0; i < ids.size(); ++i)
        text += (i == 0 ? "" : i + 1 == ids.size() ? " and " : ", ") + std::to_string(ids[i]);
    return text;
}

} // namespace

Result<std::string> writeRuns(const RunBundle& bundle) {
    Json json{{"opscape_runs", kFormat}, {"version", OPSCAPE_VERSION}, {"graphs", Json::object()}};
    try {
        for (const auto& [hash, text] : bundle.graphs)
            json["graphs"][hash] = Json::parse(text);
        json["clusters"] = bundle.clusters;
        json["runs"] = Json::array();
        for (const WholeRun& whole : bundle.runs)
            json["runs"].push_back(runJson(whole));
    } catch (const Json::exception& error) {
        return fail("a run cannot be exported, for what is kept of it is damaged: {}.", error.what());
    }
    json["checksum"] = contentHash(compact(json));
    return compact(json) + "\n";
}

Result<RunBundle> readRuns(std::string_view text, const std::string& origin) {
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() && text.substr(0, 64).find("\"opscape_runs\"") != std::string_view::npos)
        return fail("{}: this file of runs is damaged or not whole; take it from where it came once more.", origin);
    if (!json.is_object() || !json.contains("opscape_runs") || !json["opscape_runs"].is_number_integer())
        return fail("{}: this is not a file of runs; runs export writes one.", origin);
    if (const auto format = json["opscape_runs"].get<std::int64_t>(); format != kFormat)
        return fail("{}: this file of runs has format {}, this program knows only format {}; update the program.",
                    origin, format, kFormat);
    if (auto sum = checkSum(json, origin); !sum)
        return fail(sum.error());
    RunBundle bundle;
    try {
        for (const auto& [hash, graph] : json.at("graphs").items())
            bundle.graphs[hash] = compact(graph);
        bundle.clusters = json.at("clusters").get<std::map<std::string, std::string>>();
        for (const Json& run : json.at("runs"))
            bundle.runs.push_back(toRun(run));
    } catch (const std::exception&) {
        return fail("{}: this file of runs is damaged: run {} of it misses something or has something of the wrong "
                    "kind.",
                    origin, bundle.runs.size() + 1);
    }
    if (auto checked = checkContent(bundle, origin); !checked)
        return fail(checked.error());
    return bundle;
}

Result<std::size_t> exportRuns(const std::filesystem::path& database, std::span<const std::int64_t> ids,
                               const std::filesystem::path& file) {
    const auto store = RunStore::open(database);
    if (!store)
        return fail(store.error());
    const auto bundle = store->bundle(ids);
    if (!bundle)
        return fail(bundle.error());
    const auto text = writeRuns(*bundle);
    if (!text)
        return fail(text.error());
    if (auto written = writeFile(file, *text); !written)
        return fail(written.error());
    return text->size();
}

Result<std::vector<BundledRun>> importRuns(const std::filesystem::path& database, const std::filesystem::path& file) {
    const auto text = readFile(file);
    if (!text)
        return fail(text.error());
    const auto bundle = readRuns(*text, file.string());
    if (!bundle)
        return fail(bundle.error());
    auto store = RunStore::open(database);
    if (!store)
        return fail(store.error());
    return store->keep(*bundle);
}

std::string importReport(const std::vector<BundledRun>& runs) {
    std::vector<std::int64_t> fresh, known, back;
    for (const BundledRun& run : runs)
        (run.wasInBin ? back : run.known ? known : fresh).push_back(run.id);
    std::vector<std::string> parts;
    const auto say = [&parts](const std::vector<std::int64_t>& ids, const char* one, const char* many) {
        if (!ids.empty())
            parts.push_back(fmt::format("{} {} {}", ids.size(), ids.size() == 1 ? one : many, numbers(ids)));
    };
    say(fresh, "run is imported, as run", "runs are imported, as runs");
    say(known, "run was here already, as run", "runs were here already, as runs");
    say(back, "run was deleted here and is brought back, run", "runs were deleted here and are brought back, runs");
    if (parts.empty())
        return "There are no runs in the file.";
    return fmt::format("{}.", fmt::join(parts, "; "));
}

} // namespace opscape
