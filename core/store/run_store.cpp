// SPDX-License-Identifier: MIT
#include <opscape/base/paths.h>
#include <opscape/store/compression.h>
#include <opscape/store/run_database.h>
#include <opscape/store/run_rows.h>
#include <opscape/store/run_store_impl.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> kStatusNames{"running", "finished", "failed", "cancelled", "died"};

} // namespace

std::string_view toString(RunStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

std::optional<RunStatus> parseRunStatus(std::string_view name) {
    if (name == "interrupted") // as it was called once
        return RunStatus::Interrupted;
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

Result<std::optional<std::string>> RunStore::Impl::planJson(std::int64_t id) const {
    return text("SELECT bytes, json FROM plans WHERE run_id = ?", id, "the plan of run");
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
        if (auto kept = insertGraph(database, run.graphHash, size, bytes); !kept)
            return fail(kept.error());
    }
    if (auto kept = insertCluster(database, run.clusterHash, clusterJson); !kept)
        return fail(kept.error());
    const auto id = insertRun(database, run, RunStatus::Running, {});
    if (!id)
        return id;
    auto kept = insertOptions(database, *id, run.options);
    if (kept)
        kept = insertTags(database, *id, run.tags);
    if (kept)
        kept = transaction->commit();
    if (!kept)
        return fail(kept.error());
    return *id;
}

Result<> RunStore::finish(std::int64_t id, RunStatus status, std::int64_t wallMs,
                          const std::optional<RunResult>& result, std::string_view planJson, std::string_view error) {
    const Database& database = m_impl->database;
    const std::string plan = planJson.empty() ? std::string() : compress(planJson);
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    auto done = updateEnd(database, id, status, wallMs, result, error);
    if (done && database.changes() == 0)
        return m_impl->noRun(id);
    if (done && !plan.empty())
        done = insertPlan(database, id, planJson.size(), plan);
    return done ? transaction->commit() : done;
}

Result<RunRecord> RunStore::get(std::int64_t id) const {
    auto run = RunReader(m_impl->database).read(id);
    if (!run)
        return fail(run.error());
    if (!*run)
        return m_impl->noRun(id);
    return std::move(**run);
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
    auto text = m_impl->planJson(id);
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

Result<std::vector<std::int64_t>> RunStore::noticeDied() { return markDied(m_impl->database); }

Result<std::int64_t> RunStore::dataVersion() const { return m_impl->database.integer("PRAGMA data_version"); }

} // namespace opscape
