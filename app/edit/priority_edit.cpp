// SPDX-License-Identifier: MIT
// Priorities are numbers with gaps between them, so that an edit gives new ones to the selected ops alone: above all
// others, below all others, or between those of two neighbours. Where a plan has no priorities yet, or no room is left
// between two, all ops get new ones first, in the order they have: by priority, or, where devices take what is ready
// first, in the order in which the schedule shows them. That leaves the schedule as it is.
#include "edit/edit_parts.h"

#include <algorithm>
#include <tuple>

namespace opscape {
namespace {

constexpr std::int64_t kGap = std::int64_t{1} << 20;
constexpr std::int64_t kMost = std::int64_t{1} << 60; ///< of what gaps are added to

class Queues {
public:
    Queues(const Problem& problem, const Schedule& shown, const EditedPlan& before)
        : m_problem(problem),
          m_shown(shown),
          m_plan(before.plan),
          m_units(before.plan) {
        if (m_plan.policy == QueuePolicy::Fifo)
            spread();
        m_plan.policy = m_plan.policy == QueuePolicy::Fifo ? QueuePolicy::Priority : m_plan.policy;
    }

    [[nodiscard]] Plan& plan() { return m_plan; }

    void select(std::span<const OpId> ops) {
        m_selected.assign(m_plan.device.size(), 0);
        m_ops = m_units.whole(ops);
        for (const OpId op : m_ops)
            m_selected[op.index()] = 1;
    }

    void toEnd(bool first) {
        const auto bound = [&] {
            std::int64_t most = 0;
            bool any = false;
            for (std::size_t i = 0; i < m_selected.size(); ++i) {
                const std::int64_t own = m_plan.priority[i];
                if (m_selected[i] == 0)
                    most = std::exchange(any, true) ? (first ? std::max(most, own) : std::min(most, own)) : own;
            }
            return most;
        };
        std::int64_t from = bound();
        if (std::abs(from) > kMost) {
            spread();
            from = bound();
        }
        sortSelected();
        const auto count = static_cast<std::int64_t>(m_ops.size());
        for (std::int64_t i = 0; i < count; ++i)
            m_plan.priority[m_ops[static_cast<std::size_t>(i)].index()] =
                first ? from + (count - i) * kGap : from - (i + 1) * kGap;
    }

    /// Past the neighbour that each device runs just before (after) them. The sentence says why nothing changes.
    [[nodiscard]] Result<> step(bool earlier) {
        std::string why;
        bool changed = false;
        for (std::size_t d = 0; d < m_problem.cluster->deviceCount(); ++d) {
            const OpId neighbour = neighbourOn(DeviceId(d), earlier);
            if (neighbour.valid())
                changed = pass(DeviceId(d), neighbour, earlier, why) || changed;
            else if (why.empty() && std::ranges::any_of(m_ops, [&](OpId op) { return deviceOf(op) == DeviceId(d); }))
                why = fmt::format("Nothing runs {} the selection on {}.", earlier ? "before" : "after",
                                  m_problem.cluster->device(DeviceId(d)).name);
        }
        if (!changed)
            return fail("{}", why);
        return {};
    }

private:
    [[nodiscard]] DeviceId deviceOf(OpId op) const { return m_plan.device[op.index()]; }
    [[nodiscard]] std::tuple<std::int64_t, std::int64_t, OpId> shownAt(OpId op) const {
        const OpRun& run = m_shown.ops[op.index()];
        return {run.startNs, run.readyNs, op};
    }
    [[nodiscard]] std::int64_t unitPriority(OpId op) const {
        std::int64_t highest = m_plan.priority[op.index()];
        m_units.forEach(op, [&](OpId other) { highest = std::max(highest, m_plan.priority[other.index()]); });
        return highest;
    }

    /// New priorities for all, in the order there is.
    void spread() {
        std::vector<OpId> order;
        for (std::size_t i = 0; i < m_plan.device.size(); ++i)
            order.emplace_back(i);
        if (m_plan.policy == QueuePolicy::Fifo)
            std::ranges::sort(order, {}, [this](OpId op) { return shownAt(op); });
        else
            std::ranges::sort(order, {}, [this](OpId op) { return std::pair(-m_plan.priority[op.index()], op); });
        auto priority = static_cast<std::int64_t>(order.size()) * kGap;
        for (const OpId op : order) {
            m_plan.priority[op.index()] = priority;
            priority -= kGap;
        }
    }

    void sortSelected() {
        std::ranges::sort(m_ops, {}, [this](OpId op) { return std::pair(-m_plan.priority[op.index()], op); });
    }

    [[nodiscard]] OpId neighbourOn(DeviceId device, bool earlier) const {
        OpId edge; // of the selection on this device: its first op, or its last
        for (const OpId op : m_ops) {
            if (deviceOf(op) == device && (!edge.valid() || (shownAt(op) < shownAt(edge)) == earlier))
                edge = op;
        }
        OpId found;
        for (std::size_t i = 0; edge.valid() && i < m_selected.size(); ++i) {
            const OpId op(i);
            if (deviceOf(op) != device || m_selected[i] != 0 || (shownAt(op) < shownAt(edge)) != earlier)
                continue;
            if (!found.valid() || (shownAt(found) < shownAt(op)) == earlier)
                found = op;
        }
        return found;
    }

    bool pass(DeviceId device, OpId neighbour, bool earlier, std::string& why) {
        std::vector<OpId> moving;
        const auto isBehind = [&](OpId op) {
            return earlier ? unitPriority(op) <= unitPriority(neighbour) : unitPriority(op) >= unitPriority(neighbour);
        };
        sortSelected();
        std::ranges::copy_if(m_ops, std::back_inserter(moving),
                             [&](OpId op) { return deviceOf(op) == device && isBehind(op); });
        if (moving.empty()) {
            const Graph& graph = *m_problem.graph;
            why = earlier
                      ? fmt::format("The selection is ahead of {} already, and ran later because it was ready later.",
                                    graph.op(neighbour).name)
                      : fmt::format("The selection is behind {} already, and ran earlier because it was ready "
                                    "earlier.",
                                    graph.op(neighbour).name);
            return false;
        }
        const auto count = static_cast<std::int64_t>(moving.size());
        for (bool again = false;; again = true) {
            const std::int64_t near = unitPriority(neighbour);
            const std::int64_t far = beyond(near, earlier, count);
            const std::int64_t low = std::min(near, far), high = std::max(near, far);
            if (high - low <= count && !again) {
                spread();
                continue;
            }
            for (std::int64_t i = 0; i < count; ++i)
                m_plan.priority[moving[static_cast<std::size_t>(i)].index()] =
                    high - (i + 1) * ((high - low) / (count + 1));
            return true;
        }
    }

    /// The next priority above (below) this one of an op that is not selected; where there is none, room for `count`.
    [[nodiscard]] std::int64_t beyond(std::int64_t priority, bool above, std::int64_t count) const {
        std::int64_t found = above ? priority + (count + 1) * kGap : priority - (count + 1) * kGap;
        for (std::size_t i = 0; i < m_selected.size(); ++i) {
            const std::int64_t own = m_plan.priority[i];
            if (m_selected[i] == 0 && (above ? own > priority && own < found : own < priority && own > found))
                found = own;
        }
        return found;
    }

    const Problem& m_problem;
    const Schedule& m_shown;
    Plan m_plan;
    FusedUnits m_units;
    std::vector<OpId> m_ops;
    std::vector<std::uint8_t> m_selected;
};

} // namespace

Result<EditResult> applyPriority(const Problem& problem, const Schedule& shown, const EditedPlan& before,
                                 const PlanEdit& edit) {
    Queues queues(problem, shown, before);
    queues.select(edit.ops);
    const bool ahead = edit.kind == EditKind::First || edit.kind == EditKind::Earlier;
    if (edit.kind == EditKind::First || edit.kind == EditKind::Last) {
        queues.toEnd(ahead);
    } else if (auto stepped = queues.step(ahead); !stepped) {
        return fail(std::move(stepped.error()));
    }
    EditResult result{before, {}, {}};
    const std::string name = opNames(*problem.graph, edit.ops);
    result.title = edit.kind == EditKind::First     ? fmt::format("run {} first", name)
                   : edit.kind == EditKind::Last    ? fmt::format("run {} last", name)
                   : edit.kind == EditKind::Earlier ? fmt::format("run {} earlier", name)
                                                    : fmt::format("run {} later", name);
    result.after.plan = std::move(queues.plan());
    return result;
}

} // namespace opscape
