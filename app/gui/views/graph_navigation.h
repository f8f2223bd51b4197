// SPDX-License-Identifier: MIT
// Getting about in the graph beyond moving the picture: back and forward through the views, numbered views that are
// kept, and the neighbourhood of the selection, hop by hop. Its commands work while the graph has the focus.
#pragma once

#include "gui/views/graph_pane.h"
#include "gui/views/kept_views.h"
#include "gui/views/view_history.h"

#include <opscape/query/neighbourhood.h>

#include <QTimer>

namespace opscape {

class GraphNavigation : public QObject {
    Q_OBJECT
public:
    static constexpr int kKept = 9;

    GraphNavigation(GraphPane& pane, Session& session, Look& look, QSettings& settings);

    /// For the menu; a null stands for a separator.
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }

    void back();
    void forward();
    /// Numbers from 1 to kKept. Views are kept for each graph, also for the next window.
    void keep(int number);
    void goToKept(int number);
    /// Selects what is one hop further from where growing began, or with `hops` -1 one hop less.
    void grow(EdgeDirection direction, int hops);

signals:
    void remarked(const QString& remark); ///< what became of a command

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* command(const QString& text, const QList<QKeySequence>& keys, const std::function<void()>& act);
    void makeKept(const QString& title, const QString& each, Qt::KeyboardModifiers keys,
                  void (GraphNavigation::*act)(int));
    void recordPlace();

    GraphPane& m_pane;
    Session& m_session;
    Look& m_look;
    QList<QAction*> m_commands;
    ViewHistory m_history;
    GraphCamera m_painted; ///< as of the last picture
    QTimer m_rest;         ///< a view that was left alone for a moment counts as one
    KeptViews m_kept;
    std::vector<OpId> m_seeds, m_grown; ///< where growing began, and what it came to last
    EdgeDirection m_direction = EdgeDirection::Both;
    int m_hops = 0;
};

} // namespace opscape
