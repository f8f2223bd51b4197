// SPDX-License-Identifier: MIT
// The graphs of the compared plans side by side, each in its own colours: one scene, that of the graph pane, so that
// what is open there is open here; one pan and zoom; one selection.
#pragma once

#include "gui/views/compare_coupling.h"
#include "gui/views/compare_graph.h"
#include "gui/widgets/elided_label.h"

#include <QSplitter>

namespace opscape {

class GraphPane;

class CompareGraphs : public QWidget {
    Q_OBJECT
public:
    CompareGraphs(Session& session, Look& look, GraphPane& pane, QWidget* parent = nullptr);

    void setRuns(const std::vector<ShownRunPtr>& runs);
    [[nodiscard]] const std::vector<CompareGraph*>& graphs() const { return m_graphs; }
    /// The one that has the focus, else the first; null when there is none.
    [[nodiscard]] CompareGraph* current() const;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void place();
    void addGraph();

    Session& m_session;
    Look& m_look;
    GraphPane& m_pane;
    CompareCoupling m_coupling;
    QSplitter* m_split;
    std::vector<CompareGraph*> m_graphs;
    std::vector<ElidedLabel*> m_titles;
    std::vector<ShownRunPtr> m_runs;
    bool m_stale = true; ///< not placed for these runs and this scene yet: nobody looks
};

} // namespace opscape
