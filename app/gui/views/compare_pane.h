// SPDX-License-Identifier: MIT
// Two to four plans of one graph side by side: a table of their figures, and beside it, as chosen, their graphs, their
// schedules on one time axis, what two of them do at the same time, their memory, or the ops they place differently.
// What is selected, open and looked at is the same everywhere, in the panes of the window too.
#pragma once

#include "gui/look.h"
#include "gui/models/compare_model.h"
#include "gui/views/compare_delta.h"
#include "gui/views/compare_graphs.h"
#include "gui/views/compare_memory.h"
#include "gui/views/compare_ops.h"
#include "gui/views/compare_schedules.h"
#include "gui/widgets/pane_header.h"

#include <QActionGroup>
#include <QComboBox>
#include <QStackedWidget>
#include <QTableView>

namespace opscape {

class GanttPane;

class ComparePane : public QWidget {
    Q_OBJECT
public:
    enum class View { Graphs, Schedules, Delta, Memory, Ops };

    ComparePane(Session& session, Look& look, GraphPane& graph, GanttPane& gantt, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    /// Its commands, for the menu; a null stands for a separator.
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }
    void choose(View view);
    [[nodiscard]] View view() const { return static_cast<View>(m_stack->currentIndex()); }
    /// Which two plans are set against one another, from 0.
    void choosePair(std::size_t a, std::size_t b);

    /// Asks for a file, then writes it.
    void askForReport();
    /// A report on the compared plans, or where there are none on the one that is shown; HTML or PDF by its name.
    void exportReport(const QString& file);

    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] const std::vector<GanttWidget*>& charts() const { return m_schedules->charts(); }
    [[nodiscard]] const std::vector<CompareGraph*>& graphs() const { return m_graphs->graphs(); }
    [[nodiscard]] CompareDelta& delta() { return *m_delta; }
    [[nodiscard]] CompareMemory& memory() { return *m_memory; }
    [[nodiscard]] CompareOps& ops() { return *m_ops; }

private:
    QAction* command(const QString& text, const QString& icon, const QKeySequence& key,
                     const std::function<void()>& act);
    void makeViews();
    void makeCommands();
    void addMethod(const QString& text, const QKeySequence& key, const char* method);
    void enableCommands();
    void refresh();
    void fillPair();
    void refreshPair();
    void couple(const QWidget* leader, double startNs, double nsPerPixel, bool fitted);
    /// The canvas that keys are about.
    void fit();
    void zoom(double factor);
    void pan(double fraction);

    Session& m_session;
    Look& m_look;
    GanttPane& m_gantt;
    PaneHeader* m_header;
    QSplitter* m_split;
    QTableView* m_table;
    CompareModel* m_model;
    QStackedWidget* m_stack;
    CompareGraphs* m_graphs;
    CompareSchedules* m_schedules;
    CompareDelta* m_delta;
    CompareMemory* m_memory;
    CompareOps* m_ops;
    QWidget* m_pair;
    QComboBox *m_pairA, *m_pairB;
    QLabel* m_hint;
    QActionGroup* m_views;
    QList<QAction*> m_commands;
    QList<QAction*> m_needGraph, m_needComparison;
    QAction* m_add = nullptr; ///< what is shown
    ShownRunPtr m_pairOf[2];  ///< what the views of two plans show
    bool m_coupling = false;
    QString m_reportFolder;
};

} // namespace opscape
