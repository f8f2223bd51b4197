// SPDX-License-Identifier: MIT
// What was dropped, guessed or refused, of the file, the plan and the plugins, and the warnings and errors that the
// window has said since it opened.
#pragma once

#include "gui/look.h"
#include "gui/models/problems_model.h"
#include "gui/session.h"
#include "gui/widgets/pane_header.h"

#include <QTreeView>

namespace opscape {

class ProblemsPane : public QWidget {
    Q_OBJECT
public:
    ProblemsPane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] const ProblemsModel& model() const { return *m_model; }
    /// Keeps a sentence that was said, so that it can be read again; remarks are not kept.
    void note(Severity severity, const QString& sentence);

signals:
    void countChanged(int serious);

private:
    void refresh();
    /// Of the rows that are selected, a line each.
    void copy() const;
    /// The op that a row speaks of, in all panes.
    void selectOp(const QModelIndex& row);

    Session& m_session;
    PaneHeader* m_header;
    QTreeView* m_tree;
    ProblemsModel* m_model;
    Diagnostic m_said; ///< of this window, the latest first
};

} // namespace opscape
