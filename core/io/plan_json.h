// SPDX-License-Identifier: MIT
// Plans as JSON: ops and devices by name, so that a plan outlives ids and can be written by hand:
//   {"opscape_plan": 1, "graph": "<hash>", "cluster": "p100x4", "policy": "priority",
//    "ops": {"conv1": {"device": "gpu:0", "priority": 12, "fusion": 3}}}
#pragma once

#include <opscape/base/result.h>
#include <opscape/device/cluster.h>
#include <opscape/graph/graph.h>
#include <opscape/plan/plan.h>

namespace opscape {

[[nodiscard]] std::string writePlan(const Graph& graph, const Cluster& cluster, const Plan& plan);
/// Fails when an op of the graph is missing, an op or a device is unknown, or a value is of the wrong kind.
[[nodiscard]] Result<Plan> readPlan(std::string_view json, const std::string& origin, const Graph& graph,
                                    const Cluster& cluster);

} // namespace opscape
