// SPDX-License-Identifier: MIT
// Plans of one graph side by side, as figures: a row for each, the better value marked. The window, the command line
// and the report show the same rows. Qt-free.
#pragma once

#include "workbench.h"

#include <span>

namespace opscape {

using OutcomePtr = std::shared_ptr<const Outcome>;

/// So many plans fit side by side.
inline constexpr std::size_t kMostCompared = 4;

/// Why they cannot be compared, in one sentence: another number than two to four, or different graphs.
[[nodiscard]] Result<> checkComparable(std::span<const OutcomePtr> plans);

/// One figure of every plan.
struct ComparedRow {
    std::string title;
    std::vector<std::string> texts; ///< as people read them; a dash where a plan has no such figure
    std::vector<std::string> exact; ///< the whole number with its unit, where the text rounds it; else empty
    std::vector<bool> best;         ///< better than that of another plan, and than none worse
};

/// Smaller is better, where a figure can be better at all. Of plans that do not fit in memory none is better than one
/// that does. Figures of devices stand beside one another where the clusters have the same devices, else cluster by
/// cluster.
[[nodiscard]] std::vector<ComparedRow> comparisonTable(std::span<const OutcomePtr> plans);

/// Edges of the graph whose ends are on different devices, control edges included.
[[nodiscard]] std::int64_t cutEdges(const Graph& graph, const Plan& plan);
/// Part of the step in which a device does nothing, 0 to 1.
[[nodiscard]] double idleShare(const Schedule& schedule, DeviceId device);
/// "heft, run 12", "expert, not kept", "given plan, run 3".
[[nodiscard]] std::string planTitle(const Outcome& outcome);
/// "p100x4, fifo links"
[[nodiscard]] std::string clusterTitle(const Cluster& cluster);
/// "B · gpu:1"
[[nodiscard]] std::string deviceTitle(const Cluster& cluster, DeviceId device);

} // namespace opscape
