// SPDX-License-Identifier: MIT
// What is decided as one, and in which order: every unit is a set of ops that get the same action. A learned policy
// walks over the units from the first to the last; what they are (single ops, groups of a search) is its own business.
#pragma once

#include <opscape/base/ids.h>

#include <cstdint>
#include <span>
#include <vector>

namespace opscape {

struct DecisionUnits {
    std::vector<std::uint32_t> unitOf; ///< per op
    std::vector<std::uint32_t> first;  ///< per unit + 1, into members
    std::vector<OpId> members;         ///< ascending within a unit
    std::vector<std::uint32_t> layer;  ///< per unit, from 0: parts of one layer of the model have the same number
    std::uint32_t layerCount = 0;

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(layer.size()); }
    [[nodiscard]] std::span<const OpId> ops(std::uint32_t unit) const {
        return {members.data() + first[unit], members.data() + first[unit + 1]};
    }
};

} // namespace opscape
