// SPDX-License-Identifier: MIT
// The placement that sends the fewest bytes with the work shared out evenly, by METIS.
#pragma once

#include <opscape/base/result.h>
#include <opscape/plan/problem.h>

#include <span>
#include <stop_token>

namespace opscape {

struct PartitionOptions {
    bool balanceMemory = false; ///< as a second constraint
    double imbalance = .03;     ///< by how much a device may exceed its share, as a fraction
    std::uint64_t seed = 1;
};

/// Per op its device. `fixed`: per op where it has to go, invalid where it is free. Colocated ops stay together. Fails
/// soon after a stop. May be called by several threads.
[[nodiscard]] Result<std::vector<DeviceId>> leastCutPlacement(const Problem& problem, std::span<const DeviceId> fixed,
                                                              const PartitionOptions& options,
                                                              const std::stop_token& stop = {});

} // namespace opscape
