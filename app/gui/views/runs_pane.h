// SPDX-License-Identifier: MIT
// The kept runs: sort, filter, open one, compare several.
#pragma once

#include "gui/look.h"
#include "gui/models/runs_model.h"
#include "gui/session.h"
#include "gui/widgets/empty_hint.h"
#include "gui/widgets/pane_header.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QTableView>

namespace opscape {

class RunsPane : public QWidget {
    Q_OBJECT
public:
    RunsPane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    void setRuns(const RunList& runs);
    /// Shown where the runs would be.
    void setFailure(const QString& sentence);
    [[nodiscard]] std::vector<qint64> selectedRuns() const;

signals:
    /// Ids, ascending.
    void selectedRunsChanged(const std::vector<qint64>& runs);

public slots:
    void openSelected();
    void compareSelected();

private:
    void narrow();
    void selectionMoved();

    Session& m_session;
    PaneHeader* m_header;
    RunsModel* m_model;
    RunsFilter* m_filter;
    QTableView* m_table;
    EmptyHint* m_hint;
    QString m_failure; ///< why the runs cannot be listed; empty when they can
    QCheckBox* m_onlyThis;
    QLineEdit* m_words;
    QAction *m_open, *m_compare;
};

} // namespace opscape
