// SPDX-License-Identifier: MIT
// What the window and the command line have in common: open a file, choose a cluster, run an optimizer or simulate a
// plan, keep it as a run, show a run again. Qt-free. Functions are safe to call from a worker thread; each opens its
// own connection to the store.
#pragma once

#include <opscape/base/run_context.h>
#include <opscape/graph/scopes.h>
#include <opscape/io/format.h>
#include <opscape/plan/problem.h>
#include <opscape/search/finish.h>
#include <opscape/sim/bounds.h>
#include <opscape/sim/pipeline.h>
#include <opscape/sim/schedule.h>
#include <opscape/store/run_store.h>
#include <opscape/task/plugin.h>

#include <filesystem>

namespace opscape {

/// A graph as opened, ready to be shown.
struct OpenedGraph {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const ScopeTree> scopes;
    std::string path; ///< where it came from; empty for one restored from a run
    std::string format;
    std::size_t fileNodes = 0, fileEdges = 0, folded = 0;
    std::vector<std::uint32_t> fusionGroup; ///< per op, as in a Plan: what the file fused; empty: nothing
    bool isScheduled = false;               ///< the file says in which order the ops run: that of their ids
    Diagnostics diagnostics;
    std::shared_ptr<const Cluster> cluster; ///< the one the file brings along; usually none
};

inline constexpr const char* kDefaultCluster = "p100x4";
/// Places a graph for the first look at it.
inline constexpr const char* kFirstOptimizer = "expert";
/// Beside the options of a run: how many ops were pinned.
inline constexpr const char* kPinnedOption = "pinned-ops";

/// By path or bundled name; where none is given, the graph's own, else kDefaultCluster.
[[nodiscard]] Result<std::shared_ptr<const Cluster>> chooseCluster(const OpenedGraph& opened,
                                                                   const std::string& pathOrName);

/// A plan with everything that was worked out about it: what every picture and table is made from.
struct Outcome {
    RunRecord run; ///< run.id is 0 when it is not kept
    std::shared_ptr<const OpenedGraph> opened;
    Problem problem;
    Plan plan;
    Schedule schedule;
    PipelineReport pipeline; ///< the same plan as a pipeline in steady state
    Bounds bounds;
    Diagnostics diagnostics;      ///< of the cost model and of the store
    std::int64_t simulations = 0; ///< plans that the optimizer simulated; 0 where it is not known
    std::string verdict; ///< what the optimizer knows of its result, e.g. that it is optimal; not kept with the run
};

struct OptimizeRequest {
    std::string optimizer;
    std::map<std::string, std::string> options{}; ///< those that differ from the defaults
    std::uint64_t seed = 1;
    std::vector<DeviceId> pins{};
    std::optional<Plan> start{};          ///< to go on from; none: the optimizer begins from nothing
    std::optional<Objective> objective{}; ///< none: the optimizer's own
    Finish finish{}; ///< what is done to the optimizer's plan; kept with the options as "fuser" and "scheduler"
};

/// What a kept run is about.
struct RunSubject {
    RunRecord run;
    std::shared_ptr<const OpenedGraph> opened;
    std::shared_ptr<const Cluster> cluster;
};

/// A plan that was worked out elsewhere. The record says how: optimizer, options, seed, when it began, how long it
/// took, notes; the rest of it is filled in.
struct Finding {
    std::shared_ptr<const OpenedGraph> opened;
    Problem problem;
    Plan plan;
    RunRecord about;
    RunCurve curve{}; ///< empty unless it was learned
};

class Workbench {
public:
    /// Loads the plugins. `database` empty: the default file.
    explicit Workbench(std::filesystem::path database = {});

    [[nodiscard]] const Registry& registry() const { return m_registry; }
    [[nodiscard]] const std::vector<PluginStatus>& plugins() const { return m_plugins; }
    [[nodiscard]] const std::filesystem::path& database() const { return m_database; }
    [[nodiscard]] Result<RunStore> openStore() const { return RunStore::open(m_database); }

    [[nodiscard]] static Result<std::shared_ptr<const OpenedGraph>> openGraph(const std::filesystem::path& file);

    /// Optimizes, simulates and keeps the run, with its curve as it learns. A stop gives the best plan so far, kept as
    /// cancelled, or an error. When the store cannot be used the result is not lost: run.id is 0 and the diagnostics
    /// say why ("run-not-kept").
    [[nodiscard]] Result<Outcome> optimize(std::shared_ptr<const OpenedGraph> opened,
                                           std::shared_ptr<const Cluster> cluster, const OptimizeRequest& request,
                                           const RunContext& context) const;
    /// Keeps the run, which begins when another process that this one starts resumes it; its number.
    [[nodiscard]] Result<std::int64_t> begin(std::shared_ptr<const OpenedGraph> opened,
                                             std::shared_ptr<const Cluster> cluster,
                                             const OptimizeRequest& request) const;
    /// Goes on with a run that learns and was cut off, stopped or handed over: the same run, from its last checkpoint,
    /// with the rest of its budget. With a budget of updates or simulations it ends with the very plan and curve of a
    /// run that was never cut off.
    [[nodiscard]] Result<Outcome> resume(std::int64_t runId, const RunContext& context) const;
    /// From the store alone, also of a run without a plan. `opened` is used in place of the kept graph when it is the
    /// same one.
    [[nodiscard]] Result<RunSubject> reopen(std::int64_t runId, std::shared_ptr<const OpenedGraph> opened = {}) const;
    /// Simulates a given plan; kept as a run, with the notes and what stands for the optimizer, when `keep`.
    [[nodiscard]] Result<Outcome> simulatePlan(std::shared_ptr<const OpenedGraph> opened,
                                               std::shared_ptr<const Cluster> cluster, const Plan& plan, bool keep,
                                               const std::string& notes = {}, const std::string& optimizer = {}) const;
    /// The plan that the file of the graph says (file_plan.h), with the optimizer for what it leaves open: the run is
    /// by kAsInFile, its notes say what is whose, and it is kept when `keepFiles`. Where the file says none, the
    /// optimizer's plan, which is not kept.
    [[nodiscard]] Result<Outcome> firstLook(std::shared_ptr<const OpenedGraph> opened,
                                            std::shared_ptr<const Cluster> cluster, const std::string& optimizer,
                                            bool keepFiles, const RunContext& context) const;
    /// Simulates it and keeps it as a finished run; its id.
    [[nodiscard]] Result<std::int64_t> keep(const Finding& finding) const;
    /// Rebuilds a kept run from the store alone: the same plan, and by simulation the same schedule. Where a newer
    /// version of the product simulates it differently, the diagnostics say so ("run-differs"). `opened` is used in
    /// place of the kept graph when it is the same one.
    [[nodiscard]] Result<Outcome> restore(std::int64_t runId, std::shared_ptr<const OpenedGraph> opened = {}) const;

private:
    Registry m_registry;
    std::vector<PluginStatus> m_plugins;
    std::filesystem::path m_database;
};

} // namespace opscape
