// SPDX-License-Identifier: MIT
// The plan that learning begins with.
#pragma once

#include <opscape/task/decision_task.h>

#include <span>

namespace opscape::rl {

/// The start plan of the problem, its pins kept; without one, what compilers do that decide nothing. `phases`: the
/// tasks that are to be learned.
[[nodiscard]] Result<Plan> basePlan(const Problem& problem, std::span<const std::vector<const DecisionTask*>> phases);

} // namespace opscape::rl
