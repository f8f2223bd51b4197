// SPDX-License-Identifier: MIT
#include "sanity.h"

#include "service/workbench.h"

#include <opscape/base/paths.h>
#include <opscape/sim/simulator.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace opscape {
namespace {

/// A bundled cluster that has devices of the kind.
Result<std::shared_ptr<const Cluster>> clusterWith(const std::string& kind) {
    for (const std::string& name : Cluster::bundled()) {
        auto cluster = Cluster::load(name);
        if (!cluster)
            return fail(cluster.error());
        if (cluster->kindOf(DeviceId(0)).name == kind)
            return std::make_shared<const Cluster>(std::move(*cluster));
    }
    return fail("no bundled cluster has a {} as its first device.", kind);
}

Result<> simulateRow(SanityRow& row, double unitsPerStep) {
    const auto opened = Workbench::openGraph(row.graph);
    if (!opened)
        return fail(opened.error());
    auto cluster = clusterWith(row.device);
    if (!cluster)
        return fail(cluster.error());
    Diagnostics diagnostics;
    const Problem problem = makeProblem((*opened)->graph, *cluster, diagnostics);
    const auto schedule = simulate(problem, Plan::allOn(DeviceId(0), problem.graph->opCount()));
    if (!schedule)
        return fail(schedule.error());
    row.stepNs = schedule->makespanNs;
    row.feasible = schedule->feasible;
    row.peakBytes = schedule->peakBytes;
    row.simulated = unitsPerStep / (static_cast<double>(row.stepNs) / 1e9);
    return {};
}

} // namespace

Result<std::vector<SanityRow>> sanityTable(const std::filesystem::path& file) {
    const auto text = readFile(file);
    if (!text)
        return fail(text.error());
    std::vector<SanityRow> rows;
    try {
        const auto json = nlohmann::json::parse(*text);
        for (const auto& entry : json.at("entries")) {
            SanityRow& row = rows.emplace_back();
            row.model = entry.at("model");
            row.device = entry.at("device");
            row.precision = entry.at("precision");
            row.published = entry.at("figure");
            row.unit = entry.at("unit");
            row.source = entry.at("source");
            row.source = row.source.substr(0, row.source.find(':'));
            row.graph = entry.value("graph", "");
            if (row.graph.empty())
                continue;
            if (auto done = simulateRow(row, entry.at("units_per_step")); !done)
                return fail("{}, {}: {}", file.string(), row.model, done.error().message);
        }
    } catch (const nlohmann::json::exception& error) {
        return fail("{} does not read as published figures: {}.", file.string(), error.what());
    }
    return rows;
}

} // namespace opscape
