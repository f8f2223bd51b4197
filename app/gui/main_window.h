// SPDX-License-Identifier: MIT
// The window: the graph in the middle, the other panes docked around it, the summary and messages on top, the work that
// goes on at the bottom. Holds no state of its own beside where things stand.
#pragma once

#include "gui/look.h"
#include "gui/picture_export.h"
#include "gui/run_watcher.h"
#include "gui/session.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <QStackedWidget>

namespace opscape {

class ComparePane;
class EditActions;
class ElidedLabel;
class GanttPane;
class GraphPane;
class InspectorPane;
class MessageBar;
class OutlinePane;
class PaneHeader;
class ProblemsPane;
class RunsPane;
class StartPage;
class TrainingPane;
class UndoOrder;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Picture { GraphSeen, GraphWhole, ScheduleSeen, ScheduleWhole };

    /// Layout, recent files and choices are read from and kept in the settings.
    MainWindow(Session& session, Look& look, QSettings& settings);
    ~MainWindow() override;

    void openFiles(const QStringList& paths);
    void exportPicture(Picture what, const QString& path);
    /// The graph with what is shown of its plan; `filter` is the chosen entry of the dialog (gui/graph_export.h).
    void exportGraph(QString path, const QString& filter = {});
    void showRunDialog(bool keepPins = false, const RunAgain* again = nullptr);
    /// `view` is the name of what is shown of them; may be empty.
    void compareRuns(const std::vector<qint64>& runs, const QString& view);
    /// Brings a pane to the front, by its name as in "schedule"; false when there is none of that name.
    bool raisePane(const QString& name);
    [[nodiscard]] QString message() const;
    /// The runs that are asked for are listed, and what was changed of them is written.
    [[nodiscard]] bool runsListed() const;

protected:
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    static constexpr int kLayoutVersion = 2; ///< of the saved arrangement of the panes

    struct PaneEntry {
        QString title;
        QWidget* content = nullptr;
        QWidget* focus = nullptr;    ///< gets the focus when the pane is gone to
        QDockWidget* dock = nullptr; ///< null for the graph, which is in the middle
    };

    void buildTop();
    void buildPanes();
    void buildStatusBar();
    void connectSession();
    QDockWidget* addPane(const QString& name, const QString& title, QWidget* content, PaneHeader* header,
                         Qt::DockWidgetArea area);
    void defaultLayout();
    void defaultSizes();
    void focusPane(std::size_t pane);
    void cyclePane(int by);
    /// Also where another pane is maximized.
    void showGraph();
    void toggleMaximized();
    [[nodiscard]] std::size_t focusedPane() const;

    // main_window_menus.cpp
    void buildMenus();
    void buildFileMenu();
    void buildEditMenu();
    void buildRunMenu();
    void buildPlanMenu();
    void buildViewMenu();
    void buildHelpMenu();
    QAction* command(QMenu* menu, const QString& text, const QKeySequence& keys, const std::function<void()>& act);

    // main_window_files.cpp
    void openDialog();
    void openZooDialog();
    void importTimesDialog();
    void exportDialog(Picture what);
    void exportGraphDialog();
    void remember(const QString& path);
    void recentChanged();
    [[nodiscard]] QStringList recentFiles() const;
    void showAbout();

    void focusMoved(QWidget* now);
    void enableCommands();
    void enableEdits();

    Session& m_session;
    Look& m_look;
    QSettings& m_settings;
    RunWatcher m_watcher;
    MessageBar* m_messages = nullptr;
    QStackedWidget* m_middle = nullptr;
    StartPage* m_start = nullptr;
    GraphPane* m_graph = nullptr;
    GanttPane* m_gantt = nullptr;
    InspectorPane* m_inspector = nullptr;
    OutlinePane* m_outline = nullptr;
    RunsPane* m_runs = nullptr;
    ProblemsPane* m_problems = nullptr;
    ComparePane* m_compare = nullptr;
    TrainingPane* m_training = nullptr;
    EditActions* m_edits = nullptr;
    UndoOrder* m_undoOrder = nullptr;
    QAction *m_undo = nullptr, *m_redo = nullptr, *m_compareStart = nullptr, *m_save = nullptr, *m_rest = nullptr;
    ElidedLabel* m_hint = nullptr;
    std::vector<PaneEntry> m_panes;
    QMenu* m_recentMenu = nullptr;
    QList<QAction*> m_needGraph, m_needRun; ///< enabled when there is one
    QByteArray m_beforeMaximized;
    std::size_t m_lastPane = 0;
    bool m_layoutIsDefault = true; ///< nothing was restored: panes get their share of the window when it is shown
};

} // namespace opscape
