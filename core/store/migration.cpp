// SPDX-License-Identifier: MIT
#include <opscape/store/migration.h>

#include <fcntl.h>
#include <unistd.h>

namespace opscape {
namespace {

namespace fs = std::filesystem;

/// Marks a SQLite file as a run database (`PRAGMA application_id`): "Opsc" in ASCII.
constexpr std::int64_t kApplicationId = 0x4f707363;

bool flushToDisk(const fs::path& file) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool good = ::fsync(fd) == 0;
    ::close(fd);
    return good;
}

/// Copies what is committed. Made under another name first: a file with the backup's name is always whole.
Result<> backUp(const Database& database, std::int64_t version) {
    fs::path backup = database.file();
    backup += fmt::format(".schema-{}.backup", version);
    fs::path part = backup;
    part += fmt::format(".{}.part", ::getpid());
    // The connection that migrates is in its transaction, where copying is not possible.
    auto reader = Database::open(database.file(), database.patience());
    if (!reader)
        return fail(reader.error());
    std::error_code ec;
    fs::remove(part, ec);
    if (auto copied = Statement(*reader, "VACUUM INTO ?").bind(part.native()).run(); !copied) {
        fs::remove(part, ec);
        return fail("{}: the copy that is made before the schema is changed failed; make room in its folder.",
                    backup.string());
    }
    if (flushToDisk(part))
        fs::rename(part, backup, ec);
    if (ec || !fs::exists(backup))
        return fail("{}: the copy that is made before the schema is changed cannot be kept.", backup.string());
    return {};
}

struct Header {
    std::int64_t version = 0, application = 0, objects = 0;
    [[nodiscard]] bool isNew() const { return version == 0 && application == 0 && objects == 0; }
};

/// Read in one transaction: another process may be making the file at this moment.
Result<Header> readHeader(const Database& database) {
    if (auto begun = database.execute("SAVEPOINT header"); !begun)
        return fail(begun.error());
    const auto version = database.integer("PRAGMA user_version");
    const auto application = database.integer("PRAGMA application_id");
    const auto objects = database.integer("SELECT count(*) FROM sqlite_schema");
    const auto ended = database.execute("RELEASE header");
    for (const auto* value : {&version, &application, &objects}) {
        if (!*value)
            return fail(value->error()); // SQLite may have ended the transaction for it, so before what `ended` says
    }
    if (!ended)
        return fail(ended.error());
    return Header{*version, *application, *objects};
}

} // namespace

Result<std::int64_t> checkSchema(const Database& database, std::span<const std::string_view> steps) {
    const auto header = readHeader(database);
    if (!header)
        return fail(header.error());
    if (!header->isNew() && header->application != kApplicationId)
        return fail("{}: this is a database of another program; name another file.", database.file().string());
    if (header->version > static_cast<std::int64_t>(steps.size()))
        return fail("{}: this run database has schema {}, this program knows only up to {}; update the program or name "
                    "another file.",
                    database.file().string(), header->version, steps.size());
    return header->version;
}

Result<> migrate(const Database& database, std::span<const std::string_view> steps) {
    const auto newest = static_cast<std::int64_t>(steps.size());
    auto version = checkSchema(database, steps);
    if (!version)
        return fail(version.error());
    if (*version == newest)
        return {};
    auto transaction = Transaction::begin(database);
    if (!transaction)
        return fail(transaction.error());
    version = checkSchema(database, steps); // another process may have been first
    if (!version)
        return fail(version.error());
    if (*version > 0 && *version < newest) {
        if (auto copied = backUp(database, *version); !copied)
            return copied;
    }
    for (std::int64_t step = *version; step < newest; ++step) {
        auto done = database.execute(std::string(steps[static_cast<std::size_t>(step)]));
        if (done)
            done = database.execute(
                fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, step + 1));
        if (!done)
            return done;
    }
    return transaction->commit();
}

} // namespace opscape
