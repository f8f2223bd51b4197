// SPDX-License-Identifier: MIT
// A run while it goes on: how far it is, its best plan so far, whose it is, and how another process takes it up again.
#include <opscape/store/compression.h>
#include <opscape/store/process_mark.h>
#include <opscape/store/run_database.h>
#include <opscape/store/run_store_impl.h>

#include <unistd.h>

namespace opscape {

std::filesystem::path RunStore::folderOf(const std::filesystem::path& file, std::int64_t id) {
    return std::filesystem::path(file.string() + ".runs") / std::to_string(id);
}

Result<> RunStore::tellProgress(std::int64_t id, const RunProgress& p) {
    return Statement(m_impl->database,
                     "INSERT INTO run_progress (run_id, fraction, best_ns, simulations, stage, paused, plans, cuts) "
                     "SELECT id, ?2, ?3, ?4, ?5, ?6, 0, 0 FROM runs WHERE id = ?1 ON CONFLICT (run_id) DO UPDATE SET "
                     "fraction = ?2, best_ns = ?3, simulations = ?4, stage = ?5, paused = ?6")
        .bind(id, p.progress.fraction, p.progress.bestNs, p.progress.simulations, p.progress.stage, p.paused ? 1 : 0)
        .run();
}

Result<RunProgress> RunStore::progress(std::int64_t id) const {
    Statement query(
        m_impl->database,
        "SELECT fraction, best_ns, simulations, stage, paused, plans, cuts FROM run_progress WHERE run_id = ?");
    auto row = query.bind(id).step();
    if (!row)
        return fail(row.error());
    RunProgress told;
    if (!*row)
        return told;
    told.progress.fraction = query.real(0);
    told.progress.bestNs = query.integer(1);
    told.progress.simulations = query.integer(2);
    told.progress.stage = query.text(3);
    told.paused = query.integer(4) != 0;
    told.plans = query.integer(5);
    told.cuts = query.integer(6);
    return told;
}

Result<> RunStore::keepBest(std::int64_t id, const RunResult& result, std::string_view planJson) {
    const Database& database = m_impl->database;
    const std::string plan = compress(planJson);
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    auto done =
        Statement(database, "UPDATE runs SET makespan_ns = ?, lower_bound_ns = ?, peak_bytes = ?, "
                            "bytes_moved = ?, feasible = ? WHERE id = ?")
            .bind(result.makespanNs, result.lowerBoundNs, result.peakBytes, result.bytesMoved, result.feasible, id)
            .run();
    if (done && database.changes() == 0)
        return m_impl->noRun(id);
    if (done)
        done = Statement(database, "INSERT OR REPLACE INTO plans (run_id, bytes, json) VALUES (?, ?, ?)")
                   .bind(id, planJson.size(), BlobView{plan})
                   .run();
    if (done)
        done = Statement(database, "UPDATE run_progress SET plans = plans + 1 WHERE run_id = ?").bind(id).run();
    return done ? transaction->commit() : done;
}

Result<std::int64_t> RunStore::process(std::int64_t id) const {
    Statement query(m_impl->database, "SELECT status, owner_pid, owner_started, owner_boot FROM runs WHERE id = ?");
    auto row = query.bind(id).step();
    if (!row)
        return fail(row.error());
    if (!*row)
        return m_impl->noRun(id);
    const ProcessMark owner{query.integer(1), query.integer(2), query.text(3)};
    return query.text(0) == toString(RunStatus::Running) && owner.alive() ? owner.pid : 0;
}

Result<> RunStore::claim(std::int64_t id) {
    const Database& database = m_impl->database;
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    const auto owner = process(id); // asked for under the write lock: of two who want it one gets it
    if (!owner)
        return fail(owner.error());
    if (*owner != 0 && *owner != ::getpid() && *owner != ::getppid())
        return fail("run {} goes on already, in process {}.", id, *owner);
    const ProcessMark ours = ProcessMark::ours();
    auto done = Statement(database, "UPDATE runs SET status = 'running', error = '', owner_pid = ?, owner_started = ?, "
                                    "owner_boot = ? WHERE id = ?")
                    .bind(ours.pid, ours.started, ours.boot, id)
                    .run();
    if (done)
        done = Statement(database, "UPDATE run_progress SET paused = 0 WHERE run_id = ?").bind(id).run();
    return done ? transaction->commit() : done;
}

Result<> RunStore::cutCurve(std::int64_t id, std::int64_t simulations) {
    const Database& database = m_impl->database;
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    auto done = Statement(database, "DELETE FROM curve_points WHERE run_id = ? AND simulations > ?")
                    .bind(id, simulations)
                    .run();
    if (done)
        done = Statement(database, "INSERT INTO run_progress (run_id, fraction, best_ns, simulations, stage, paused, "
                                   "plans, cuts) SELECT id, -1, -1, 0, '', 0, 0, 1 FROM runs WHERE id = ? "
                                   "ON CONFLICT (run_id) DO UPDATE SET cuts = cuts + 1")
                   .bind(id)
                   .run();
    return done ? transaction->commit() : done;
}

} // namespace opscape
