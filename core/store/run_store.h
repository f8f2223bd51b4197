// SPDX-License-Identifier: MIT
// Runs in one SQLite file: every optimize and simulate is a row, with the graph, the cluster and the plan it is about,
// so that it can be shown again when the files are gone. WAL, so that several windows and command lines share it. The
// only user of sqlite3. A RunStore is used by one thread at a time; any number may be open, in one process or in many.
#pragma once

#include <opscape/base/result.h>
#include <opscape/base/run_context.h>
#include <opscape/store/run_query.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace opscape {

enum class RunStatus { Running, Finished, Failed, Cancelled, Interrupted };

/// A run whose process ended before it did has "died".
[[nodiscard]] std::string_view toString(RunStatus status);
[[nodiscard]] std::optional<RunStatus> parseRunStatus(std::string_view name);

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
    std::string kind = "optimize"; ///< "optimize" or "simulate"
    RunStatus status = RunStatus::Running;
    std::string graphHash, graphName, graphPath;
    std::int64_t ops = 0, edges = 0;
    std::string clusterHash, clusterId;
    std::string linkModel; ///< under which it was simulated; may differ from the cluster file's own
    std::string optimizer; ///< empty for a simulated plan
    int revision = 0;      ///< of the optimizer
    std::string objective; ///< "step-time" or "pipeline"; empty for a simulated plan
    std::map<std::string, std::string> options;
    std::uint64_t seed = 1;
    std::string version;        ///< of the product
    std::int64_t startedMs = 0; ///< Unix time, ms
    std::int64_t wallMs = 0;
    std::optional<RunResult> result;
    std::string error; ///< why it failed
    std::string notes;
    bool learns = false;           ///< there is a curve of how it learns
    std::string uid;               ///< the same in every database it is brought to; given by the store
    std::vector<std::string> tags; ///< sorted, distinct
    bool pinned = false;
    std::int64_t deletedMs = 0; ///< Unix time when it was put into the bin; 0: it is not there
    friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

/// How a run learns, and what it is compared with.
struct RunCurve {
    std::vector<NamedTime> baselines;
    std::vector<CurvePoint> points;
};

/// How far a run is that goes on.
struct RunProgress {
    Progress progress;
    bool paused = false;
    std::int64_t plans = 0; ///< how often a better plan was kept; counted by the store
    std::int64_t cuts = 0;  ///< how often the end of its curve was taken away; counted by the store
};

/// A run with all that belongs to it but its graph and its cluster.
struct WholeRun {
    RunRecord run;
    std::string planJson; ///< empty when there is none
    RunCurve curve;
};

/// Runs to be taken elsewhere, with what they are about by hash.
struct RunBundle {
    std::map<std::string, std::string> graphs, clusters;
    std::vector<WholeRun> runs;
};

/// What became of each run of a bundle: its number here, and whether it was here before.
struct BundledRun {
    std::int64_t id = 0;
    bool known = false;
    bool wasInBin = false; ///< and was brought back
};

/// The tags in a text, which are parted by blanks or commas: sorted, distinct without regard to case.
[[nodiscard]] std::vector<std::string> parseTags(std::string_view text);

class RunStore {
public:
    /// Opens or creates the file and its folder, brings its schema up to date, and marks runs whose process is gone as
    /// interrupted. A file of a newer schema, a locked, read-only or corrupted one is refused with a sentence.
    /// `patience` is how long this and every later call waits for another program's lock.
    [[nodiscard]] static Result<RunStore> open(const std::filesystem::path& file,
                                               std::chrono::milliseconds patience = std::chrono::seconds(10));
    /// userDataFolder()/runs.sqlite
    [[nodiscard]] static std::filesystem::path defaultFile();

    RunStore(RunStore&&) noexcept;
    RunStore& operator=(RunStore&&) noexcept;
    ~RunStore();

    [[nodiscard]] const std::filesystem::path& file() const;

    /// Inserts a running run, owned by this process, with the graph and the cluster that it is about; returns its id.
    /// Of the record the id, the status and what is set later are ignored. Graph and cluster are kept once per hash:
    /// `graphJson` is asked for only when the graph is not there yet.
    [[nodiscard]] Result<std::int64_t> begin(const RunRecord& run, const std::function<std::string()>& graphJson,
                                             std::string_view clusterJson);
    /// Ends a run; once it returns, the run survives a power cut. An empty plan is not kept.
    [[nodiscard]] Result<> finish(std::int64_t id, RunStatus status, std::int64_t wallMs,
                                  const std::optional<RunResult>& result, std::string_view planJson,
                                  std::string_view error);

    /// Newest first; of one graph when a hash is given. `limit` 0 means all. Those in the bin are left out.
    [[nodiscard]] Result<std::vector<RunRecord>> list(const std::string& graphHash = {}, std::size_t limit = 0) const;
    /// Those with a curve, newest first, but for the bin.
    [[nodiscard]] Result<std::vector<RunRecord>> listLearning(std::size_t limit) const;
    /// The numbers of the runs that are asked for, in order; those in the bin are left out.
    [[nodiscard]] Result<std::vector<std::int64_t>> find(const RunQuery& query) const;
    /// How many there are, but for the bin.
    [[nodiscard]] Result<std::int64_t> count() const;
    /// Also of one in the bin.
    [[nodiscard]] Result<RunRecord> get(std::int64_t id) const;
    /// In the order that is asked for; those that are not there are left out.
    [[nodiscard]] Result<std::vector<RunRecord>> get(std::span<const std::int64_t> ids) const;
    [[nodiscard]] Result<std::string> graphText(const std::string& hash) const;
    [[nodiscard]] Result<std::string> clusterText(const std::string& hash) const;
    /// Fails when the run has no plan, saying what became of it.
    [[nodiscard]] Result<std::string> planText(std::int64_t id) const;
    /// Deletes a run for good, and its graph and cluster when no other run is about them.
    [[nodiscard]] Result<> remove(std::int64_t id);
    /// Marks the runs whose process is gone, with what is known of the end of each; their numbers.
    [[nodiscard]] Result<std::vector<std::int64_t>> noticeDied();

    // What people add, in run_care.cpp. Of all the runs that are named, or, where one is not there, of none.
    [[nodiscard]] Result<> setNotes(std::int64_t id, std::string_view notes);
    [[nodiscard]] Result<> setPinned(std::span<const std::int64_t> ids, bool pinned);
    [[nodiscard]] Result<> changeTags(std::span<const std::int64_t> ids, std::span<const std::string> add,
                                      std::span<const std::string> drop);
    /// Puts runs into the bin, where nothing lists them; refused for one that still runs.
    [[nodiscard]] Result<> discard(std::span<const std::int64_t> ids);
    [[nodiscard]] Result<> bringBack(std::span<const std::int64_t> ids);
    [[nodiscard]] Result<std::vector<std::int64_t>> bin() const;
    /// Deletes for good those of the runs that are in the bin; how many.
    [[nodiscard]] Result<std::size_t> purge(std::span<const std::int64_t> ids);

    // Runs from one database to another, in run_bundle.cpp.
    [[nodiscard]] Result<RunBundle> bundle(std::span<const std::int64_t> ids) const;
    /// Keeps all of them or none. One that is here already stays as it is here.
    [[nodiscard]] Result<std::vector<BundledRun>> keep(const RunBundle& bundle);

    /// Another number whenever another connection has written to the file: to notice runs made elsewhere.
    [[nodiscard]] Result<std::int64_t> dataVersion() const;
    /// Another number whenever any connection has changed the list of runs; curves that grow leave it as it is.
    [[nodiscard]] Result<std::int64_t> listVersion() const;

    // Runs that go on, in run_training.cpp.
    /// Where a run of that file keeps files of its own, such as what it can be resumed from. Not created by this call.
    [[nodiscard]] static std::filesystem::path folderOf(const std::filesystem::path& file, std::int64_t id);
    /// Nothing where the run was deleted meanwhile.
    [[nodiscard]] Result<> tellProgress(std::int64_t id, const RunProgress& progress);
    [[nodiscard]] Result<RunProgress> progress(std::int64_t id) const;
    /// The best plan so far, shown and kept should the run end too early.
    [[nodiscard]] Result<> keepBest(std::int64_t id, const RunResult& result, std::string_view planJson);
    /// Id of the process that makes the run now; 0 when none does.
    [[nodiscard]] Result<std::int64_t> process(std::int64_t id) const;
    /// The run goes on in this process: one that has ended, or that the process which started this one hands over.
    [[nodiscard]] Result<> claim(std::int64_t id);
    /// Takes away the points of a curve after so many simulations.
    [[nodiscard]] Result<> cutCurve(std::int64_t id, std::int64_t simulations);

    // Curves, in run_curve.cpp. Deleted with their run.
    /// Replaces what there was.
    [[nodiscard]] Result<> setBaselines(std::int64_t id, std::span<const NamedTime> baselines);
    [[nodiscard]] Result<> appendCurve(std::int64_t id, std::span<const CurvePoint> points);
    /// The baselines, and the points that follow the first `after` ones, so that a reader asks only for what is new.
    /// Both are empty when the run does not learn.
    [[nodiscard]] Result<RunCurve> curve(std::int64_t id, std::size_t after = 0) const;

    struct Impl; ///< internal to the store

private:
    explicit RunStore(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace opscape
