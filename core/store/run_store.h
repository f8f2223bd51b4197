// SPDX-License-Identifier: MIT
// Runs in one SQLite file: every optimize and simulate is a row, with the graph, the cluster and the plan it is about, so
// that it can be shown again when the files are gone. WAL, so that several windows and command lines share it. The only
// user of sqlite3.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <opscape/base/result.h>
#include <optional>
#include <vector>

namespace opscape {

enum class RunStatus { Running, Finished, Failed, Cancelled, Interrupted };

[[nodiscard]] std::string_view toString(RunStatus status);

struct RunResult {
    std::int64_t makespanNs = 0;
    std::int64_t lowerBoundNs = 0;
    std::int64_t peakBytes = 0;
    std::int64_t bytesMoved = 0;
    bool feasible = true;
    friend bool operator==(const RunResult&, const RunResult&) = default;
};

struct RunRecord {
    std::int64_t id = 0;
    std::string kind = "optimize";       ///< "optimize" or "simulate"
    RunStatus status = RunStatus::Running;
    std::string graphHash, graphName, graphPath;
    std::int64_t ops = 0, edges = 0;
    std::string clusterHash, clusterId;
    std::string optimizer;               ///< empty for a simulated plan
    int revision = 0;                    ///< of the optimizer
    std::map<std::string, std::string> options;
    std::uint64_t seed = 1;
    std::string version;                 ///< of the product
    std::int64_t startedMs = 0;          ///< Unix time, ms
    std::int64_t wallMs = 0;
    std::optional<RunResult> result;
    std::string error;                   ///< why it failed
    std::string notes;
};

class RunStore {
public:
    /// Opens or creates the file and its folder, brings its schema up to date, and marks runs whose process is gone as
    /// interrupted. A file of a newer schema, a locked, read-only or corrupted one is refused with a sentence.
    [[nodiscard]] static Result<RunStore> open(const std::filesystem::path& file);
    /// userDataFolder()/runs.sqlite
    [[nodiscard]] static std::filesystem::path defaultFile();

    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;
    ~RunStore();

    [[nodiscard]] const std::filesystem::path& file() const;

    /// Keeps a graph or cluster once per hash; `text` is its JSON.
    [[nodiscard]] Result<> keepGraph(const std::string& hash, const std::string& text);
    [[nodiscard]] Result<> keepCluster(const std::string& hash, const std::string& text);
    [[nodiscard]] Result<std::string> graphText(const std::string& hash) const;
    [[nodiscard]] Result<std::string> clusterText(const std::string& hash) const;

    /// Inserts a running run, owned by this process; returns its id.
    [[nodiscard]] Result<std::int64_t> begin(const RunRecord& run);
    [[nodiscard]] Result<> finish(std::int64_t id, RunStatus status, std::int64_t wallMs, const std::optional<RunResult>& result,
                                  const std::string& planJson, const std::string& error);

    /// Newest first; of one graph when a hash is given. `limit` 0 means all.
    [[nodiscard]] Result<std::vector<RunRecord>> list(const std::string& graphHash = {}, std::size_t limit = 0) const;
    [[nodiscard]] Result<RunRecord> get(std::int64_t id) const;
    [[nodiscard]] Result<std::string> planText(std::int64_t id) const;
    [[nodiscard]] Result<> setNotes(std::int64_t id, const std::string& notes);
    [[nodiscard]] Result<> remove(std::int64_t id);
    /// Changes whenever any process has written to the file; to notice runs made elsewhere.
    [[nodiscard]] std::int64_t dataVersion() const;

private:
    struct Impl;
    explicit RunStore(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace opscape
