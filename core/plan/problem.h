// SPDX-License-Identifier: MIT
// What there is to decide: a graph on a cluster under a cost model, which decisions to take and to what end, what is
// fixed by hand, and optionally the plan to start from, so that optimizers chain plan to plan.
#pragma once

#include <opscape/cost/cost_model.h>
#include <opscape/plan/plan.h>

#include <memory>
#include <optional>

namespace opscape {

/// What is to be short: one step from its first op to its last, or the time between two results when steps follow one
/// another as in a pipeline (core/sim/pipeline.h).
enum class Objective : std::uint8_t { StepTime, Pipeline };

/// "step-time" or "pipeline".
[[nodiscard]] std::string_view toString(Objective objective);
[[nodiscard]] std::optional<Objective> parseObjective(std::string_view name);

struct Problem {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Cluster> cluster;
    std::shared_ptr<const CostModel> cost;
    std::vector<std::string> decide{"placement", "scheduling"}; ///< ids of decision tasks, in the order of the chain
    std::optional<Plan> start;
    std::vector<DeviceId> pins; ///< per op, invalid where free; empty: nothing is pinned
    Objective objective = Objective::StepTime;

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
