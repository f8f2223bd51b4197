// SPDX-License-Identifier: MIT
// Lower bounds on the step time of any plan: how far from the best possible can a result be at most? Fusion changes the
// work itself, so the bounds are those of plans with the same fusion groups.
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

struct Bounds {
    std::int64_t longestPathNs = 0; ///< longest path, each op on its fastest device, transfers free
    std::int64_t areaNs = 0;        ///< sum of fastest times / number of devices
    std::int64_t optimisticNs = 0;  ///< longest path when every op weighs its device against the transfer to it
    std::int64_t bestNs = 0;        ///< the largest of them
    std::string bestName;           ///< "longest path", "area" or "longest path with transfers"
    std::size_t memoryDevices = 0;  ///< as many devices are needed to hold what is resident; 0: all are too few
};

/// For plans in which nothing is fused. A pinned op counts with its time where it is pinned.
[[nodiscard]] Bounds lowerBounds(const Problem& problem);
/// For plans with the fusion groups of this one; equal to the above when it fuses nothing.
[[nodiscard]] Bounds lowerBounds(const Problem& problem, const Plan& fusedLike);
/// (makespan - bound) / bound, e.g. 0.25 for a quarter above it; 0 when the bound is 0.
[[nodiscard]] double gap(std::int64_t makespanNs, std::int64_t boundNs);

} // namespace opscape
