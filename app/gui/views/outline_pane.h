// SPDX-License-Identifier: MIT
// The scope tree with a search field over it, which lets through what fits a query. The search runs on a worker thread;
// the newest wins. When a plan changes what fits, what is selected, open and in sight stays so.
#pragma once

#include "gui/look.h"
#include "gui/models/outline_model.h"
#include "gui/search_source.h"
#include "gui/widgets/empty_hint.h"
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
    void search();
    /// All ops where there are none; with what is wrong with the query.
    void show(std::optional<std::vector<OpId>> ops, const QString& wrong);
    void graphChanged();
    void runChanged();
    void sayHowMany();
    void selectedHere();
    void selectedElsewhere();
    /// Where `reveals`, the first row of the selection is brought into sight.
    void copySelection(bool reveals);
    /// The scopes among the rows that are open, or closed.
    [[nodiscard]] std::vector<ScopeId> scopesThatAre(bool open) const;
    void setOpen(const std::vector<ScopeId>& scopes, bool open);

    Session& m_session;
    Look& m_look;
    OutlineModel* m_model;
    PaneHeader* m_header;
    QueryEdit* m_search;
    QLabel* m_note; ///< what is wrong with the search
    QTreeView* m_tree;
    EmptyHint* m_hint = nullptr;
    QTimer m_typing;
    SearchSource& m_source;
    Query m_query;                       ///< the newest
    QString m_shownText;                 ///< the query whose answer is shown
    std::vector<ScopeId> m_openUnsought; ///< scopes that were open before there was a query
    bool m_focusNext = false;            ///< the rows, once the search has an answer
    bool m_syncing = false;              ///< the selection is being copied between here and the session
};

} // namespace opscape
