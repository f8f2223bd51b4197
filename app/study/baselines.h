// SPDX-License-Identifier: MIT
// What the classical methods reach on the workloads of the zoo, each on the P100s that it was published on: every
// placement under every scheduler, unfused and fused by time saved, beside one device as a framework runs it by
// default. This is what a learned optimizer has to beat.
#pragma once

#include "service/workbench.h"
#include "study/result_table.h"

#include <functional>

namespace opscape {

struct BaselineRequest {
    std::vector<std::string> workloads;
    std::vector<std::string> presets;
    std::vector<std::string> optimizers;
    double budgetS = 10; ///< for each optimizer that searches
    std::uint64_t seed = 1;
};

/// The workloads of the zoo that were published with a number of devices.
[[nodiscard]] std::vector<std::string> publishedWorkloads();
/// The optimizers of the table, in its order.
[[nodiscard]] std::vector<std::string> baselineOptimizers();

/// The scheduler column of plans whose order the optimizer found itself.
inline constexpr std::string_view kOwnOrder = "own";

/// One workload in one preset, all of its rows.
struct BaselineReport {
    std::string workload, preset, cluster;
    std::int64_t ops = 0, edges = 0, lowerBoundNs = 0;
    int devices = 0;
    std::vector<ResultRow> rows;
    std::vector<std::string> failures; ///< sentences
};

struct BaselineWatcher {
    std::function<void(const std::string&)> begins; ///< "gnmt8 paper, refine"
    std::function<void(const Progress&)> progress;
    std::function<void(const BaselineReport&)> done; ///< after each workload and preset
};

/// Rows that the table has already are not computed again. Ends early, without the rows under way, when stopped.
[[nodiscard]] Result<> runBaselines(const Registry& registry, const BaselineRequest& request, ResultTable& table,
                                    const Provenance& provenance, const BaselineWatcher& watcher, std::stop_token stop);

} // namespace opscape
