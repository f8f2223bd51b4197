// SPDX-License-Identifier: MIT
#include "edit/plan_edit.h"

#include "edit/edit_parts.h"

#include <opscape/fusion/fusers.h>

#include <algorithm>

namespace opscape {
namespace {

using Marks = std::vector<std::uint8_t>;

std::vector<OpId> opsOf(const Marks& marks) {
    std::vector<OpId> ops;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i] != 0)
            ops.emplace_back(i);
    }
    return ops;
}

std::string count(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

const std::string& deviceName(const Problem& problem, DeviceId device) { return problem.cluster->device(device).name; }

/// The ops, and over and over what is colocated or fused with one of them.
class Companions {
public:
    Companions(const Graph& graph, std::span<const OpId> ops) : m_graph(graph), m_marks(graph.opCount()) {
        for (const OpId op : ops)
            add(op);
    }
    void colocated() { spread(nullptr); }
    void colocatedOrFused(const FusedUnits& units) { spread(&units); }

    [[nodiscard]] std::vector<OpId> ops() const { return opsOf(m_marks); }
    [[nodiscard]] std::size_t size() const { return m_found.size(); }
    [[nodiscard]] std::size_t byColocation() const { return m_byColocation; }
    [[nodiscard]] std::size_t byFusion() const { return m_byFusion; }

private:
    bool add(OpId op) {
        if (std::exchange(m_marks[op.index()], std::uint8_t{1}) != 0)
            return false;
        m_found.push_back(op);
        return true;
    }
    void spread(const FusedUnits* units) {
        for (std::size_t at = 0; at < m_found.size(); ++at) {
            const OpId op = m_found[at];
            if (const int group = m_graph.colocationGroup(op); group >= 0) {
                for (const OpId other : m_graph.colocationGroups()[static_cast<std::size_t>(group)])
                    m_byColocation += add(other) ? 1 : 0;
            }
            if (units != nullptr)
                units->forEach(op, [&](OpId other) { m_byFusion += add(other) ? 1 : 0; });
        }
    }

    const Graph& m_graph;
    Marks m_marks;
    std::vector<OpId> m_found;
    std::size_t m_byColocation = 0, m_byFusion = 0;
};

std::string alongRemark(const Companions& companions) {
    const std::size_t more = companions.byColocation() + companions.byFusion();
    if (more == 0)
        return {};
    const char* why = companions.byFusion() == 0       ? "colocated with"
                      : companions.byColocation() == 0 ? "fused with"
                                                       : "colocated or fused with";
    return fmt::format("{} {} along, being {} what is selected.", count(more, "more op"), more == 1 ? "moves" : "move",
                       why);
}

/// One sentence naming the first of them; empty when none is pinned to another device than `to`.
std::string pinnedElsewhere(const Problem& problem, const EditedPlan& plan, std::span<const OpId> ops,
                            std::string_view what, const auto& to) {
    OpId first;
    std::size_t more = 0;
    for (const OpId op : ops) {
        const DeviceId pin = plan.pins[op.index()];
        if (!pin.valid() || pin == to(op))
            continue;
        more += first.valid() ? 1 : 0;
        first = first.valid() ? first : op;
    }
    if (!first.valid())
        return {};
    const std::string others = more > 0 ? fmt::format(" and {}", count(more, "more op")) : std::string();
    return fmt::format(
        "{}{} {} pinned to {}; unpin {} before {}.", problem.graph->op(first).name, others, more > 0 ? "are" : "is",
        more > 0 ? "their devices" : deviceName(problem, plan.pins[first.index()]), more > 0 ? "them" : "it", what);
}

Result<EditResult> applyMove(const Problem& problem, const EditedPlan& before, const PlanEdit& edit) {
    const Graph& graph = *problem.graph;
    Companions companions(graph, edit.ops);
    companions.colocatedOrFused(FusedUnits(before.plan));
    const std::vector<OpId> ops = companions.ops();
    const auto isThere = [&](OpId op) { return before.plan.device[op.index()] == edit.device; };
    if (std::ranges::all_of(ops, isThere))
        return fail("{} is on {} already.", edit.ops.size() == 1 ? opNames(graph, edit.ops) : "All of the selection",
                    deviceName(problem, edit.device));
    const std::string pinned =
        pinnedElsewhere(problem, before, ops, "you move the selection", [&](OpId) { return edit.device; });
    if (!pinned.empty())
        return fail("{}", pinned);
    EditResult result{before, {}, alongRemark(companions)};
    for (const OpId op : ops)
        result.after.plan.device[op.index()] = edit.device;
    result.title = fmt::format("move {} to {}", opNames(graph, edit.ops), deviceName(problem, edit.device));
    return result;
}

Result<EditResult> applySwap(const Problem& problem, const EditedPlan& before, const PlanEdit& edit) {
    const auto swapped = [&](OpId op) {
        const DeviceId device = before.plan.device[op.index()];
        return device == edit.device ? edit.other : device == edit.other ? edit.device : device;
    };
    std::vector<OpId> ops;
    for (std::size_t i = 0; i < before.plan.device.size(); ++i) {
        if (swapped(OpId(i)) != before.plan.device[i])
            ops.emplace_back(i);
    }
    if (ops.empty())
        return fail("There is nothing on {} and {} to swap.", deviceName(problem, edit.device),
                    deviceName(problem, edit.other));
    const std::string pinned = pinnedElsewhere(problem, before, ops, "you swap the devices", swapped);
    if (!pinned.empty())
        return fail("{}", pinned);
    EditResult result{before, {}, {}};
    for (const OpId op : ops)
        result.after.plan.device[op.index()] = swapped(op);
    result.title = fmt::format("swap {} and {}", deviceName(problem, edit.device), deviceName(problem, edit.other));
    return result;
}

Result<EditResult> applyPin(const Problem& problem, const EditedPlan& before, const PlanEdit& edit) {
    Companions companions(*problem.graph, edit.ops);
    companions.colocated();
    EditResult result{before, {}, {}};
    const bool pin = edit.kind == EditKind::Pin;
    if (const std::size_t more = companions.byColocation(); more > 0)
        result.remark = fmt::format("{} {} {} too, being colocated with what is selected.", count(more, "more op"),
                                    more == 1 ? "is" : "are", pin ? "pinned" : "unpinned");
    for (const OpId op : companions.ops())
        result.after.pins[op.index()] = pin ? before.plan.device[op.index()] : DeviceId();
    if (result.after.pins == before.pins)
        return fail("{}", pin ? "The selection is pinned already." : "Nothing of the selection is pinned.");
    result.title = fmt::format("{} {}", pin ? "pin" : "unpin", opNames(*problem.graph, edit.ops));
    return result;
}

Result<EditResult> applyKind(const Problem& problem, const Schedule& shown, const EditedPlan& before,
                             const PlanEdit& edit) {
    if (edit.ops.empty() && edit.kind != EditKind::Swap)
        return fail("Select an op or a group first.");
    switch (edit.kind) {
    case EditKind::Move:
        return applyMove(problem, before, edit);
    case EditKind::Swap:
        return applySwap(problem, before, edit);
    case EditKind::Pin:
    case EditKind::Unpin:
        return applyPin(problem, before, edit);
    case EditKind::Fuse:
        return applyFuse(problem, before, edit);
    case EditKind::Unfuse:
        return applyUnfuse(problem, before, edit);
    default:
        return applyPriority(problem, shown, before, edit);
    }
}

} // namespace

std::string opNames(const Graph& graph, std::span<const OpId> ops) {
    return ops.size() == 1 ? graph.op(ops[0]).name : count(ops.size(), "op");
}

Result<EditResult> applyEdit(const Problem& problem, const Schedule& shown, const EditedPlan& before,
                             const PlanEdit& edit) {
    auto result = applyKind(problem, shown, before, edit);
    if (result && result->after.plan.policy == QueuePolicy::Order &&
        !orderIsSound(*problem.graph, result->after.plan)) {
        Plan& plan = result->after.plan;
        setFusion(*problem.graph, plan, FusionGroupIds(plan.fusionGroup));
        const bool more = !result->remark.empty();
        result->remark +=
            fmt::format("{}The fixed order was mended where an op came before what it waits for.", more ? " " : "");
    }
    return result;
}

} // namespace opscape
