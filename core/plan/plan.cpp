// SPDX-License-Identifier: MIT
#include <opscape/plan/plan.h>
#include <opscape/plan/problem.h>

#include <algorithm>
#include <array>

namespace opscape {

std::string_view toString(QueuePolicy policy) {
    static constexpr std::array<std::string_view, 3> kNames{"fifo", "priority", "order"};
    return kNames[static_cast<std::size_t>(policy)];
}

std::string_view toString(Objective objective) { return objective == Objective::StepTime ? "step-time" : "pipeline"; }

std::optional<Objective> parseObjective(std::string_view name) {
    for (const Objective objective : {Objective::StepTime, Objective::Pipeline}) {
        if (name == toString(objective))
            return objective;
    }
    return std::nullopt;
}

Plan Plan::allOn(DeviceId device, std::size_t opCount) {
    Plan plan;
    plan.device.assign(opCount, device);
    return plan;
}

bool Problem::decides(std::string_view task) const { return std::ranges::count(decide, task) > 0; }

Problem makeProblem(std::shared_ptr<const Graph> graph, std::shared_ptr<const Cluster> cluster,
                    Diagnostics& diagnostics) {
    Problem problem;
    problem.cost = std::make_shared<const CostModel>(*graph, *cluster, diagnostics);
    problem.graph = std::move(graph);
    problem.cluster = std::move(cluster);
    return problem;
}

} // namespace opscape
