// SPDX-License-Identifier: MIT
// Is a plan valid for a problem? The reason, in one sentence, when it is not. Memory is not part of validity: a plan
// that runs out of memory is simulated and reported as infeasible.
#pragma once

#include <opscape/base/result.h>
#include <opscape/plan/problem.h>

namespace opscape {

/// Checks sizes, devices, pins, colocation, priorities and fusion groups (one device, convex).
[[nodiscard]] Result<> checkPlan(const Problem& problem, const Plan& plan);

} // namespace opscape
