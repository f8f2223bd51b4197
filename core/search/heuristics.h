// SPDX-License-Identifier: MIT
// Placements that take no search: what a person would do by hand with the layers, and a greedy earliest finish. They
// are where searches start, and the quick part of a portfolio.
#pragma once

#include <opscape/search/groups.h>
#include <opscape/search/search_run.h>

#include <stop_token>

namespace opscape {

struct NamedPlacement {
    std::string name;
    std::vector<DeviceId> device; ///< per op; pins and colocation are kept
};

/// All of them, none simulated yet: everything on the fastest device (one for each kind), layers in contiguous runs
/// balanced by time and by memory, layers dealt out in turn, earliest finish, least cut; for a pipeline also ops in
/// contiguous runs balanced by time, since the layers of a graph without names are coarse. Without the least cuts after
/// a stop.
[[nodiscard]] std::vector<NamedPlacement> quickPlacements(const Problem& problem, const OpGroups& groups,
                                                          std::span<const std::int64_t> ranks,
                                                          const std::stop_token& stop = {});

/// The first of them: everything on the fastest device.
[[nodiscard]] std::vector<DeviceId> onFastestDevice(const Problem& problem, const OpGroups& groups);

/// Every group goes where most of its time is.
[[nodiscard]] std::vector<DeviceId> projected(const Problem& problem, const OpGroups& groups, const GroupLevel& level,
                                              std::span<const DeviceId> device);

} // namespace opscape
