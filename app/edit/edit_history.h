// SPDX-License-Identifier: MIT
// The edits of a plan in a row: what it is now, and the way back and forth again.
#pragma once

#include "edit/edited_plan.h"

#include <string>

namespace opscape {

class EditHistory {
public:
    explicit EditHistory(EditedPlan start) : m_now(std::move(start)) {}

    [[nodiscard]] const EditedPlan& now() const { return m_now; }
    /// How many edits lead from the start to now.
    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] std::size_t size() const { return m_steps.size(); }
    [[nodiscard]] bool canUndo() const { return m_position > 0; }
    [[nodiscard]] bool canRedo() const { return m_position < m_steps.size(); }
    /// What would be undone or redone, e.g. "move 12 ops to gpu:1"; empty when there is nothing.
    [[nodiscard]] std::string undoTitle() const { return canUndo() ? m_steps[m_position - 1].title : std::string(); }
    [[nodiscard]] std::string redoTitle() const { return canRedo() ? m_steps[m_position].title : std::string(); }

    /// One more edit; what was undone before it is gone.
    void push(std::string title, EditedPlan after);
    void undo();
    void redo();

private:
    struct Step {
        std::string title;
        PlanPatch patch;
    };

    EditedPlan m_now;
    std::vector<Step> m_steps;
    std::size_t m_position = 0;
};

} // namespace opscape
