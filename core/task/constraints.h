// SPDX-License-Identifier: MIT
// What limits where ops may go: colocation groups, pins, and the start plan of a problem that does not decide
// placement. For optimizers and decision tasks, so that all of them mean the same by it.
#pragma once

#include <opscape/base/result.h>
#include <opscape/graph/colocation.h>
#include <opscape/plan/problem.h>

namespace opscape {

/// Where the op has to be because it, or another op of its colocation group, is pinned; invalid where it is free.
[[nodiscard]] DeviceId pinnedDevice(const Problem& problem, OpId op);

/// Per op where it has to go, invalid where it is free: pins; and if the problem does not decide placement, its start
/// plan (without one, the first device). Fails when the pins do not fit the graph or pull a colocation group apart.
[[nodiscard]] Result<std::vector<DeviceId>> fixedDevices(const Problem& problem);

} // namespace opscape
