// SPDX-License-Identifier: MIT
// What a person can change about a plan by hand, as values: applied to a valid plan an edit gives another valid plan,
// or one sentence that says why it cannot be. Memory is judged by simulation, as for every plan.
#pragma once

#include "edit/edited_plan.h"

#include <opscape/base/result.h>
#include <opscape/sim/schedule.h>

#include <string>

namespace opscape {

enum class EditKind : std::uint8_t {
    Move,    ///< to `device`; what is colocated or fused with the ops moves along
    Swap,    ///< all that is on `device` goes to `other`, and the reverse
    Pin,     ///< where the ops are, with what is colocated with them
    Unpin,   ///<
    First,   ///< before all others on their devices, as soon as they are ready
    Last,    ///< after all others that are ready
    Earlier, ///< before what their device runs just before them
    Later,   ///< after what their device runs just after them
    Fuse,    ///< into one kernel, with what they are fused with already
    Unfuse   ///< the kernels that they are part of come apart
};

struct PlanEdit {
    EditKind kind = EditKind::Move;
    std::vector<OpId> ops; ///< ascending, distinct; unused by Swap
    DeviceId device, other;
};

struct EditResult {
    EditedPlan after;
    std::string title;  ///< "move 12 ops to gpu:1"
    std::string remark; ///< what else it changed, one sentence; empty when nothing
};

/// `shown` is the schedule that the person saw: Earlier and Later are meant by it, and where a device has no priorities
/// yet, the order it shows becomes the one to be changed. The plan must be valid.
[[nodiscard]] Result<EditResult> applyEdit(const Problem& problem, const Schedule& shown, const EditedPlan& before,
                                           const PlanEdit& edit);

} // namespace opscape
