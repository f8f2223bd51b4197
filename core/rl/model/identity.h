// SPDX-License-Identifier: MIT
// What training is training of: a checkpoint says it, and goes on only where it is the same.
#pragma once

#include <opscape/plan/plan.h>
#include <opscape/rl/network/policy.h>
#include <opscape/task/decision_task.h>

#include <map>

namespace opscape::rl {

/// What the number and meaning of the weights depends on.
[[nodiscard]] std::map<std::string, std::string> networkText(const NetworkOptions& network,
                                                             std::span<const TaskShape> tasks);
/// By the id of the task.
[[nodiscard]] std::map<std::string, int> revisionsOf(std::span<const DecisionTask* const> tasks);
/// Of what the next update depends on beside weights, graph and cluster.
[[nodiscard]] std::string settingHash(const Plan& start, std::span<const DeviceId> pins, const DecisionUnits& units);

} // namespace opscape::rl
