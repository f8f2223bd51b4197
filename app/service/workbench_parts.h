// SPDX-License-Identifier: MIT
// What the functions of a Workbench share. Internal to it.
#pragma once

#include "kept_run.h"
#include "workbench.h"

#include <chrono>

namespace opscape {

/// What is known of a run before it begins.
[[nodiscard]] RunRecord recordOf(const OpenedGraph& opened, const Cluster& cluster, std::string kind);
[[nodiscard]] RunResult resultOf(const Schedule& schedule, const Bounds& bounds);
/// Judges the plan of an outcome: its schedule and bounds.
[[nodiscard]] Result<> judge(Outcome& outcome);
/// Completes the record of a judged plan and ends its row.
void finish(Outcome& outcome, KeptRun& kept, RunStatus status, std::int64_t wallMs);
/// Graph and cluster of a kept run, from the store alone; `opened` is taken when it is the same graph.
[[nodiscard]] Result<RunSubject> subjectOf(const RunStore& store, const RunRecord& run,
                                           std::shared_ptr<const OpenedGraph> opened);
[[nodiscard]] std::shared_ptr<const OpenedGraph> openedFrom(GraphFile file, std::string path);
/// How errors name what is kept of a run.
[[nodiscard]] std::string originOf(std::int64_t run);

[[nodiscard]] inline std::int64_t millisecondsOf(std::chrono::steady_clock::duration time) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

/// Nothing thrown leaves the workbench: its callers are worker threads.
auto guarded(const auto& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return fail("there is not enough memory for this graph; close other programs or try a smaller graph.");
    } catch (const std::exception& error) {
        return fail("the run failed unexpectedly: {}.", error.what());
    }
}

} // namespace opscape
