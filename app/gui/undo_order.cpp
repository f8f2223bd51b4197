// SPDX-License-Identifier: MIT
#include "gui/undo_order.h"

#include "gui/words.h"

#include <opscape/base/text.h>

namespace opscape {

UndoOrder::UndoOrder(Session& session, RunChanges& changes, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_changes(changes) {
    connect(&session, &Session::editsChanged, this, &UndoOrder::edited);
    connect(&changes, &RunChanges::changed, this, &UndoOrder::deleted);
}

void UndoOrder::edited() {
    const EditHistory* history = m_session.whatIf().history();
    const std::size_t position = history != nullptr ? history->position() : 0;
    m_edits.resize(std::min(m_edits.size(), position));
    while (m_edits.size() < position)
        m_edits.push_back(++m_count);
    emit changed();
}

void UndoOrder::deleted() {
    m_deletions.resize(std::min(m_deletions.size(), m_changes.deletions()));
    while (m_deletions.size() < m_changes.deletions())
        m_deletions.push_back(++m_count);
    emit changed();
}

bool UndoOrder::deletionIsLast() const {
    return !m_deletions.empty() && (m_edits.empty() || m_deletions.back() > m_edits.back());
}

void UndoOrder::undo() {
    if (!deletionIsLast())
        return m_session.undo();
    m_changes.undo();
    deleted();
}

QString UndoOrder::title() const {
    if (deletionIsLast())
        return tr("delete %1").arg(qs(counted(static_cast<std::int64_t>(m_changes.lastDeleted()), "run")));
    const EditHistory* history = m_session.whatIf().history();
    return history != nullptr ? qs(history->undoTitle()) : QString();
}

} // namespace opscape
