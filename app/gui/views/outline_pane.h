// SPDX-License-Identifier: MIT
// The scope tree with a search field over it.
#pragma once

#include "gui/look.h"
#include "gui/models/outline_model.h"
#include "gui/widgets/pane_header.h"
#include "gui/widgets/query_edit.h"

#include <QLabel>
#include <QTimer>
#include <QTreeView>
#include <QWidget>

namespace opscape {

class OutlinePane : public QWidget {
    Q_OBJECT
public:
    OutlinePane(Session& session, Look& look, QWidget* parent = nullptr);

    [[nodiscard]] PaneHeader* header() { return m_header; }
    [[nodiscard]] QTreeView& tree() { return *m_tree; }
    void focusSearch();

signals:
    void revealRequested(); ///< show the selection in the graph

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyFilter();
    void graphChanged();
    void showFound();
    void selectedHere();
    void selectedElsewhere();

    Session& m_session;
    Look& m_look;
    OutlineModel* m_model;
    PaneHeader* m_header;
    QueryEdit* m_search;
    QLabel* m_note; ///< what is wrong with the search
    QTreeView* m_tree;
    QTimer m_typing;
    bool m_syncing = false; ///< the selection is being copied between here and the session
};

} // namespace opscape
