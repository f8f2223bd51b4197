// SPDX-License-Identifier: MIT
// Fusion: which ops run as one kernel. An action is one of eight priority levels, 7 the most urgent: ops are visited
// from the highest level down and each is merged into a neighbouring group where that is legal (core/fusion). Level 0
// asks for nothing; all ops at level 0, which is what nobody asked to change, means that nothing is fused. Ops that no
// fuser merges have level 0 only.
#include <opscape/fusion/fusers.h>
#include <opscape/task/plugin.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kLevels = 8;

class Fusion final : public DecisionTask {
public:
    [[nodiscard]] const TaskInfo& info() const override {
        static const TaskInfo kInfo{"fusion", "Fusion", "Which ops of a device run as one kernel.", 30, 1};
        return kInfo;
    }

    [[nodiscard]] int actionCount(const Problem&) const override { return kLevels; }

    void legal(const Problem& problem, const Plan&, OpId op, std::span<std::uint8_t> mask) const override {
        std::ranges::fill(mask, fusionKind(*problem.graph, op) == FusionKind::Opaque ? 0 : 1);
        mask[0] = 1;
    }

    void fallback(const Problem&, std::span<int> actions) const override { std::ranges::fill(actions, 0); }

    [[nodiscard]] Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const override {
        const Graph& graph = *problem.graph;
        if (actions.size() != graph.opCount())
            return fail("fusion has {} actions for {} ops.", actions.size(), graph.opCount());
        if (plan.device.size() != graph.opCount())
            return fail("fusion needs to know where ops run, but the plan places {} of {}.", plan.device.size(),
                        graph.opCount());
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (actions[i] < 0 || actions[i] >= kLevels)
                return fail("fusion of {}: there is no level {}.", graph.op(OpId(i)).name, actions[i]);
        }
        setFusion(graph, plan, fuseByLevel(problem, plan.device, actions));
        return {};
    }

    void open(Plan& plan) const override { plan.fusionGroup.clear(); }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("fusion", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addTask(std::make_unique<opscape::Fusion>());
})
