// SPDX-License-Identifier: MIT
// The kept runs: find, sort, open, compare, tag, note, pin, delete and bring back, make again, take elsewhere.
#pragma once

#include "gui/look.h"
#include "gui/models/runs_model.h"
#include "gui/run_changes.h"
#include "gui/run_watcher.h"
#include "gui/session.h"
#include "gui/widgets/empty_hint.h"
#include "gui/widgets/pane_header.h"
#include "gui/widgets/query_edit.h"

#include <QCheckBox>
#include <QTableView>
#include <QTimer>

namespace opscape {

class RunsPane : public QWidget {
    Q_OBJECT
public:
    /// The watcher lists what the pane asks for.
    RunsPane(Session& session, Look& look, RunWatcher& watcher, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] RunsModel& model() { return *m_model; }
    [[nodiscard]] RunChanges& changes() { return *m_changes; }
    /// For the menu; a null stands for a separator.
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }
    /// Ids, ascending.
    [[nodiscard]] std::vector<qint64> selectedRuns() const;
    /// True when what is shown is what was asked for last, and nothing is being written.
    [[nodiscard]] bool settled() const;
    void exportRuns(const std::vector<qint64>& runs, const QString& path);
    void importRuns(const QString& path);

signals:
    void selectedRunsChanged(const std::vector<qint64>& runs);
    void asked(const opscape::RunQuestion& question);
    void viewed(int firstRow, int rows);

public slots:
    void openSelected();
    void compareSelected();
    void pinSelected();
    void deleteSelected();
    void bringBack();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeTable();
    void connectAll(RunWatcher& watcher);
    void ask();
    void measureView();
    void showListing(const RunListing& listing);
    void showFailure(const QString& sentence);
    void showRemark();
    void learnRevisions();
    void selectionMoved();
    void restoreSelection(const std::vector<qint64>& runs, qint64 current);
    void dress();
    // runs_pane_commands.cpp
    void makeCommands();
    void enableCommands();
    void editCell(RunsModel::Column column);
    void changeTags(qint64 run, const std::vector<std::string>& before, const std::vector<std::string>& after);
    void askWhereToExport();
    void askWhatToImport();

    Session& m_session;
    Look& m_look;
    PaneHeader* m_header;
    RunsModel* m_model;
    RunChanges* m_changes;
    QTableView* m_table;
    EmptyHint* m_hint;
    QCheckBox* m_onlyThis;
    QueryEdit* m_words;
    RunWordsPtr m_known; ///< what the filter is completed from; null before it is read
    QTimer m_typing, m_scrolling;
    RunQuestion m_question;
    std::uint64_t m_answered = 0; ///< the question whose answer is shown
    std::int64_t m_total = 0;
    bool m_isSized = false; ///< the columns have their first width
    QString m_failure;      ///< why the runs cannot be listed; empty when they can
    QString m_mistake;      ///< in the filter; empty when it is understood
    QList<QAction*> m_commands;
    QAction *m_open, *m_compare, *m_again, *m_change, *m_pin, *m_tag, *m_note, *m_delete, *m_bringBack, *m_export,
        *m_import;
};

} // namespace opscape
