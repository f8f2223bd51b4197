// SPDX-License-Identifier: MIT
#include "edit/edit_history.h"

namespace opscape {

void EditHistory::push(std::string title, EditedPlan after) {
    m_steps.erase(m_steps.begin() + static_cast<std::ptrdiff_t>(m_position), m_steps.end());
    m_steps.push_back({std::move(title), PlanPatch(m_now, after)});
    m_now = std::move(after);
    ++m_position;
}

void EditHistory::undo() {
    if (canUndo())
        m_steps[--m_position].patch.revert(m_now);
}

void EditHistory::redo() {
    if (canRedo())
        m_steps[m_position++].patch.apply(m_now);
}

} // namespace opscape
