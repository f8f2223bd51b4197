// SPDX-License-Identifier: MIT
// The commands of opscape-cli: what each is told on the command line, and the functions that do it. Each returns the
// exit status, or an error that main prints as one sentence (and ends with kCouldNot).
#pragma once

#include "service/workbench.h"
#include "study/methods.h"

#include <opscape/base/result.h>
#include <opscape/device/cluster.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace opscape {

/// kStopped: by a signal or by runs stop, before its end; what there was by then is printed, and kept where it is a
/// plan.
enum ExitStatus : int { kFine = 0, kCouldNot = 1, kWrongUsage = 2, kStopped = 3 };

/// Options of every command.
struct GlobalArgs {
    bool json = false;
    std::filesystem::path database; ///< empty: the default file
};

struct ClusterArgs {
    std::string name;      ///< a bundled name or a file; empty: the graph's own, else kDefaultCluster
    std::string linkModel; ///< empty: as the cluster file says
    [[nodiscard]] Result<std::shared_ptr<const Cluster>> load(const OpenedGraph& opened) const;
    /// " (the default)" and the like, to follow the cluster's name; empty when it was named.
    [[nodiscard]] std::string note(const OpenedGraph& opened) const;
};

/// What is done to the plan of any optimizer.
struct FinishArgs {
    std::string fuser, scheduler; ///< ids that are known to exist; empty: as the optimizer has it
    [[nodiscard]] Finish finish() const;
    /// ", scheduler rank, fuser none"; empty when neither is given.
    [[nodiscard]] std::string note() const;
};

/// A graph and the cluster it is to run on.
struct GraphOnCluster {
    std::shared_ptr<const OpenedGraph> opened;
    std::shared_ptr<const Cluster> cluster;
};

[[nodiscard]] Result<RunStore> openStore(const GlobalArgs& global);
[[nodiscard]] Result<GraphOnCluster> openOnCluster(const std::filesystem::path& file, const ClusterArgs& args);
/// What becomes of it under the plan in a file.
[[nodiscard]] Result<Outcome> simulateFile(const Workbench& workbench, const GraphOnCluster& subject,
                                           const std::filesystem::path& plan, bool keep);
/// Refuses a file that is a folder or lies in a folder that there is not: said before any work is done for it.
[[nodiscard]] Result<> checkOutput(const std::filesystem::path& file);

struct InfoArgs {
    std::filesystem::path file;
    std::string find; ///< a query (core/query/query.h): list what it fits instead
    ClusterArgs cluster;
    std::filesystem::path plan; ///< may be empty
};

struct ZooWriteArgs {
    std::string model;                 ///< with or without "zoo:"
    std::string preset;                ///< empty: as the model says, else the first
    std::vector<std::string> settings; ///< name=value
    std::filesystem::path output;
};

struct ImportTimesArgs {
    std::filesystem::path file, times, output;
};

struct OptimizeArgs {
    std::filesystem::path file;
    ClusterArgs cluster;
    std::string optimizer;
    std::vector<std::string> options; ///< name=value
    FinishArgs finish;
    std::uint64_t seed = 1;
    std::string objective;        ///< empty: the optimizer's own
    std::filesystem::path output; ///< the plan is written there; may be empty
};

struct SimulateArgs {
    std::filesystem::path file;
    ClusterArgs cluster;
    std::filesystem::path plan;
};

struct CompareArgs {
    std::string typed;          ///< the command as it was typed, for the report
    std::filesystem::path file; ///< empty where kept runs are compared
    ClusterArgs cluster;
    std::vector<std::string> optimizers;
    std::vector<std::int64_t> runs; ///< kept ones, in place of optimizers
    bool reuse = false;             ///< take kept runs of the optimizers where there are any
    FinishArgs finish;
    std::uint64_t seed = 1;
    std::string objective;        ///< empty: each optimizer's own
    std::filesystem::path report; ///< may be empty
};

struct RenderArgs {
    std::filesystem::path file; ///< may be empty when a run is given
    ClusterArgs cluster;
    std::filesystem::path plan; ///< may be empty
    std::int64_t run = 0;       ///< 0: none
    std::string what;           ///< "graph" or "gantt"; empty: the gantt where there is a plan
    std::string theme = "light";
    std::string colourBy;         ///< of a graph; empty: by device
    std::filesystem::path values; ///< CSV to colour by; may be empty
    std::string attribute;        ///< of the ops, to colour by; may be empty
    int width = 0, height = 0;    ///< pixels; 0: as the picture needs
    std::size_t boxes = 300;      ///< scopes are opened until that many boxes are seen
    std::filesystem::path output;
    [[nodiscard]] bool writesTable() const { return output.extension() == ".csv"; }
    [[nodiscard]] bool writesTrace() const { return output.extension() == ".json"; }
};

struct ConvertArgs {
    std::filesystem::path file; ///< may be empty when a run is given
    ClusterArgs cluster;
    std::filesystem::path plan; ///< may be empty
    std::int64_t run = 0;       ///< 0: none
    std::string optimizer;      ///< in place of a plan; may be empty
    std::uint64_t seed = 1;     ///< of the optimizer
    std::string format;         ///< id; empty: by the extension
    std::filesystem::path output;
};

struct BenchArgs {
    std::string typed;                ///< the command as it was typed, for the table of results
    StudyRequest request;             ///< as the study has it, until told otherwise
    std::vector<std::string> methods; ///< empty: as the study has it, as far as this build has them
    std::uint64_t seed = 1;           ///< the first
    std::size_t seeds = 1;            ///< how many
    bool onlyReport = false;
    bool onlyTable = false; ///< plans are not kept as runs
    std::filesystem::path output;
};

struct RunsArgs {
    std::vector<std::int64_t> runs;
    std::size_t limit = 20;          ///< of the list; 0: all
    std::vector<std::string> filter; ///< words of a filter (service/run_filter.h)
    std::string sort = "run";        ///< a field of it
    bool ascending = false, csv = false;
    std::vector<std::string> tags;
    std::string note;
    std::vector<std::string> options; ///< name=value, in place of those of a run that is made again
    std::string seed;                 ///< the same; empty: as it was
    std::filesystem::path file;
    [[nodiscard]] std::int64_t run() const { return runs.front(); }
};

[[nodiscard]] Result<int> infoCommand(const GlobalArgs& global, const InfoArgs& args);
[[nodiscard]] Result<int> findCommand(const GlobalArgs& global, const InfoArgs& args);
[[nodiscard]] Result<int> importTimesCommand(const GlobalArgs& global, const ImportTimesArgs& args);
[[nodiscard]] Result<int> tasksCommand(const GlobalArgs& global);
[[nodiscard]] Result<int> clustersCommand(const GlobalArgs& global);
[[nodiscard]] Result<int> listZooCommand(const GlobalArgs& global);
[[nodiscard]] Result<int> writeZooCommand(const GlobalArgs& global, const ZooWriteArgs& args);
[[nodiscard]] Result<int> optimizeCommand(const GlobalArgs& global, const OptimizeArgs& args);
[[nodiscard]] Result<int> simulateCommand(const GlobalArgs& global, const SimulateArgs& args);
[[nodiscard]] Result<int> compareCommand(const GlobalArgs& global, const CompareArgs& args);
[[nodiscard]] Result<int> benchStudyCommand(const GlobalArgs& global, const StudyKind& kind, const BenchArgs& args);
[[nodiscard]] Result<int> benchSanityCommand(const GlobalArgs& global);
[[nodiscard]] Result<int> convertCommand(const GlobalArgs& global, const ConvertArgs& args);
[[nodiscard]] Result<int> renderCommand(const GlobalArgs& global, const RenderArgs& args);
[[nodiscard]] Result<int> listRunsCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> showRunCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> planCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> curveCommand(const GlobalArgs& global, const RunsArgs& args);
// command_runs_care.cpp
[[nodiscard]] Result<int> tagCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> untagCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> noteCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> pinCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> unpinCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> deleteRunsCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> bringBackCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> purgeCommand(const GlobalArgs& global, const RunsArgs& args);
// command_runs_move.cpp
[[nodiscard]] Result<int> exportRunsCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> importRunsCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> runAgainCommand(const GlobalArgs& global, const RunsArgs& args);
// command_training.cpp
[[nodiscard]] Result<int> pauseRunCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> resumeRunCommand(const GlobalArgs& global, const RunsArgs& args);
[[nodiscard]] Result<int> stopRunCommand(const GlobalArgs& global, const RunsArgs& args);

/// On stderr, what a training goes on from.
void sayResumed(const Resumed& resumed, const std::string& from);

} // namespace opscape
