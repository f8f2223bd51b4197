// SPDX-License-Identifier: MIT
// The order in which ops and scopes are read: of computation, not of the file.
#pragma once

#include <opscape/graph/scopes.h>

#include <span>

namespace opscape {

/// Of each op its place: producers before consumers, but an op without inputs just before the first that reads it.
[[nodiscard]] std::vector<std::uint32_t> readingOrder(const Graph& graph);
/// Of each scope the place of its first op.
[[nodiscard]] std::vector<std::uint32_t> firstPlaces(const ScopeTree& scopes, std::span<const std::uint32_t> places);

/// "layer_12" is number 12 of "layer_"; of a merged scope ("layer_12/cell") the first part counts.
struct NumberedName {
    std::string_view stem;
    std::uint64_t number = 0;
    bool numbered = false;

    explicit NumberedName(std::string_view name);
};

struct Sibling {
    std::uint32_t place = 0; ///< of its first op
    std::string_view name;   ///< of a scope; empty for an op
};
/// The siblings by place, except that numbered ones stand in the order of their numbers, up or down, whichever is
/// closer to that of their places: steps that are computed side by side, too, are read in turn.
[[nodiscard]] std::vector<std::uint32_t> siblingOrder(std::span<const Sibling> siblings);

} // namespace opscape
