// SPDX-License-Identifier: MIT
// How a run learns: its curves, live while it goes on here or in any other program, and as they were kept afterwards.
// Follows what is trained on the open graph, else the run that is shown, unless a person chose another.
#pragma once

#include "gui/models/runs_model.h"
#include "gui/run_watcher.h"
#include "gui/session.h"
#include "gui/views/curve_table.h"
#include "gui/views/training_plot.h"
#include "gui/widgets/pane_header.h"

#include <QComboBox>
#include <QLabel>
#include <QSettings>
#include <QStackedWidget>

namespace opscape {

class TrainingPane : public QWidget {
    Q_OBJECT
public:
    /// `settings` may be null: nothing is kept then.
    TrainingPane(Session& session, Look& look, QSettings* settings = nullptr, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] TrainingPlot& plot() { return *m_plot; }
    /// Its commands, for the menu; a null stands for a separator.
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }
    /// The run whose curves are drawn; 0: none.
    [[nodiscard]] qint64 followed() const { return m_followed; }
    [[nodiscard]] CurveTable& table() { return *m_table; }
    /// What is said where there are no curves.
    [[nodiscard]] QString hint() const { return m_hint->text(); }

    void setRuns(const RunList& runs);
    void addCurve(const CurvePart& part);
    /// Lays the curves of those that learn over one another, when there are several of them.
    void overlayRuns(const std::vector<qint64>& runs);
    void setOverlay(const OverlaidCurves& curves);
    /// All points of the run that is followed, as CSV.
    void exportCurve(const QString& path);

signals:
    void followedChanged(qint64 run);
    void overlayChanged(const std::vector<qint64>& runs);

private:
    QAction* command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                     const std::function<void()>& act);
    void makeCommands();
    /// A choice with a key that is kept under a name.
    QAction* choice(const QString& text, const QString& icon, const QKeySequence& key, const char* name);
    void choose(int item);
    /// Pauses the run, lets it go on, or resumes it from its checkpoint, whichever there is to do.
    void pauseOrGoOn();
    void stop();
    void fillTable();
    void enableControl();
    void askWhereTo();
    [[nodiscard]] bool areAlike(const std::vector<qint64>& runs) const;
    void follow();
    [[nodiscard]] qint64 pick() const;
    [[nodiscard]] const RunRecord* find(qint64 run) const;
    void fillChoice();
    void refresh();

    Session& m_session;
    Look& m_look;
    QSettings* m_settings;
    PaneHeader* m_header;
    QComboBox *m_choice, *m_axis, *m_smoothing;
    QStackedWidget* m_stack;
    TrainingPlot* m_plot;
    CurveTable* m_table;
    QLabel* m_hint;
    QAction *m_pause = nullptr, *m_stop = nullptr;
    QString m_pauseIcon;
    QList<QAction*> m_commands;
    std::vector<RunRecord> m_runs;      ///< those that learn, newest first
    std::vector<NamedTime> m_baselines; ///< as they were told
    std::vector<qint64> m_overlaid;
    qint64 m_followed = 0;
    bool m_paused = false, m_resumable = false; ///< the run that is followed
    qint64 m_chosen = 0;                        ///< by a person; 0: none
    qint64 m_newest = -1;                       ///< of the runs that were listed; -1: none were
};

} // namespace opscape
