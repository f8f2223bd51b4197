// SPDX-License-Identifier: MIT
// Lays out one connected part. A tall one is cut into columns, read like a newspaper's, so that a chain of 200 ops
// does not become a thread; edges between columns run in the gutters.
#pragma once

#include <opscape/layout/layered.h>

namespace opscape {

/// The shape that is aimed at, width to height: that of a window.
inline constexpr float kTargetAspect = 1.5F;

[[nodiscard]] BoxLayout layoutConnected(const BoxProblem& problem, DotProcess* dot);

} // namespace opscape
