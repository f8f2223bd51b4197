// SPDX-License-Identifier: MIT
// The schedule of the run that is shown, with its tools.
#pragma once

#include "gui/views/gantt_widget.h"
#include "gui/widgets/pane_header.h"

#include <QAction>

namespace opscape {

class GanttPane : public QWidget {
    Q_OBJECT
public:
    GanttPane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] GanttWidget& canvas() { return *m_canvas; }
    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }

private:
    QAction* command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                     const std::function<void()>& act);
    void makeCommands();
    void shownChanged();

    Session& m_session;
    Look& m_look;
    PaneHeader* m_header;
    GanttWidget* m_canvas;
    QList<QAction*> m_commands;
};

} // namespace opscape
