// SPDX-License-Identifier: MIT
// Strongly connected components: which nodes lie on cycles with one another.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace opscape {

/// Of each of `count` nodes the number of its component: two have the same one where each can be reached from the
/// other.
[[nodiscard]] std::vector<std::uint32_t>
stronglyConnected(std::size_t count, std::span<const std::pair<std::uint32_t, std::uint32_t>> edges);

} // namespace opscape
