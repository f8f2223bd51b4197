// SPDX-License-Identifier: MIT
#include <opscape/store/migration.h>
#include <opscape/store/process_mark.h>
#include <opscape/store/run_database.h>

#include <thread>
#include <vector>

namespace opscape {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

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
    return {};
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
    std::vector<std::int64_t> gone;
    {
        Statement query(database, "SELECT id, owner_pid, owner_started, owner_boot FROM runs WHERE status = 'running'");
        for (;;) {
            auto row = query.step();
            if (!row)
                return fail(row.error());
            if (!*row)
                break;
            if (!ProcessMark{query.integer(1), query.integer(2), query.text(3)}.alive())
                gone.push_back(query.integer(0));
        }
    }
    Statement update(database,
                     "UPDATE runs SET status = 'interrupted', error = 'The program ended before the run did.' "
                     "WHERE id = ? AND status = 'running'");
    for (const std::int64_t id : gone) {
        update.reset();
        if (auto done = update.bind(id).run(); !done)
            return fail(done.error());
    }
    return gone;
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
