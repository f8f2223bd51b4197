// SPDX-License-Identifier: MIT
// How training by several processes scales when each of them has one lesson of every update: measured here with a few
// processes, and worked out for many from what one process measured. An update ends when the slowest lesson does and
// the gradients are summed:
//
//     t(n) = E[max of n lessons] + epochs * s(n, 4 * weights) + 2 * s(n, a few words)
//     s(n, bytes) = 2 (n - 1) (latency + bytes / n / bandwidth)
//
// E is exact for draws from the lesson times that were measured; s is a ring (Patarasuk and Yuan, "Bandwidth optimal
// all-reduce algorithms for clusters of workstations", 2009), which is how Gloo sums by default.
#pragma once

#include "study/training.h"

namespace opscape {

struct ScalingRequest {
    std::vector<int> measured{1, 2}; ///< processes to start here, ascending from one
    std::vector<int> modelled{8, 16, 32, 64, 128, 256};
    double bytesPerS = 1.25e9; ///< of a link between two processes; as 10 Gbit Ethernet
    double latencyS = 50e-6;
    TrainingRequest training{}; ///< options.updates of each; the second half of them is timed
};

struct ScalingRow {
    int processes = 1;
    std::optional<double> measuredS{}; ///< of an update
    double modelS = 0, sumS = 0;       ///< of an update, and of the sums in it
};

struct Scaling {
    std::int64_t weights = 0;
    int samples = 0, epochs = 0; ///< plans that a process simulates for an update, passes over them
    double lessonS = 0;          ///< mean of an update of one process
    std::vector<ScalingRow> rows;
};

/// Mean of the largest of `count` values that are drawn from `values`, each alike.
[[nodiscard]] double expectedMaximum(std::vector<double> values, int count);
/// Seconds to sum so many bytes over `processes`.
[[nodiscard]] double ringSumS(int processes, double bytes, double bytesPerS, double latencyS);

/// Starts the processes on this machine, one number of them after the other. To be called before this process has
/// loaded the learning engine, which does not survive a fork.
[[nodiscard]] Result<Scaling> measureScaling(const Registry& registry, const ScalingRequest& request,
                                             const std::function<void(const std::string&)>& begins,
                                             const std::stop_token& stop);

} // namespace opscape
