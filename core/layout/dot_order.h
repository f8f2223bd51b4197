// SPDX-License-Identifier: MIT
// What we take from dot: which box lies in which row, and the order of boxes and lines in it. Sizes, places and paths
// are ours, so that a picture has one hand and stays put when boxes in it grow.
#pragma once

#include <opscape/layout/arrangement.h>

namespace opscape {

/// The column with dot's rows; none when dot has no answer in time or one that is no better.
[[nodiscard]] std::optional<ColumnPlan> orderByDot(const BoxProblem& part, const ColumnPlan& column, DotProcess& dot,
                                                   const std::stop_token& stop);

} // namespace opscape
