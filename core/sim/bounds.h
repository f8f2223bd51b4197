// SPDX-License-Identifier: MIT
// Lower bounds on the step time of any plan: how far from the best possible can a result be at most?
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

struct Bounds {
    std::int64_t longestPathNs = 0; ///< longest path, each op on its fastest device, transfers free
    std::int64_t areaNs = 0;        ///< sum of fastest times / number of devices
    std::int64_t bestNs = 0;        ///< the largest of them
    std::string bestName;           ///< "longest path" or "area"
};

[[nodiscard]] Bounds lowerBounds(const Problem& problem);
/// (makespan - bound) / bound, e.g. 0.25 for a quarter above it; 0 when the bound is 0.
[[nodiscard]] double gap(std::int64_t makespanNs, std::int64_t boundNs);

} // namespace opscape
