// SPDX-License-Identifier: MIT
// Cuts a long list into sections, so that none has more members than a reader can take in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace opscape {

/// First member of each section. Sections have about equal shares, and begin where few members before have edges to
/// members behind: at a bottleneck, where there is one. Edges are pairs of members.
[[nodiscard]] std::vector<std::uint32_t> cutSections(std::size_t count,
                                                     std::span<const std::pair<std::uint32_t, std::uint32_t>> edges);

} // namespace opscape
