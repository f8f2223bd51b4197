// SPDX-License-Identifier: MIT
#include "gui/views/compare_graphs.h"

#include "gui/views/graph_pane.h"
#include "gui/words.h"
#include "render/difference_marks.h"
#include "service/comparison_ops.h"

#include <opscape/base/units.h>

#include <QVBoxLayout>

namespace opscape {
namespace {

const QString kLane = QStringLiteral("compare, graphs");

/// 1 for each op that a plan has on another device than the first one.
std::vector<std::uint8_t> differing(const std::vector<ShownRunPtr>& runs) {
    std::vector<std::uint8_t> differs(runs.front()->problem().graph->opCount());
    for (std::size_t i = 1; i < runs.size(); ++i) {
        for (const OpDifference& difference : differencesOf(*runs.front()->outcome, *runs[i]->outcome).ops)
            differs[difference.op.index()] = 1;
    }
    return differs;
}

} // namespace

namespace {

constexpr int kLeastWidth = 120; ///< of one of four beside the table, in a window of 1200 pixels

} // namespace

CompareGraphs::CompareGraphs(Session& session, Look& look, GraphPane& pane, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_pane(pane),
      m_split(new QSplitter(Qt::Horizontal)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_split);
    m_coupling.add(&pane.canvas());
    connect(&pane.canvas(), &GraphWidget::sceneChanged, this, &CompareGraphs::place);
}

void CompareGraphs::setRuns(const std::vector<ShownRunPtr>& runs) {
    m_runs = runs;
    while (m_graphs.size() > runs.size()) {
        m_coupling.remove(m_graphs.back());
        delete m_graphs.back()->parentWidget();
        m_graphs.pop_back();
        m_titles.pop_back();
    }
    while (m_graphs.size() < runs.size())
        addGraph();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QString name = QStringLiteral("%1  %2").arg(i + 1).arg(methodText(*runs[i]));
        m_titles[i]->setWhole(
            QStringLiteral("%1  ·  %2").arg(name, qs(formatTime(runs[i]->outcome->schedule.makespanNs))));
        m_graphs[i]->setAccessibleName(tr("Graph of %1").arg(name));
    }
    place();
}

void CompareGraphs::addGraph() {
    auto* box = new QWidget;
    auto* title = new ElidedLabel;
    title->setContentsMargins(10, 3, 10, 3);
    auto* graph = new CompareGraph(m_session, m_look);
    graph->setMinimumWidth(kLeastWidth);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title);
    layout->addWidget(graph, 1);
    m_split->addWidget(box);
    m_graphs.push_back(graph);
    m_titles.push_back(title);
    m_coupling.add(graph);
    connect(graph, &GraphWidget::toggleRequested, &m_pane, &GraphPane::toggle);
}

CompareGraph* CompareGraphs::current() const {
    for (CompareGraph* graph : m_graphs) {
        if (graph->hasFocus())
            return graph;
    }
    return m_graphs.empty() ? nullptr : m_graphs.front();
}

void CompareGraphs::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale)
        place();
}

void CompareGraphs::place() {
    m_stale = true;
    const auto scene = m_pane.canvas().scene();
    if (m_runs.empty() || !scene || !m_session.opened() || !isVisible() ||
        m_runs.front()->outcome->opened != m_session.opened())
        return;
    m_stale = false;
    m_session.jobs().start(
        kLane, tr("Colouring the compared graphs"),
        [this, scene, runs = m_runs, opened = m_session.opened()](const RunContext& context) -> JobRunner::Deliver {
            const auto marks = std::make_shared<const std::vector<std::uint32_t>>(markedOps(*scene, differing(runs)));
            std::vector<CompareGraph::Shown> shown;
            for (const ShownRunPtr& run : runs) {
                if (context.stopRequested())
                    return {};
                shown.push_back({GraphColours::place({}, *opened, scene, run), marks});
            }
            return [this, shown = std::move(shown)] {
                if (shown.size() != m_graphs.size())
                    return;
                for (std::size_t i = 0; i < shown.size(); ++i)
                    m_graphs[i]->show(shown[i]);
                // They look where the graph pane looks, also after a group was opened and all boxes lie elsewhere.
                m_coupling.lead(&m_pane.canvas());
            };
        },
        false, this);
}

} // namespace opscape
