// SPDX-License-Identifier: MIT
#include "edit/edited_plan.h"

#include <algorithm>
#include <unordered_map>

namespace opscape {
namespace {

void difference(const auto& before, const auto& after, auto& entries) {
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] != after[i])
            entries.push_back({static_cast<std::uint32_t>(i), before[i], after[i]});
    }
}

} // namespace

EditedPlan EditedPlan::of(Plan plan, std::vector<DeviceId> pins) {
    const std::size_t ops = plan.device.size();
    EditedPlan edited{std::move(plan), std::move(pins)};
    edited.plan.priority.resize(ops);
    edited.plan.fusionGroup.resize(ops, Plan::kNotFused);
    edited.pins.resize(ops);
    std::unordered_map<std::uint32_t, std::uint32_t> firstOf;
    for (std::size_t i = 0; i < ops; ++i) {
        std::uint32_t& group = edited.plan.fusionGroup[i];
        if (group != Plan::kNotFused)
            group = firstOf.try_emplace(group, static_cast<std::uint32_t>(i)).first->second;
    }
    return edited;
}

Plan EditedPlan::given() const {
    Plan result;
    result.device = plan.device;
    result.policy = plan.policy;
    if (plan.policy != QueuePolicy::Fifo)
        result.priority = plan.priority;
    if (std::ranges::any_of(plan.fusionGroup, [](std::uint32_t group) { return group != Plan::kNotFused; }))
        result.fusionGroup = plan.fusionGroup;
    return result;
}

std::vector<DeviceId> EditedPlan::givenPins() const { return pinnedCount() > 0 ? pins : std::vector<DeviceId>(); }

std::size_t EditedPlan::pinnedCount() const {
    return static_cast<std::size_t>(std::ranges::count_if(pins, [](DeviceId pin) { return pin.valid(); }));
}

PlanPatch::PlanPatch(const EditedPlan& before, const EditedPlan& after)
    : m_policyBefore(before.plan.policy),
      m_policyAfter(after.plan.policy) {
    difference(before.plan.device, after.plan.device, m_device);
    difference(before.pins, after.pins, m_pins);
    difference(before.plan.priority, after.plan.priority, m_priority);
    difference(before.plan.fusionGroup, after.plan.fusionGroup, m_fusionGroup);
}

void PlanPatch::set(EditedPlan& plan, bool after) const {
    const auto set = [after](const auto& entries, auto& list) {
        for (const auto& entry : entries)
            list[entry.op] = after ? entry.after : entry.before;
    };
    plan.plan.policy = after ? m_policyAfter : m_policyBefore;
    set(m_device, plan.plan.device);
    set(m_pins, plan.pins);
    set(m_priority, plan.plan.priority);
    set(m_fusionGroup, plan.plan.fusionGroup);
}

} // namespace opscape
