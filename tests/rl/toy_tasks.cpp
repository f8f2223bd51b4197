// SPDX-License-Identifier: MIT
// Two decision tasks that the engine has never heard of, as a plugin would bring them.
#include <opscape/task/plugin.h>

#include <algorithm>

namespace opscape {
namespace {

/// Whether an op runs together with the one before it. Legal where that one has no other reader; taken where both are
/// on one device.
class Merge final : public DecisionTask {
    [[nodiscard]] const TaskInfo& info() const override {
        static const TaskInfo kInfo{"toy-merge", "Merge", "Whether an op runs together with the one before it.", 35, 3};
        return kInfo;
    }
    [[nodiscard]] int actionCount(const Problem&) const override { return 2; }

    void legal(const Problem& problem, const Plan&, OpId op, std::span<std::uint8_t> mask) const override {
        mask[0] = 1;
        mask[1] = before(*problem.graph, op).valid() ? 1 : 0;
    }
    void fallback(const Problem&, std::span<int> actions) const override { std::ranges::fill(actions, 0); }

    [[nodiscard]] Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const override {
        const Graph& graph = *problem.graph;
        if (actions.size() != graph.opCount())
            return fail("merging has {} actions for {} ops.", actions.size(), graph.opCount());
        plan.fusionGroup.assign(graph.opCount(), Plan::kNotFused);
        for (const OpId op : graph.topologicalOrder()) {
            if (actions[op.index()] < 0 || actions[op.index()] > 1)
                return fail("merging of {}: there is no action {}.", graph.op(op).name, actions[op.index()]);
            const OpId from = before(graph, op);
            if (actions[op.index()] == 0 || !from.valid() || plan.device[from.index()] != plan.device[op.index()])
                continue;
            std::uint32_t& group = plan.fusionGroup[from.index()];
            if (group == Plan::kNotFused)
                group = from.value;
            plan.fusionGroup[op.index()] = group;
        }
        return {};
    }
    void open(Plan& plan) const override { plan.fusionGroup.clear(); }

    static OpId before(const Graph& graph, OpId op) {
        const auto all = graph.predecessors(op);
        return all.size() == 1 && graph.successors(all[0]).size() == 1 ? all[0] : OpId();
    }
};

/// Whether an op goes before all others on its device.
class Urgent final : public DecisionTask {
    [[nodiscard]] const TaskInfo& info() const override {
        static const TaskInfo kInfo{"toy-urgent", "Urgent", "Whether an op goes before all others.", 45, 1};
        return kInfo;
    }
    [[nodiscard]] int actionCount(const Problem&) const override { return 2; }
    void legal(const Problem&, const Plan&, OpId, std::span<std::uint8_t> mask) const override {
        std::ranges::fill(mask, 1);
    }
    void fallback(const Problem&, std::span<int> actions) const override { std::ranges::fill(actions, 0); }

    [[nodiscard]] Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const override {
        constexpr std::int64_t kAboveAll = 1'000'000'000'000;
        if (actions.size() != problem.graph->opCount())
            return fail("urgency has {} actions for {} ops.", actions.size(), problem.graph->opCount());
        if (plan.policy == QueuePolicy::Fifo)
            plan.priority.assign(actions.size(), 0);
        plan.policy = QueuePolicy::Priority;
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (actions[i] < 0 || actions[i] > 1)
                return fail("urgency of {}: there is no action {}.", problem.graph->op(OpId(i)).name, actions[i]);
            plan.priority[i] += actions[i] * kAboveAll;
        }
        return {};
    }
};

Result<> registerInto(Registry& registry) {
    if (auto added = registry.addTask(std::make_unique<Merge>()); !added)
        return added;
    return registry.addTask(std::make_unique<Urgent>());
}

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("toy-tasks", opscape::registerInto)
