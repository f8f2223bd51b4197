// SPDX-License-Identifier: MIT
// Where a tall layout is cut into columns, and how wide a row may be.
#pragma once

#include <opscape/layout/ranks.h>

#include <algorithm>

namespace opscape {

/// The shape that is aimed at, width to height: that of a window.
inline constexpr float kTargetAspect = 1.5F;
inline constexpr float kGutter = 34; ///< between columns

/// Height of the page of the shape aimed at that holds this one: what decides at which scale it is seen.
[[nodiscard]] inline float pageSize(float width, float height) { return std::max(width / kTargetAspect, height); }

/// First row of each column, for the smallest page.
[[nodiscard]] std::vector<int> chooseColumns(const BoxProblem& problem, const Ranking& ranking);
/// For rankBoxes().
[[nodiscard]] float widestRow(const BoxProblem& problem);

} // namespace opscape
