// SPDX-License-Identifier: MIT
// The commands that change the plan by hand, made once: the panes that show ops share them as keys and as a context
// menu, the menu bar lists them. They are about what is selected.
#pragma once

#include "gui/session.h"

#include <QAction>
#include <QMenu>

#include <vector>

namespace opscape {

class EditActions : public QObject {
    Q_OBJECT
public:
    EditActions(Session& session, QWidget* window);

    /// The keys work while the pane has the focus; a right click opens the menu.
    void attach(QWidget* pane, const QList<QAction*>& more = {});
    /// Fills a menu with the commands.
    void addTo(QMenu* menu) const;

private:
    QAction* add(const QString& text, const QKeySequence& key, EditKind kind);
    void addDevices(std::size_t count);
    void refresh();

    Session& m_session;
    QMenu *m_context, *m_moves, *m_swaps, *m_order;
    std::vector<QAction*> m_move, m_swap; ///< per device
    QList<QAction*> m_onSelection;        ///< the others
    QList<QWidget*> m_panes;
};

} // namespace opscape
