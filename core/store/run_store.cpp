// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/store/compression.h>
#include <opscape/store/process_mark.h>
#include <opscape/store/run_database.h>
#include <opscape/store/run_store_impl.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kStatusNames{"running", "finished", "failed", "cancelled", "interrupted"};

constexpr std::string_view kRunColumns =
    "id, kind, status, graph_hash, graph_name, graph_path, ops, edges, "
    "cluster_hash, cluster_id, link_model, optimizer, "
    "revision, objective, seed, version, started_ms, wall_ms, makespan_ns, lower_bound_ns, "
    "peak_bytes, bytes_moved, feasible, error, "
    "notes, learns";

RunRecord readRun(const Statement& row) {
    int column = 0;
    const auto integer = [&] { return row.integer(column++); };
    const auto text = [&] { return row.text(column++); };
    RunRecord run;
    run.id = integer();
    run.kind = text();
    run.status = parseRunStatus(text()).value_or(RunStatus::Failed); // the schema allows only these names
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
    return run;
}

Result<> readOptions(const Database& database, RunRecord& run) {
    Statement query(database, "SELECT name, value FROM run_options WHERE run_id = ?");
    query.bind(run.id);
    for (;;) {
        auto row = query.step();
        if (!row)
            return fail(row.error());
        if (!*row)
            return {};
        run.options[query.text(0)] = query.text(1);
    }
}

Result<bool> hasGraph(const Database& database, const std::string& hash) {
    return Statement(database, "SELECT 1 FROM graphs WHERE hash = ?").bind(hash).step();
}

Result<> insertRun(const Database& database, const RunRecord& run) {
    const ProcessMark owner = ProcessMark::ours();
    return Statement(
               database,
               "INSERT INTO runs (kind, status, graph_hash, graph_name, graph_path, ops, edges, cluster_hash, "
               "cluster_id, link_model, optimizer, revision, objective, seed, version, started_ms, notes, owner_pid, "
               "owner_started, owner_boot) VALUES (?, 'running', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(run.kind, run.graphHash, run.graphName, run.graphPath, run.ops, run.edges, run.clusterHash, run.clusterId,
              run.linkModel, run.optimizer, run.revision, run.objective, run.seed, run.version, run.startedMs,
              run.notes, owner.pid, owner.started, owner.boot)
        .run();
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

} // namespace

std::string_view toString(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::optional<RunStatus> parseRunStatus(std::string_view name) {
    const auto at = std::ranges::find(kStatusNames, name);
    if (at == kStatusNames.end())
        return std::nullopt;
    return static_cast<RunStatus>(at - kStatusNames.begin());
}

Result<std::optional<std::string>> RunStore::Impl::text(std::string_view sql, const auto& key,
                                                        std::string_view what) const {
    Statement query(database, sql);
    auto row = query.bind(key).step();
    if (!row)
        return fail(row.error());
    if (!*row)
        return std::optional<std::string>();
    auto found = decompress(query.blob(1), static_cast<std::size_t>(query.integer(0)));
    if (!found)
        return fail("{}: {} {} is damaged in the run database.", database.file().string(), what, key);
    return found;
}

RunStore::RunStore(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunStore::RunStore(RunStore&&) noexcept = default;
RunStore& RunStore::operator=(RunStore&&) noexcept = default;
RunStore::~RunStore() = default;

fs::path RunStore::defaultFile() { return userDataFolder() / "runs.sqlite"; }

const fs::path& RunStore::file() const { return m_impl->database.file(); }

Result<RunStore> RunStore::open(const fs::path& file, std::chrono::milliseconds patience) {
    auto database = openRunDatabase(file, patience);
    if (!database)
        return fail(database.error());
    return RunStore(std::make_unique<Impl>(Impl{std::move(*database)}));
}

Result<std::int64_t> RunStore::begin(const RunRecord& run, const std::function<std::string()>& graphJson,
                                     std::string_view clusterJson) {
    const Database& database = m_impl->database;
    auto known = hasGraph(database, run.graphHash);
    if (!known)
        return fail(known.error());
    // Writing and compressing a large graph takes a while: before the lock is taken, though it is wasted when another
    // process keeps the same graph in between. Deleted in between, it is missing only under the lock: then once more.
    std::size_t size = 0;
    std::string bytes;
    const auto compressGraph = [&] {
        const std::string text = graphJson();
        size = text.size();
        bytes = compress(text);
    };
    if (!*known)
        compressGraph();
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    known = hasGraph(database, run.graphHash);
    if (!known)
        return fail(known.error());
    if (!*known) {
        if (bytes.empty())
            compressGraph();
        auto kept = Statement(database, "INSERT INTO graphs (hash, bytes, json) VALUES (?, ?, ?)")
                        .bind(run.graphHash, size, BlobView{bytes})
                        .run();
        if (!kept)
            return fail(kept.error());
    }
    auto kept = Statement(database, "INSERT OR IGNORE INTO clusters (hash, json) VALUES (?, ?)")
                    .bind(run.clusterHash, clusterJson)
                    .run();
    if (kept)
        kept = insertRun(database, run);
    const std::int64_t id = database.lastInsertId();
    if (kept)
        kept = insertOptions(database, id, run.options);
    if (kept)
        kept = transaction->commit();
    if (!kept)
        return fail(kept.error());
    return id;
}

Result<> RunStore::finish(std::int64_t id, RunStatus status, std::int64_t wallMs,
                          const std::optional<RunResult>& result, std::string_view planJson, std::string_view error) {
    const Database& database = m_impl->database;
    const std::string plan = planJson.empty() ? std::string() : compress(planJson);
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    auto done = Statement(database, "UPDATE runs SET status = ?, wall_ms = ?, error = ? WHERE id = ?")
                    .bind(toString(status), wallMs, error, id)
                    .run();
    if (done && database.changes() == 0)
        return m_impl->noRun(id);
    if (done && result)
        done = Statement(database, "UPDATE runs SET makespan_ns = ?, lower_bound_ns = ?, peak_bytes = ?, "
                                   "bytes_moved = ?, feasible = ? WHERE id = ?")
                   .bind(result->makespanNs, result->lowerBoundNs, result->peakBytes, result->bytesMoved,
                         result->feasible, id)
                   .run();
    if (done && !plan.empty())
        done = Statement(database, "INSERT OR REPLACE INTO plans (run_id, bytes, json) VALUES (?, ?, ?)")
                   .bind(id, planJson.size(), BlobView{plan})
                   .run();
    return done ? transaction->commit() : done;
}

Result<std::vector<RunRecord>> RunStore::list(const std::string& graphHash, std::size_t limit) const {
    const Database& database = m_impl->database;
    Statement query(
        database,
        fmt::format("SELECT {} FROM runs WHERE ?1 = '' OR graph_hash = ?1 ORDER BY id DESC LIMIT ?2", kRunColumns));
    query.bind(graphHash, limit == 0 ? std::int64_t{-1} : static_cast<std::int64_t>(limit));
    std::vector<RunRecord> runs;
    for (;;) {
        auto row = query.step();
        if (!row)
            return fail(row.error());
        if (!*row)
            return runs;
        runs.push_back(readRun(query));
        if (auto read = readOptions(database, runs.back()); !read)
            return fail(read.error());
    }
}

Result<RunRecord> RunStore::get(std::int64_t id) const {
    Statement query(m_impl->database, fmt::format("SELECT {} FROM runs WHERE id = ?", kRunColumns));
    auto row = query.bind(id).step();
    if (!row)
        return fail(row.error());
    if (!*row)
        return m_impl->noRun(id);
    RunRecord run = readRun(query);
    if (auto read = readOptions(m_impl->database, run); !read)
        return fail(read.error());
    return run;
}

Result<std::string> RunStore::graphText(const std::string& hash) const {
    auto text = m_impl->text("SELECT bytes, json FROM graphs WHERE hash = ?", hash, "graph");
    if (!text)
        return fail(text.error());
    if (!*text)
        return fail("{}: there is no graph {}.", file().string(), hash);
    return std::move(**text);
}

Result<std::string> RunStore::clusterText(const std::string& hash) const {
    Statement query(m_impl->database, "SELECT json FROM clusters WHERE hash = ?");
    auto row = query.bind(hash).step();
    if (!row)
        return fail(row.error());
    if (!*row)
        return fail("{}: there is no cluster {}.", file().string(), hash);
    return query.text(0);
}

Result<std::string> RunStore::planText(std::int64_t id) const {
    auto text = m_impl->text("SELECT bytes, json FROM plans WHERE run_id = ?", id, "the plan of run");
    if (!text)
        return fail(text.error());
    if (*text)
        return std::move(**text);
    const auto run = get(id);
    if (!run)
        return fail(run.error());
    return fail("{}: run {} has no plan: it is {}{}{}", file().string(), id, toString(run->status),
                run->error.empty() ? "." : ", because: ", run->error);
}

Result<> RunStore::setNotes(std::int64_t id, std::string_view notes) {
    if (auto done = Statement(m_impl->database, "UPDATE runs SET notes = ? WHERE id = ?").bind(notes, id).run(); !done)
        return done;
    if (m_impl->database.changes() == 0)
        return m_impl->noRun(id);
    return {};
}

Result<> RunStore::remove(std::int64_t id) {
    const Database& database = m_impl->database;
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    std::string graph, cluster;
    {
        Statement query(database, "DELETE FROM runs WHERE id = ? RETURNING graph_hash, cluster_hash");
        auto found = query.bind(id).step();
        if (!found)
            return fail(found.error());
        if (!*found)
            return m_impl->noRun(id);
        graph = query.text(0);
        cluster = query.text(1);
    }
    auto done = Statement(database, "DELETE FROM graphs WHERE hash = ?1 AND NOT EXISTS "
                                    "(SELECT 1 FROM runs WHERE graph_hash = ?1)")
                    .bind(graph)
                    .run();
    if (done)
        done = Statement(database, "DELETE FROM clusters WHERE hash = ?1 AND NOT EXISTS "
                                   "(SELECT 1 FROM runs WHERE cluster_hash = ?1)")
                   .bind(cluster)
                   .run();
    if (done)
        done = transaction->commit();
    std::error_code ec; // files that stay are no reason to keep the run
    if (done)
        fs::remove_all(folderOf(file(), id), ec);
    return done;
}

Result<std::int64_t> RunStore::dataVersion() const { return m_impl->database.integer("PRAGMA data_version"); }

} // namespace opscape
