// SPDX-License-Identifier: MIT
// Finds ops of the open graph by a query: a field over the graph, what it found in a list below, and steps from one to
// the next, which is selected everywhere. The search itself runs on a worker thread; the newest wins.
#pragma once

#include "gui/look.h"
#include "gui/models/find_model.h"
#include "gui/search_source.h"
#include "gui/widgets/query_edit.h"

#include <QLabel>
#include <QTableView>
#include <QTimer>
#include <QWidget>

namespace opscape {

class FindBar : public QWidget {
    Q_OBJECT
public:
    /// `name` tells several of them apart; their fields, lists and searches are named after it.
    FindBar(Session& session, Look& look, QWidget* parent = nullptr, const QString& name = QStringLiteral("find"));

    /// Shows it, ready to be typed into.
    void open();
    /// To the next op found, or with -1 to the previous one; round and round. Where the bar is closed, by the query it
    /// had; without one it is opened to be typed into.
    void step(int by);
    /// Selects all that was found.
    void selectFound();
    [[nodiscard]] const std::vector<OpId>& found() const { return m_model->ops(); }
    [[nodiscard]] QTableView& list() { return *m_list; } ///< of what was found

signals:
    void revealRequested(); ///< show the selection in the graph
    void closed();
    void marksChanged(); ///< what was found, while the bar is open, is no longer what is marked

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void take(const SearchSubject& searched, std::vector<OpId> ops);
    void refuse(const QString& sentence);
    void goTo(int row);
    void showCount();
    void graphChanged();
    void runChanged();
    void close();

    Session& m_session;
    Look& m_look;
    SearchSource& m_source;
    QString m_lane; ///< of its searches
    Query m_query;
    QueryEdit* m_field;
    QLabel* m_count;
    QLabel* m_note; ///< what is wrong with the query
    QTableView* m_list;
    FindModel* m_model;
    QTimer m_typing;
    int m_stepNext = 0; ///< once the search that goes on has found something
    bool m_searching = false;
    bool m_stale = false; ///< graph or plan changed while the bar was closed
};

} // namespace opscape
