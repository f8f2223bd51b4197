// SPDX-License-Identifier: MIT
#include "gui/views/graph_pane.h"

#include "gui/shown_text.h"
#include "gui/views/graph_accessible.h"
#include "gui/views/graph_navigation.h"
#include "gui/widgets/pane_command.h"

#include <opscape/base/units.h>

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

namespace opscape {
namespace {

const QString kLayoutLane = QStringLiteral("layout");
const QString kPlaceLane = QStringLiteral("placement");
constexpr std::size_t kFirstBoxes = 40; ///< about how many boxes the first picture has
constexpr double kZoomStep = 1.4;
constexpr std::size_t kMostRevealed = 500; ///< ops whose groups are opened at once
constexpr int kRemarkMs = 5000;

void expandBelow(const ScopeTree& tree, ScopeId from, ExpandedScopes& expanded) {
    std::vector<ScopeId> open{from};
    while (!open.empty()) {
        const ScopeId scope = open.back();
        open.pop_back();
        expanded.insert(scope);
        const auto& below = tree.scope(scope).scopes;
        open.insert(open.end(), below.begin(), below.end());
    }
}

} // namespace

/// Remembers the layout of each scope; used by one worker at a time.
struct GraphPane::Engine {
    std::mutex mutex;
    GraphLayout layout{defaultLayoutHelper()};
};

GraphPane::GraphPane(Session& session, Look& look, QSettings& settings, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_header(new PaneHeader(tr("Graph"))),
      m_canvas(new GraphWidget(session, look)),
      m_colours(new GraphColours(session, this)),
      m_find(new FindBar(session, look)),
      m_engine(std::make_shared<Engine>()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addWidget(m_find);
    layout->addWidget(m_canvas, 1);
    makeCommands(look);
    auto* navigation = new GraphNavigation(*this, session, look, settings);
    m_commands << nullptr << navigation->commands();
    connect(navigation, &GraphNavigation::remarked, this, &GraphPane::remark);
    m_remark.setSingleShot(true);
    connect(&m_remark, &QTimer::timeout, this, &GraphPane::showRemark);
    connect(m_find, &FindBar::revealRequested, this, &GraphPane::reveal);
    connect(m_find, &FindBar::closed, m_canvas, qOverload<>(&QWidget::setFocus));
    connect(m_find, &FindBar::marksChanged, m_canvas,
            [this] { m_canvas->setFound(m_find->isVisible() ? m_find->found() : std::vector<OpId>()); });
    connect(&session, &Session::selectionChanged, m_canvas,
            [this] { announceNode(*m_canvas, m_canvas->selectedNode()); });
    connect(m_canvas, &GraphWidget::toggleRequested, this, &GraphPane::toggle);
    connect(&session, &Session::openedChanged, this, &GraphPane::graphChanged);
    connect(&session, &Session::shownChanged, this, &GraphPane::place);
    connect(m_colours, &GraphColours::changed, this, &GraphPane::place);
}

QAction* GraphPane::command(const QString& text, const QString& icon, const QKeySequence& keys,
                            const std::function<void()>& act) {
    const QList<QKeySequence> all = keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys};
    QAction* action = addPaneCommand(this, m_canvas, m_look, text, icon, all, act);
    m_commands << action;
    return action;
}

void GraphPane::makeCommands(Look& look) {
    auto* critical = command(tr("&Critical path"), QStringLiteral("critical"), Qt::Key_P, [] {});
    critical->setCheckable(true);
    connect(critical, &QAction::toggled, m_canvas, &GraphWidget::showCritical);
    m_commands << m_colours->menu()->menuAction();
    m_commands << nullptr;
    auto* expand = command(tr("&Open all groups"), QStringLiteral("expand"), Qt::Key_E, [this] { expandAll(); });
    auto* collapse = command(tr("C&lose groups to fit"), QStringLiteral("collapse"), Qt::SHIFT | Qt::Key_E,
                             [this] { collapseAll(); });
    command(tr("Close the group &around the selection"), {}, Qt::Key_Backspace, [this] { goUp(); });
    command(tr("Open what &hides the selection"), {}, Qt::Key_R, [this] { reveal(); });
    m_commands << nullptr;
    auto* in =
        command(tr("Zoom &in"), QStringLiteral("zoom-in"), Qt::Key_Plus, [this] { m_canvas->zoomBy(kZoomStep); });
    in->setShortcuts({Qt::Key_Plus, Qt::Key_Equal});
    auto* out = command(tr("Zoom &out"), QStringLiteral("zoom-out"), Qt::Key_Minus,
                        [this] { m_canvas->zoomBy(1 / kZoomStep); });
    auto* fit = command(tr("&Fit"), QStringLiteral("fit"), Qt::Key_Space, [this] {
        emit leaving();
        m_canvas->fit();
    });
    command(tr("C&entre on the selection"), {}, Qt::Key_F, [this] {
        emit leaving();
        m_canvas->centreOnSelection();
    });
    m_wheelZooms = command(tr("&Wheel zooms"), {}, {}, [] {});
    m_wheelZooms->setCheckable(true);
    connect(m_wheelZooms, &QAction::toggled, m_canvas, &GraphWidget::setWheelZooms);
    auto* colours = new QToolButton;
    colours->setText(tr("Colour by"));
    colours->setMenu(m_colours->menu());
    colours->setPopupMode(QToolButton::InstantPopup);
    colours->setAutoRaise(true);
    colours->setStyleSheet(QStringLiteral("QToolButton { padding-right: 14px; }")); // room for the arrow
    m_header->addTool(colours);
    for (QAction* action : {critical, expand, collapse, in, out, fit})
        m_header->addTool(action);
    connect(&look, &Look::changed, m_header, qOverload<>(&QWidget::update));
}

void GraphPane::graphChanged() {
    m_session.jobs().abandon(kLayoutLane);
    m_expanded.clear();
    m_canvas->setScene({});
    m_colours->graphChanged();
    m_centreNext = false;
    m_placeNext.reset();
    m_canvas->isolate(-1); // what was isolated is not in this graph
    if (!m_session.opened())
        return;
    m_expanded = expandToBudget(*m_session.opened()->scopes, kFirstBoxes);
    layOut({});
}

void GraphPane::layOut(ScopeId anchor) {
    emit leaving();
    m_expanded.erase(ScopeTree::root()); // it is open anyway, and two views are compared by what is in here
    m_session.jobs().start(
        kLayoutLane, tr("Laying out the graph"),
        [this, anchor, engine = m_engine, opened = m_session.opened(), expanded = m_expanded, run = m_session.shown(),
         choice = m_colours->choice()](const RunContext& context) -> JobRunner::Deliver {
            const std::lock_guard lock(engine->mutex);
            if (context.stopRequested())
                return {};
            if (!anchor.valid()) // not one group, but all of the picture changes
                engine->layout.forgetPlaces();
            auto scene =
                std::make_shared<const GraphScene>(engine->layout.layout(*opened->graph, *opened->scopes, expanded));
            auto placed = GraphColours::place(choice, *opened, std::move(scene), run);
            return [this, anchor, choice, expanded, placed = std::move(placed)] {
                show(placed, choice, anchor);
                arrived(expanded);
                if (std::exchange(m_centreNext, false))
                    m_canvas->centreOnSelection();
                showRemark();
                improve(anchor.valid() ? anchor : ScopeTree::root());
            };
        },
        true, this);
}

void GraphPane::improve(ScopeId anchor) {
    m_session.jobs().start(
        kLayoutLane, tr("Untangling the graph"),
        [this, anchor, engine = m_engine, opened = m_session.opened(), expanded = m_expanded, run = m_session.shown(),
         choice = m_colours->choice()](const RunContext& context) -> JobRunner::Deliver {
            const std::lock_guard lock(engine->mutex);
            if (context.stopRequested() || !engine->layout.improve(context.stop))
                return {};
            auto scene =
                std::make_shared<const GraphScene>(engine->layout.layout(*opened->graph, *opened->scopes, expanded));
            auto placed = GraphColours::place(choice, *opened, std::move(scene), run);
            return [this, anchor, choice, placed = std::move(placed)] {
                const GraphPlace held = seen(); // a box that is looked at stays where it is
                show(placed, choice, anchor);
                if (!held.fitted)
                    m_canvas->setCamera(held.cameraOver(*m_canvas->scene()));
            };
        },
        false, this);
}

void GraphPane::show(const GraphWidget::Placed& placed, const GraphColours::Choice& choice, ScopeId anchor) {
    m_canvas->setScene(placed, anchor);
    announceScene(*m_canvas);
    if (placed.run != m_session.shown() || choice != m_colours->choice()) // it changed meanwhile
        place();
}

void GraphPane::place() {
    if (!m_session.opened() || !m_canvas->scene())
        return;
    m_session.jobs().start(
        kPlaceLane, tr("Colouring the graph"),
        [this, opened = m_session.opened(), run = m_session.shown(), scene = m_canvas->scene(),
         choice = m_colours->choice()](const RunContext&) -> JobRunner::Deliver {
            auto placed = GraphColours::place(choice, *opened, scene, run);
            return [this, placed = std::move(placed)] { m_canvas->setPlaced(placed); };
        },
        false, this);
}

void GraphPane::arrived(const ExpandedScopes& expanded) {
    m_seenExpanded = expanded;
    if (const auto place = std::exchange(m_placeNext, {}); place && place->expanded == expanded && !place->fitted)
        m_canvas->setCamera(place->cameraOver(*m_canvas->scene()));
    emit came();
}

GraphPlace GraphPane::seen() const {
    GraphPlace place{m_seenExpanded, m_canvas->camera(), m_canvas->fitted()};
    if (m_canvas->scene()) {
        const QRectF view = m_canvas->rect();
        const int selected = m_canvas->selectedNode();
        const QPointF box = selected < 0 ? view.center() : m_canvas->nodeRect(selected).center();
        place.holdOn(*m_canvas->scene(), view.contains(box) ? box : view.center());
    }
    return place;
}

void GraphPane::goTo(const GraphPlace& place) {
    if (place.expanded != m_seenExpanded) {
        m_expanded = place.expanded;
        m_placeNext = place;
        return layOut({});
    }
    place.fitted ? m_canvas->fit() : m_canvas->setCamera(place.cameraOver(*m_canvas->scene()));
}

void GraphPane::remark(const QString& text) {
    m_header->setRemark(text);
    m_remark.start(kRemarkMs);
}

void GraphPane::showRemark() {
    if (!m_session.opened() || !m_canvas->scene())
        return m_header->setRemark({});
    m_remark.stop();
    const Graph& graph = *m_session.opened()->graph;
    m_header->setRemark(tr("%1, %2; %3 shown")
                            .arg(countedText(graph.opCount(), "op"), countedText(graph.edgeCount(), "edge"),
                                 boxesText(m_canvas->scene()->nodes.size())));
}

void GraphPane::toggle(ScopeId scope, bool deep) {
    const ScopeTree& tree = *m_session.opened()->scopes;
    if (m_expanded.contains(scope))
        std::erase_if(m_expanded, [&](ScopeId s) { return s == scope || (deep && tree.isInside(s, scope)); });
    else if (deep)
        expandBelow(tree, scope, m_expanded);
    else
        m_expanded.insert(scope);
    layOut(scope);
}

void GraphPane::goUp() {
    const int node = m_canvas->selectedNode();
    if (node < 0)
        return;
    const auto& nodes = m_canvas->scene()->nodes;
    const SceneNode& selected = nodes[static_cast<std::size_t>(node)];
    const int around = selected.expanded ? node : selected.parent;
    if (around < 0)
        return m_canvas->fit();
    const ScopeId scope = nodes[static_cast<std::size_t>(around)].scope;
    m_session.selectScope(scope);
    toggle(scope, false);
}

void GraphPane::expandAll() {
    if (!m_session.opened())
        return;
    expandBelow(*m_session.opened()->scopes, ScopeTree::root(), m_expanded);
    layOut({});
}

void GraphPane::collapseAll() {
    if (!m_session.opened())
        return;
    m_expanded = expandToBudget(*m_session.opened()->scopes, kFirstBoxes);
    layOut({});
}

void GraphPane::reveal() {
    const Selection& selection = m_session.selection();
    if (!m_session.opened() || selection.ops.empty())
        return;
    const ScopeTree& tree = *m_session.opened()->scopes;
    const std::size_t before = m_expanded.size();
    const auto openAround = [&](ScopeId scope) {
        for (; scope.valid() && scope != ScopeTree::root(); scope = tree.scope(scope).parent)
            m_expanded.insert(scope); // an inner group may be open in one that is closed
    };
    if (selection.scope.valid()) {
        openAround(tree.scope(selection.scope).parent);
    } else {
        const bool all = selection.ops.size() <= kMostRevealed;
        for (const OpId op : std::span(selection.ops).first(all ? selection.ops.size() : 1))
            openAround(tree.scopeOf(op));
    }
    m_centreNext = true;
    if (m_expanded.size() != before)
        return layOut(tree.root());
    m_centreNext = false;
    emit leaving();
    m_canvas->centreOnSelection();
}

} // namespace opscape
