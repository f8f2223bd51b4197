// SPDX-License-Identifier: MIT
// Edits of test problems, each applied to the plan and the schedule that the one before left.
#pragma once

#include "edit/edit_history.h"
#include "edit/plan_edit.h"
#include "sim/test_problem.h"

namespace opscape::test {

struct Editing {
    Problem problem;
    EditedPlan now;
    std::string remark{};

    Editing(Problem of, Plan plan) : problem(std::move(of)), now(EditedPlan::of(std::move(plan))) {}

    [[nodiscard]] Schedule schedule() const { return simulated(problem, now.plan); }
    /// The sentence that refuses the edit; empty when it is done.
    std::string edit(EditKind kind, std::vector<std::size_t> ops, std::size_t device = 0, std::size_t other = 0) {
        PlanEdit wanted{kind, {}, DeviceId(device), DeviceId(other)};
        for (const std::size_t op : ops)
            wanted.ops.emplace_back(op);
        auto result = applyEdit(problem, schedule(), now, wanted);
        if (!result)
            return result.error().message;
        now = std::move(result->after);
        remark = result->remark;
        Problem pinned = problem;
        pinned.pins = now.pins;
        const auto valid = checkPlan(pinned, now.plan);
        EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().message);
        return {};
    }
    /// Ops of a device in the order in which they run.
    [[nodiscard]] std::string order(std::size_t device) const {
        const Schedule shown = schedule();
        std::vector<std::pair<std::int64_t, std::size_t>> runs;
        for (std::size_t i = 0; i < shown.ops.size(); ++i) {
            if (now.plan.device[i] == DeviceId(device))
                runs.emplace_back(shown.ops[i].startNs, i);
        }
        std::ranges::sort(runs);
        std::string names;
        for (const auto& [start, op] : runs)
            names += problem.graph->op(OpId(op)).name;
        return names;
    }
};

} // namespace opscape::test
