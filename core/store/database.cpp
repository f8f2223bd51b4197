// SPDX-License-Identifier: MIT
#include <opscape/store/database.h>

#include <sqlite3.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

namespace opscape {
namespace {

std::string systemReason(int error) { return error != 0 ? std::strerror(error) : "no reason given"; }

/// "5 s", "0.2 s"
std::string seconds(std::chrono::milliseconds time) {
    return fmt::format("{} s", static_cast<double>(time.count()) / 1000);
}

Error sentence(sqlite3* handle, int code, const std::filesystem::path& path, std::chrono::milliseconds patience) {
    const std::string file = path.string();
    // What is beside the database, such as the index of its log, may be what there is no space for.
    if ((code & 0xff) == SQLITE_IOERR && handle != nullptr && sqlite3_system_errno(handle) == ENOSPC)
        code = SQLITE_FULL;
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {
            fmt::format("{}: another program has kept the run database locked for more than {}; close it or try again.",
                        file, seconds(patience))};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return {fmt::format("{}: the run database or its folder is read-only; make it writable or name another file.",
                            file)};
    case SQLITE_CANTOPEN:
        return {fmt::format("{}: the run database cannot be opened for writing ({}); name another file.", file,
                            systemReason(handle != nullptr ? sqlite3_system_errno(handle) : 0))};
    case SQLITE_NOTADB:
        return {fmt::format("{}: this is not a run database; move it away or name another file.", file)};
    case SQLITE_CORRUPT:
        return {fmt::format("{}: the run database is damaged; move it away or put a copy in its place.", file)};
    case SQLITE_FULL:
        return {fmt::format("{}: there is no space left for the run database; free some and try again.", file)};
    case SQLITE_IOERR:
        return {fmt::format("{}: the run database cannot be read or written ({}); check the disk or name another file.",
                            file, systemReason(handle != nullptr ? sqlite3_system_errno(handle) : 0))};
    default:
        return {fmt::format("{}: the run database refused a request: {}.", file,
                            handle != nullptr ? sqlite3_errmsg(handle) : sqlite3_errstr(code))};
    }
}

} // namespace

Result<Database> Database::open(const std::filesystem::path& file, std::chrono::milliseconds patience) {
    sqlite3* handle = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
    Database database(handle, file, patience);
    if (code != SQLITE_OK)
        return fail(sentence(handle, code, file, patience));
    sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
    // SQLite quietly falls back to reading where it may not write; better to say so at once than at the end of a run.
    if (sqlite3_db_readonly(handle, "main") == 1)
        return fail(sentence(handle, SQLITE_READONLY, file, patience));
    return database;
}

Database::Database(Database&& other) noexcept
    : m_handle(std::exchange(other.m_handle, nullptr)),
      m_file(std::move(other.m_file)),
      m_patience(other.m_patience) {}

Database& Database::operator=(Database&& other) noexcept {
    std::swap(m_handle, other.m_handle);
    std::swap(m_file, other.m_file);
    std::swap(m_patience, other.m_patience);
    return *this;
}

Database::~Database() { sqlite3_close_v2(m_handle); }

Result<> Database::execute(const std::string& sql) const {
    if (sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        return fail(lastError());
    return {};
}

Result<std::int64_t> Database::integer(std::string_view sql) const {
    Statement query(*this, sql);
    auto row = query.step();
    if (!row)
        return fail(row.error());
    return *row ? query.integer(0) : 0;
}

std::int64_t Database::lastInsertId() const { return sqlite3_last_insert_rowid(m_handle); }

std::int64_t Database::changes() const { return sqlite3_changes64(m_handle); }

Error Database::lastError() const { return sentence(m_handle, sqlite3_extended_errcode(m_handle), m_file, m_patience); }

bool Database::isBusy() const { return (sqlite3_errcode(m_handle) & 0xff) == SQLITE_BUSY; }

Statement::Statement(const Database& database, std::string_view sql) : m_database(database) {
    check(sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &m_handle, nullptr));
}

Statement::~Statement() { sqlite3_finalize(m_handle); }

void Statement::check(int code) {
    if (code != SQLITE_OK && !m_failed) {
        m_failed = true;
        m_error = m_database.lastError();
    }
}

Result<bool> Statement::step() {
    if (m_failed)
        return fail(m_error);
    const int code = sqlite3_step(m_handle);
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    return fail(m_database.lastError());
}

Result<> Statement::run() {
    for (;;) {
        auto row = step();
        if (!row)
            return fail(row.error());
        if (!*row)
            return {};
    }
}

void Statement::reset() { sqlite3_reset(m_handle); }

bool Statement::isNull(int column) const { return sqlite3_column_type(m_handle, column) == SQLITE_NULL; }

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(m_handle, column); }

double Statement::real(int column) const {
    return isNull(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(m_handle, column);
}

std::string Statement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(m_handle, column));
    return text == nullptr ? std::string()
                           : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column)));
}

std::string_view Statement::blob(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_handle, column));
    return bytes == nullptr ? std::string_view()
                            : std::string_view(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_handle, column)));
}

void Statement::bindInteger(int index, std::int64_t value) {
    if (!m_failed)
        check(sqlite3_bind_int64(m_handle, index, value));
}

void Statement::bindOne(int index, double value) {
    if (!m_failed)
        check(sqlite3_bind_double(m_handle, index, value));
}

void Statement::bindOne(int index, std::string_view text) {
    const char* data = text.empty() ? "" : text.data(); // a null pointer would bind NULL
    if (!m_failed)
        check(sqlite3_bind_text64(m_handle, index, data, text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::bindOne(int index, const BlobView& blob) {
    if (!m_failed)
        check(sqlite3_bind_blob64(m_handle, index, blob.bytes.data(), blob.bytes.size(), SQLITE_STATIC));
}

Result<Transaction> Transaction::begin(const Database& database) {
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun)
        return fail(begun.error());
    return Transaction(database);
}

Transaction::Transaction(Transaction&& other) noexcept : m_database(std::exchange(other.m_database, nullptr)) {}

Transaction::~Transaction() {
    // A failed statement may have rolled back already.
    if (m_database != nullptr && sqlite3_get_autocommit(m_database->handle()) == 0)
        sqlite3_exec(m_database->handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<> Transaction::commit() {
    if (auto committed = m_database->execute("COMMIT"); !committed)
        return committed;
    m_database = nullptr;
    return {};
}

} // namespace opscape
