// SPDX-License-Identifier: MIT
// The engine of every table of results: methods on the workloads of the zoo, each on the P100s that it was published
// on (files: on the cluster that they bring, or the default one), every plan under all the schedulers and fusers it is
// judged by. One search runs at a time, so that each has the machine to itself.
#pragma once

#include "service/workbench.h"
#include "study/methods.h"
#include "study/result_table.h"

#include <functional>

namespace opscape {

/// A method with a seed and a budget on a workload; its plan gives all of the cells.
struct StudyRun {
    std::string workload, preset;
    std::string graph{}; ///< a file (service/workbench.h) in place of the workload in its preset; may be empty
    Method method;
    std::uint64_t seed = 1;
    double budgetS = 0;             ///< 0 where it takes none
    std::vector<Ending> endings{};  ///< one per cell
    std::vector<ResultRow> cells{}; ///< what came out is not filled in
};

/// A cell for each of its endings.
[[nodiscard]] std::vector<ResultRow> cellsOf(const StudyRun& run, int devices);

/// All runs of a study, in its order. Fails where a workload or a method is not known.
[[nodiscard]] Result<std::vector<StudyRun>> runsOf(const Registry& registry, const StudyRequest& request);

/// One workload in one preset, all of its rows.
struct WorkloadReport {
    std::string workload, preset;
    std::vector<ResultRow> rows{};
    std::vector<std::string> failures{}; ///< sentences
    std::vector<std::string> remarks{};  ///< sentences, on searches that did not have the machine to themselves
};

/// What the table has of each workload and preset.
[[nodiscard]] std::vector<WorkloadReport> reportsOf(const std::vector<StudyRun>& runs, const ResultTable& table);

struct StudyWatcher {
    std::function<void(const std::string&)> begins; ///< "gnmt8 paper, refine, 60 s, seed 2"
    std::function<void(const Progress&)> progress;
    std::function<void(const WorkloadReport&)> done; ///< after each workload and preset
};

/// A search that had a processor for less than this share of its time is remarked upon.
inline constexpr double kLeastShare = 0.8;

/// Where the results go. Improvements below kCurveStep are left out, but for the last.
struct StudyFiles {
    ResultTable results;
    CurveTable curves;
};
inline constexpr double kCurveStep = 0.002;
/// "table1.csv" and beside it "table1_progress.csv".
[[nodiscard]] Result<StudyFiles> openStudy(const std::filesystem::path& results);

/// Where the plans of a study are kept as runs, beside the tables; the notes of a run name the study. No workbench:
/// nowhere. What cannot be kept is remarked upon, and the study goes on.
struct StudyRuns {
    const Workbench* workbench = nullptr;
    std::string study;
};

/// Rows that the table has already are not made again. Ends early, without the rows under way, when stopped.
[[nodiscard]] Result<> runStudy(const Registry& registry, const std::vector<StudyRun>& runs, StudyFiles& files,
                                const Provenance& provenance, const StudyWatcher& watcher, std::stop_token stop,
                                const StudyRuns& kept = {});

} // namespace opscape
