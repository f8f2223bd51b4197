// SPDX-License-Identifier: MIT
// Runs of one graph side by side: a table of their figures, and their schedules one above the other on one time axis.
#pragma once

#include "gui/look.h"
#include "gui/models/compare_model.h"
#include "gui/views/gantt_widget.h"
#include "gui/widgets/pane_header.h"

#include <QSplitter>
#include <QTableView>

namespace opscape {

class ComparePane : public QWidget {
    Q_OBJECT
public:
    ComparePane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] const std::vector<GanttWidget*>& charts() const { return m_charts; }

private:
    void refresh();
    void addChart(const ShownRunPtr& run, std::int64_t shortest, std::int64_t longest);
    void couple(const GanttWidget* leader, double startNs, double nsPerPixel, bool fitted);

    Session& m_session;
    Look& m_look;
    PaneHeader* m_header;
    QSplitter* m_split;
    QTableView* m_table;
    CompareModel* m_model;
    QSplitter* m_stack;
    QLabel* m_hint;
    QAction *m_fit, *m_close;
    std::vector<GanttWidget*> m_charts;
    bool m_coupling = false;
};

} // namespace opscape
