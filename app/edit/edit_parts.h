// SPDX-License-Identifier: MIT
// What the edits share among themselves.
#pragma once

#include "edit/plan_edit.h"

#include <array>

namespace opscape {

/// Which ops are one kernel: each op knows its first op, and another one of its kernel in a ring.
class FusedUnits {
public:
    explicit FusedUnits(const Plan& plan);
    [[nodiscard]] OpId first(OpId op) const { return OpId(m_first[op.index()]); }
    template <class Visit>
    void forEach(OpId op, Visit visit) const {
        OpId at = op;
        do {
            visit(at);
            at = OpId(m_next[at.index()]);
        } while (at != op);
    }
    /// The ops and all that is fused with them, ascending.
    [[nodiscard]] std::vector<OpId> whole(std::span<const OpId> ops) const;

private:
    std::vector<std::uint32_t> m_first, m_next;
};

/// "dense/kernel" or "12 ops".
[[nodiscard]] std::string opNames(const Graph& graph, std::span<const OpId> ops);

/// First, Last, Earlier and Later.
[[nodiscard]] Result<EditResult> applyPriority(const Problem& problem, const Schedule& shown, const EditedPlan& before,
                                               const PlanEdit& edit);
[[nodiscard]] Result<EditResult> applyFuse(const Problem& problem, const EditedPlan& before, const PlanEdit& edit);
[[nodiscard]] Result<EditResult> applyUnfuse(const Problem& problem, const EditedPlan& before, const PlanEdit& edit);

/// Can every device run its ops in the fixed order of the plan?
[[nodiscard]] bool orderIsSound(const Graph& graph, const Plan& plan);

} // namespace opscape
