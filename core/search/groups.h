// SPDX-License-Identifier: MIT
// Groups of ops that a search moves as one, from coarse to fine, on any graph. A level with at most 24, 64, 128 and 256
// groups, each a chunk of scopes that follow one another in time, forward, backward and update apart; then one group
// per innermost scope; then one per placement unit. And the layers: the same scopes with all of their ops together.
#pragma once

#include <opscape/search/layer_tree.h>
#include <opscape/search/units.h>

#include <array>

namespace opscape {

struct GroupLevel {
    std::string name;                   ///< "K24", ..., "cells", "ops"
    std::vector<std::uint32_t> groupOf; ///< per op
    std::vector<std::uint32_t> first;   ///< per group + 1, into members
    std::vector<OpId> members;          ///< ascending within a group
    std::vector<std::uint32_t> order;   ///< groups by falling mean upward rank: about the order in which they run
    std::vector<std::uint32_t> place;   ///< per group: where it stands in `order`
    std::vector<std::int64_t> timeNs;   ///< per group: its ops' times, each the mean over devices
    std::vector<std::uint32_t> layer;   ///< per group: the layer of its first op

    [[nodiscard]] std::uint32_t groupCount() const { return static_cast<std::uint32_t>(order.size()); }
    [[nodiscard]] std::span<const OpId> ops(std::uint32_t group) const {
        return {members.data() + first[group], members.data() + first[group + 1]};
    }
};

struct OpGroups {
    static constexpr std::array<std::uint32_t, 4> kSizes{24, 64, 128, 256};
    /// Levels in `levels`; below kCells are those of kSizes.
    static constexpr std::size_t kCells = 4, kOps = 5, kLevels = 6;
    static constexpr std::uint32_t kMostLayers = 64;

    PlacementUnits units;
    std::array<GroupLevel, kLevels> levels; ///< no group of one level is parted by a coarser one, except by "cells"
    GroupLevel layers;                      ///< at most kMostLayers; `order` is that of the forward pass
};

/// Units are never parted. `ranks` are the upward ranks (sim/ranks.h). Fails on pins that contradict each other.
[[nodiscard]] Result<OpGroups> groupOps(const Problem& problem, const ScopeTree& scopes,
                                        std::span<const std::int64_t> ranks,
                                        std::span<const std::uint32_t> fusionGroup = {});

} // namespace opscape
