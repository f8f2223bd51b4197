// SPDX-License-Identifier: MIT
// Trained policies: which there are and which are in training, the card of one, how it learned, what it does on graphs
// that it was not trained on; in and out of the shelf, the default, and trainings begun, paused, stopped, gone on with.
#pragma once

#include "gui/look.h"
#include "gui/session.h"
#include "gui/views/models_curve.h"
#include "gui/views/models_held_out.h"
#include "gui/views/models_list.h"
#include "gui/views/models_watcher.h"
#include "gui/widgets/empty_hint.h"
#include "gui/widgets/pane_header.h"

#include <QTableView>
#include <QTextBrowser>

namespace opscape {

class ModelsPane : public QWidget {
    Q_OBJECT
public:
    ModelsPane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] ModelsList& list() { return *m_list; }
    [[nodiscard]] ModelsCurve& curve() { return *m_curve; }
    [[nodiscard]] ModelsHeldOut& heldOut() { return *m_heldOut; }
    [[nodiscard]] QString card() const { return m_card->toPlainText(); }
    /// For the menu; a null stands for a separator.
    [[nodiscard]] const QList<QAction*>& commands() const { return m_commands; }
    void importModel(const QString& path);
    void exportModel(const QString& path);

private:
    QAction* command(const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                     const std::function<void()>& act);
    void makeTable();
    void makeCommands();
    void enableCommands();
    void setRows(const ModelRows& rows);
    void showSelected();
    void fillCard(const ModelRow* row);
    void askWhatToTrain();
    void pauseOrGoOn();
    void stop();
    void makeDefault();
    void deleteSelected();
    void askWhatToImport();
    void askWhereToExport();
    void say(Severity severity, const QString& sentence) { emit m_session.said(severity, sentence); }
    /// Says it where it failed; true when it did not.
    bool done(const Result<>& result);
    [[nodiscard]] const ModelRow* selected() const;

    Session& m_session;
    Look& m_look;
    PaneHeader* m_header;
    ModelsList* m_list;
    ModelsWatcher* m_watcher;
    QTableView* m_table;
    EmptyHint* m_hint;
    QTextBrowser* m_card;
    ModelsCurve* m_curve;
    ModelsHeldOut* m_heldOut;
    QList<QAction*> m_commands;
    QAction *m_pause = nullptr, *m_stop = nullptr, *m_default = nullptr, *m_export = nullptr, *m_delete = nullptr;
    QString m_wanted; ///< to be selected once it is listed
};

} // namespace opscape
