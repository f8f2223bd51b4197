// SPDX-License-Identifier: MIT
// The graph with its tools: decides which groups are open, has the scene laid out on a worker thread, and gives the
// canvas the result.
#pragma once

#include "gui/views/find_bar.h"
#include "gui/views/graph_colours.h"
#include "gui/views/view_history.h"
#include "gui/widgets/pane_header.h"

#include <opscape/layout/graph_layout.h>

#include <QAction>
#include <QSettings>
#include <QTimer>

namespace opscape {

class GraphPane : public QWidget {
    Q_OBJECT
public:
    GraphPane(Session& session, Look& look, QSettings& settings, QWidget* parent = nullptr);

    [[nodiscard]] GraphWidget& canvas() { return *m_canvas; }
    [[nodiscard]] GraphColours& colours() { return *m_colours; }
    [[nodiscard]] const ExpandedScopes& expanded() const { return m_expanded; }
    /// Its commands, for the menu; a null stands for a separator.
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }

    void toggle(ScopeId scope, bool deep);
    /// Closes the group around the selection.
    void goUp();
    /// Opens every group, or only what fits a first look.
    void expandAll();
    void collapseAll();
    /// Opens what hides the selection and centres on it; of a large selection, on its first op.
    void reveal();
    /// Whether the wheel zooms or pans; to be kept for the next window.
    [[nodiscard]] QAction* wheelZooms() { return m_wheelZooms; }
    [[nodiscard]] FindBar& finder() { return *m_find; }

    /// What is on the screen.
    [[nodiscard]] GraphPlace seen() const;
    void goTo(const GraphPlace& place);
    /// On the way to a place: its groups are not open yet.
    [[nodiscard]] bool isGoing() const { return m_placeNext.has_value(); }

signals:
    void leaving(); ///< something else is about to be seen
    void came();    ///< other groups are open now

private:
    struct Engine;

    QAction* command(const QString& text, const QString& icon, const QKeySequence& keys,
                     const std::function<void()>& act);
    void makeCommands(Look& look);
    void graphChanged();
    void layOut(ScopeId anchor);
    /// Better rows from the layout helper, once the scene is shown.
    void improve(ScopeId anchor);
    void show(const GraphWidget::Placed& placed, const GraphColours::Choice& choice, ScopeId anchor);
    void place();
    void arrived(const ExpandedScopes& expanded);
    void showRemark();
    void remark(const QString& text);

    Session& m_session;
    Look& m_look;
    PaneHeader* m_header;
    GraphWidget* m_canvas;
    GraphColours* m_colours;
    FindBar* m_find;
    QList<QAction*> m_commands;
    QAction* m_wheelZooms = nullptr;
    ExpandedScopes m_expanded;
    ExpandedScopes m_seenExpanded;         ///< those of the scene on the screen
    std::optional<GraphPlace> m_placeNext; ///< to be shown once its scene is there
    QTimer m_remark;                       ///< while a passing remark is shown
    std::shared_ptr<Engine> m_engine;
    bool m_centreNext = false; ///< on the selection, once the scene is there
};

} // namespace opscape
