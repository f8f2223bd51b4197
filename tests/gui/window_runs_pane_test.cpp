// SPDX-License-Identifier: MIT
// What is done with kept runs in their pane, with keys and clicks.
#include "gui/gui_fixture.h"
#include "gui/views/runs_pane.h"

#include <opscape/base/paths.h>
#include <opscape/store/database.h>

#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>

#include <gmock/gmock.h>

namespace opscape::test {
namespace {

using Ids = std::vector<std::int64_t>;

class WindowRunsPane : public GuiTest {
protected:
    [[nodiscard]] std::filesystem::path database() const { return folder / "runs.sqlite"; }
    [[nodiscard]] RunStore store() const { return std::move(*RunStore::open(database())); }
    void sql(const std::string& statements) const {
        const auto db = Database::open(database(), std::chrono::seconds(5));
        const auto done = db->execute(statements);
        ASSERT_TRUE(done) << done.error().message;
    }
    /// Runs as another program makes them: a graph that is open in no window.
    void keep(int count, const char* graph = "some net") const {
        RunBundle bundle;
        bundle.graphs["g"] = "{}";
        bundle.clusters["c"] = "{}";
        for (int i = 1; i <= count; ++i) {
            RunRecord run;
            run.uid = std::string(graph) + std::to_string(i);
            run.status = RunStatus::Finished;
            run.graphHash = "g";
            run.clusterHash = "c";
            run.graphName = graph;
            run.clusterId = "p100x4";
            run.linkModel = "fifo";
            run.optimizer = i % 2 == 0 ? "heft" : "metis";
            run.version = "0.1.0";
            run.result = RunResult{std::int64_t{count + 1 - i} * 1'000'000, 1'000'000, 1 << 20, 1 << 10, true};
            bundle.runs.push_back({run, {}, {}});
        }
        const auto kept = store().keep(bundle);
        ASSERT_TRUE(kept) << kept.error().message;
    }
    static RunsPane& pane(WindowUnderTest& t) { return *t.window.findChild<RunsPane*>(); }
    static QTableView& table(WindowUnderTest& t) { return pane(t).table(); }
    /// The pane in front with the focus in its table, and so many runs in it.
    void show(WindowUnderTest& t, int rows) {
        t.press(Qt::Key_5, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([&] { return table(t).model()->rowCount() == rows && t.window.runsListed(); }));
        ASSERT_EQ(QApplication::focusWidget(), &table(t));
    }
    Ids ids(WindowUnderTest& t) {
        Ids seen;
        for (int row = 0; row < pane(t).model().rowCount(); ++row)
            seen.push_back(pane(t).model().idAt(row));
        return seen;
    }
    static QString cell(WindowUnderTest& t, std::int64_t run, RunsModel::Column column) {
        return pane(t).model().index(pane(t).model().rowOf(run), column).data().toString();
    }
    void select(WindowUnderTest& t, const Ids& runs) {
        table(t).clearSelection();
        Qt::KeyboardModifiers modifiers = Qt::NoModifier;
        for (const std::int64_t run : runs) {
            const QModelIndex index = pane(t).model().index(pane(t).model().rowOf(run), RunsModel::Graph);
            table(t).scrollTo(index);
            QTest::mouseClick(table(t).viewport(), Qt::LeftButton, modifiers, table(t).visualRect(index).center());
            modifiers = Qt::ControlModifier;
        }
        ASSERT_EQ(pane(t).selectedRuns(), std::vector<qint64>(runs.begin(), runs.end()));
    }
    void key(WindowUnderTest& t, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::keyClick(&table(t), key, modifiers);
    }
    bool settled(WindowUnderTest& t) {
        return waitFor([&] { return t.window.runsListed() && t.session.jobs().idle(); });
    }
    /// Types into the cell that is being edited.
    void type(WindowUnderTest& t, const QString& text) {
        auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget()); // one that is closed may be there yet
        ASSERT_TRUE(editor != nullptr && table(t).isAncestorOf(editor));
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTest::qWait(1); // the view takes it over with the next turn of the event loop
    }
};

TEST_F(WindowRunsPane, FiltersAsIsTypedAndSaysWhatItDoesNotUnderstand) {
    keep(6);
    WindowUnderTest t(folder);
    show(t, 6);
    key(t, Qt::Key_F);
    auto* filter = t.find<QLineEdit>("runsFilter");
    ASSERT_EQ(QApplication::focusWidget(), filter);
    QTest::keyClicks(filter, "heft step<4ms");
    ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{6, 4}; }));
    EXPECT_TRUE(settled(t));
    QTest::keyClicks(filter, " (");
    ASSERT_TRUE(settled(t));
    const auto says = [&](const QString& text) {
        const auto labels = pane(t).header()->findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) {
            return label->text().contains(text) || label->toolTip().contains(text);
        });
    };
    EXPECT_TRUE(waitFor([&] { return says("Column 1"); })) << "the mistake is named, with its place";
    EXPECT_EQ(ids(t), (Ids{6, 4})) << "and what was found stays";
    QTest::keyClick(filter, Qt::Key_Escape);
    ASSERT_TRUE(waitFor([&] { return ids(t).size() == 6; }));
    QTest::keyClick(filter, Qt::Key_Return);
    EXPECT_EQ(t.window.focusWidget(), &table(t)); // offscreen, a list of offers leaves the window inactive
}

TEST_F(WindowRunsPane, AClickOnATitleSortsByIt) {
    keep(4);
    WindowUnderTest t(folder);
    show(t, 4);
    EXPECT_EQ(ids(t), (Ids{4, 3, 2, 1}));
    QHeaderView* titles = table(t).horizontalHeader();
    const auto click = [&](RunsModel::Column column) {
        QTest::mouseClick(titles->viewport(), Qt::LeftButton, Qt::NoModifier,
                          {titles->sectionViewportPosition(column) + titles->sectionSize(column) / 2, 8});
    };
    click(RunsModel::Method);
    ASSERT_TRUE(waitFor([&] { return ids(t) != Ids{4, 3, 2, 1}; }));
    const Ids byMethod = ids(t);
    click(RunsModel::Method);
    ASSERT_TRUE(waitFor([&] { return ids(t) != byMethod; }));
    click(RunsModel::StepTime);
    EXPECT_TRUE(waitFor([&] { return ids(t) == Ids{4, 3, 2, 1} || ids(t) == Ids{1, 2, 3, 4}; }));
}

TEST_F(WindowRunsPane, TitlesAreNeverCut) {
    WindowUnderTest t(folder);
    QHeaderView* titles = table(t).horizontalHeader();
    for (int column = 0; column < RunsModel::ColumnCount; ++column)
        EXPECT_GE(titles->sectionSize(column), titles->sectionSizeHint(column)) << column;
}

TEST_F(WindowRunsPane, TagsAndNotesAreEditedInPlace) {
    keep(4);
    WindowUnderTest t(folder);
    show(t, 4);
    select(t, {2, 3});
    key(t, Qt::Key_T);
    type(t, "best paper");
    ASSERT_TRUE(settled(t));
    for (const std::int64_t run : {2, 3})
        EXPECT_EQ(store().get(run)->tags, (std::vector<std::string>{"best", "paper"})) << "all that are selected";
    EXPECT_TRUE(waitFor([&] { return cell(t, 2, RunsModel::Tags) == "best paper"; }));
    select(t, {3});
    key(t, Qt::Key_T);
    type(t, "paper");
    ASSERT_TRUE(settled(t));
    EXPECT_EQ(store().get(3)->tags, std::vector<std::string>{"paper"});
    EXPECT_EQ(store().get(2)->tags, (std::vector<std::string>{"best", "paper"}));
    key(t, Qt::Key_N);
    type(t, "why so slow?");
    ASSERT_TRUE(settled(t));
    EXPECT_TRUE(waitFor([&] { return store().get(3)->notes == "why so slow?"; }));
    EXPECT_EQ(pane(t).selectedRuns(), std::vector<qint64>{3}) << "the selection stays";
}

TEST_F(WindowRunsPane, APinnedRunStaysOnTop) {
    keep(4);
    WindowUnderTest t(folder);
    show(t, 4);
    select(t, {2});
    key(t, Qt::Key_P);
    ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{2, 4, 3, 1}; }));
    EXPECT_FALSE(pane(t).model().index(0, 0).data(Qt::DecorationRole).value<QIcon>().isNull());
    EXPECT_EQ(pane(t).selectedRuns(), std::vector<qint64>{2}) << "and selected";
    key(t, Qt::Key_P);
    EXPECT_TRUE(waitFor([&] { return ids(t) == Ids{4, 3, 2, 1}; }));
}

TEST_F(WindowRunsPane, TheFilterCompletesFieldsAndWhatTheRunsHold) {
    keep(5);
    ASSERT_TRUE(store().changeTags(Ids{1, 2}, std::vector<std::string>{"for paper"}, {}));
    WindowUnderTest t(folder);
    show(t, 5);
    key(t, Qt::Key_F);
    auto* field = t.find<QueryEdit>("runsFilter");
    ASSERT_EQ(QApplication::focusWidget(), field);
    QTest::keyClicks(field, "opti");
    EXPECT_EQ(field->offered(), (QStringList{"optimizer:", "option:"}));
    QTest::keyClick(field, Qt::Key_Tab);
    EXPECT_EQ(field->text(), "optimizer:");
    EXPECT_EQ(field->offered(), (QStringList{"optimizer:metis", "optimizer:heft"})) << "the most frequent first";
    QTest::keyClicks(field, "h");
    QTest::keyClick(field, Qt::Key_Tab);
    EXPECT_EQ(field->text(), "optimizer:heft");
    ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{4, 2}; }));
    QTest::keyClicks(field, " pap");
    EXPECT_EQ(field->offered(), QStringList{"tag:\"for paper\""});
    QTest::keyClick(field, Qt::Key_Tab);
    ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{2}; }));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(t.window.focusWidget(), &table(t)); // offscreen, a list of offers leaves the window inactive
}

TEST_F(WindowRunsPane, DeletedRunsComeBackUntilTheWindowIsClosed) {
    keep(5);
    {
        WindowUnderTest t(folder);
        show(t, 5);
        select(t, {2, 4});
        key(t, Qt::Key_Delete);
        ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{5, 3, 1}; }) && settled(t));
        select(t, {5});
        key(t, Qt::Key_Delete);
        ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{3, 1}; }) && settled(t));
        key(t, Qt::Key_Z, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{5, 3, 1}; }) && settled(t)) << "the last one first";
        key(t, Qt::Key_Z, Qt::ControlModifier);
        ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{5, 4, 3, 2, 1}; }) && settled(t));
        key(t, Qt::Key_Z, Qt::ControlModifier); // is the window's again
        select(t, {1});
        key(t, Qt::Key_Delete);
        ASSERT_TRUE(waitFor([&] { return ids(t).size() == 4; }) && settled(t));
        EXPECT_TRUE(store().get(1)) << "it is only hidden";
    }
    EXPECT_FALSE(store().get(1)) << "now it is gone for good";
    EXPECT_EQ(*store().count(), 4);
}

TEST_F(WindowRunsPane, AnUndoThatIsRefusedCanBeTriedAgain) {
    keep(2);
    WindowUnderTest t(folder);
    show(t, 2);
    table(t).selectRow(0);
    QTest::keyClick(&table(t), Qt::Key_Delete);
    ASSERT_TRUE(waitFor([&] { return table(t).model()->rowCount() == 1 && t.window.runsListed(); }));
    sql("CREATE TRIGGER refuse BEFORE UPDATE OF deleted_ms ON runs BEGIN SELECT RAISE(ABORT, 'refused'); END");
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return t.window.message().contains("not kept") && t.window.runsListed(); }));
    EXPECT_EQ(table(t).model()->rowCount(), 1);
    sql("DROP TRIGGER refuse");
    t.press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return table(t).model()->rowCount() == 2; })) << t.window.message().toStdString();
}

TEST_F(WindowRunsPane, ARunThatGoesOnIsNotDeletedAndTheReasonIsSaid) {
    const auto id = store().begin(
        RunRecord(), [] { return std::string("{}"); }, "{}");
    ASSERT_TRUE(id);
    WindowUnderTest t(folder);
    show(t, 1);
    select(t, {*id});
    key(t, Qt::Key_Delete);
    ASSERT_TRUE(waitFor([&] { return !t.window.message().isEmpty(); }));
    EXPECT_TRUE(t.window.message().contains("still going on")) << t.window.message().toStdString();
    EXPECT_TRUE(settled(t));
    EXPECT_EQ(ids(t).size(), 1U);
}

TEST_F(WindowRunsPane, ARunIsMadeAgainWithTheSameSeedOrWithWhatTheDialogSays) {
    WindowUnderTest t(folder);
    t.window.openFiles({graphFile});
    ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
    OptimizeRequest request;
    request.optimizer = "scatter";
    request.seed = 41;
    t.session.optimize(request, {"p100x2", nullptr, LinkModel::None});
    show(t, 1);
    ASSERT_TRUE(settled(t));
    select(t, {1});
    key(t, Qt::Key_R);
    ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{2, 1}; }) && settled(t));
    EXPECT_EQ(store().get(2)->seed, 41U);
    EXPECT_EQ(store().get(2)->result, store().get(1)->result);
    EXPECT_EQ(store().get(2)->linkModel, "none");

    table(t).setFocus();
    select(t, {1});
    key(t, Qt::Key_D);
    ASSERT_TRUE(waitFor([&] { return t.window.findChild<QDialog*>("runDialog") != nullptr; }));
    auto* dialog = t.window.findChild<QDialog*>("runDialog");
    EXPECT_EQ(dialog->findChild<QComboBox*>("optimizer")->currentData().toString(), "scatter");
    EXPECT_TRUE(dialog->findChild<QComboBox*>("cluster")->currentText().contains("of run 1"));
    auto* seed = dialog->findChild<QLineEdit*>("seed");
    EXPECT_EQ(seed->text(), "41");
    seed->selectAll();
    QTest::keyClicks(seed, "42");
    QTest::mouseClick(dialog->findChild<QPushButton*>("runButton"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return ids(t) == Ids{3, 2, 1}; }) && settled(t));
    EXPECT_EQ(store().get(3)->seed, 42U);
    EXPECT_EQ(store().get(3)->clusterId, "p100x2");
    EXPECT_EQ(store().get(3)->linkModel, "none");
}

TEST_F(WindowRunsPane, RunsAreTakenToAnotherDatabaseAndBack) {
    const QString file = path("some.opscape-runs");
    {
        WindowUnderTest t(folder);
        t.window.openFiles({graphFile});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        OptimizeRequest request;
        request.optimizer = "scatter";
        t.session.optimize(request, {"p100x2", nullptr, {}});
        show(t, 1);
        ASSERT_TRUE(settled(t));
        pane(t).exportRuns({1}, file);
        ASSERT_TRUE(waitFor([&] { return t.window.message().contains("Written to"); }));
    }
    std::filesystem::rename(database(), folder / "before.sqlite");
    WindowUnderTest t(folder);
    t.window.openFiles({file});
    show(t, 1);
    EXPECT_TRUE(t.window.message().contains("1 run is imported, as run 1.")) << t.window.message().toStdString();
    t.window.openFiles({file});
    ASSERT_TRUE(waitFor([&] { return t.window.message().contains("was here already"); }));
    EXPECT_EQ(ids(t).size(), 1U);
    t.session.openRun(1);
    EXPECT_TRUE(waitFor([&] { return t.session.shown() != nullptr; })) << "it is shown without the file of its graph";
    ASSERT_TRUE(settled(t));
    ASSERT_TRUE(writeFile(file.toStdString(), "{\"opscape_runs\": 9}"));
    t.window.openFiles({file});
    EXPECT_TRUE(waitFor([&] { return t.window.message().contains("has format 9"); }));
}

TEST_F(WindowRunsPane, OfManyRunsOnlyThoseInViewAreLoaded) {
    keep(10'000);
    WindowUnderTest t(folder);
    show(t, 10'000);
    const RunsModel& model = pane(t).model();
    EXPECT_NE(model.loaded(10'000), nullptr);
    EXPECT_EQ(model.loaded(1), nullptr);
    key(t, Qt::Key_End, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([&] { return cell(t, 1, RunsModel::Graph) == "some net"; }));
    EXPECT_EQ(model.loaded(5'000), nullptr);
    table(t).verticalScrollBar()->setValue(5'000);
    EXPECT_TRUE(waitFor([&] { return cell(t, 4'995, RunsModel::Graph) == "some net"; }));
    select(t, {4'995});
    sql("UPDATE runs SET notes = 'seen' WHERE id = 4995");
    EXPECT_TRUE(waitFor([&] { return cell(t, 4'995, RunsModel::Notes) == "seen"; }))
        << "what another program changes is seen";
    EXPECT_EQ(pane(t).selectedRuns(), std::vector<qint64>{4'995});
}

TEST_F(WindowRunsPane, ARunWhoseProgramDiesIsSeenToHaveDied) {
    {
        RunStore writing = store();
        const auto id = writing.begin(
            RunRecord(), [] { return std::string("{}"); }, "{}");
        ASSERT_TRUE(id);
        ASSERT_TRUE(writing.appendCurve(*id, std::vector<CurvePoint>{{37, 1, 1, 0, 4'130'000, 0, 0, 0, 0}}));
    }
    WindowUnderTest t(folder);
    show(t, 1);
    EXPECT_EQ(cell(t, 1, RunsModel::Status), "running");
    sql("UPDATE runs SET owner_pid = 1073741824");
    ASSERT_TRUE(waitFor([&] { return cell(t, 1, RunsModel::Status) == "died"; }));
    const QString tip = pane(t).model().index(0, 0).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains("process 1073741824")) << tip.toStdString();
    EXPECT_TRUE(tip.contains("update 37 and 4.13 ms at best")) << tip.toStdString();
}

TEST_F(WindowRunsPane, ARunOfAnotherRevisionOfItsOptimizerSaysSo) {
    keep(2);
    sql("UPDATE runs SET revision = 999");
    WindowUnderTest t(folder);
    ASSERT_TRUE(t.settle());
    show(t, 2);
    EXPECT_TRUE(waitFor([&] { return cell(t, 2, RunsModel::MadeBy).contains("r999, now r"); }));
}

TEST_F(WindowRunsPane, AnotherFileInPlaceOfTheRunsIsListedAndOneThatIsGoneIsSaid) {
    keep(1, "old net");
    const std::filesystem::path copy = folder / "copy.sqlite", away = folder / "away.sqlite";
    std::filesystem::copy_file(database(), copy);
    keep(2);
    WindowUnderTest t(folder);
    show(t, 3);
    for (const char* part : {"", "-wal", "-shm"}) {
        if (std::filesystem::exists(database().string() + part))
            std::filesystem::rename(database().string() + part, away.string() + part);
    }
    const auto says = [&](const char* words) {
        const auto labels = pane(t).findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text().contains(words); });
    };
    EXPECT_TRUE(waitFor([&] { return says("is gone") && table(t).model()->rowCount() == 0; }));
    EXPECT_FALSE(std::filesystem::exists(database())) << "what comes back must not meet a new file";
    std::filesystem::rename(copy, database());
    ASSERT_TRUE(waitFor([&] { return table(t).model()->rowCount() == 1; }));
    EXPECT_EQ(table(t).model()->index(0, RunsModel::Graph).data().toString(), "old net");
    EXPECT_FALSE(says("is gone"));
    for (const char* part : {"", "-wal", "-shm"})
        std::filesystem::remove(database().string() + part);
    keep(2, "new net"); // another program begins a new file
    EXPECT_TRUE(waitFor([&] { return table(t).model()->rowCount() == 2; }));
}

TEST_F(WindowRunsPane, ADamagedDatabaseIsSaidWhereTheRunsWouldBe) {
    keep(2);
    ASSERT_TRUE(writeFile(database(), std::string(5'000, 'x')));
    WindowUnderTest t(folder);
    const auto said = [&] {
        const auto labels = table(t).findChildren<QLabel*>();
        return std::ranges::any_of(labels,
                                   [](const QLabel* label) { return label->text().contains("not a run database"); });
    };
    EXPECT_TRUE(waitFor(said));
}

} // namespace
} // namespace opscape::test
