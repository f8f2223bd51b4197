// SPDX-License-Identifier: MIT
// The schedule pane as a person uses it: with keys, clicks and drags.
#include "gui/gui_fixture.h"
#include "gui/views/gantt_pane.h"
#include "gui/views/gantt_words.h"
#include "gui/views/graph_pane.h"

#include <opscape/base/paths.h>
#include <opscape/base/units.h>

#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QTreeWidget>

#include <set>

namespace opscape::test {
namespace {

class WindowSchedule : public GuiTest {
protected:
    WindowSchedule() : t(folder, {1500, 950}) {
        t.window.openFiles({graphFile});
        EXPECT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        t.press(Qt::Key_2, Qt::ControlModifier);
        t.press(Qt::Key_M, Qt::ControlModifier); // the pane has the window to itself
        QTest::qWait(50);
        pane = t.window.findChild<GanttPane*>();
        gantt = t.find<GanttWidget>("ganttWidget");
        gantt->setFocus();
    }

    const GanttData& data() const { return t.session.shown()->gantt; }
    const Schedule& schedule() const { return t.session.shown()->outcome->schedule; }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        gantt->setFocus();
        QTest::keyClick(gantt, key, modifiers);
    }
    /// Where a bar is on the canvas, at a part of its length.
    QPoint pointOf(GanttData::Place place, double part = 0.5) {
        const GanttData::Bar& bar = data().bar(place);
        const LaneStack::Slot& slot = gantt->stack().slotOf(static_cast<int>(place.lane));
        const double ns = static_cast<double>(bar.startNs) + part * static_cast<double>(bar.endNs - bar.startNs);
        return {static_cast<int>(gantt->camera().toX(ns)),
                static_cast<int>(gantt->stack().yOf(slot, gantt->camera().scrollY) + slot.height / 2)};
    }
    QPoint pointIn(int lane, std::int64_t ns) {
        const LaneStack::Slot& slot = gantt->stack().slotOf(lane);
        return {static_cast<int>(gantt->camera().toX(ns)),
                static_cast<int>(gantt->stack().yOf(slot, gantt->camera().scrollY) + slot.height / 2)};
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(gantt, Qt::LeftButton, modifiers, from);
        QTest::mouseMove(gantt, from + (to - from) / 2);
        QTest::mouseMove(gantt, to);
        QTest::mouseRelease(gantt, Qt::LeftButton, modifiers, to);
        QCoreApplication::processEvents();
    }
    /// An op that got its last input from another device.
    OpId opAfterTransfer() {
        for (std::size_t i = 0; i < schedule().ops.size(); ++i) {
            const GanttTarget cause = causeOf(data(), {OpId(i), -1});
            if (cause.transfer >= 0)
                return OpId(i);
        }
        ADD_FAILURE() << "no transfer matters";
        return {};
    }
    int memoryLane() {
        const int lane = data().laneOf(GanttData::LaneKind::Memory, 0);
        EXPECT_GE(lane, 0);
        return lane;
    }

    WindowUnderTest t;
    GanttPane* pane = nullptr;
    GanttWidget* gantt = nullptr;
};

TEST_F(WindowSchedule, ADragSelectsARangeAndListsWhatHappensInIt) {
    const int width = gantt->width();
    drag({width / 3, 200}, {width / 2, 210});
    ASSERT_TRUE(gantt->range().has_value());
    const TimeRange range = *gantt->range();
    EXPECT_GT(range.lengthNs(), 0);
    auto* lanes = t.find<QTableView>("rangeLanes");
    ASSERT_TRUE(lanes->isVisible());
    EXPECT_EQ(static_cast<std::size_t>(lanes->model()->rowCount()), gantt->stack().shownCount());
    EXPECT_EQ(lanes->model()->index(0, 0).data().toString(), "Device gpu:0");
    auto* ops = t.find<QTableView>("rangeOps");
    ASSERT_GT(ops->model()->rowCount(), 0);
    ops->setCurrentIndex(ops->model()->index(0, 0));
    ASSERT_EQ(t.session.selection().ops.size(), 1U);
    const OpRun& run = schedule().ops[t.session.selection().ops.front().index()];
    EXPECT_TRUE(run.startNs < range.toNs && run.endNs > range.fromNs) << "it runs in the range";
    press(Qt::Key_Escape);
    EXPECT_FALSE(gantt->range().has_value());
    EXPECT_FALSE(t.session.selection().empty()) << "the first Esc takes the range away, nothing else";
    press(Qt::Key_Escape);
    EXPECT_TRUE(t.session.selection().empty());
}

TEST_F(WindowSchedule, TheRulerSnapsToTheEndsOfBars) {
    GanttData::Place widest;
    for (std::uint32_t b = 0; b < data().lanes()[0].bars.size(); ++b) {
        const GanttData::Place place{0, b};
        if (!widest.valid() ||
            data().bar(place).endNs - data().bar(place).startNs > data().bar(widest).endNs - data().bar(widest).startNs)
            widest = place;
    }
    const GanttData::Bar& bar = data().bar(widest);
    t.session.selectOps({OpId(bar.index)});
    press(Qt::Key_F);
    press(Qt::Key_F); // zoomed in, the ends are far apart
    drag(pointOf(widest, 0) + QPoint(4, 0), pointOf(widest, 1) - QPoint(4, 0), Qt::ShiftModifier);
    ASSERT_TRUE(gantt->ruler().has_value());
    EXPECT_EQ(*gantt->ruler(), (TimeRange{bar.startNs, bar.endNs}));
    press(Qt::Key_Escape);
    EXPECT_FALSE(gantt->ruler().has_value());
    press(Qt::Key_R);
    EXPECT_EQ(*gantt->ruler(), (TimeRange{bar.startNs, bar.endNs})) << "R measures the selected bar";
    const GanttData::Place next = barBeside(data(), widest, 1);
    press(Qt::Key_Period);
    press(Qt::Key_R);
    EXPECT_EQ(gantt->ruler()->toNs, std::max(bar.endNs, data().bar(next).endNs)) << "and on from it to another one";
}

TEST_F(WindowSchedule, MarksAreNamedListedAndRemoved) {
    press(Qt::Key_Period);
    press(Qt::Key_M);
    press(Qt::Key_Period);
    press(Qt::Key_M);
    ASSERT_EQ(gantt->marks().size(), 2U);
    EXPECT_EQ(gantt->marks()[0].name, "Mark 1");
    auto* list = t.find<QTreeWidget>("marks");
    ASSERT_EQ(list->topLevelItemCount(), 2);
    list->topLevelItem(0)->setText(0, "start of the step");
    EXPECT_EQ(gantt->marks()[0].name, "start of the step");
    list->topLevelItem(0)->setText(0, "  ");
    EXPECT_EQ(gantt->marks()[0].name, "start of the step") << "a mark keeps a name";
    press(Qt::Key_I);
    t.trigger("Mark this moment");
    list->setCurrentItem(list->topLevelItem(0));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Delete);
    ASSERT_EQ(gantt->marks().size(), 2U);
    EXPECT_NE(gantt->marks()[0].name, "start of the step");
}

TEST_F(WindowSchedule, BracketsFollowWhatAnOpWaitedForAndWhatWaitsForIt) {
    const OpId op = opAfterTransfer();
    t.session.selectOps({op});
    press(Qt::Key_BracketLeft);
    ASSERT_GE(t.session.selection().transfer, 0) << "first the transfer that brought the last input";
    const Transfer& transfer = schedule().transfers[static_cast<std::size_t>(t.session.selection().transfer)];
    EXPECT_EQ(transfer.endNs, schedule().ops[op.index()].readyNs);
    press(Qt::Key_BracketLeft);
    EXPECT_EQ(t.session.selection().ops, std::vector{transfer.producer});
    press(Qt::Key_BracketRight);
    EXPECT_FALSE(t.session.selection().empty());
    for (int i = 0; i < 100; ++i) // forward it comes to an end, at an op that nobody waits for
        press(Qt::Key_BracketRight);
    ASSERT_EQ(t.session.selection().ops.size(), 1U);
    EXPECT_FALSE(effectOf(data(), t.session.shown()->onCritical, {t.session.selection().ops[0], -1}).valid());
}

TEST_F(WindowSchedule, ClickingTheMemoryLaneListsTheTensorsThatAreThere) {
    const DeviceReport& report = schedule().devices[0];
    QTest::mouseClick(gantt, Qt::LeftButton, {}, pointIn(memoryLane(), report.peakNs));
    auto* list = t.find<QTableView>("aliveTensors");
    ASSERT_TRUE(list->isVisible());
    const auto alive = t.session.shown()->memory().aliveAt(DeviceId(0), report.peakNs);
    ASSERT_EQ(static_cast<std::size_t>(list->model()->rowCount()), alive.size());
    std::int64_t sum = 0;
    for (const MemorySpan& span : alive)
        sum += span.bytes;
    EXPECT_EQ(sum, report.peakBytes);
    EXPECT_TRUE(t.find<QLabel>("aliveTensorsHead")->text().endsWith("this is the peak"));
    std::set<OpId> makers;
    for (const MemorySpan& span : alive) {
        if (span.kind != MemorySpan::Kind::Resident)
            makers.insert(span.op);
    }
    EXPECT_EQ(t.session.selection().ops, std::vector(makers.begin(), makers.end()));
    list->selectRow(0);
    EXPECT_EQ(t.session.selection().ops, std::vector{alive[0].op});
}

TEST_F(WindowSchedule, TheCriticalPathIsExplainedInAList) {
    press(Qt::Key_P);
    EXPECT_TRUE(gantt->criticalShown());
    press(Qt::Key_I);
    t.find<GanttDetails>("scheduleDetails")->setCurrentIndex(GanttDetails::Path);
    auto* list = t.find<QTableView>("criticalPath");
    const auto& path = t.session.shown()->critical;
    ASSERT_EQ(static_cast<std::size_t>(list->model()->rowCount()), path.size());
    for (int row = 0; row < list->model()->rowCount(); ++row) {
        const CriticalSegment& segment = path[static_cast<std::size_t>(row)];
        const QModelIndex what = list->model()->index(row, 2);
        EXPECT_EQ(what.siblingAtColumn(1).data().toString().toStdString(), formatTime(segment.endNs - segment.startNs));
        EXPECT_EQ(what.data(Qt::ToolTipRole).toString().toStdString(),
                  explain(t.session.shown()->problem(), schedule(), segment));
        const std::string& name = t.session.opened()->graph->op(segment.op).name;
        EXPECT_TRUE(what.data().toString().contains(QString::fromStdString(name).section(u'/', -1)));
        EXPECT_FALSE(name.find('/') != name.npos && what.data().toString().contains(QString::fromStdString(name)))
            << "groups are in the tooltip alone";
    }
    list->setCurrentIndex(list->model()->index(0, 0));
    EXPECT_FALSE(t.session.selection().empty());
    auto* onlyWaits = t.find<QCheckBox>("onlyWaits");
    QTest::mouseClick(onlyWaits, Qt::LeftButton, {}, {8, onlyWaits->height() / 2});
    EXPECT_LT(static_cast<std::size_t>(list->model()->rowCount()), path.size());
    for (int row = 0; row < list->model()->rowCount(); ++row)
        EXPECT_TRUE(list->model()->index(row, 2).data().toString().contains(" waited "));
}

TEST_F(WindowSchedule, StatisticsOfARangeAreSeenWithoutScrolling) {
    press(Qt::Key_I);
    const auto* details = t.find<GanttDetails>("scheduleDetails");
    EXPECT_GE(details->width(), 370) << "however they are opened";
    drag(pointIn(0, 0), pointIn(0, schedule().makespanNs / 2));
    for (const auto& [name, last] : {std::pair("rangeLanes", 3), std::pair("rangeOps", 2)}) {
        const auto* list = t.find<QTableView>(name);
        ASSERT_GT(list->model()->rowCount(), 0);
        EXPECT_GE(list->columnWidth(0), 100) << name;
        EXPECT_LE(list->columnViewportPosition(last) + list->columnWidth(last), list->viewport()->width()) << name;
    }
}

TEST_F(WindowSchedule, LanesAreHiddenPinnedMovedAndKeptForTheCluster) {
    const GanttData::Place second{static_cast<std::uint32_t>(data().laneOf(GanttData::LaneKind::Device, 1)), 0};
    ASSERT_FALSE(data().lanes()[second.lane].bars.empty());
    t.session.selectOps({OpId(data().bar(second).index)});
    press(Qt::Key_K);
    EXPECT_TRUE(gantt->stack().slotOf(static_cast<int>(second.lane)).isPinned);
    press(Qt::Key_K);
    press(Qt::Key_Up, Qt::AltModifier);
    press(Qt::Key_Up, Qt::AltModifier);
    EXPECT_EQ(gantt->stack().inOrder().front().lane, static_cast<int>(second.lane));
    drag(pointIn(static_cast<int>(second.lane), 0) - QPoint(60, 0), QPoint(60, gantt->height() - 4));
    EXPECT_NE(gantt->stack().inOrder().front().lane, static_cast<int>(second.lane)) << "its name was dragged down";
    press(Qt::Key_X);
    EXPECT_FALSE(gantt->stack().shows(static_cast<int>(second.lane)));
    press(Qt::Key_L);
    auto* tree = t.find<QTreeWidget>("lanes");
    ASSERT_EQ(QApplication::focusWidget(), tree);
    EXPECT_EQ(static_cast<std::size_t>(tree->topLevelItemCount()), data().lanes().size());
    t.find<QLineEdit>("laneFilter")->setText("memory");
    for (QPushButton* button : t.find<GanttDetails>("scheduleDetails")->findChildren<QPushButton*>()) {
        if (button->text() == "Hide all")
            QTest::mouseClick(button, Qt::LeftButton);
    }
    EXPECT_FALSE(gantt->stack().shows(memoryLane()));
    EXPECT_TRUE(gantt->stack().shows(0)) << "only what is listed is hidden";
    const LaneChoice kept = gantt->lanes();

    WindowUnderTest other(folder, {1200, 800});
    other.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return other.session.shown() != nullptr; }) && other.settle());
    EXPECT_EQ(other.find<GanttWidget>("ganttWidget")->lanes(), kept);
    t.press(Qt::Key_2, Qt::ControlModifier);
    press(Qt::Key_X, Qt::ShiftModifier);
    EXPECT_EQ(gantt->lanes(), LaneChoice());
}

TEST_F(WindowSchedule, MarksAndRangeAreKeptWithTheGraph) {
    press(Qt::Key_M);
    ASSERT_EQ(gantt->marks().size(), 1U);
    drag(pointIn(0, schedule().makespanNs / 4), pointIn(0, schedule().makespanNs / 2));
    ASSERT_TRUE(gantt->range().has_value());
    const std::vector<TimeMark> marks = gantt->marks();
    const TimeRange range = *gantt->range();
    const auto other = [&](const QString& file) {
        t.window.openFiles({file});
        EXPECT_TRUE(waitFor([&] { return t.session.jobs().idle(); }) && t.settle());
    };
    other(QStringLiteral("zoo:alexnet,small"));
    EXPECT_TRUE(gantt->marks().empty() && !gantt->range()) << "they are of another graph";
    other(graphFile);
    EXPECT_EQ(gantt->marks(), marks);
    EXPECT_EQ(gantt->range(), range);
    {
        WindowUnderTest later(folder);
        later.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return later.session.shown() != nullptr; }) && later.settle());
        auto* again = later.find<GanttWidget>("ganttWidget");
        EXPECT_EQ(again->marks(), marks) << "also in another window";
        EXPECT_EQ(again->range(), range);
        again->setFocus();
        again->clearLooks();
        EXPECT_FALSE(again->range());
    }
    WindowUnderTest last(folder);
    last.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return last.session.shown() != nullptr; }) && last.settle());
    EXPECT_EQ(last.find<GanttWidget>("ganttWidget")->marks(), marks);
    EXPECT_FALSE(last.find<GanttWidget>("ganttWidget")->range()) << "what was taken away stays away";
}

TEST_F(WindowSchedule, ASearchMarksBarsAndStepsThroughThem) {
    press(Qt::Key_Slash);
    auto* field = t.find<QLineEdit>("scheduleFind");
    ASSERT_EQ(QApplication::focusWidget(), field);
    QTest::keyClicks(field, "join");
    ASSERT_TRUE(waitFor([&] { return t.find<QLabel>("scheduleFindCount")->text() == "3 found"; }));
    const QImage marked = pictureOf(gantt);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Return);
    ASSERT_EQ(t.session.selection().ops.size(), 1U);
    const OpId first = t.session.selection().ops.front();
    press(Qt::Key_F3);
    EXPECT_NE(t.session.selection().ops.front(), first);
    t.session.select({});
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(field->isVisible());
    EXPECT_EQ(QApplication::focusWidget(), gantt);
    EXPECT_NE(pictureOf(gantt), marked) << "the marks go with the search";
    t.press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(t.find<QLineEdit>("find")->isVisible() || field->isVisible());
}

TEST_F(WindowSchedule, BarsTakeTheColoursOfTheGraphAtOnce) {
    t.window.findChild<GraphPane*>()->colours().choose(ColourBy::OpType);
    ASSERT_TRUE(t.settle());
    ASSERT_NE(gantt->colours(), nullptr);
    EXPECT_EQ(gantt->colours()->by(), ColourBy::OpType);
    const GanttData::Place place{0, 0};
    const int of = gantt->colours()->classOf(OpId(data().bar(place).index));
    const QPoint corner(pointOf(place, 0.5).x(), pointOf(place).y() - 14);
    const QRgb colour = gantt->colours()->colour(t.look.theme(), of).rgb();
    t.session.select({});
    EXPECT_EQ(pictureOf(gantt).pixel(corner), colour);
    t.window.findChild<GraphPane*>()->canvas().isolate(of == 0 ? 1 : 0);
    EXPECT_NE(pictureOf(gantt).pixel(corner), colour) << "another class alone has its colour";
}

TEST_F(WindowSchedule, SaysWhyADeviceIdlesAndWhatATransferCarries) {
    const ShownRun& run = *t.session.shown();
    bool any = false;
    for (std::size_t d = 0; d < schedule().devices.size(); ++d) {
        for (const IdleSpan& span : run.idle()[d].spans) {
            const GanttHit gap{data().laneOf(GanttData::LaneKind::Device, static_cast<std::uint32_t>(d)), -1};
            const QString tip = ganttTip(run, gap, (span.startNs + span.endNs) / 2, false);
            EXPECT_TRUE(tip.contains(" idled ")) << tip.toStdString();
            any = true;
        }
    }
    EXPECT_TRUE(any);
    const GanttData::Place place = data().barOfTransfer(0);
    const QString tip = ganttTip(run, {static_cast<int>(place.lane), static_cast<int>(place.bar)}, 0, false);
    const Transfer& transfer = schedule().transfers[0];
    EXPECT_TRUE(tip.contains(QString::fromStdString(t.session.opened()->graph->tensor(transfer.tensor).name)));
    EXPECT_TRUE(tip.contains("from")) << tip.toStdString();
    EXPECT_TRUE(ganttTip(run, {memoryLane(), -1}, 0, false).contains("Peak: "));
}

TEST_F(WindowSchedule, WZoomsAtThePointerAndFCentresThenFits) {
    QTest::mouseMove(gantt, QPoint(gantt->width() / 3, 120));
    const double ns = gantt->camera().toNs(gantt->width() / 3);
    press(Qt::Key_W);
    EXPECT_NEAR(gantt->camera().toX(ns), gantt->width() / 3, 0.5);
    const GanttData::Place last{0, static_cast<std::uint32_t>(data().lanes()[0].bars.size() - 1)};
    t.session.selectOps({OpId(data().bar(last).index)});
    const double scale = gantt->camera().nsPerPixel;
    press(Qt::Key_F);
    EXPECT_DOUBLE_EQ(gantt->camera().nsPerPixel, scale) << "first it only centres";
    press(Qt::Key_F);
    EXPECT_LT(gantt->camera().nsPerPixel, scale);
    press(Qt::Key_Space);
    EXPECT_EQ(gantt->camera().startNs, 0);
}

TEST_F(WindowSchedule, CanBeReadAloud) {
    EXPECT_TRUE(gantt->accessibleDescription().contains("a step")) << gantt->accessibleDescription().toStdString();
    press(Qt::Key_Period);
    const OpId op = t.session.selection().ops.front();
    EXPECT_TRUE(gantt->accessibleName().startsWith(
        QString("Schedule, selected: %1").arg(QString::fromStdString(t.session.opened()->graph->op(op).name))))
        << gantt->accessibleName().toStdString();
}

TEST_F(WindowSchedule, EveryCommandIsInItsMenuAndInTheContextMenu) {
    auto* menu = gantt->findChild<QMenu*>("paneMenu");
    ASSERT_NE(menu, nullptr);
    std::set<QString> texts;
    for (const QAction* action : menu->actions())
        texts.insert(action->text());
    for (const QAction* action : pane->commands()) {
        if (action != nullptr) {
            EXPECT_TRUE(texts.contains(action->text())) << action->text().toStdString();
        }
    }
}

TEST_F(WindowSchedule, IsWrittenAsItIsSeenAndWhole) {
    const auto writtenTo = [&](MainWindow::Picture what, const char* name) {
        t.window.exportPicture(what, path(name));
        EXPECT_TRUE(t.settle());
        return readFile(path(name).toStdString()).value_or("");
    };
    const std::string whole = writtenTo(MainWindow::Picture::ScheduleWhole, "whole.csv");
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(whole, '\n')),
              1 + schedule().ops.size() + schedule().transfers.size());
    EXPECT_TRUE(writtenTo(MainWindow::Picture::ScheduleWhole, "whole.json").starts_with("{\"displayTimeUnit\""));
    press(Qt::Key_Period);
    press(Qt::Key_F);
    press(Qt::Key_F);
    press(Qt::Key_X);
    const std::string seen = writtenTo(MainWindow::Picture::ScheduleSeen, "seen.csv");
    EXPECT_LT(seen.size(), whole.size());
    EXPECT_EQ(seen.find(",gpu:0,"), std::string::npos) << "its lane is hidden";
    for (const char* name : {"seen.svg", "seen.png", "seen.pdf"})
        EXPECT_GT(writtenTo(MainWindow::Picture::ScheduleSeen, name).size(), 1000U) << name;
}

} // namespace
} // namespace opscape::test
