// SPDX-License-Identifier: MIT
// The schedule of the run that is shown, with its tools: a search, what it says in lists beside it, and the lanes as a
// person arranged them, kept per cluster.
#pragma once

#include "gui/views/find_bar.h"
#include "gui/views/gantt_details.h"
#include "gui/views/gantt_widget.h"
#include "gui/widgets/pane_header.h"

#include <QAction>
#include <QSettings>

namespace opscape {

class GanttPane : public QWidget {
    Q_OBJECT
public:
    /// `settings` may be null: nothing is kept then.
    GanttPane(Session& session, Look& look, QSettings* settings = nullptr, QWidget* parent = nullptr);

    [[nodiscard]] GanttWidget& canvas() { return *m_canvas; }
    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] FindBar& finder() { return *m_find; }
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }
    /// Takes the colours of the graph, of the run that they were made for; `isolated`: a class, or -1.
    void setColours(std::shared_ptr<const OpColours> colours, const ShownRunPtr& of, int isolated);

private:
    QAction* command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                     const std::function<void()>& act);
    void makeCommands();
    void makeLaneCommands();
    void shownChanged();
    void showDetails(int page);
    void readLanes();
    void keepLanes();
    void applyColours();
    void readMarks();
    void keepMarks();

    Session& m_session;
    Look& m_look;
    QSettings* m_settings;
    PaneHeader* m_header;
    GanttWidget* m_canvas;
    FindBar* m_find;
    GanttDetails* m_details;
    QAction* m_showDetails = nullptr;
    QList<QAction*> m_commands;
    std::shared_ptr<const OpColours> m_colours;
    ShownRunPtr m_coloured;
    int m_isolated = -1;
    QString m_cluster; ///< whose lanes are arranged
    std::shared_ptr<const OpenedGraph>
        m_marked; ///< whose schedules have the marks that are shown; null while it changes
};

} // namespace opscape
