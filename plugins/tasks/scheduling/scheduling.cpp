// SPDX-License-Identifier: MIT
// Scheduling: in which order a device runs its ready ops. An action is one of eight priority levels, 7 the most urgent.
// The level is the major key; among ops of one level the upward rank decides, so that a coarse decision still gives a
// sensible order. All ops at level 0, which is what nobody asked to change, means no priorities: first come, first
// served, as in a runtime without learning. (All at any other level is plain upward rank.)
#include <opscape/sim/ranks.h>
#include <opscape/task/plugin.h>

#include <algorithm>

namespace opscape {
namespace {

constexpr int kLevels = 8;

/// Levels first, ranks second; see the top of this file.
void writeLevels(std::span<const int> levels, std::span<const std::int64_t> rankPriority, Plan& plan) {
    plan.priority.clear();
    plan.policy = QueuePolicy::Fifo;
    if (std::ranges::all_of(levels, [](int level) { return level == 0; }))
        return;
    plan.policy = QueuePolicy::Priority;
    plan.priority.assign(rankPriority.begin(), rankPriority.end());
    const auto perLevel = static_cast<std::int64_t>(levels.size()) + 1;
    for (std::size_t i = 0; i < levels.size(); ++i)
        plan.priority[i] += levels[i] * perLevel;
}

/// Works the ranks out once, not for every plan.
class SchedulingEpisode final : public PlainEpisode {
public:
    SchedulingEpisode(const DecisionTask& task, const Problem& problem, const DecisionUnits& units)
        : PlainEpisode(task, problem, units, true),
          m_rankPriority(rankPriorities(problem)) {}

    [[nodiscard]] Result<> write(Plan& plan) override {
        writeLevels(perOp(), m_rankPriority, plan);
        return {};
    }

private:
    std::vector<std::int64_t> m_rankPriority;
};

class Scheduling final : public DecisionTask {
public:
    [[nodiscard]] const TaskInfo& info() const override {
        static const TaskInfo kInfo{"scheduling", "Scheduling", "In which order each device runs its ready ops.", 20,
                                    1};
        return kInfo;
    }

    [[nodiscard]] int actionCount(const Problem&) const override { return kLevels; }

    void legal(const Problem&, const Plan&, OpId, std::span<std::uint8_t> mask) const override {
        std::ranges::fill(mask, 1);
    }

    void fallback(const Problem&, std::span<int> actions) const override { std::ranges::fill(actions, 0); }

    [[nodiscard]] Result<> apply(const Problem& problem, std::span<const int> actions, Plan& plan) const override {
        const Graph& graph = *problem.graph;
        if (actions.size() != graph.opCount())
            return fail("scheduling has {} actions for {} ops.", actions.size(), graph.opCount());
        for (std::size_t i = 0; i < actions.size(); ++i) {
            if (actions[i] < 0 || actions[i] >= kLevels)
                return fail("scheduling of {}: there is no level {}.", graph.op(OpId(i)).name, actions[i]);
        }
        writeLevels(actions, rankPriorities(problem), plan);
        return {};
    }

    void open(Plan& plan) const override {
        plan.priority.clear();
        plan.policy = QueuePolicy::Fifo;
    }

    [[nodiscard]] std::unique_ptr<TaskEpisode> begin(const Problem& problem,
                                                     const DecisionUnits& units) const override {
        return std::make_unique<SchedulingEpisode>(*this, problem, units);
    }

    /// Plain upward rank.
    [[nodiscard]] std::vector<Proposal> proposals(const Problem& problem, const Plan&) const override {
        return {{"upward rank", std::vector<int>(problem.graph->opCount(), kLevels / 2)}};
    }
};

} // namespace
} // namespace opscape

OPSCAPE_PLUGIN("scheduling", [](opscape::Registry& registry) -> opscape::Result<> {
    return registry.addTask(std::make_unique<opscape::Scheduling>());
})
