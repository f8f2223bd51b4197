// SPDX-License-Identifier: MIT
// SQLite in RAII: a connection, its statements and transactions, with every refusal of SQLite turned into one sentence.
// Internal to the store. A connection and what was made from it belong to one thread at a time.
#pragma once

#include <opscape/base/result.h>

#include <chrono>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace opscape {

class Database {
public:
    /// Opens for reading and writing, creating the file if need be; waits up to `patience` for locks of others.
    [[nodiscard]] static Result<Database> open(const std::filesystem::path& file, std::chrono::milliseconds patience);

    Database(Database&& other) noexcept;
    Database& operator=(Database&& other) noexcept;
    ~Database();

    [[nodiscard]] const std::filesystem::path& file() const { return m_file; }
    [[nodiscard]] std::chrono::milliseconds patience() const { return m_patience; }
    [[nodiscard]] sqlite3* handle() const { return m_handle; }

    /// Runs statements that take no values and whose rows do not matter.
    [[nodiscard]] Result<> execute(const std::string& sql) const;
    /// The one integer that a query without parameters gives.
    [[nodiscard]] Result<std::int64_t> integer(std::string_view sql) const;
    [[nodiscard]] std::int64_t lastInsertId() const;
    /// Rows changed by the last statement that changes any.
    [[nodiscard]] std::int64_t changes() const;
    /// What the last refused call means to a person.
    [[nodiscard]] Error lastError() const;
    /// True when the last call was refused because of another connection's lock.
    [[nodiscard]] bool isBusy() const;

private:
    Database(sqlite3* handle, std::filesystem::path file, std::chrono::milliseconds patience)
        : m_handle(handle),
          m_file(std::move(file)),
          m_patience(patience) {}

    sqlite3* m_handle = nullptr;
    std::filesystem::path m_file;
    std::chrono::milliseconds m_patience;
};

/// Bytes to bind as a blob; must outlive the statement's steps.
struct BlobView {
    std::string_view bytes;
};

/// A prepared statement. The first failure is kept and returned by step() or run(), so that binding needs no checks.
class Statement {
public:
    Statement(const Database& database, std::string_view sql);
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement();

    /// Fills the parameters from the first on.
    template <class... Values>
    Statement& bind(const Values&... values) {
        int index = 0;
        (bindOne(++index, values), ...);
        return *this;
    }

    /// Fills one parameter, counted from 1.
    template <class Value>
    Statement& bindAt(int index, const Value& value) {
        bindOne(index, value);
        return *this;
    }

    /// True: there is a row to be read. False: done.
    [[nodiscard]] Result<bool> step();
    /// Steps to the end.
    [[nodiscard]] Result<> run();
    /// Back to before the first row, to be bound and stepped again.
    void reset();

    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] std::int64_t integer(int column) const;
    /// Not a number where the value is null, as SQLite keeps those.
    [[nodiscard]] double real(int column) const;
    [[nodiscard]] std::string text(int column) const;
    /// Valid until the next step.
    [[nodiscard]] std::string_view blob(int column) const;

private:
    void bindOne(int index, std::integral auto value) { bindInteger(index, static_cast<std::int64_t>(value)); }
    void bindOne(int index, double value);
    void bindOne(int index, std::string_view text);
    void bindOne(int index, const BlobView& blob);
    void bindInteger(int index, std::int64_t value);
    void check(int code);

    const Database& m_database;
    sqlite3_stmt* m_handle = nullptr;
    bool m_failed = false;
    Error m_error;
};

/// A transaction that holds the write lock from its start, so that what it reads stays true until it writes. Rolled
/// back unless committed.
class Transaction {
public:
    [[nodiscard]] static Result<Transaction> begin(const Database& database);
    Transaction(Transaction&& other) noexcept;
    Transaction& operator=(Transaction&&) = delete;
    ~Transaction();
    [[nodiscard]] Result<> commit();

private:
    explicit Transaction(const Database& database) : m_database(&database) {}
    const Database* m_database;
};

} // namespace opscape
