// SPDX-License-Identifier: MIT
// One undo for the window: edits of the plan and deletions of runs in the order in which a person made them, whatever
// pane has the focus.
#pragma once

#include "gui/run_changes.h"
#include "gui/session.h"

namespace opscape {

class UndoOrder : public QObject {
    Q_OBJECT
public:
    UndoOrder(Session& session, RunChanges& changes, QObject* parent = nullptr);

    /// Takes back what was done last.
    void undo();
    /// What that is, as in "delete 3 runs"; empty where there is nothing.
    [[nodiscard]] QString title() const;

signals:
    void changed();

private:
    void edited();
    void deleted();
    [[nodiscard]] bool deletionIsLast() const;

    Session& m_session;
    RunChanges& m_changes;
    // When each step that can be taken back was made, oldest first: a count of both kinds together.
    std::vector<std::uint64_t> m_edits, m_deletions;
    std::uint64_t m_count = 0;
};

} // namespace opscape
