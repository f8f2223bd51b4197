// SPDX-License-Identifier: MIT
#include "gui/views/compare_pane.h"

#include "gui/views/gantt_pane.h"
#include "gui/views/graph_pane.h"
#include "gui/words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace opscape {
namespace {

const QString kPairLane = QStringLiteral("compare, two of them");
constexpr int kLeastColumn = 104, kUsualColumn = 130,
              kMostColumn = 160; ///< width, of the table; the views get the rest
constexpr int kTitleMargin = 6;  ///< at the left of a row's title
constexpr double kZoomStep = 1.5, kPanStep = 0.2;

/// The better value in a colour of its own, beside its mark.
class BestDelegate : public QStyledItemDelegate {
public:
    BestDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), m_look(look) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        if (index.data(CompareModel::BestRole).toBool())
            option->palette.setColor(QPalette::Text, m_look.good());
    }

private:
    const Look& m_look;
};

/// What the rows are about. Painted here because the style sheet's header puts texts above the middle of a row.
class RowTitles : public QHeaderView {
public:
    RowTitles(const Look& look, QWidget* parent) : QHeaderView(Qt::Vertical, parent), m_look(look) {
        setSectionsClickable(true);
    }

protected:
    void paintSection(QPainter* painter, const QRect& area, int section) const override {
        painter->fillRect(area, palette().base());
        painter->setPen(m_look.theme().dimText);
        painter->drawText(area.adjusted(kTitleMargin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          model()->headerData(section, Qt::Vertical).toString());
    }

private:
    const Look& m_look;
};

} // namespace

ComparePane::ComparePane(Session& session, Look& look, GraphPane& graph, GanttPane& gantt, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_look(look),
      m_gantt(gantt),
      m_header(new PaneHeader(tr("Compare"))),
      m_split(new QSplitter(Qt::Horizontal)),
      m_table(new QTableView),
      m_model(new CompareModel(this)),
      m_stack(new QStackedWidget),
      m_graphs(new CompareGraphs(session, look, graph)),
      m_schedules(new CompareSchedules(session, look)),
      m_delta(new CompareDelta(session, look)),
      m_memory(new CompareMemory(look)),
      m_ops(new CompareOps(session)),
      m_pair(new QWidget),
      m_pairA(new QComboBox),
      m_pairB(new QComboBox),
      m_hint(new QLabel(tr("Nothing to compare yet. Select two to four runs under Runs and press C, or press Ctrl+B to "
                           "compare with METIS, expert and HEFT on the graph that is open."))),
      m_views(new QActionGroup(this)) {
    m_table->setObjectName(QStringLiteral("comparison"));
    m_table->setAccessibleName(tr("Comparison"));
    m_table->setVerticalHeader(new RowTitles(look, m_table));
    m_table->setModel(m_model);
    m_table->setItemDelegate(new BestDelegate(look, this));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(true);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setHighlightSections(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    m_table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_hint->setEnabled(false);
    m_hint->setMargin(24);
    m_hint->setFocusPolicy(Qt::StrongFocus);
    m_hint->setAccessibleName(tr("Comparison"));
    makeViews();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_hint, 1);
    layout->addWidget(m_split, 1);
    makeCommands();
    connect(&session, &Session::comparisonChanged, this, &ComparePane::refresh);
    connect(&session, &Session::comparisonFollowed, this, &ComparePane::refresh);
    for (const auto signal : {&Session::openedChanged, &Session::shownChanged, &Session::ready})
        connect(&session, signal, this, &ComparePane::enableCommands);
    connect(&gantt.canvas(), &GanttWidget::moved, this, [this](double startNs, double nsPerPixel, bool fitted) {
        couple(&m_gantt.canvas(), startNs, nsPerPixel, fitted);
    });
    choose(View::Schedules);
    refresh();
}

void ComparePane::makeViews() {
    auto* pairs = new QHBoxLayout(m_pair);
    pairs->setContentsMargins(8, 2, 8, 2);
    auto* against = new QLabel(tr("against"));
    for (QComboBox* box : {m_pairA, m_pairB}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setFocusPolicy(Qt::StrongFocus);
        connect(box, &QComboBox::activated, this, &ComparePane::refreshPair);
    }
    m_pairA->setObjectName(QStringLiteral("comparedFirst"));
    m_pairB->setObjectName(QStringLiteral("comparedSecond"));
    m_pairA->setAccessibleName(tr("First plan"));
    m_pairB->setAccessibleName(tr("Second plan"));
    pairs->addWidget(m_pairA);
    pairs->addWidget(against);
    pairs->addWidget(m_pairB);
    pairs->addStretch(1);
    for (QWidget* view :
         {static_cast<QWidget*>(m_graphs), static_cast<QWidget*>(m_schedules), static_cast<QWidget*>(m_delta),
          static_cast<QWidget*>(m_memory), static_cast<QWidget*>(m_ops)})
        m_stack->addWidget(view);
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_pair);
    column->addWidget(m_stack, 1);
    m_split->addWidget(m_table);
    m_split->addWidget(side);
    m_split->setStretchFactor(0, 0);
    m_split->setStretchFactor(1, 1);
    connect(m_schedules, &CompareSchedules::moved, this, &ComparePane::couple);
    for (CompareTimeCanvas* canvas :
         {static_cast<CompareTimeCanvas*>(m_delta), static_cast<CompareTimeCanvas*>(m_memory)})
        connect(canvas, &CompareTimeCanvas::moved, this,
                [this, canvas](double startNs, double nsPerPixel, bool fitted) {
                    couple(canvas, startNs, nsPerPixel, fitted);
                });
}

QAction* ComparePane::command(const QString& text, const QString& icon, const QKeySequence& key,
                              const std::function<void()>& act) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    if (!icon.isEmpty())
        m_look.dress(action, icon);
    connect(action, &QAction::triggered, this, act);
    addAction(action);
    m_commands << action;
    return action;
}

void ComparePane::makeCommands() {
    const std::tuple<QString, Qt::Key, View> views[] = {{tr("&Graphs"), Qt::Key_G, View::Graphs},
                                                        {tr("&Schedules"), Qt::Key_T, View::Schedules},
                                                        {tr("What &differs in time"), Qt::Key_X, View::Delta},
                                                        {tr("&Memory"), Qt::Key_M, View::Memory},
                                                        {tr("&Ops placed differently"), Qt::Key_O, View::Ops}};
    for (const auto& [text, key, view] : views) {
        QAction* action = command(text, {}, key, [this, view = view] { choose(view); });
        action->setCheckable(true);
        action->setIconText(view == View::Delta ? tr("Delta")
                            : view == View::Ops ? tr("Ops")
                                                : QString(text).remove(u'&'));
        m_views->addAction(action);
        m_header->addTool(action);
        m_needComparison << action;
    }
    m_commands << nullptr;
    m_needComparison << command(tr("Zoom &in"), {}, Qt::Key_W, [this] { zoom(kZoomStep); })
                     << command(tr("Zoom o&ut"), {}, Qt::Key_S, [this] { zoom(1 / kZoomStep); })
                     << command(tr("&Earlier"), {}, Qt::Key_A, [this] { pan(-kPanStep); })
                     << command(tr("&Later"), {}, Qt::Key_D, [this] { pan(kPanStep); });
    QAction* fitAll = command(tr("&Fit"), QStringLiteral("fit"), Qt::Key_Space, [this] { fit(); });
    m_needComparison << fitAll
                     << command(tr("Simulate what &more moves cost"), {}, Qt::Key_K, [this] { m_ops->simulateMore(); });
    m_commands << nullptr;
    addMethod(tr("Compare with &GO"), Qt::CTRL | Qt::ALT | Qt::Key_G, "go");
    addMethod(tr("Compare with &HDP"), Qt::CTRL | Qt::ALT | Qt::Key_H, "hdp");
    m_add = command(tr("&Add the plan that is shown"), {}, Qt::CTRL | Qt::ALT | Qt::Key_A,
                    [this] { m_session.addShownToComparison(); });
    m_add->setShortcutContext(Qt::WindowShortcut);
    m_commands << nullptr;
    QAction* end =
        command(tr("E&nd the comparison"), QStringLiteral("close"), {}, [this] { m_session.clearComparison(); });
    m_needComparison << end;
    m_header->addTool(fitAll);
    m_header->addTool(end);
}

void ComparePane::addMethod(const QString& text, const QKeySequence& key, const char* method) {
    QAction* action = command(text, {}, key, [this, method] { m_session.compareWith(method); });
    action->setShortcutContext(Qt::WindowShortcut);
    m_needGraph << action;
}

void ComparePane::choose(View view) {
    m_stack->setCurrentIndex(static_cast<int>(view));
    m_views->actions()[static_cast<int>(view)]->setChecked(true);
    m_pair->setVisible(view == View::Delta || view == View::Ops);
    refreshPair();
}

void ComparePane::enableCommands() {
    const auto& runs = m_session.comparison();
    for (QAction* action : m_needComparison)
        action->setEnabled(!runs.empty());
    for (QAction* action : m_needGraph)
        action->setEnabled(m_session.opened() && m_session.workbench() != nullptr);
    m_add->setEnabled(m_session.shown() != nullptr && runs.size() < kMostCompared &&
                      std::ranges::find(runs, m_session.shown()) == runs.end());
}

void ComparePane::refresh() {
    const auto& runs = m_session.comparison();
    m_model->setRuns(runs);
    setFocusProxy(runs.empty() ? static_cast<QWidget*>(m_hint) : m_table);
    m_hint->setVisible(runs.empty());
    m_split->setVisible(!runs.empty());
    const int titles = m_table->verticalHeader()->sizeHint().width();
    const auto columns = static_cast<int>(std::max<std::size_t>(2, runs.size()));
    constexpr int kScrollBar = 18;
    int widest = kLeastColumn;
    for (int column = 0; column < m_model->columnCount(); ++column)
        widest = std::max(widest, m_table->horizontalHeader()->sectionSizeHint(column));
    widest = std::min(widest, kMostColumn);
    m_table->setMinimumWidth(titles + widest * columns + kScrollBar);
    m_table->setMaximumWidth(titles + std::max(widest, kUsualColumn) * columns + kScrollBar);
    m_graphs->setRuns(runs);
    m_schedules->setRuns(runs);
    m_memory->setRuns(runs);
    fillPair();
    refreshPair();
    enableCommands();
    m_header->setRemark(runs.empty() ? QString()
                                     : tr("%1 plans of %2; ✓ marks the %3 value")
                                           .arg(QString::number(runs.size()), qs(runs.front()->problem().graph->name()),
                                                runs.size() > 2 ? tr("best") : tr("better")));
}

void ComparePane::fillPair() {
    const auto& runs = m_session.comparison();
    const int a = m_pairA->currentIndex(), b = m_pairB->currentIndex();
    const bool sameCount = m_pairA->count() == static_cast<int>(runs.size());
    for (QComboBox* box : {m_pairA, m_pairB}) {
        box->clear();
        for (std::size_t i = 0; i < runs.size(); ++i)
            box->addItem(QStringLiteral("%1  %2").arg(i + 1).arg(methodText(*runs[i])));
    }
    if (runs.size() < 2)
        return;
    m_pairA->setCurrentIndex(sameCount ? a : 0);
    m_pairB->setCurrentIndex(sameCount ? b : 1);
}

void ComparePane::choosePair(std::size_t a, std::size_t b) {
    m_pairA->setCurrentIndex(static_cast<int>(a));
    m_pairB->setCurrentIndex(static_cast<int>(b));
    refreshPair();
}

void ComparePane::refreshPair() {
    const auto& runs = m_session.comparison();
    const int a = m_pairA->currentIndex(), b = m_pairB->currentIndex();
    const bool known = runs.size() > 1 && a >= 0 && b >= 0;
    const ShownRunPtr first = known ? runs[static_cast<std::size_t>(a)] : nullptr;
    const ShownRunPtr second = known ? runs[static_cast<std::size_t>(b)] : nullptr;
    const bool seen = view() == View::Delta || view() == View::Ops;
    if ((first == m_pairOf[0] && second == m_pairOf[1]) || (known && !seen))
        return;
    m_pairOf[0] = first;
    m_pairOf[1] = second;
    const auto numberA = static_cast<std::size_t>(std::max(0, a)), numberB = static_cast<std::size_t>(std::max(0, b));
    if (!known) {
        m_session.jobs().abandon(kPairLane);
        m_delta->setPair(nullptr, nullptr, 0, 1, nullptr);
        m_ops->setPair(nullptr, nullptr, 0, 1, nullptr);
        return;
    }
    m_session.jobs().start(
        kPairLane, tr("Comparing two plans"),
        [this, first, second, numberA, numberB](const RunContext&) -> JobRunner::Deliver {
            const auto sideOf = [](const Outcome& o) { return ScheduledPlan{&o.problem, &o.plan, &o.schedule}; };
            const auto delta = std::make_shared<const DeltaGantt>(sideOf(*first->outcome), sideOf(*second->outcome));
            const auto found =
                std::make_shared<const PlanDifferences>(differencesOf(*first->outcome, *second->outcome));
            return [this, first, second, numberA, numberB, delta, found] {
                m_delta->setPair(first, second, numberA, numberB, delta);
                m_ops->setPair(first, second, numberA, numberB, found);
            };
        },
        false, this);
}

void ComparePane::couple(const QWidget* leader, double startNs, double nsPerPixel, bool fitted) {
    if (m_session.comparison().empty() || std::exchange(m_coupling, true))
        return;
    GanttWidget& main = m_gantt.canvas();
    const auto lanes = [](const QWidget& canvas, const GanttCamera& camera) {
        return std::max(1.0, canvas.width() - camera.labelWidth);
    };
    const GanttCamera& ours = m_schedules->charts().front()->camera();
    const double mainLanes = lanes(main, main.camera()), ourLanes = lanes(*m_stack, ours);
    if (leader == &main && fitted) {
        m_schedules->charts().front()->fit(); // each shows all there is to it
        m_schedules->follow(m_schedules->charts().front(), ours.startNs, ours.nsPerPixel, true);
        startNs = ours.startNs;
        nsPerPixel = ours.nsPerPixel;
    } else {
        if (leader == &main)
            nsPerPixel *= mainLanes / ourLanes;
        m_schedules->follow(leader, startNs, nsPerPixel, fitted);
    }
    for (CompareTimeCanvas* canvas :
         {static_cast<CompareTimeCanvas*>(m_delta), static_cast<CompareTimeCanvas*>(m_memory)}) {
        if (canvas != leader)
            canvas->follow(startNs, nsPerPixel, fitted);
    }
    if (leader != &main && fitted)
        main.fit();
    else if (leader != &main)
        main.follow(startNs, nsPerPixel * ourLanes / mainLanes, false);
    m_coupling = false;
}

void ComparePane::fit() {
    if (view() == View::Graphs) {
        if (m_graphs->current() != nullptr)
            m_graphs->current()->fit();
    } else if (view() == View::Delta) {
        m_delta->fit();
    } else if (view() == View::Memory) {
        m_memory->fit();
    } else if (m_schedules->current() != nullptr) {
        m_schedules->current()->fit();
    }
}

void ComparePane::zoom(double factor) {
    if (view() == View::Graphs && m_graphs->current() != nullptr)
        m_graphs->current()->zoomBy(factor);
    else if (view() == View::Delta)
        m_delta->zoomBy(factor);
    else if (view() == View::Memory)
        m_memory->zoomBy(factor);
    else if (m_schedules->current() != nullptr)
        m_schedules->current()->zoomBy(factor);
}

void ComparePane::pan(double fraction) {
    if (view() == View::Delta)
        m_delta->panBy(fraction);
    else if (view() == View::Memory)
        m_memory->panBy(fraction);
    else if (m_schedules->current() != nullptr)
        m_schedules->current()->panBy(fraction);
}

} // namespace opscape
