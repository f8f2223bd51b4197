// SPDX-License-Identifier: MIT
// What is edited by hand: a plan, and which of its ops are pinned to their devices. A patch is the difference between
// two of them, so that an edit can be taken back and done again at the cost of what it changed.
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

/// Every op has an entry in every list, whatever the plan uses. Fusion groups go by the id of their first op.
struct EditedPlan {
    Plan plan;
    std::vector<DeviceId> pins; ///< per op, invalid where free

    [[nodiscard]] static EditedPlan of(Plan plan, std::vector<DeviceId> pins = {});
    /// The plan without the lists that say nothing.
    [[nodiscard]] Plan given() const;
    /// As in Problem: empty when nothing is pinned.
    [[nodiscard]] std::vector<DeviceId> givenPins() const;
    [[nodiscard]] std::size_t pinnedCount() const;
    friend bool operator==(const EditedPlan&, const EditedPlan&) = default;
};

class PlanPatch {
public:
    /// Both are of the same graph.
    PlanPatch(const EditedPlan& before, const EditedPlan& after);
    /// From the one before to the one after, and back.
    void apply(EditedPlan& plan) const { set(plan, true); }
    void revert(EditedPlan& plan) const { set(plan, false); }

private:
    template <class T>
    struct Entry {
        std::uint32_t op;
        T before, after;
    };
    template <class T>
    using Entries = std::vector<Entry<T>>;
    void set(EditedPlan& plan, bool after) const;

    QueuePolicy m_policyBefore, m_policyAfter;
    Entries<DeviceId> m_device, m_pins;
    Entries<std::int64_t> m_priority;
    Entries<std::uint32_t> m_fusionGroup;
};

} // namespace opscape
