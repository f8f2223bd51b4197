// SPDX-License-Identifier: MIT
#include "gui/main_window.h"

#include "gui/shown_text.h"
#include "gui/undo_order.h"
#include "gui/views/compare_pane.h"
#include "gui/views/gantt_pane.h"
#include "gui/views/graph_pane.h"
#include "gui/views/inspector_pane.h"
#include "gui/views/models_pane.h"
#include "gui/views/outline_pane.h"
#include "gui/views/problems_pane.h"
#include "gui/views/runs_pane.h"
#include "gui/views/training_pane.h"
#include "gui/widgets/close_question.h"
#include "gui/widgets/edit_actions.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/job_strip.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/start_page.h"
#include "gui/widgets/summary_strip.h"

#include <QApplication>
#include <QCloseEvent>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace opscape {
namespace {

const QString kWheelKey = QStringLiteral("graph/wheelZooms");

} // namespace

MainWindow::MainWindow(Session& session, Look& look, QSettings& settings)
    : m_session(session),
      m_look(look),
      m_settings(settings),
      m_watcher(session.database()) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowTitle(QStringLiteral("Opscape"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/opscape.svg")));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
    setDocumentMode(true);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    resize(1280, 800);
    buildTop();
    buildPanes();
    buildStatusBar();
    buildMenus();
    connectSession();
    defaultLayout();
    restoreGeometry(m_settings.value(QStringLiteral("window/geometry")).toByteArray());
    m_layoutIsDefault = !restoreState(m_settings.value(QStringLiteral("window/layout")).toByteArray(), kLayoutVersion);
    recentChanged();
    enableCommands();
}

MainWindow::~MainWindow() {
    disconnect(qApp, nullptr, this, nullptr); // the panes lose the focus while they go
}

void MainWindow::buildTop() {
    auto* centre = new QWidget;
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_middle = new QStackedWidget;
    m_start = new StartPage(m_look);
    m_graph = new GraphPane(m_session, m_look, m_settings);
    m_middle->addWidget(m_start);
    m_middle->addWidget(m_graph);
    layout->addWidget(m_middle);
    setCentralWidget(centre);

    // Over the docks too: what is said there concerns the whole window.
    auto* top = new QToolBar;
    top->setObjectName(QStringLiteral("summary"));
    top->setWindowTitle(tr("Summary"));
    top->setMovable(false);
    top->setContextMenuPolicy(Qt::PreventContextMenu);
    top->setStyleSheet(QStringLiteral("QToolBar { border: none; padding: 0; spacing: 0; }"));
    auto* stack = new QWidget;
    stack->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto* rows = new QVBoxLayout(stack);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    m_messages = new MessageBar(m_look);
    rows->addWidget(m_messages);
    rows->addWidget(new SummaryStrip(m_session, m_look));
    top->addWidget(stack);
    top->toggleViewAction()->setVisible(false);
    addToolBar(Qt::TopToolBarArea, top);
}

void MainWindow::buildPanes() {
    m_gantt = new GanttPane(m_session, m_look, &m_settings);
    m_inspector = new InspectorPane(m_session, m_look);
    m_outline = new OutlinePane(m_session, m_look);
    m_runs = new RunsPane(m_session, m_look, m_watcher);
    m_compare = new ComparePane(m_session, m_look, *m_graph, *m_gantt);
    m_training = new TrainingPane(m_session, m_look, &m_settings);
    m_problems = new ProblemsPane(m_session, m_look);
    m_panes.push_back({tr("&Graph"), &m_graph->canvas(), &m_graph->canvas(), nullptr});
    const auto add = [this](const QString& name, const QString& title, auto* pane, Qt::DockWidgetArea area) {
        m_panes.push_back({title, pane, pane, addPane(name, QString(title).remove(u'&'), pane, pane->header(), area)});
    };
    add(QStringLiteral("scheduleDock"), tr("&Schedule"), m_gantt, Qt::BottomDockWidgetArea);
    add(QStringLiteral("outlineDock"), tr("&Outline"), m_outline, Qt::LeftDockWidgetArea);
    add(QStringLiteral("inspectorDock"), tr("&Inspector"), m_inspector, Qt::RightDockWidgetArea);
    add(QStringLiteral("runsDock"), tr("&Runs"), m_runs, Qt::BottomDockWidgetArea);
    add(QStringLiteral("compareDock"), tr("&Compare"), m_compare, Qt::BottomDockWidgetArea);
    add(QStringLiteral("trainingDock"), tr("&Training"), m_training, Qt::BottomDockWidgetArea);
    add(QStringLiteral("problemsDock"), tr("&Problems"), m_problems, Qt::BottomDockWidgetArea);
    add(QStringLiteral("modelsDock"), tr("&Models"), new ModelsPane(m_session, m_look), Qt::BottomDockWidgetArea);
    m_panes[2].focus = &m_outline->tree(); // not the field over it
    QAction* wheel = m_graph->wheelZooms();
    wheel->setChecked(m_settings.value(kWheelKey).toBool());
    connect(wheel, &QAction::toggled, this, [this](bool on) { m_settings.setValue(kWheelKey, on); });
    m_edits = new EditActions(m_session, this);
    m_undoOrder = new UndoOrder(m_session, m_runs->changes(), this);
    for (QWidget* pane : {static_cast<QWidget*>(&m_graph->canvas()), static_cast<QWidget*>(&m_outline->tree()),
                          static_cast<QWidget*>(&m_graph->finder().list())})
        m_edits->attach(pane);
    m_edits->attach(&m_gantt->canvas(), m_gantt->commands());
    connect(&m_graph->canvas(), &GraphWidget::coloursChanged, m_gantt, [this] {
        const GraphWidget& graph = m_graph->canvas();
        m_gantt->setColours(graph.placed().colours, graph.placed().run, graph.isolated());
    });
    connect(m_outline, &OutlinePane::revealRequested, m_graph, &GraphPane::reveal);
    QDockWidget* problems = m_panes[m_panes.size() - 2].dock;
    connect(m_problems, &ProblemsPane::countChanged, problems, [problems](int serious) {
        problems->setWindowTitle(serious > 0 ? tr("Problems (%1)").arg(serious) : tr("Problems"));
    });
}

QDockWidget* MainWindow::addPane(const QString& name, const QString& title, QWidget* content, PaneHeader* header,
                                 Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    dock->setTitleBarWidget(header);
    auto* floating = new QAction(tr("Float or dock the pane"), dock);
    auto* close = new QAction(tr("Close the pane"), dock);
    m_look.dress(floating, QStringLiteral("float"));
    m_look.dress(close, QStringLiteral("close"));
    connect(floating, &QAction::triggered, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QAction::triggered, dock, &QWidget::close);
    header->addTool(floating);
    header->addTool(close);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::defaultLayout() {
    for (const PaneEntry& pane : m_panes) {
        if (pane.dock == nullptr)
            continue;
        pane.dock->setFloating(false);
        pane.dock->show();
    }
    QDockWidget* schedule = m_panes[1].dock;
    addDockWidget(Qt::LeftDockWidgetArea, m_panes[2].dock);
    addDockWidget(Qt::RightDockWidgetArea, m_panes[3].dock);
    addDockWidget(Qt::BottomDockWidgetArea, schedule);
    for (std::size_t i = 4; i < m_panes.size(); ++i)
        tabifyDockWidget(i == 4 ? schedule : m_panes[i - 1].dock, m_panes[i].dock);
    schedule->raise();
    defaultSizes();
}

void MainWindow::defaultSizes() {
    const int side = std::clamp(width() / 5 + 40, 240, 420);
    resizeDocks({m_panes[2].dock, m_panes[3].dock}, {side, side}, Qt::Horizontal);
    resizeDocks({m_panes[1].dock}, {height() * 2 / 5}, Qt::Vertical);
}

void MainWindow::buildStatusBar() {
    m_hint = new ElidedLabel;
    m_hint->setEnabled(false);
    m_hint->setContentsMargins(10, 0, 0, 0);
    statusBar()->addWidget(m_hint, 1);
    statusBar()->addPermanentWidget(new JobStrip(m_session.jobs()));
    statusBar()->setSizeGripEnabled(false);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { focusMoved(now); });
    focusMoved(nullptr);
}

void MainWindow::focusMoved(QWidget* now) {
    QString hint = tr("F1 lists all keys");
    if (now == &m_graph->canvas())
        hint = tr("Graph: drag pans, Ctrl+wheel zooms, double-click or Enter opens a group, arrows walk, Space fits, F "
                  "centres, Ctrl+F finds; F1 lists all keys");
    else if (now != nullptr && m_compare->isAncestorOf(now))
        hint = tr("Compare: G graphs, T schedules, X what differs in time, M memory, O ops placed differently; W and S "
                  "zoom, Space fits; F1 lists all keys");
    else if (qobject_cast<GanttWidget*>(now) != nullptr)
        hint =
            tr("Schedule: W and S zoom, A and D pan, drag selects a range, comma and full stop step over the bars, [ "
               "and ] along what they wait for, / finds; F1 lists all keys");
    else if (now == &m_training->plot())
        hint = tr("Training: Left and Right read the points, X changes the axis, L is logarithmic, F lists figures, P "
                  "pauses, T stops; F1 lists all keys");
    else if (now == &m_runs->table())
        hint =
            tr("Runs: Enter opens the run, C compares the selected ones, T edits tags, N notes, P pins, Del deletes, "
               "R makes it again, F filters; F1 lists all keys");
    else if (now != nullptr && now->objectName() == QLatin1String("modelTable"))
        hint = tr("Models: N trains one, P pauses, T stops, D makes it the default, I imports, E exports, Del deletes, "
                  "C, V and H show card, curve and kept-out graphs; F1 lists all keys");
    m_hint->setWhole(hint);
    for (std::size_t i = 0; now != nullptr && i < m_panes.size(); ++i) {
        if (m_panes[i].content == now || m_panes[i].content->isAncestorOf(now))
            m_lastPane = i;
    }
}

void MainWindow::connectSession() {
    connect(&m_session, &Session::said, this, [this](Severity severity, const QString& sentence) {
        m_messages->say(severity, sentence);
        m_problems->note(severity, sentence);
    });
    connect(&m_session, &Session::openedChanged, this, [this] {
        m_middle->setCurrentWidget(m_session.opened() ? static_cast<QWidget*>(m_graph) : m_start);
        setWindowTitle(m_session.opened() ? tr("%1 – Opscape").arg(seen(m_session.opened()->graph->name()))
                                          : QStringLiteral("Opscape"));
        enableCommands();
        if (m_session.opened() && (focusWidget() == nullptr || m_start->isAncestorOf(focusWidget())))
            m_graph->canvas().setFocus();
    });
    connect(&m_session, &Session::shownChanged, this, &MainWindow::enableCommands);
    connect(&m_session, &Session::ready, this, &MainWindow::enableCommands);
    connect(&m_session, &Session::editsChanged, this, &MainWindow::enableEdits);
    connect(m_undoOrder, &UndoOrder::changed, this, &MainWindow::enableEdits);
    connect(&m_session, &Session::comparisonChanged, this, [this] {
        if (m_session.comparison().empty())
            return;
        m_messages->hide(); // why runs could not be compared before
        raisePane(QStringLiteral("compare"));
    });
    connect(&m_session, &Session::fileOpened, this, [this](const QString& path) {
        m_messages->hide();
        remember(path);
    });
    connect(&m_session, &Session::runsTouched, &m_watcher, &RunWatcher::refresh);
    connect(&m_watcher, &RunWatcher::learning, m_training, &TrainingPane::setRuns);
    connect(&m_session, &Session::againPrepared, this, [this](const RunAgain& again) { showRunDialog(false, &again); });
    connect(&m_watcher, &RunWatcher::curveRead, m_training, &TrainingPane::addCurve);
    connect(m_training, &TrainingPane::followedChanged, &m_watcher, &RunWatcher::follow);
    connect(m_runs, &RunsPane::selectedRunsChanged, m_training, &TrainingPane::overlayRuns);
    connect(m_training, &TrainingPane::overlayChanged, &m_watcher, &RunWatcher::overlay);
    connect(&m_watcher, &RunWatcher::overlayRead, m_training, &TrainingPane::setOverlay);
    connect(&m_session, &Session::learningBegan, this, [this] { raisePane(QStringLiteral("training")); });
    connect(m_start, &StartPage::openRequested, this, &MainWindow::openDialog);
    connect(m_start, &StartPage::zooRequested, this, &MainWindow::openZooDialog);
    connect(m_start, &StartPage::fileChosen, this, [this](const QString& path) { openFiles({path}); });
}

bool MainWindow::runsListed() const { return m_runs->settled(); }

QString MainWindow::message() const { return m_messages->isHidden() ? QString() : m_messages->text(); }

void MainWindow::enableCommands() {
    const bool graph = m_session.opened() != nullptr, run = m_session.shown() != nullptr;
    for (QAction* action : m_needGraph)
        action->setEnabled(graph && m_session.workbench() != nullptr);
    for (QAction* action : m_needRun)
        action->setEnabled(run);
    for (QAction* action : m_graph->commands()) {
        if (action != nullptr)
            action->setEnabled(graph);
    }
    for (QAction* action : m_gantt->commands()) {
        if (action != nullptr)
            action->setEnabled(run);
    }
    enableEdits();
}

void MainWindow::enableEdits() {
    const ShownRun* run = m_session.shown().get();
    const WhatIf& whatIf = m_session.whatIf();
    const EditHistory* history = whatIf.history();
    const QString undone = m_undoOrder->title();
    const QString redone = history != nullptr ? qs(history->redoTitle()) : QString();
    m_undo->setEnabled(!undone.isEmpty());
    m_redo->setEnabled(!redone.isEmpty());
    m_undo->setText(undone.isEmpty() ? tr("&Undo") : tr("&Undo %1").arg(undone));
    m_redo->setText(redone.isEmpty() ? tr("&Redo") : tr("&Redo %1").arg(redone));
    m_compareStart->setEnabled(run != nullptr && run->start != nullptr);
    m_save->setEnabled(run != nullptr && run->outcome->run.id == 0 && !run->goesOn);
    m_rest->setEnabled(whatIf.pinnedCount() > 0 && m_session.workbench() != nullptr);
}

std::size_t MainWindow::focusedPane() const { return m_lastPane; }

bool MainWindow::raisePane(const QString& name) {
    for (const PaneEntry& pane : m_panes) {
        if (pane.dock != nullptr && pane.dock->objectName() == name + QStringLiteral("Dock")) {
            pane.dock->show();
            pane.dock->raise();
            return true;
        }
    }
    return false;
}

void MainWindow::focusPane(std::size_t pane) {
    const PaneEntry& entry = m_panes[pane];
    if (entry.dock != nullptr) {
        entry.dock->show();
        entry.dock->raise();
    }
    if (entry.dock == nullptr && m_middle->currentWidget() == m_start)
        m_start->focusFirst();
    else
        entry.focus->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::showGraph() {
    if (!centralWidget()->isVisible())
        toggleMaximized();
}

void MainWindow::cyclePane(int by) {
    const auto count = static_cast<int>(m_panes.size());
    int pane = static_cast<int>(m_lastPane);
    do
        pane = (pane + by + count) % count;
    while (m_panes[static_cast<std::size_t>(pane)].dock != nullptr &&
           !m_panes[static_cast<std::size_t>(pane)].dock->isVisible());
    focusPane(static_cast<std::size_t>(pane));
}

void MainWindow::toggleMaximized() {
    if (!m_beforeMaximized.isEmpty()) {
        centralWidget()->show();
        restoreState(std::exchange(m_beforeMaximized, {}), kLayoutVersion);
        return;
    }
    m_beforeMaximized = saveState(kLayoutVersion);
    const QDockWidget* kept = m_panes[focusedPane()].dock;
    for (const PaneEntry& pane : m_panes) {
        if (pane.dock != nullptr && pane.dock != kept)
            pane.dock->hide();
    }
    centralWidget()->setVisible(kept == nullptr);
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ChildPolished) {
        if (auto* tabs = qobject_cast<QTabBar*>(static_cast<QChildEvent*>(event)->child()))
            tabs->setAccessibleName(tr("Panes"));
    }
    return QMainWindow::event(event);
}

bool MainWindow::focusNextPrevChild(bool next) {
    // Panes behind another tab count as visible to Qt; the focus must not get lost in them.
    const QWidget* first = focusWidget();
    while (QMainWindow::focusNextPrevChild(next)) {
        const QWidget* now = focusWidget();
        if (now == nullptr || now == first || !now->visibleRegion().isEmpty())
            return true;
    }
    return false;
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_layoutIsDefault, false))
        defaultSizes();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose(m_session, this)) {
        event->ignore();
        return;
    }
    if (!m_beforeMaximized.isEmpty())
        toggleMaximized();
    m_settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    m_settings.setValue(QStringLiteral("window/layout"), saveState(kLayoutVersion));
    QMainWindow::closeEvent(event);
}

} // namespace opscape
