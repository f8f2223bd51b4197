// SPDX-License-Identifier: MIT
// What a placement may move: an op, or several ops that have to stay together because they are in one colocation group
// or were fused. A unit that holds a pinned op stays where the pin puts it.
#pragma once

#include <opscape/base/result.h>
#include <opscape/plan/problem.h>

#include <span>

namespace opscape {

struct PlacementUnits {
    std::vector<std::uint32_t> unitOf; ///< per op; units are numbered in the order of their first op
    std::vector<std::uint32_t> first;  ///< per unit + 1, into members
    std::vector<OpId> members;         ///< ascending within a unit
    std::vector<DeviceId> pin;         ///< per unit; invalid where it may move

    [[nodiscard]] std::size_t count() const { return pin.size(); }
    [[nodiscard]] std::span<const OpId> ops(std::size_t unit) const {
        return {members.data() + first[unit], members.data() + first[unit + 1]};
    }
    [[nodiscard]] DeviceId pinOf(OpId op) const { return pin[unitOf[op.index()]]; }
};

/// `fusionGroup` as in Plan; empty where nothing is fused. Fails when pins contradict each other within a unit.
[[nodiscard]] Result<PlacementUnits> placementUnits(const Problem& problem, std::span<const std::uint32_t> fusionGroup);

} // namespace opscape
