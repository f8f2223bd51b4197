// SPDX-License-Identifier: MIT
// What there is to decide: a graph on a cluster under a cost model, which decisions to take, what is fixed by hand, and
// optionally the plan to start from, so that optimizers chain plan to plan.
#pragma once

#include <opscape/cost/cost_model.h>
#include <opscape/plan/plan.h>

#include <memory>
#include <optional>

namespace opscape {

struct Problem {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const CostModel> cost;
    std::vector<std::string> decide{"placement", "scheduling"}; ///< ids of decision tasks, in the order of the chain
    std::optional<Plan> start;
    std::vector<DeviceId> pins; ///< per op, invalid where free; empty: nothing is pinned

    [[nodiscard]] std::int64_t opNs(OpId op, DeviceId device) const {
        return cost->opNs(op, cluster->device(device).kind);
    }
    [[nodiscard]] DeviceId pin(OpId op) const { return pins.empty() ? DeviceId() : pins[op.index()]; }
    [[nodiscard]] bool decides(std::string_view task) const;
};

/// Builds the cost model too; what it had to guess is added to the diagnostics.
[[nodiscard]] Problem makeProblem(std::shared_ptr<const Graph> graph, std::shared_ptr<const Cluster> cluster,
                                  Diagnostics& diagnostics);

} // namespace opscape
