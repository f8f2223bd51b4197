// SPDX-License-Identifier: MIT
// Curves of learning runs: rows that are appended in batches and read from where a reader left off.
#include <opscape/store/run_rows.h>
#include <opscape/store/run_store_impl.h>

namespace opscape {
namespace {

/// Under the write lock: the run is there, and is listed as one that learns.
Result<bool> markLearning(const Database& database, std::int64_t id) {
    // Most often it is marked already: then nothing is written, and nobody lists the runs again.
    Statement query(database, "SELECT learns FROM runs WHERE id = ?");
    auto found = query.bind(id).step();
    if (!found || !*found || query.integer(0) != 0)
        return found;
    if (auto marked = Statement(database, "UPDATE runs SET learns = 1 WHERE id = ?").bind(id).run(); !marked)
        return fail(marked.error());
    return true;
}

Result<std::int64_t> nextPlace(const Database& database, std::int64_t id) {
    Statement query(database, "SELECT coalesce(max(place) + 1, 0) FROM curve_points WHERE run_id = ?");
    auto found = query.bind(id).step();
    if (!found)
        return fail(found.error());
    return query.integer(0);
}

} // namespace

Result<Transaction> RunStore::Impl::beginLearning(std::int64_t id) const {
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    const auto marked = markLearning(database, id);
    if (!marked)
        return fail(marked.error());
    if (!*marked)
        return noRun(id);
    return transaction;
}

Result<> RunStore::setBaselines(std::int64_t id, std::span<const NamedTime> baselines) {
    const Database& database = m_impl->database;
    auto transaction = m_impl->beginLearning(id);
    if (!transaction)
        return fail(transaction.error());
    auto done = Statement(database, "DELETE FROM curve_baselines WHERE run_id = ?").bind(id).run();
    if (done)
        done = insertBaselines(database, id, baselines);
    return done ? transaction->commit() : done;
}

Result<> RunStore::appendCurve(std::int64_t id, std::span<const CurvePoint> points) {
    const Database& database = m_impl->database;
    auto transaction = m_impl->beginLearning(id);
    if (!transaction)
        return fail(transaction.error());
    const auto place = nextPlace(database, id);
    if (!place)
        return fail(place.error());
    const auto done = insertPoints(database, id, *place, points);
    return done ? transaction->commit() : done;
}

Result<RunCurve> RunStore::curve(std::int64_t id, std::size_t after) const {
    const Database& database = m_impl->database;
    RunCurve curve;
    {
        Statement query(database, "SELECT name, ns FROM curve_baselines WHERE run_id = ? ORDER BY place");
        query.bind(id);
        for (;;) {
            auto row = query.step();
            if (!row)
                return fail(row.error());
            if (!*row)
                break;
            curve.baselines.push_back({query.text(0), query.integer(1)});
        }
    }
    Statement query(
        database,
        "SELECT update_number, seconds, simulations, reward, best_ns, entropy, kl, "
        "clip_fraction, value_baseline, policy_loss, imitation_loss FROM curve_points WHERE run_id = ? AND place >= ? "
        "ORDER BY place");
    query.bind(id, after);
    for (;;) {
        auto row = query.step();
        if (!row)
            return fail(row.error());
        if (!*row)
            break;
        curve.points.push_back({query.integer(0), query.real(1), query.integer(2), query.real(3), query.integer(4),
                                query.real(5), query.real(6), query.real(7), query.real(8), query.real(9),
                                query.real(10)});
    }
    if (!curve.points.empty() || !curve.baselines.empty())
        return curve;
    Statement run(database, "SELECT 1 FROM runs WHERE id = ?");
    auto found = run.bind(id).step();
    if (!found)
        return fail(found.error());
    if (!*found)
        return m_impl->noRun(id);
    return curve;
}

Result<std::int64_t> RunStore::listVersion() const { return m_impl->database.integer("SELECT count FROM run_changes"); }

} // namespace opscape
