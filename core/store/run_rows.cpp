// SPDX-License-Identifier: MIT
#include <opscape/store/process_mark.h>
#include <opscape/store/run_rows.h>

namespace opscape {
namespace {

constexpr std::string_view kRunColumns =
    "id, kind, status, graph_hash, graph_name, graph_path, ops, edges, cluster_hash, cluster_id, link_model, "
    "optimizer, revision, objective, seed, version, started_ms, wall_ms, makespan_ns, lower_bound_ns, peak_bytes, "
    "bytes_moved, feasible, error, notes, learns, uid, pinned, deleted_ms";

RunRecord readRun(const Statement& row) {
    int column = 0;
    const auto integer = [&] { return row.integer(column++); };
    const auto text = [&] { return row.text(column++); };
    RunRecord run;
    run.id = integer();
    run.kind = text();
    run.status = parseRunStatus(text()).value_or(RunStatus::Failed); // the schema allows only known names
    run.graphHash = text();
    run.graphName = text();
    run.graphPath = text();
    run.ops = integer();
    run.edges = integer();
    run.clusterHash = text();
    run.clusterId = text();
    run.linkModel = text();
    run.optimizer = text();
    run.revision = static_cast<int>(integer());
    run.objective = text();
    run.seed = static_cast<std::uint64_t>(integer());
    run.version = text();
    run.startedMs = integer();
    run.wallMs = integer();
    const bool hasResult = !row.isNull(column);
    const RunResult result{integer(), integer(), integer(), integer(), integer() != 0};
    if (hasResult)
        run.result = result;
    run.error = text();
    run.notes = text();
    run.learns = integer() != 0;
    run.uid = text();
    run.pinned = integer() != 0;
    run.deletedMs = integer();
    return run;
}

/// Every row of a statement that has its values.
Result<> each(Statement& query, const auto& take) {
    for (;;) {
        auto row = query.step();
        if (!row)
            return fail(row.error());
        if (!*row)
            return {};
        take(query);
    }
}

} // namespace

std::string_view storedName(RunStatus status) {
    return status == RunStatus::Interrupted ? "interrupted" : toString(status);
}

RunReader::RunReader(const Database& database)
    : m_run(database, fmt::format("SELECT {} FROM runs WHERE id = ?", kRunColumns)),
      m_options(database, "SELECT name, value FROM run_options WHERE run_id = ?"),
      m_tags(database, "SELECT tag FROM run_tags WHERE run_id = ? ORDER BY tag") {}

Result<std::optional<RunRecord>> RunReader::read(std::int64_t id) {
    std::optional<RunRecord> run;
    m_run.reset();
    auto done = each(m_run.bind(id), [&run](const Statement& row) { run = readRun(row); });
    m_run.reset(); // a statement that is not at its end would keep other programs from tidying the log
    if (done && run) {
        m_options.reset();
        done = each(m_options.bind(id), [&run](const Statement& row) { run->options[row.text(0)] = row.text(1); });
    }
    if (done && run) {
        m_tags.reset();
        done = each(m_tags.bind(id), [&run](const Statement& row) { run->tags.push_back(row.text(0)); });
    }
    if (!done)
        return fail(done.error());
    return run;
}

Result<std::int64_t> insertRun(const Database& database, const RunRecord& run, RunStatus status, std::string_view uid) {
    const ProcessMark owner = status == RunStatus::Running ? ProcessMark::ours() : ProcessMark();
    auto kept =
        Statement(database, "INSERT INTO runs (kind, status, graph_hash, graph_name, graph_path, ops, edges, "
                            "cluster_hash, cluster_id, link_model, optimizer, revision, objective, seed, version, "
                            "started_ms, notes, learns, pinned, uid, owner_pid, owner_started, owner_boot) VALUES "
                            "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                            "coalesce(nullif(?, ''), lower(hex(randomblob(16)))), ?, ?, ?)")
            .bind(run.kind, storedName(status), run.graphHash, run.graphName, run.graphPath, run.ops, run.edges,
                  run.clusterHash, run.clusterId, run.linkModel, run.optimizer, run.revision, run.objective, run.seed,
                  run.version, run.startedMs, run.notes, run.learns, run.pinned, uid, owner.pid, owner.started,
                  owner.boot)
            .run();
    if (!kept)
        return fail(kept.error());
    return database.lastInsertId();
}

Result<> updateEnd(const Database& database, std::int64_t id, RunStatus status, std::int64_t wallMs,
                   const std::optional<RunResult>& result, std::string_view error) {
    auto done = Statement(database, "UPDATE runs SET status = ?, wall_ms = ?, error = ? WHERE id = ?")
                    .bind(storedName(status), wallMs, error, id)
                    .run();
    if (done && result)
        done = Statement(database, "UPDATE runs SET makespan_ns = ?, lower_bound_ns = ?, peak_bytes = ?, "
                                   "bytes_moved = ?, feasible = ? WHERE id = ?")
                   .bind(result->makespanNs, result->lowerBoundNs, result->peakBytes, result->bytesMoved,
                         result->feasible, id)
                   .run();
    return done;
}

Result<> insertOptions(const Database& database, std::int64_t id, const std::map<std::string, std::string>& options) {
    Statement insert(database, "INSERT INTO run_options (run_id, name, value) VALUES (?, ?, ?)");
    for (const auto& [name, value] : options) {
        insert.reset();
        if (auto done = insert.bind(id, name, value).run(); !done)
            return done;
    }
    return {};
}

Result<> insertTags(const Database& database, std::int64_t id, std::span<const std::string> tags) {
    Statement insert(database, "INSERT OR IGNORE INTO run_tags (run_id, tag) VALUES (?, ?)");
    for (const std::string& tag : tags) {
        insert.reset();
        if (auto done = insert.bind(id, tag).run(); !done)
            return done;
    }
    return {};
}

Result<> insertBaselines(const Database& database, std::int64_t id, std::span<const NamedTime> baselines) {
    Statement insert(database, "INSERT INTO curve_baselines (run_id, place, name, ns) VALUES (?, ?, ?, ?)");
    for (std::size_t i = 0; i < baselines.size(); ++i) {
        insert.reset();
        if (auto done = insert.bind(id, i, baselines[i].name, baselines[i].ns).run(); !done)
            return done;
    }
    return {};
}

Result<> insertPoints(const Database& database, std::int64_t id, std::int64_t place,
                      std::span<const CurvePoint> points) {
    Statement insert(database, "INSERT INTO curve_points (run_id, place, update_number, seconds, simulations, reward, "
                               "best_ns, entropy, kl, clip_fraction, value_baseline, policy_loss, imitation_loss) "
                               "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (const CurvePoint& point : points) {
        insert.reset();
        auto done = insert
                        .bind(id, place++, point.update, point.seconds, point.simulations, point.reward, point.bestNs,
                              point.entropy, point.kl, point.clipFraction, point.valueBaseline, point.policyLoss,
                              point.imitationLoss)
                        .run();
        if (!done)
            return done;
    }
    return {};
}

Result<bool> hasGraph(const Database& database, const std::string& hash) {
    return Statement(database, "SELECT 1 FROM graphs WHERE hash = ?").bind(hash).step();
}

Result<> insertGraph(const Database& database, const std::string& hash, std::size_t size, std::string_view bytes) {
    return Statement(database, "INSERT INTO graphs (hash, bytes, json) VALUES (?, ?, ?)")
        .bind(hash, size, BlobView{bytes})
        .run();
}

Result<> insertCluster(const Database& database, const std::string& hash, std::string_view json) {
    return Statement(database, "INSERT OR IGNORE INTO clusters (hash, json) VALUES (?, ?)").bind(hash, json).run();
}

Result<> insertPlan(const Database& database, std::int64_t id, std::size_t size, std::string_view bytes) {
    return Statement(database, "INSERT OR REPLACE INTO plans (run_id, bytes, json) VALUES (?, ?, ?)")
        .bind(id, size, BlobView{bytes})
        .run();
}

} // namespace opscape
