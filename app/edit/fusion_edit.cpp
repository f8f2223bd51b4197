// SPDX-License-Identifier: MIT
#include "edit/edit_parts.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace opscape {
namespace {

/// What keeps the ops from being one kernel: a way out of them and back.
struct WayBack {
    OpId out;  ///< the first op on it
    OpId back; ///< the last
};

/// The graph of kernels has no cycles, so one through the joined kernel is all that can arise.
std::optional<WayBack> wayBack(const Graph& graph, const FusedUnits& units, std::span<const OpId> joined) {
    std::vector<std::uint8_t> isJoined(graph.opCount());
    for (const OpId op : joined)
        isJoined[op.index()] = 1;
    std::vector<OpId> cameOut(graph.opCount()); // per first op of a kernel: how the way to it began
    std::vector<OpId> queue;
    const auto visit = [&](OpId op, OpId out) {
        const OpId unit = units.first(op);
        if (cameOut[unit.index()].valid())
            return;
        cameOut[unit.index()] = out;
        queue.push_back(unit);
    };
    for (const OpId op : joined) {
        for (const OpId next : graph.successors(op)) {
            if (isJoined[next.index()] == 0)
                visit(next, next);
        }
    }
    for (std::size_t at = 0; at < queue.size(); ++at) {
        const OpId out = cameOut[queue[at].index()];
        std::optional<WayBack> found;
        units.forEach(queue[at], [&](OpId op) {
            for (const OpId next : graph.successors(op)) {
                if (isJoined[next.index()] == 0)
                    visit(next, out);
                else if (!found)
                    found = {out, op};
            }
        });
        if (found)
            return found;
    }
    return std::nullopt;
}

} // namespace

FusedUnits::FusedUnits(const Plan& plan) : m_first(plan.fusionGroup.size()), m_next(m_first.size()) {
    std::iota(m_first.begin(), m_first.end(), 0U);
    std::iota(m_next.begin(), m_next.end(), 0U);
    for (std::uint32_t i = 0; i < m_first.size(); ++i) {
        const std::uint32_t group = plan.fusionGroup[i];
        if (group == Plan::kNotFused || group == i)
            continue;
        m_first[i] = group;
        m_next[i] = std::exchange(m_next[group], i);
    }
}

std::vector<OpId> FusedUnits::whole(std::span<const OpId> ops) const {
    std::vector<OpId> all;
    for (const OpId op : ops)
        forEach(op, [&](OpId member) { all.push_back(member); });
    std::ranges::sort(all);
    const auto repeated = std::ranges::unique(all);
    all.erase(repeated.begin(), repeated.end());
    return all;
}

Result<EditResult> applyFuse(const Problem& problem, const EditedPlan& before, const PlanEdit& edit) {
    const Graph& graph = *problem.graph;
    const FusedUnits units(before.plan);
    const std::vector<OpId> ops = units.whole(edit.ops);
    if (edit.ops.size() < 2)
        return fail("Select at least two ops to fuse them.");
    if (std::ranges::all_of(ops, [&](OpId op) { return units.first(op) == units.first(ops[0]); }))
        return fail("The selected ops are fused already.");
    const auto deviceOf = [&](OpId op) { return before.plan.device[op.index()]; };
    const auto elsewhere = std::ranges::find_if(ops, [&](OpId op) { return deviceOf(op) != deviceOf(ops[0]); });
    if (elsewhere != ops.end())
        return fail("One kernel runs on one device, but {} is on {} and {} on {}; move them together first.",
                    graph.op(ops[0]).name, problem.cluster->device(deviceOf(ops[0])).name, graph.op(*elsewhere).name,
                    problem.cluster->device(deviceOf(*elsewhere)).name);
    if (const auto way = wayBack(graph, units, ops)) {
        if (way->out == way->back)
            return fail("They cannot be one kernel: {} reads what some of them make and feeds others; select it too.",
                        graph.op(way->out).name);
        return fail("They cannot be one kernel: {} reads what some of them make, and the way from there leads through "
                    "{} back to others; select what lies between too.",
                    graph.op(way->out).name, graph.op(way->back).name);
    }
    EditResult result{before, fmt::format("fuse {}", opNames(graph, ops)), {}};
    for (const OpId op : ops)
        result.after.plan.fusionGroup[op.index()] = ops[0].value;
    if (const std::size_t more = ops.size() - edit.ops.size(); more > 0)
        result.remark = fmt::format("With {} more op{} fused with these before.", more, more == 1 ? "" : "s");
    return result;
}

Result<EditResult> applyUnfuse(const Problem& problem, const EditedPlan& before, const PlanEdit& edit) {
    const auto isFused = [&](OpId op) { return before.plan.fusionGroup[op.index()] != Plan::kNotFused; };
    if (std::ranges::none_of(edit.ops, isFused))
        return fail("Nothing of the selection is fused.");
    EditResult result{before, fmt::format("unfuse {}", opNames(*problem.graph, edit.ops)), {}};
    for (const OpId op : FusedUnits(before.plan).whole(edit.ops))
        result.after.plan.fusionGroup[op.index()] = Plan::kNotFused;
    return result;
}

bool orderIsSound(const Graph& graph, const Plan& plan) {
    const FusedUnits units(plan);
    const std::size_t ops = graph.opCount();
    std::vector<std::int64_t> priority(ops, std::numeric_limits<std::int64_t>::min()); // per first op
    std::vector<OpId> order, next(ops);                                                // of kernels; on the same device
    for (std::size_t i = 0; i < ops; ++i) {
        std::int64_t& highest = priority[units.first(OpId(i)).index()];
        highest = std::max(highest, plan.priority[i]);
        if (units.first(OpId(i)) == OpId(i))
            order.emplace_back(i);
    }
    std::ranges::sort(order, {}, [&](OpId op) { return std::pair(-priority[op.index()], op); });
    std::vector<std::uint32_t> awaits(ops);
    std::vector<OpId> last;
    for (const OpId op : order) {
        const std::size_t device = plan.device[op.index()].index();
        last.resize(std::max(last.size(), device + 1));
        if (last[device].valid()) {
            next[last[device].index()] = op;
            ++awaits[op.index()];
        }
        last[device] = op;
    }
    const auto forEachNext = [&](OpId unit, const auto& visit) {
        if (next[unit.index()].valid())
            visit(next[unit.index()]);
        units.forEach(unit, [&](OpId op) {
            for (const OpId successor : graph.successors(op)) {
                if (units.first(successor) != unit)
                    visit(units.first(successor));
            }
        });
    };
    for (std::size_t i = 0; i < ops; ++i) {
        for (const OpId successor : graph.successors(OpId(i)))
            awaits[units.first(successor).index()] += units.first(successor) != units.first(OpId(i)) ? 1 : 0;
    }
    std::vector<OpId> ready;
    std::ranges::copy_if(order, std::back_inserter(ready), [&](OpId op) { return awaits[op.index()] == 0; });
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
        const OpId unit = ready.back();
        ready.pop_back();
        forEachNext(unit, [&](OpId to) {
            if (--awaits[to.index()] == 0)
                ready.push_back(to);
        });
    }
    return done == order.size();
}

} // namespace opscape
