// SPDX-License-Identifier: MIT
// Placement: which device runs which op. An action is a device. A colocation group moves as one: its lowest op decides,
// and what the others ask for is not looked at, so every vector of legal actions gives a valid plan. Memory does not
// make a device illegal: whether a plan fits depends on all of it, and the simulator says so.
#include "placement_episode.h"

#include <opscape/search/heuristics.h>
#include <opscape/sim/ranks.h>
#include <opscape/task/constraints.h>
#include <opscape/task/plugin.h>

#include <algorithm>

namespace opscape {
namespace {

class Placement final : public DecisionTask {
public:
    [[nodiscard]] const TaskInfo& info() const override {
        static const TaskInfo kInfo{"placement", "Placement", "Which device runs each op.", 10, 1};
        return kInfo;
    }

    [[nodiscard]] int actionCount(const Problem& problem) const override {
        return static_cast<int>(problem.cluster->deviceCount());
    }

    /// A device that the plan holds already counts as decided; an op with an invalid one, or none, is open.
    void legal(const Problem& problem, const Plan& plan, OpId op, std::span<std::uint8_t> mask) const override {
        DeviceId only = pinnedDevice(problem, op);
        const OpId leader = colocationLeader(*problem.graph, op);
        if (!only.valid() && leader != op && leader.index() < plan.device.size())
            only = plan.device[leader.index()];
        std::ranges::fill(mask, only.valid() ? 0 : 1);
        if (only.valid())
            mask[only.index()] = 1;
    }

    /// Everything on the device that runs the whole graph fastest, as a runtime does that is told nothing.
    void fallback(const Problem& problem, std::span<int> actions) const override {
        std::size_t best = 0;
        std::int64_t bestNs = std::numeric_limits<std::int64_t>::max();
        for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d) {
            std::int64_t sumNs = 0;
            for (std::size_t i = 0; i < actions.size(); ++i)
                sumNs += problem.opNs(OpId(i), DeviceId(d));
            if (sumNs < bestNs) {
                bestNs = sumNs;
                best = d;
            }
        }
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const DeviceId pin = pinnedDevice(problem, OpId(i));
            actions[i] = static_cast<int>(pin.valid() ? pin.index() : best);
        }
    }

    [[nodiscard]] Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const override {
        const Graph& graph = *problem.graph;
        if (actions.size() != graph.opCount())
            return fail("placement has {} actions for {} ops.", actions.size(), graph.opCount());
        plan.device.resize(graph.opCount());
        for (std::size_t i = 0; i < actions.size(); ++i) {
            const OpId op(i);
            if (actions[i] < 0 || actions[i] >= actionCount(problem))
                return fail("placement of {}: there is no device {}.", graph.op(op).name, actions[i]);
            const DeviceId device(static_cast<std::size_t>(actions[colocationLeader(graph, op).index()]));
            const DeviceId pin = pinnedDevice(problem, op);
            if (pin.valid() && pin != device)
                return fail("placement of {}: it is pinned to {} and cannot go to {}.", graph.op(op).name,
                            problem.cluster->device(pin).name, problem.cluster->device(device).name);
            plan.device[i] = device;
        }
        return {};
    }

    void open(Plan& plan) const override { plan.device.clear(); }

    [[nodiscard]] std::unique_ptr<TaskEpisode> begin(const Problem& problem,
                                                     const DecisionUnits& units) const override {
        return std::make_unique<PlacementEpisode>(*this, problem, units);
    }

    /// One device, layers in runs and in turn, earliest finish. None when pins contradict each other.
    [[nodiscard]] std::vector<Proposal> proposals(const Problem& problem, const Plan& soFar) const override {
        const std::vector<std::int64_t> ranks = upwardRanks(problem);
        const auto groups = groupOps(problem, ScopeTree(*problem.graph), ranks, soFar.fusionGroup);
        std::vector<Proposal> proposed;
        if (!groups)
            return proposed;
        for (const NamedPlacement& placement : quickPlacements(problem, *groups, ranks)) {
            Proposal& proposal = proposed.emplace_back(placement.name);
            for (const DeviceId device : placement.device)
                proposal.actions.push_back(static_cast<int>(device.index()));
        }
        return proposed;
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("placement", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addTask(std::make_unique<opscape::Placement>());
})
