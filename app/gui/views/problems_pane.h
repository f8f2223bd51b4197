// SPDX-License-Identifier: MIT
// What was dropped, guessed or refused, of the file, the plan and the plugins.
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

signals:
    void countChanged(int serious);

private:
    void refresh();

    Session& m_session;
    PaneHeader* m_header;
    QTreeView* m_tree;
    ProblemsModel* m_model;
};

} // namespace opscape
