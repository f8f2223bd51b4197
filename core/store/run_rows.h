// SPDX-License-Identifier: MIT
// Runs as rows: read with their options and tags, and written. What is written here is written in a transaction of the
// caller. Internal to the store.
#pragma once

#include <opscape/store/database.h>
#include <opscape/store/run_store.h>

#include <optional>

namespace opscape {

/// As it is kept: the schema knows a run that died as an interrupted one.
[[nodiscard]] std::string_view storedName(RunStatus status);

/// Reads runs one by one, with statements that are prepared once.
class RunReader {
public:
    explicit RunReader(const Database& database);
    /// None when there is no such run.
    [[nodiscard]] Result<std::optional<RunRecord>> read(std::int64_t id);

private:
    Statement m_run, m_options, m_tags;
};

/// A row of the status that is given, owned by this process while it runs; its number. An empty uid becomes a new one.
[[nodiscard]] Result<std::int64_t> insertRun(const Database& database, const RunRecord& run, RunStatus status,
                                             std::string_view uid);
/// How it ended.
[[nodiscard]] Result<> updateEnd(const Database& database, std::int64_t id, RunStatus status, std::int64_t wallMs,
                                 const std::optional<RunResult>& result, std::string_view error);
[[nodiscard]] Result<> insertOptions(const Database& database, std::int64_t id,
                                     const std::map<std::string, std::string>& options);
/// Those that it has already stay.
[[nodiscard]] Result<> insertTags(const Database& database, std::int64_t id, std::span<const std::string> tags);
[[nodiscard]] Result<> insertBaselines(const Database& database, std::int64_t id, std::span<const NamedTime> baselines);
/// `place` is that of the first of them.
[[nodiscard]] Result<> insertPoints(const Database& database, std::int64_t id, std::int64_t place,
                                    std::span<const CurvePoint> points);

[[nodiscard]] Result<bool> hasGraph(const Database& database, const std::string& hash);
/// `bytes` is the text, compressed; it has `size` bytes itself.
[[nodiscard]] Result<> insertGraph(const Database& database, const std::string& hash, std::size_t size,
                                   std::string_view bytes);
/// One that is there already stays.
[[nodiscard]] Result<> insertCluster(const Database& database, const std::string& hash, std::string_view json);
[[nodiscard]] Result<> insertPlan(const Database& database, std::int64_t id, std::size_t size, std::string_view bytes);

} // namespace opscape
