// SPDX-License-Identifier: MIT
// Runs from one database to another: read in one transaction, so that they are of one moment, and written in one, so
// that all of them are kept or none. A run is known again by its uid.
#include <opscape/store/compression.h>
#include <opscape/store/run_rows.h>
#include <opscape/store/run_store_impl.h>

namespace opscape {
namespace {

/// The run that is here under this uid; an id of 0 when there is none.
Result<BundledRun> findKnown(const Database& database, const std::string& uid) {
    Statement query(database, "SELECT id, deleted_ms FROM runs WHERE uid = ?");
    auto row = query.bind(uid).step();
    if (!row)
        return fail(row.error());
    if (!*row)
        return BundledRun{};
    return BundledRun{query.integer(0), true, query.integer(1) > 0};
}

Result<std::int64_t> insertWhole(const Database& database, const WholeRun& whole) {
    const RunRecord& run = whole.run;
    const auto id = insertRun(database, run, run.status, run.uid);
    if (!id)
        return id;
    auto done = updateEnd(database, *id, run.status, run.wallMs, run.result, run.error);
    if (done)
        done = insertOptions(database, *id, run.options);
    if (done)
        done = insertTags(database, *id, run.tags);
    if (done && !whole.planJson.empty())
        done = insertPlan(database, *id, whole.planJson.size(), compress(whole.planJson));
    if (done)
        done = insertBaselines(database, *id, whole.curve.baselines);
    if (done)
        done = insertPoints(database, *id, 0, whole.curve.points);
    if (!done)
        return fail(done.error());
    return id;
}

Result<> insertSubjects(const Database& database, const RunBundle& bundle, const RunRecord& run) {
    auto known = hasGraph(database, run.graphHash);
    if (!known)
        return fail(known.error());
    if (!*known) {
        const std::string& text = bundle.graphs.at(run.graphHash);
        if (auto kept = insertGraph(database, run.graphHash, text.size(), compress(text)); !kept)
            return kept;
    }
    return insertCluster(database, run.clusterHash, bundle.clusters.at(run.clusterHash));
}

} // namespace

Result<RunBundle> RunStore::bundle(std::span<const std::int64_t> ids) const {
    const Database& database = m_impl->database;
    if (auto begun = database.execute("SAVEPOINT bundle"); !begun)
        return fail(begun.error());
    const auto read = [&]() -> Result<RunBundle> {
        RunBundle bundle;
        for (const std::int64_t id : ids) {
            auto run = get(id);
            if (!run)
                return fail(run.error());
            WholeRun whole{std::move(*run), {}, {}};
            auto plan = m_impl->planJson(id);
            auto curves = curve(id);
            if (!plan || !curves)
                return fail(plan ? curves.error() : plan.error());
            whole.planJson = plan->value_or(std::string());
            whole.curve = std::move(*curves);
            if (std::string& text = bundle.graphs[whole.run.graphHash]; text.empty()) {
                auto graph = graphText(whole.run.graphHash);
                if (!graph)
                    return fail(graph.error());
                text = std::move(*graph);
            }
            if (std::string& text = bundle.clusters[whole.run.clusterHash]; text.empty()) {
                auto cluster = clusterText(whole.run.clusterHash);
                if (!cluster)
                    return fail(cluster.error());
                text = std::move(*cluster);
            }
            bundle.runs.push_back(std::move(whole));
        }
        return bundle;
    };
    auto bundle = read();
    if (auto ended = database.execute("RELEASE bundle"); !ended && bundle)
        return fail(ended.error());
    return bundle;
}

Result<std::vector<BundledRun>> RunStore::keep(const RunBundle& bundle) {
    const Database& database = m_impl->database;
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    std::vector<BundledRun> kept;
    for (const WholeRun& whole : bundle.runs) {
        auto run = findKnown(database, whole.run.uid);
        if (!run)
            return fail(run.error());
        if (run->wasInBin) {
            if (auto back = Statement(database, "UPDATE runs SET deleted_ms = 0 WHERE id = ?").bind(run->id).run();
                !back)
                return fail(back.error());
        }
        if (!run->known) {
            if (auto subjects = insertSubjects(database, bundle, whole.run); !subjects)
                return fail(subjects.error());
            const auto id = insertWhole(database, whole);
            if (!id)
                return fail(id.error());
            run->id = *id;
        }
        kept.push_back(*run);
    }
    if (auto done = transaction->commit(); !done)
        return fail(done.error());
    return kept;
}

} // namespace opscape
