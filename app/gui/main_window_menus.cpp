// SPDX-License-Identifier: MIT
#include "gui/main_window.h"
#include "gui/undo_order.h"
#include "gui/views/compare_pane.h"
#include "gui/views/gantt_pane.h"
#include "gui/views/graph_pane.h"
#include "gui/views/models_pane.h"
#include "gui/views/outline_pane.h"
#include "gui/views/runs_pane.h"
#include "gui/views/training_pane.h"
#include "gui/widgets/command_palette.h"
#include "gui/widgets/edit_actions.h"
#include "gui/widgets/key_help.h"
#include "gui/widgets/layout_menu.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/start_page.h"
#include "gui/words.h"
#include "service/zoo_source.h"

#include <QActionGroup>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>

namespace opscape {
namespace {

void addCommands(QMenu* menu, const QList<QAction*>& commands) {
    for (QAction* action : commands) {
        if (action != nullptr)
            menu->addAction(action);
        else
            menu->addSeparator();
    }
}

} // namespace

QAction* MainWindow::command(QMenu* menu, const QString& text, const QKeySequence& keys,
                             const std::function<void()>& act) {
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, act);
    return action;
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildPlanMenu();
    buildRunMenu();
    addCommands(menuBar()->addMenu(tr("&Graph")), m_graph->commands());
    addCommands(menuBar()->addMenu(tr("&Schedule")), m_gantt->commands());
    addCommands(menuBar()->addMenu(tr("&Compare")), m_compare->commands());
    addCommands(menuBar()->addMenu(tr("&Training")), m_training->commands());
    addCommands(menuBar()->addMenu(tr("&Models")), findChild<ModelsPane*>()->commands());
    buildViewMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&File"));
    command(menu, tr("&Open…"), QKeySequence::Open, [this] { openDialog(); });
    command(menu, tr("Open from the &zoo…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, [this] { openZooDialog(); });
    m_recentMenu = menu->addMenu(tr("Open &recent"));
    QMenu* bundled = menu->addMenu(tr("Open a &bundled graph"));
    for (const QString& path : bundledGraphs())
        command(bundled, QFileInfo(path).fileName(), {}, [this, path] { openFiles({path}); });
    bundled->setEnabled(!bundled->isEmpty());
    QMenu* zoo = menu->addMenu(tr("Open a small &model of the zoo"));
    for (const ZooModel& model : zooModels()) {
        ZooSource source;
        source.model = model.id;
        command(zoo, qs(model.title).replace(u'&', QStringLiteral("&&")), {},
                [this, path = qs(source.text())] { openFiles({path}); });
    }
    m_needGraph << command(menu, tr("&Import times…"), Qt::CTRL | Qt::SHIFT | Qt::Key_I,
                           [this] { importTimesDialog(); });
    menu->addSeparator();
    QMenu* pictures = menu->addMenu(tr("&Export a picture"));
    m_needGraph << command(pictures, tr("&Graph as seen…"), Qt::CTRL | Qt::Key_E,
                           [this] { exportDialog(Picture::GraphSeen); });
    m_needGraph << command(pictures, tr("&Whole graph…"), {}, [this] { exportDialog(Picture::GraphWhole); });
    m_needRun << command(pictures, tr("&Schedule as seen…"), Qt::CTRL | Qt::SHIFT | Qt::Key_E,
                         [this] { exportDialog(Picture::ScheduleSeen); });
    m_needRun << command(pictures, tr("W&hole schedule…"), {}, [this] { exportDialog(Picture::ScheduleWhole); });
    m_needGraph << command(menu, tr("Export for other pro&grams…"), Qt::CTRL | Qt::ALT | Qt::Key_E,
                           [this] { exportGraphDialog(); });
    m_needRun << command(menu, tr("&Report…"), Qt::CTRL | Qt::ALT | Qt::Key_R, [this] { m_compare->askForReport(); });
    menu->addSeparator();
    command(menu, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::buildEditMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Edit"));
    m_undo = command(menu, tr("&Undo"), QKeySequence::Undo, [this] { m_undoOrder->undo(); });
    m_redo = command(menu, tr("&Redo"), {}, [this] { m_session.redo(); });
    m_redo->setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y});
    menu->addSeparator();
    // In the schedule it searches the schedule, anywhere else the graph.
    const auto finder = [this]() -> FindBar& {
        if (m_panes[focusedPane()].content == m_gantt)
            return m_gantt->finder();
        showGraph();
        return m_graph->finder();
    };
    m_needGraph << command(menu, tr("&Find ops"), QKeySequence::Find, [finder] { finder().open(); });
    m_needGraph << command(menu, tr("&Next found op"), Qt::Key_F3, [finder] { finder().step(1); });
    m_needGraph << command(menu, tr("&Previous found op"), Qt::SHIFT | Qt::Key_F3, [finder] { finder().step(-1); });
    m_needGraph << command(menu, tr("Select &all found ops"), {}, [finder] { finder().selectFound(); });
    command(menu, tr("Filter the &outline"), Qt::CTRL | Qt::SHIFT | Qt::Key_F, [this] {
        focusPane(2);
        m_outline->focusSearch();
    });
    menu->addSeparator();
    command(menu, tr("&Clear the selection"), Qt::Key_Escape, [this] {
        if (m_messages->isVisible())
            m_messages->hide();
        else
            m_session.select({});
    });
}

void MainWindow::buildPlanMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Plan"));
    m_edits->addTo(menu);
    menu->addSeparator();
    m_compareStart = command(menu, tr("&Compare with the start"), Qt::CTRL | Qt::SHIFT | Qt::Key_B,
                             [this] { m_session.compareWithStart(); });
    m_rest = command(menu, tr("&Optimize the rest, keep my pins…"), Qt::CTRL | Qt::SHIFT | Qt::Key_R,
                     [this] { showRunDialog(true); });
    m_save = command(menu, tr("Save as a r&un"), QKeySequence::Save, [this] { m_session.saveShown(); });
}

void MainWindow::buildRunMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Run"));
    m_needGraph << command(menu, tr("&Optimize…"), Qt::CTRL | Qt::Key_R, [this] { showRunDialog(); });
    m_look.dress(m_needGraph.back(), QStringLiteral("run"));
    m_needGraph << command(menu, tr("&Compare with METIS, expert and HEFT"), Qt::CTRL | Qt::Key_B,
                           [this] { m_session.compareStandard(); });
    m_look.dress(m_needGraph.back(), QStringLiteral("compare"));
    menu->addSeparator();
    addCommands(menu->addMenu(tr("&Kept runs")), m_runs->commands());
    menu->addSeparator();
    command(menu, tr("C&ancel what is running"), Qt::CTRL | Qt::Key_Period, [this] { m_session.jobs().cancelAll(); });
}

void MainWindow::buildViewMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&View"));
    for (std::size_t i = 0; i < m_panes.size(); ++i) {
        command(menu, tr("Go to %1").arg(m_panes[i].title),
                QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(i))),
                [this, i] { focusPane(i); });
    }
    menu->addSeparator();
    command(menu, tr("&Next pane"), Qt::Key_F6, [this] { cyclePane(1); });
    command(menu, tr("Pre&vious pane"), Qt::SHIFT | Qt::Key_F6, [this] { cyclePane(-1); });
    command(menu, tr("&Maximize the pane, or back"), Qt::CTRL | Qt::Key_M, [this] { toggleMaximized(); });
    QMenu* panes = menu->addMenu(tr("S&how panes"));
    titleInPalette(*panes, tr("Show or hide %1"));
    for (const PaneEntry& pane : m_panes) {
        if (pane.dock != nullptr)
            panes->addAction(pane.dock->toggleViewAction());
    }
    auto* layouts = new LayoutMenu(m_settings,
                                   {[this] { return saveState(kLayoutVersion); },
                                    [this](const QByteArray& state) {
                                        centralWidget()->show();
                                        m_beforeMaximized.clear();
                                        return restoreState(state, kLayoutVersion);
                                    }},
                                   this);
    connect(layouts, &LayoutMenu::said, this,
            [this](const QString& sentence) { m_messages->say(Severity::Warning, sentence); });
    menu->addMenu(layouts);
    command(menu, tr("Reset the &layout"), {}, [this] {
        centralWidget()->show();
        m_beforeMaximized.clear();
        defaultLayout();
    });
    menu->addSeparator();
    QMenu* themes = menu->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<QString, ThemeMode> modes[] = {{tr("Follow the &system"), ThemeMode::System},
                                                   {tr("&Light"), ThemeMode::Light},
                                                   {tr("&Dark"), ThemeMode::Dark}};
    for (const auto& [text, mode] : modes) {
        QAction* action = command(themes, text, {}, [this, mode = mode] {
            m_look.setMode(mode);
            m_settings.setValue(QStringLiteral("window/theme"), static_cast<int>(mode));
        });
        action->setCheckable(true);
        action->setChecked(m_look.mode() == mode);
        group->addAction(action);
    }
    command(menu, tr("S&witch light and dark"), Qt::CTRL | Qt::Key_T,
            [this, group] { group->actions()[m_look.theme().dark ? 1 : 2]->trigger(); });
}

void MainWindow::buildHelpMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Help"));
    command(menu, tr("Find a &command…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, [this] {
        auto* palette = new CommandPalette(*menuBar(), m_settings, this);
        palette->setAttribute(Qt::WA_DeleteOnClose);
        palette->open();
    });
    QAction* keys = command(menu, tr("&Keys"), {}, [this] {
        auto* help = new KeyHelp(*menuBar(), this);
        help->setAttribute(Qt::WA_DeleteOnClose);
        help->open();
    });
    keys->setShortcuts({Qt::Key_F1, Qt::Key_Question});
    command(menu, tr("&About Opscape"), {}, [this] { showAbout(); });
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(
        QMessageBox::NoIcon, tr("About Opscape"),
        tr("Opscape %1\n\nA desktop explorer for the computation graphs of machine learning: which op runs on which "
           "device, in what order, and what limits the step time.\n\nMIT licence.")
            .arg(QStringLiteral(OPSCAPE_VERSION)),
        QMessageBox::Close, this);
    box->setIconPixmap(windowIcon().pixmap(56, 56));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

} // namespace opscape
