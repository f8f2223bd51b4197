// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/store/migration.h>
#include <opscape/store/process_mark.h>
#include <opscape/store/run_database.h>
#include <opscape/store/run_store.h>

#include <thread>
#include <vector>

namespace opscape {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr auto kKeptInBin = std::chrono::days(7);

struct Death {
    std::int64_t id = 0;
    std::string why;
};

/// What there is to say of a run whose process is gone.
Result<std::string> deathOf(const Database& database, std::int64_t id, const ProcessMark& owner) {
    std::string why = owner.boot == ProcessMark::ours().boot
                          ? fmt::format("The program that made it (process {}) ended before the run did", owner.pid)
                          : std::string("The machine was restarted before the run ended");
    Statement last(database, "SELECT update_number, best_ns FROM curve_points WHERE run_id = ? ORDER BY place DESC "
                             "LIMIT 1");
    auto point = last.bind(id).step();
    if (!point)
        return fail(point.error());
    if (*point) {
        why += fmt::format("; it had come to update {}", last.integer(0));
        if (last.integer(1) >= 0)
            why += fmt::format(" and {} at best", formatTime(last.integer(1)));
    }
    return why + ".";
}

/// What has been in the bin for long goes by itself. Most often there is none, and nothing is written.
Result<> emptyOldBin(const Database& database) {
    const auto now = std::chrono::system_clock::now() - kKeptInBin;
    const std::int64_t before = std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count();
    std::vector<std::int64_t> old;
    {
        Statement query(database, "SELECT id FROM runs WHERE deleted_ms > 0 AND deleted_ms < ?");
        query.bind(before);
        for (;;) {
            auto row = query.step();
            if (!row)
                return fail(row.error());
            if (!*row)
                break;
            old.push_back(query.integer(0));
        }
    }
    if (old.empty())
        return {};
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    auto done = Statement(database, "DELETE FROM runs WHERE deleted_ms > 0 AND deleted_ms < ?").bind(before).run();
    if (done)
        done = dropUnused(database);
    if (done)
        done = transaction->commit();
    std::error_code ec; // files that stay are no reason to keep the runs
    for (std::size_t i = 0; done && i < old.size(); ++i)
        fs::remove_all(RunStore::folderOf(database.file(), old[i]), ec);
    return done;
}

/// SQLite does not wait for locks while the first connections switch a new file to WAL, so the wait is ours.
Result<> switchToWal(const Database& database) {
    const auto deadline = std::chrono::steady_clock::now() + database.patience();
    for (;;) {
        auto done = database.execute("PRAGMA journal_mode = WAL");
        if (done || !database.isBusy() || std::chrono::steady_clock::now() >= deadline)
            return done;
        std::this_thread::sleep_for(milliseconds(10));
    }
}

Result<> prepareFile(const Database& database) {
    if (auto known = checkSchema(database, schemaSteps()); !known)
        return fail(known.error());
    if (auto wal = switchToWal(database); !wal)
        return wal;
    // FULL: a commit waits until the log is on the disk, so that a finished run survives a power cut.
    if (auto set = database.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"); !set)
        return set;
    if (auto migrated = migrate(database, schemaSteps()); !migrated)
        return migrated;
    if (auto marked = markDied(database); !marked)
        return fail(marked.error());
    return emptyOldBin(database);
}

Result<> makeFolder(const fs::path& file) {
    const fs::path folder = file.parent_path();
    std::error_code ec;
    if (!folder.empty())
        fs::create_directories(folder, ec);
    if (ec)
        return fail("{}: the folder for the run database cannot be made ({}); name another file.", file.string(),
                    ec.message());
    if (fs::is_directory(file, ec))
        return fail("{}: this is a folder; name a file in it for the run database.", file.string());
    return {};
}

} // namespace

Result<std::vector<std::int64_t>> markDied(const Database& database) {
    std::vector<Death> deaths;
    {
        Statement query(database, "SELECT id, owner_pid, owner_started, owner_boot FROM runs WHERE status = 'running'");
        for (;;) {
            auto row = query.step();
            if (!row)
                return fail(row.error());
            if (!*row)
                break;
            const ProcessMark owner{query.integer(1), query.integer(2), query.text(3)};
            if (owner.alive())
                continue;
            auto why = deathOf(database, query.integer(0), owner);
            if (!why)
                return fail(why.error());
            deaths.push_back({query.integer(0), std::move(*why)});
        }
    }
    Statement update(database, "UPDATE runs SET status = 'interrupted', error = ? WHERE id = ? AND status = 'running'");
    std::vector<std::int64_t> ids;
    for (const auto& [id, why] : deaths) {
        update.reset();
        if (auto done = update.bind(why, id).run(); !done)
            return fail(done.error());
        ids.push_back(id);
    }
    return ids;
}

Result<> dropUnused(const Database& database) {
    return database.execute("DELETE FROM graphs WHERE hash NOT IN (SELECT graph_hash FROM runs);"
                            "DELETE FROM clusters WHERE hash NOT IN (SELECT cluster_hash FROM runs)");
}

Result<Database> openRunDatabase(const fs::path& file, milliseconds patience) {
    if (auto made = makeFolder(file); !made)
        return fail(made.error());
    auto database = Database::open(file, patience);
    if (!database)
        return database;
    if (auto prepared = prepareFile(*database); !prepared)
        return fail(prepared.error());
    return database;
}

} // namespace opscape
