// SPDX-License-Identifier: MIT
// Searching the graph with the keyboard.
#include "gui/gui_fixture.h"
#include "gui/views/find_bar.h"
#include "gui/views/graph_widget.h"
#include "gui/views/outline_pane.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTableView>

namespace opscape::test {
namespace {

class WindowFind : public GuiTest {
protected:
    WindowFind() : t(folder) {
        t.window.openFiles({graphFile});
        EXPECT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        graph = t.find<GraphWidget>("graphWidget");
        field = t.find<QueryEdit>("find");
        list = t.find<QTableView>("found");
        count = t.find<QLabel>("findCount");
        note = t.find<QLabel>("findNote");
    }
    OpId op(const char* name) const { return t.session.opened()->graph->findOp(name); }
    bool selected(const char* name) const { return t.session.selection().ops == std::vector{op(name)}; }
    void type(const char* query) {
        t.press(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(field, QString::fromUtf8(query));
    }
    bool counted(const char* text) {
        return waitFor([&] { return count->text() == QString::fromUtf8(text); });
    }

    WindowUnderTest t;
    GraphWidget* graph = nullptr;
    QueryEdit* field = nullptr;
    QTableView* list = nullptr;
    QLabel *count = nullptr, *note = nullptr;
};

TEST_F(WindowFind, ListsWhatFitsAndStepsThroughIt) {
    EXPECT_FALSE(field->isVisible());
    type("type:MatMul stage_1");
    ASSERT_EQ(QApplication::focusWidget(), field);
    ASSERT_TRUE(counted("6 found"));
    EXPECT_TRUE(list->isVisible());
    EXPECT_EQ(list->model()->rowCount(), 6);
    EXPECT_TRUE(t.session.selection().empty()) << "looking is not selecting";
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_TRUE(selected("stage_1/left/matmul_0"));
    EXPECT_EQ(count->text(), "1 of 6");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_TRUE(selected("stage_1/left/matmul_1"));
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_TRUE(selected("stage_1/right/matmul_2")) << "round and round";
    t.press(Qt::Key_F3);
    EXPECT_TRUE(selected("stage_1/left/matmul_0"));
    t.press(Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_TRUE(selected("stage_1/right/matmul_2"));
}

TEST_F(WindowFind, ShowsWhatItFindsInTheGraphAlsoInClosedGroups) {
    type("name=stage_2/right/matmul_1");
    QTest::keyClick(field, Qt::Key_Return); // before the search was even begun
    ASSERT_TRUE(waitFor([&] { return selected("stage_2/right/matmul_1"); }));
    ASSERT_TRUE(t.settle());
    const int node = graph->selectedNode();
    ASSERT_GE(node, 0);
    EXPECT_EQ(graph->scene()->nodes[static_cast<std::size_t>(node)].op, op("stage_2/right/matmul_1"));
    EXPECT_TRUE(QRectF(graph->rect()).contains(graph->nodeRect(node).center()));
}

TEST_F(WindowFind, TheListLeadsToItsRows) {
    type("join");
    ASSERT_TRUE(counted("3 found"));
    QTest::keyClick(field, Qt::Key_Down);
    ASSERT_EQ(QApplication::focusWidget(), list);
    EXPECT_TRUE(selected("stage_0/join"));
    QTest::keyClick(list, Qt::Key_Down);
    EXPECT_TRUE(selected("stage_1/join"));
    const QRect row = list->visualRect(list->model()->index(2, 0));
    ASSERT_TRUE(list->viewport()->rect().contains(row.center()));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
    EXPECT_TRUE(selected("stage_2/join"));
    EXPECT_EQ(count->text(), "3 of 3");
}

TEST_F(WindowFind, SelectsAllThatWasFound) {
    type("/(left|right)/ type:matmul");
    ASSERT_TRUE(counted("18 found"));
    QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
    EXPECT_EQ(t.session.selection().ops.size(), 18U);
}

TEST_F(WindowFind, SaysWhatIsWrongWithTheColumn) {
    type("join time>2");
    ASSERT_TRUE(waitFor([&] { return note->isVisible(); }));
    EXPECT_EQ(note->text(), "Column 11: \"2\" is no time; write a number with ns, us, ms or s, such as 2ms.");
    EXPECT_FALSE(list->isVisible());
    QTest::keyClicks(field, "ms");
    ASSERT_TRUE(waitFor([&] { return !note->isVisible(); }));
    EXPECT_TRUE(counted("None found"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_TRUE(t.session.selection().empty());
}

TEST_F(WindowFind, OffersWhatMayComeNext) {
    type("join ty");
    EXPECT_EQ(field->offered(), QStringList{"type:"});
    QTest::keyClick(field, Qt::Key_Tab);
    EXPECT_EQ(field->text(), "join type:");
    EXPECT_EQ(field->offered(), (QStringList{"type:MatMul", "type:Add"}));
    QTest::keyClick(field, Qt::Key_A);
    QTest::keyClick(field, Qt::Key_Tab);
    EXPECT_EQ(field->text(), "join type:Add");
    EXPECT_TRUE(counted("3 found"));
    QTest::keyClicks(field, " device:");
    EXPECT_EQ(field->offered().size(), static_cast<qsizetype>(t.session.shown()->cluster().deviceCount()));
    EXPECT_EQ(QApplication::focusWidget(), field) << "Tab took the offer and moved no focus";
}

TEST_F(WindowFind, EscClosesItAndTheGraphHasTheFocus) {
    type("join");
    ASSERT_TRUE(counted("3 found"));
    QTest::keyClick(field, Qt::Key_Return);
    field->hideOffers();
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_FALSE(field->isVisible());
    EXPECT_EQ(QApplication::focusWidget(), graph);
    EXPECT_TRUE(selected("stage_0/join")) << "what was found stays selected";
    t.press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_EQ(field->selectedText(), "join") << "the query is there to be gone on with";
}

TEST_F(WindowFind, WhatAsksForThePlanFollowsIt) {
    type("device:A type:matmul");
    ASSERT_TRUE(waitFor([&] { return count->text().contains("found"); }));
    const QString before = count->text();
    t.session.optimize({"single", {}, 1, {}}, {});
    ASSERT_TRUE(counted("18 found"));
    EXPECT_NE(before, "18 found");
}

TEST_F(WindowFind, AnotherGraphIsSearchedWithTheSameQuery) {
    type("matmul_0");
    ASSERT_TRUE(counted("6 found"));
    const QString other = path("other.json");
    ASSERT_TRUE(writeGraph(sampleGraph(1), other.toStdString()).has_value());
    t.window.openFiles({other});
    ASSERT_TRUE(waitFor([&] { return t.session.opened()->graph->opCount() == 9; }) && t.settle());
    EXPECT_TRUE(counted("6 found"));
    EXPECT_TRUE(t.session.selection().empty());
}

TEST_F(WindowFind, WhatChangedWhileTheBarWasClosedIsSearchedAgainWhenItIsNextUsed) {
    type("device:A type:matmul");
    ASSERT_TRUE(waitFor([&] { return count->text().contains("found"); }));
    field->hideOffers();
    QTest::keyClick(field, Qt::Key_Escape);
    ASSERT_FALSE(field->isVisible());
    t.session.optimize({"single", {}, 1, {}}, {});
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.optimizer == "single"; }) && t.settle());
    t.press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(counted("18 found"));
}

TEST_F(WindowFind, F3RepeatsTheLastSearchWhereTheBarIsClosedAlsoInAnotherGraph) {
    type("matmul_0");
    ASSERT_TRUE(counted("6 found"));
    field->hideOffers();
    QTest::keyClick(field, Qt::Key_Escape);
    t.press(Qt::Key_F3);
    EXPECT_TRUE(field->isVisible());
    EXPECT_TRUE(selected("stage_0/left/matmul_0"));
    EXPECT_EQ(QApplication::focusWidget(), graph) << "the focus stays in the graph";
    QTest::keyClick(list, Qt::Key_Escape);
    ASSERT_FALSE(field->isVisible());

    const QString other = path("other.json");
    ASSERT_TRUE(writeGraph(sampleGraph(1), other.toStdString()).has_value());
    t.window.openFiles({other});
    ASSERT_TRUE(waitFor([&] { return t.session.opened()->graph->opCount() == 9; }) && t.settle());
    EXPECT_FALSE(field->isVisible());
    t.press(Qt::Key_F3);
    EXPECT_TRUE(counted("1 of 6"));
    EXPECT_EQ(t.session.selection().ops.size(), 1U);
}

TEST_F(WindowFind, F3WithoutAQueryOpensTheBarToBeTypedInto) {
    t.press(Qt::Key_F3);
    EXPECT_TRUE(field->isVisible());
    EXPECT_EQ(QApplication::focusWidget(), field);
}

TEST_F(WindowFind, TheOutlineKeepsSelectionAndOpenRowsWhenThePlanChangesWhatFits) {
    auto* search = t.find<QueryEdit>("search");
    auto* outline = t.find<QTreeView>("outline");
    auto* model = qobject_cast<OutlineModel*>(outline->model());
    t.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(search, "type:matmul time>0");
    ASSERT_TRUE(waitFor([&] { return model->filtered() && model->matchCount() == 18; }));
    t.session.selectOps({op("stage_0/left/matmul_0"), op("stage_1/left/matmul_1")});
    const Selection before = t.session.selection();
    const auto rowOf = [&](const char* name) {
        return model->indexOf(t.session.opened()->scopes->scopeOf(op(name))).parent();
    };
    ASSERT_TRUE(outline->isExpanded(rowOf("stage_2/left/matmul_0"))) << "few results are all shown";
    outline->collapse(rowOf("stage_2/left/matmul_0"));
    QSignalSpy reset(model, &QAbstractItemModel::modelReset);
    t.session.optimize({"single", {}, 1, {}}, {});
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->outcome->run.optimizer == "single"; }) && t.settle());
    EXPECT_GT(reset.count(), 0) << "it was asked again";
    EXPECT_EQ(t.session.selection(), before);
    EXPECT_EQ(outline->selectionModel()->selectedRows().size(), 2);
    EXPECT_FALSE(outline->isExpanded(rowOf("stage_2/left/matmul_0"))) << "what was closed stays closed";
    EXPECT_TRUE(outline->isExpanded(rowOf("stage_1/left/matmul_0")));
}

TEST_F(WindowFind, WithoutItsFilterTheOutlineIsOpenedAsItWasBefore) {
    auto* search = t.find<QueryEdit>("search");
    auto* outline = t.find<QTreeView>("outline");
    auto* model = qobject_cast<OutlineModel*>(outline->model());
    outline->collapseAll();
    outline->expand(model->index(1, 0));
    t.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClicks(search, "matmul");
    ASSERT_TRUE(waitFor([&] { return model->filtered() && model->matchCount() == 18; }));
    EXPECT_TRUE(outline->isExpanded(model->index(0, 0)));
    search->clear();
    ASSERT_TRUE(waitFor([&] { return !model->filtered(); }));
    EXPECT_FALSE(outline->isExpanded(model->index(0, 0)));
    EXPECT_TRUE(outline->isExpanded(model->index(1, 0)));
}

TEST_F(WindowFind, TheOutlineTakesTheSameLanguage) {
    auto* search = t.find<QueryEdit>("search");
    auto* outlineNote = t.find<QLabel>("searchNote");
    auto* outline = t.find<QTreeView>("outline");
    auto* model = qobject_cast<OutlineModel*>(outline->model());
    t.press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_EQ(QApplication::focusWidget(), search);
    QTest::keyClicks(search, "join or (right not /_[01]$/)");
    EXPECT_TRUE(waitFor([&] { return model->matchCount() == 6; }));
    EXPECT_FALSE(outlineNote->isVisible());
    QTest::keyClicks(search, " colour:red");
    EXPECT_TRUE(waitFor([&] { return outlineNote->isVisible(); }));
    EXPECT_TRUE(outlineNote->text().startsWith("Column 30: there is no field \"colour\""))
        << outlineNote->text().toStdString();
    EXPECT_EQ(model->rowCount(), 0);
}

} // namespace
} // namespace opscape::test
