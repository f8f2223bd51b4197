// SPDX-License-Identifier: MIT
// Comparing plans as a person does: with keys and clicks in the window.
#include "gui/gui_fixture.h"
#include "gui/views/compare_pane.h"
#include "gui/views/graph_pane.h"
#include "gui/views/runs_pane.h"
#include "gui/widgets/elided_label.h"
#include "service/comparison_ops.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>

#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>

namespace opscape::test {
namespace {

class WindowCompare : public GuiTest {
protected:
    void open(WindowUnderTest& t) {
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    }
    /// Kept runs of the sample graph, one for each seed, on the named clusters.
    void keepRuns(WindowUnderTest& t, const std::vector<std::string>& clusters) {
        const Workbench workbench(folder / "runs.sqlite");
        OptimizeRequest request;
        request.optimizer = "scatter";
        for (const std::string& name : clusters) {
            const auto cluster = std::make_shared<const Cluster>(*Cluster::load(name));
            ASSERT_TRUE(workbench.optimize(t.session.opened(), cluster, request, {}).has_value());
            ++request.seed;
        }
    }
    void compare(WindowUnderTest& t, const std::vector<qint64>& runs) {
        t.session.compareRuns(runs);
        ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == runs.size(); }) && t.settle());
    }
    void openAndCompare(WindowUnderTest& t, const std::vector<std::string>& clusters) {
        open(t);
        keepRuns(t, clusters);
        std::vector<qint64> runs;
        for (std::size_t i = 0; i < clusters.size(); ++i)
            runs.push_back(static_cast<qint64>(i + 1));
        compare(t, runs);
    }
    static ComparePane& pane(WindowUnderTest& t) { return *t.window.findChild<ComparePane*>(); }
    /// A key of the pane.
    static void press(WindowUnderTest& t, Qt::Key key) {
        pane(t).table().setFocus();
        QTest::keyClick(&pane(t).table(), key);
    }
    static GraphPane& graph(WindowUnderTest& t) { return *t.window.findChild<GraphPane*>(); }
    static bool seesTheSame(const GraphWidget& a, const GraphWidget& b) {
        const QPointF middleA = a.camera().toWorld(a.rect().center()), middleB = b.camera().toWorld(b.rect().center());
        return QPointF(middleA - middleB).manhattanLength() * a.camera().scale < 4;
    }
    static QPoint middleOf(WindowUnderTest& t, const GraphWidget& graph, const char* op) {
        const OpenedGraph& opened = *t.session.opened();
        return graph.nodeRect(graph.scene()->nodeOf(opened.graph->findOp(op))).center().toPoint();
    }
};

TEST_F(WindowCompare, TheTitlesOfTheRowsAreNotCut) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2"});
    QHeaderView* titles = pane(t).table().verticalHeader();
    for (int row = 0; row < titles->count(); ++row) {
        const QString title = titles->model()->headerData(row, Qt::Vertical).toString();
        EXPECT_GT(titles->width(), titles->fontMetrics().horizontalAdvance(title)) << title.toStdString();
        EXPECT_GE(titles->sectionSize(row), titles->fontMetrics().height()) << title.toStdString();
    }
}

TEST_F(WindowCompare, KeysChooseWhatIsShown) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2", "p100x2"});
    using View = ComparePane::View;
    EXPECT_EQ(pane(t).view(), View::Schedules);
    for (const auto& [key, view] :
         {std::pair(Qt::Key_G, View::Graphs), std::pair(Qt::Key_X, View::Delta), std::pair(Qt::Key_M, View::Memory),
          std::pair(Qt::Key_O, View::Ops), std::pair(Qt::Key_T, View::Schedules)}) {
        press(t, key);
        EXPECT_EQ(pane(t).view(), view);
        ASSERT_TRUE(t.settle());
    }
    EXPECT_EQ(pane(t).graphs().size(), 3U);
    EXPECT_EQ(pane(t).charts().size(), 3U);
}

TEST_F(WindowCompare, GraphsShareSceneViewAndSelectionWithTheGraphPane) {
    WindowUnderTest t(folder, {1200, 900});
    openAndCompare(t, {"p100x2", "p100x2"});
    press(t, Qt::Key_G);
    const auto& graphs = pane(t).graphs();
    GraphWidget& main = graph(t).canvas();
    ASSERT_TRUE(waitFor([&] { return graphs[1]->scene() && graphs[1]->scene() == main.scene(); }) && t.settle());
    EXPECT_EQ(graphs[0]->placed().run, t.session.comparison()[0]);
    EXPECT_EQ(graphs[1]->placed().run, t.session.comparison()[1]);

    graphs[0]->setFocus();
    QTest::keyClick(graphs[0], Qt::Key_W); // zooms
    ASSERT_TRUE(waitFor([&] { return seesTheSame(*graphs[0], *graphs[1]) && !graphs[1]->fitted(); }));
    EXPECT_NEAR(graphs[0]->camera().scale / graphs[1]->camera().scale, 1, .01) << "one may be a pixel wider";
    EXPECT_TRUE(waitFor([&] { return seesTheSame(*graphs[0], main) && !main.fitted(); }));
    main.setFocus();
    QTest::keyClick(&main, Qt::Key_Space);
    EXPECT_TRUE(waitFor([&] { return graphs[0]->fitted() && graphs[1]->fitted(); })) << "fit is for all";

    graph(t).goTo({{}, {}, true}); // all groups closed
    ASSERT_TRUE(t.settle() && waitFor([&] { return graphs[1]->scene() == main.scene(); }) && t.settle());
    EXPECT_LT(main.scene()->nodes.size(), 10U);
    const QPoint at = middleOf(t, *graphs[1], "stage_1/left/matmul_0");
    QTest::mouseClick(graphs[1], Qt::LeftButton, {}, at);
    EXPECT_FALSE(t.session.selection().ops.empty()) << "a click there selects everywhere";
    const auto before = main.scene();
    QTest::mouseDClick(graphs[1], Qt::LeftButton, {}, at);
    ASSERT_TRUE(waitFor([&] { return main.scene() != before && graphs[0]->scene() == main.scene(); }) && t.settle());
    EXPECT_EQ(graphs[1]->scene(), main.scene()) << "what is opened in one is open in all";
}

TEST_F(WindowCompare, OpsPlacedElsewhereAreMarkedInTheGraphs) {
    WindowUnderTest t(folder, {1200, 900});
    openAndCompare(t, {"p100x2", "p100x2"});
    press(t, Qt::Key_G);
    const CompareGraph& shown = *pane(t).graphs()[1];
    ASSERT_TRUE(waitFor([&] { return shown.marks() != nullptr; }) && t.settle());
    std::uint32_t marked = 0;
    for (const std::uint32_t n : *shown.marks())
        marked += n;
    const auto found = differencesOf(*t.session.comparison()[0]->outcome, *t.session.comparison()[1]->outcome);
    EXPECT_EQ(marked, found.ops.size());
}

TEST_F(WindowCompare, SchedulesAndTheOtherViewsOverTimeAreCoupled) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2"});
    press(t, Qt::Key_T);
    QTest::keyClick(pane(t).charts()[0], Qt::Key_W);
    const GanttCamera there = pane(t).charts()[0]->camera();
    EXPECT_DOUBLE_EQ(pane(t).charts()[1]->camera().startNs, there.startNs);
    EXPECT_DOUBLE_EQ(pane(t).delta().camera().startNs, there.startNs);
    EXPECT_DOUBLE_EQ(pane(t).memory().camera().startNs, there.startNs);
    EXPECT_DOUBLE_EQ(t.find<GanttWidget>("ganttWidget")->camera().startNs, there.startNs);
    press(t, Qt::Key_X);
    ASSERT_TRUE(waitFor([&] { return pane(t).delta().data() != nullptr; }));
    pane(t).delta().setFocus();
    QTest::keyClick(&pane(t).delta(), Qt::Key_D);
    EXPECT_GT(pane(t).delta().camera().startNs, there.startNs);
    EXPECT_DOUBLE_EQ(pane(t).charts()[0]->camera().startNs, pane(t).delta().camera().startNs);
}

TEST_F(WindowCompare, TheDeltaSaysItsNumbersAndSelects) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2"});
    press(t, Qt::Key_X);
    CompareDelta& delta = pane(t).delta();
    ASSERT_TRUE(waitFor([&] { return delta.data() != nullptr; }) && t.settle());
    const DeltaGantt::Lane& lane = delta.data()->lanes()[0];
    ASSERT_FALSE(lane.barsB.empty());
    const DeltaGantt::Bar& bar = lane.barsB.front();
    const QPointF at(delta.camera().toX(static_cast<double>(bar.startNs + bar.endNs) / 2), kDeltaTop + lane.top + 45);
    const OpRun& run = t.session.comparison()[1]->outcome->schedule.ops[bar.op];
    EXPECT_TRUE(delta.tipAt(at).contains(QString::fromStdString(formatTime(run.startNs))))
        << delta.tipAt(at).toStdString();
    EXPECT_FALSE(delta.tipAt({at.x(), kDeltaTop + lane.top + 5}).isEmpty());
    QTest::mouseClick(&delta, Qt::LeftButton, {}, at.toPoint());
    EXPECT_EQ(t.session.selection().ops, std::vector{OpId(bar.op)});
}

TEST_F(WindowCompare, OpsAreListedSortedFilteredAndTheirCostSimulated) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2"});
    press(t, Qt::Key_O);
    CompareOps& ops = pane(t).ops();
    const auto* model = ops.table().model();
    const ShownRunPtr a = t.session.comparison()[0], b = t.session.comparison()[1];
    const PlanDifferences found = differencesOf(*a->outcome, *b->outcome);
    ASSERT_GT(found.ops.size(), 1U);
    ASSERT_TRUE(waitFor([&] { return model->rowCount() == static_cast<int>(found.ops.size()); }));
    const auto cell = [&](int row, int column) { return model->index(row, column).data().toString(); };
    ASSERT_TRUE(waitFor([&] {
                    for (int row = 0; row < model->rowCount(); ++row) {
                        if (cell(row, CompareOpsModel::Alone) == QStringLiteral("…"))
                            return false;
                    }
                    return true;
                }) &&
                t.settle());
    MoveCosts costs(a->outcome, b->outcome);
    for (int row = 0; row < model->rowCount(); ++row) {
        const OpId op(model->index(row, 0).data(CompareOpsModel::OpRole).toUInt());
        const std::int64_t change = costs.of(std::array{op})->changeNs;
        EXPECT_EQ(model->index(row, CompareOpsModel::Alone).data(CompareOpsModel::SortRole).toLongLong(), change);
        EXPECT_EQ(cell(row, CompareOpsModel::StartB),
                  QString::fromStdString(formatTime(b->outcome->schedule.ops[op.index()].startNs)));
    }
    ops.table().sortByColumn(CompareOpsModel::StartA, Qt::DescendingOrder);
    for (int row = 1; row < model->rowCount(); ++row)
        EXPECT_GE(model->index(row - 1, CompareOpsModel::StartA).data(CompareOpsModel::SortRole).toLongLong(),
                  model->index(row, CompareOpsModel::StartA).data(CompareOpsModel::SortRole).toLongLong());

    const QString name = cell(0, CompareOpsModel::Name);
    QTest::keyClicks(&ops.filter(), name);
    EXPECT_EQ(model->rowCount(), 1);
    QTest::mouseClick(ops.table().viewport(), Qt::LeftButton, {}, ops.table().visualRect(model->index(0, 0)).center());
    ASSERT_EQ(t.session.selection().ops.size(), 1U);
    EXPECT_EQ(t.session.opened()->graph->op(t.session.selection().ops[0]).name, name.toStdString());
}

TEST_F(WindowCompare, WhatAnOpPlacedDifferentlyCostsIsSeenWithoutScrolling) {
    WindowUnderTest t(folder, {1280, 720});
    openAndCompare(t, {"p100x2", "p100x2"});
    t.press(Qt::Key_6, Qt::ControlModifier);
    press(t, Qt::Key_O);
    const QTableView& table = pane(t).ops().table();
    ASSERT_TRUE(waitFor([&] { return table.model()->rowCount() > 0; }) && t.settle());
    for (const auto column :
         {CompareOpsModel::Name, CompareOpsModel::DeviceB, CompareOpsModel::Alone, CompareOpsModel::Together}) {
        EXPECT_GE(table.columnViewportPosition(column), 0);
        EXPECT_LE(table.columnViewportPosition(column) + table.columnWidth(column), table.viewport()->width())
            << column;
    }
    EXPECT_GE(table.columnWidth(CompareOpsModel::Name), 200) << "the name of an op with its groups";
    for (int column = 0; column < CompareOpsModel::ColumnCount; ++column)
        EXPECT_GE(table.columnWidth(column), table.horizontalHeader()->sectionSizeHint(column)) << column;
}

TEST_F(WindowCompare, APlanThatIsComparedButCannotBeKeptIsSaid) {
    ASSERT_TRUE(
        writeFile(folder / "runs.sqlite", "this is no database, and long enough to be read as one").has_value());
    WindowUnderTest t(folder, {1200, 800});
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr && t.session.jobs().idle(); }));
    t.session.compareStandard();
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 3; }));
    EXPECT_TRUE(waitFor([&] { return t.window.message().contains(QStringLiteral("not kept as a run")); }))
        << t.window.message().toStdString();
    EXPECT_TRUE(t.window.message().contains(QStringLiteral("runs.sqlite"))) << t.window.message().toStdString();
    QStringList said;
    for (const QLabel* label : t.window.findChild<RunsPane*>()->header()->findChildren<QLabel*>())
        said << label->toolTip(); // the text itself is cut where there is no room
    EXPECT_TRUE(said.contains(QStringLiteral("cannot be read")))
        << "not that there are none: " << said.join(' ').toStdString();
}

TEST_F(WindowCompare, WhyRunsCouldNotBeComparedIsGoneOnceOthersAre) {
    WindowUnderTest t(folder, {1200, 800});
    open(t);
    keepRuns(t, {"p100x2", "p100x2"});
    t.session.compareRuns({1, 99});
    ASSERT_TRUE(waitFor([&] { return t.window.message().contains(QStringLiteral("no run 99")); }));
    compare(t, {1, 2});
    EXPECT_EQ(t.window.message(), QString());
}

TEST_F(WindowCompare, FourPlansFitASmallWindow) {
    WindowUnderTest t(folder, {1200, 720});
    openAndCompare(t, {"p100x4", "p100x4", "p100x4", "p100x4"});
    t.press(Qt::Key_6, Qt::ControlModifier);
    for (const Qt::Key view : {Qt::Key_G, Qt::Key_T, Qt::Key_X, Qt::Key_M, Qt::Key_O}) {
        press(t, view);
        QTest::qWait(50);
        EXPECT_LE(t.window.minimumSizeHint().width(), 1200) << static_cast<char>(view);
        EXPECT_LE(t.window.minimumSizeHint().height(), 720) << static_cast<char>(view);
    }
    const QHeaderView* columns = pane(t).table().horizontalHeader();
    for (int column = 0; column < columns->count(); ++column) {
        const QString title = columns->model()->headerData(column, Qt::Horizontal).toString();
        EXPECT_GE(columns->sectionSize(column), columns->sectionSizeHint(column)) << title.toStdString();
    }
    // What names each graph is cut where it has to be, and says so.
    press(t, Qt::Key_G);
    const auto captions = pane(t).findChildren<ElidedLabel*>();
    ASSERT_EQ(captions.size(), 4);
    for (const ElidedLabel* caption : captions) {
        EXPECT_LE(caption->fontMetrics().horizontalAdvance(caption->text()), caption->contentsRect().width());
        EXPECT_EQ(caption->toolTip(), caption->text() == caption->whole() ? QString() : caption->whole());
        EXPECT_TRUE(caption->text().endsWith(QStringLiteral("ms")) || caption->text().endsWith(QStringLiteral("us")))
            << caption->text().toStdString();
    }
    // The title of a row is as high as the values beside it.
    const QHeaderView* rows = pane(t).table().verticalHeader();
    const QImage titles = pictureOf(pane(t).table().verticalHeader());
    const QColor ground = titles.pixelColor(titles.width() - 2, 2);
    int first = -1, last = -1;
    for (int y = 0; y < rows->sectionSize(0); ++y) {
        for (int x = 0; x < titles.width(); ++x) {
            if (std::abs(titles.pixelColor(x, y).lightness() - ground.lightness()) > 60) {
                first = first < 0 ? y : first;
                last = y;
            }
        }
    }
    EXPECT_NEAR((first + last) / 2.0, rows->sectionSize(0) / 2.0, 2.5);
}

TEST_F(WindowCompare, AnyTwoOfThePlansCanBeSetAgainstOneAnother) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2", "p100x4", "p100x4"});
    press(t, Qt::Key_X);
    ASSERT_TRUE(waitFor([&] { return pane(t).delta().data() != nullptr; }));
    EXPECT_EQ(pane(t).delta().data()->lanes().size(), 2U);
    auto* second = t.find<QComboBox>("comparedSecond");
    second->setFocus();
    QTest::keyClick(second, Qt::Key_Down);
    ASSERT_TRUE(waitFor([&] { return pane(t).delta().data()->lanes().size() == 4U; }))
        << "the devices that only the larger cluster has are lanes too";
    EXPECT_EQ(pane(t).memory().overlay()->lanes().size(), 4U);
}

TEST_F(WindowCompare, AnEditIsFollowedAtOnce) {
    WindowUnderTest t(folder, {1200, 800});
    open(t);
    t.session.selectOps({OpId(0)});
    const DeviceId elsewhere(t.session.shown()->deviceOf(OpId(0)).index() == 0 ? std::size_t{1} : 0);
    t.session.edit(EditKind::Move, elsewhere);
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->start != nullptr; }) && t.settle());
    t.press(Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_EQ(t.session.comparison().size(), 2U);
    press(t, Qt::Key_O);
    ASSERT_TRUE(waitFor([&] { return pane(t).ops().table().model()->rowCount() == 1; }));
    const auto stepTime = [&] {
        return pane(t).table().model()->index(0, 1).data().toString().remove(QStringLiteral("✓ "));
    };
    const ShownRunPtr once = t.session.shown();
    t.session.selectOps({OpId(0), OpId(1), OpId(2)});
    t.session.edit(EditKind::Move, elsewhere);
    ASSERT_TRUE(waitFor([&] { return t.session.comparison()[1] != once; }) && t.settle());
    EXPECT_EQ(t.session.comparison()[1], t.session.shown());
    EXPECT_EQ(stepTime(), QString::fromStdString(formatTime(t.session.shown()->outcome->schedule.makespanNs)));
    EXPECT_EQ(pane(t).charts()[1]->run(), t.session.shown());
    EXPECT_TRUE(waitFor([&] { return pane(t).ops().table().model()->rowCount() == 3; }));
    t.press(Qt::Key_Z, Qt::ControlModifier);
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.comparison()[1] == t.session.comparison()[0]; }) && t.settle());
    EXPECT_TRUE(waitFor([&] { return pane(t).ops().table().model()->rowCount() == 0; })) << "it is the start again";
    t.press(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return t.session.comparison()[1] != t.session.comparison()[0]; }));
}

TEST_F(WindowCompare, TheStandardMethodsAreRunOnlyWhereTheyAreMissing) {
    WindowUnderTest t(folder, {1200, 800});
    open(t);
    t.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 3; }) && t.settle());
    const auto ids = [&] {
        std::vector<std::int64_t> runs;
        for (const ShownRunPtr& run : t.session.comparison())
            runs.push_back(run->outcome->run.id);
        return runs;
    };
    const auto first = ids();
    ASSERT_TRUE(t.session.workbench()->openStore()->remove(first[2]).has_value());
    t.trigger("End the comparison");
    t.press(Qt::Key_B, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 3; }) && t.settle());
    EXPECT_EQ(ids()[0], first[0]);
    EXPECT_EQ(ids()[1], first[1]);
    EXPECT_GT(ids()[2], first[1]) << "the one that was gone is run again";
    EXPECT_EQ(t.session.workbench()->openStore()->list()->size(), 3U);
}

TEST_F(WindowCompare, OneMethodMoreIsComparedBesideTheOthers) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2"});
    t.session.compareWith("learns");
    ASSERT_TRUE(waitFor([&] { return t.session.comparison().size() == 3; }) && t.settle());
    EXPECT_EQ(t.session.comparison()[2]->outcome->run.optimizer, "learns");
    EXPECT_GT(t.session.comparison()[2]->outcome->simulations, 0);
    const std::int64_t id = t.session.comparison()[2]->outcome->run.id;
    t.session.compareWith("learns");
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.comparison().size(), 3U);
    EXPECT_EQ(t.session.comparison()[2]->outcome->run.id, id) << "its kept run is taken";
    t.press(Qt::Key_A, Qt::ControlModifier | Qt::AltModifier);
    EXPECT_EQ(t.session.comparison().size(), 4U);
    EXPECT_EQ(t.session.comparison()[3], t.session.shown());
}

TEST_F(WindowCompare, AReportIsWrittenOnWhatIsCompared) {
    WindowUnderTest t(folder, {1200, 800});
    openAndCompare(t, {"p100x2", "p100x2"});
    pane(t).exportReport(path("report.html"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("report.html")) << t.window.message().toStdString();
    const std::string html = *readFile(folder / "report.html");
    EXPECT_NE(html.find("2 plans of sample"), std::string::npos);
    pane(t).exportReport(path("report.doc"));
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(t.window.message().contains("HTML or PDF")) << t.window.message().toStdString();
    t.trigger("End the comparison");
    pane(t).exportReport(path("one.html"));
    ASSERT_TRUE(t.settle());
    EXPECT_NE(readFile(folder / "one.html")->find("A plan of sample"), std::string::npos);
}

} // namespace
} // namespace opscape::test
