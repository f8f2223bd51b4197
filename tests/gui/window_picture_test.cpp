// SPDX-License-Identifier: MIT
// What the window's picture of the graph shows beyond boxes and edges, and how it comes about: pins, what a search
// found, large pictures that a worker draws, better rows that arrive later, views that outlive a window.
#include "gui/gui_fixture.h"
#include "gui/models/outline_model.h"
#include "gui/views/graph_pane.h"
#include "gui/views/kept_views.h"
#include "gui/views/outline_pane.h"

#include <opscape/base/paths.h>
#include <opscape/base/random.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/io/format.h>

#include <QAccessible>
#include <QFileInfo>

namespace opscape::test {
namespace {

class WindowPicture : public GuiTest {
protected:
    void open(WindowUnderTest& t, const QString& file) {
        t.window.openFiles({file});
        ASSERT_TRUE(waitFor([&] { return t.session.shown() != nullptr; }) && t.settle());
        pane = t.window.findChild<GraphPane*>();
        graph = &pane->canvas();
        graph->setFocus();
    }
    static OpId op(WindowUnderTest& t, const char* name) { return t.session.opened()->graph->findOp(name); }
    /// Without waiting for anything.
    [[nodiscard]] QImage picture() const { return graph->grab().toImage(); }

    GraphPane* pane = nullptr;
    GraphWidget* graph = nullptr;
};

TEST_F(WindowPicture, WhatIsPinnedIsShownAndSaid) {
    QAccessible::setActive(true);
    WindowUnderTest t(folder);
    open(t, graphFile);
    t.trigger("Open all groups");
    ASSERT_TRUE(t.settle());
    const OpId join = op(t, "stage_1/join");
    t.session.selectOps({join});
    const QImage before = picture();
    t.trigger("Pin where it is");
    ASSERT_TRUE(waitFor([&] { return t.session.shown()->problem().pin(join).valid(); }) && t.settle());
    EXPECT_NE(picture(), before);
    const int node = graph->scene()->nodeOf(join);
    EXPECT_EQ(graph->placed().placement->pinned(node), 1U);
    EXPECT_EQ(graph->placed().placement->pinnedOps(), 1U) << "the legend says so";
    QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(graph);
    EXPECT_EQ(reader->child(node)->text(QAccessible::Name), "stage_1/join, Add, pinned");
    EXPECT_TRUE(reader->child(node)->text(QAccessible::Description).contains("Pinned to its device"));

    const QAbstractItemModel& outline = *t.window.findChild<OutlinePane*>()->tree().model();
    const auto& model = dynamic_cast<const OutlineModel&>(outline);
    const auto pinned = [&](const QModelIndex& row) {
        return static_cast<OutlineModel::Pinned>(row.data(OutlineModel::PinnedRole).toInt());
    };
    EXPECT_EQ(pinned(model.indexOf(join)), OutlineModel::Pinned::All);
    EXPECT_EQ(pinned(model.indexOf(join).parent()), OutlineModel::Pinned::Some);
    EXPECT_EQ(pinned(model.indexOf(op(t, "stage_0/join"))), OutlineModel::Pinned::None);
    const QString spoken =
        model.indexOf(join).siblingAtColumn(OutlineModel::Device).data(Qt::AccessibleTextRole).toString();
    EXPECT_TRUE(spoken.endsWith(", pinned")) << spoken.toStdString();
    t.press(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(pinned(model.indexOf(join)), OutlineModel::Pinned::None);
    EXPECT_EQ(reader->child(node)->text(QAccessible::Name), "stage_1/join, Add");
}

TEST_F(WindowPicture, WhatASearchFindsIsMarkedWhileItIsOpen) {
    WindowUnderTest t(folder);
    open(t, graphFile);
    t.trigger("Open all groups");
    ASSERT_TRUE(t.settle());
    t.press(Qt::Key_F, Qt::ControlModifier);
    auto* field = t.find<QueryEdit>("find");
    ASSERT_TRUE(t.settle());
    const QImage before = picture();
    QTest::keyClicks(field, "type:Add");
    ASSERT_TRUE(waitFor([&] { return graph->found().size() == 3; }));
    EXPECT_TRUE(t.session.selection().empty());
    EXPECT_NE(picture().copy(0, graph->height() / 3, graph->width(), graph->height() / 2),
              before.copy(0, graph->height() / 3, graph->width(), graph->height() / 2));
    QTest::keyClick(field, Qt::Key_Escape);
    EXPECT_TRUE(graph->found().empty());
    t.press(Qt::Key_F, Qt::ControlModifier);
    EXPECT_EQ(graph->found().size(), 3U) << "what it found is still in the bar";
    QTest::keyClicks(field, "type:None");
    EXPECT_TRUE(waitFor([&] { return graph->found().empty(); }));
}

TEST_F(WindowPicture, ALargePictureIsMadeWholeByAWorkerAndTheNewestCounts) {
    const QString file = path("large.json");
    ASSERT_TRUE(writeGraph(sampleGraph(600), file.toStdString()).has_value());
    WindowUnderTest t(folder);
    open(t, file);
    t.trigger("Open all groups");
    ASSERT_TRUE(t.settle());
    graph->setCamera({{100, 100}, 0.25});
    graph->repaint();
    EXPECT_FALSE(graph->isWhole()) << "edges are missing at first";
    graph->setCamera({{0, 0}, 0.3});
    graph->repaint();
    ASSERT_TRUE(waitFor([&] { return graph->isWhole(); }) && t.settle());
    const auto drawn = [&] {
        return GraphFrame::drawGround(
            {graph->shown().withoutMarks(), graph->camera(), graph->size(), graph->devicePixelRatioF(), t.look.theme()},
            {});
    };
    const QRect middle(2, graph->height() / 3, graph->width() / 2, graph->height() / 3); // no legend, map or frame
    EXPECT_EQ(picture().convertToFormat(QImage::Format_RGB32).copy(middle), drawn().copy(middle));
    t.session.selectOps({op(t, "stage_0/left/matmul_3")});
    graph->repaint();
    EXPECT_TRUE(graph->isWhole()) << "marks are laid over what is there";
}

/// Every op of a layer reads two of the layer before: full of crossings.
Graph tangledGraph(std::uint64_t seed) {
    GraphBuilder builder("tangled");
    constexpr int kLayer = 7;
    Random random(seed);
    std::vector<TensorId> before;
    for (int layer = 0; layer < 4; ++layer) {
        std::vector<TensorId> made;
        for (int i = 0; i < kLayer; ++i) {
            Op op;
            op.name = fmt::format("op{}_{}", layer, i);
            op.type = "MatMul";
            const OpId id = builder.addOp(std::move(op));
            for (int k = 0; k < 2 && !before.empty(); ++k)
                builder.addInput(id, before[random.below(kLayer)]);
            Tensor tensor;
            tensor.name = fmt::format("t{}_{}", layer, i);
            tensor.bytes = 4096;
            made.push_back(builder.addOutput(id, std::move(tensor)));
        }
        before = std::move(made);
    }
    Diagnostics diagnostics;
    return *std::move(builder).build(diagnostics);
}

/// A graph that dot has better rows for, found by asking it, and the op that then lies elsewhere than any other.
std::pair<Graph, OpId> improvableGraph() {
    for (std::uint64_t seed = 1; seed < 40; ++seed) {
        const Graph graph = tangledGraph(seed);
        const ScopeTree scopes = shownScopes(graph);
        GraphLayout layout(defaultLayoutHelper());
        const ExpandedScopes open = expandToBudget(scopes, 40); // as the window opens it
        const GraphScene before = layout.layout(graph, scopes, open);
        if (!layout.improve())
            continue;
        const GraphScene after = layout.layout(graph, scopes, open);
        OpId furthest;
        float most = 20;
        for (std::size_t i = 0; i < before.nodes.size(); ++i) {
            const LayoutRect &then = before.nodes[i].rect, &now = after.nodes[i].rect;
            const float moved = std::abs(now.x - then.x) + std::abs(now.y - then.y);
            if (before.nodes[i].op.valid() && moved > most) {
                most = moved;
                furthest = before.nodes[i].op;
            }
        }
        if (furthest.valid())
            return {tangledGraph(seed), furthest};
    }
    ADD_FAILURE() << "dot is never better; is the layout helper beside the program?";
    return {tangledGraph(1), OpId(0)};
}

TEST_F(WindowPicture, WhenBetterRowsArriveTheSelectionAndTheViewStay) {
    const QString file = path("tangled.json");
    const auto [tangled, looked] = improvableGraph();
    ASSERT_TRUE(writeGraph(tangled, file.toStdString()).has_value());
    WindowUnderTest t(folder);
    pane = t.window.findChild<GraphPane*>();
    graph = &pane->canvas();
    std::shared_ptr<const GraphScene> first;
    QPointF corner;
    // As soon as the first rows are there a person goes to an op, before better ones can have come.
    QObject::connect(pane, &GraphPane::came, graph, [&, looked = looked] {
        first = graph->scene();
        t.session.selectOps({looked});
        const LayoutRect& box = first->nodes[static_cast<std::size_t>(first->nodeOf(looked))].rect;
        graph->setCamera({QPointF(box.x - 120, box.y - 90), 1.5});
        corner = graph->nodeRect(first->nodeOf(looked)).topLeft();
    });
    t.window.openFiles({file});
    ASSERT_TRUE(waitFor([&] { return first != nullptr && graph->scene() != first; })) << "better rows arrive";
    ASSERT_TRUE(t.settle());
    EXPECT_EQ(t.session.selection().ops, std::vector{looked});
    EXPECT_EQ(graph->camera().scale, 1.5);
    const QPointF now = graph->nodeRect(graph->scene()->nodeOf(looked)).topLeft();
    EXPECT_NEAR(now.x(), corner.x(), 0.5) << "the op that is looked at stays where it is";
    EXPECT_NEAR(now.y(), corner.y(), 0.5);
    EXPECT_NE(first->nodes[static_cast<std::size_t>(first->nodeOf(looked))].rect,
              graph->scene()->nodes[static_cast<std::size_t>(graph->scene()->nodeOf(looked))].rect)
        << "though it lies elsewhere in the graph";
}

TEST_F(WindowPicture, KeptViewsAreThereInTheNextWindow) {
    GraphPlace kept;
    {
        WindowUnderTest t(folder);
        open(t, graphFile);
        t.trigger("Open all groups");
        ASSERT_TRUE(t.settle());
        t.session.selectOps({op(t, "stage_2/join")});
        QTest::keyClick(graph, Qt::Key_F);
        kept = pane->seen();
        QTest::keyClick(graph, Qt::Key_7, Qt::ControlModifier | Qt::ShiftModifier);
        t.window.close();
    }
    WindowUnderTest t(folder);
    open(t, graphFile);
    EXPECT_FALSE(pane->seen().isLike(kept));
    QTest::keyClick(graph, Qt::Key_7, Qt::AltModifier);
    ASSERT_TRUE(t.settle());
    EXPECT_TRUE(pane->seen().isLike(kept));
}

TEST_F(WindowPicture, OfManyGraphsTheKeptViewsUsedLeastLatelyAreForgotten) {
    QSettings settings(path("kept.ini"), QSettings::IniFormat);
    KeptViews views(settings);
    std::vector<std::shared_ptr<const OpenedGraph>> graphs;
    for (int i = 0; i <= KeptViews::kMostGraphs; ++i) {
        graphs.push_back(sampleOpened(1 + i));
        const GraphPlace place{{ScopeId(1), ScopeId(2)}, {{10.25, -3}, 0.5}, false, OpId(1), {}, {4, 5}};
        views.keep(*graphs.back(), 1 + i % 9, place);
    }
    EXPECT_FALSE(views.find(*graphs[0], 1)) << "one too many";
    const auto place = views.find(*graphs[1], 2);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->expanded, (ExpandedScopes{ScopeId(1), ScopeId(2)}));
    EXPECT_EQ(place->camera, (GraphCamera{{10.25, -3}, 0.5}));
    EXPECT_EQ(place->op, OpId(1));
    EXPECT_FALSE(place->scope.valid());
    EXPECT_FALSE(views.find(*graphs[1], 3)) << "another number";
    for (const QString& key : settings.allKeys()) {
        if (key != "keptViews/order")
            settings.setValue(key, "1-99999999|nonsense");
    }
    EXPECT_FALSE(views.find(*graphs[1], 2)) << "what is not understood is not gone to";
}

TEST_F(WindowPicture, TheGraphIsExportedAsDot) {
    WindowUnderTest t(folder);
    open(t, graphFile);
    for (const auto what : {MainWindow::Picture::GraphSeen, MainWindow::Picture::GraphWhole}) {
        t.window.exportPicture(what, path("graph.dot"));
        ASSERT_TRUE(t.settle());
        EXPECT_TRUE(t.window.message().contains("graph.dot")) << t.window.message().toStdString();
        const auto text = readFile(folder / "graph.dot");
        ASSERT_TRUE(text.has_value());
        EXPECT_EQ(text->rfind("digraph \"sample\" {", 0), 0U);
        EXPECT_NE(text->find(" -> "), std::string::npos);
    }
    t.window.exportPicture(MainWindow::Picture::ScheduleWhole, path("schedule.dot"));
    ASSERT_TRUE(t.settle());
    EXPECT_FALSE(QFileInfo::exists(path("schedule.dot"))) << "a schedule is no graph";
}

TEST_F(WindowPicture, AnExportIsStoppedByCancelAndNothingIsWritten) {
    const QString file = path("large.json");
    ASSERT_TRUE(writeGraph(sampleGraph(600), file.toStdString()).has_value());
    WindowUnderTest t(folder);
    open(t, file);
    t.trigger("Open all groups");
    ASSERT_TRUE(t.settle());
    t.window.exportPicture(MainWindow::Picture::GraphWhole, path("graph.pdf"));
    ASSERT_TRUE(t.session.jobs().busy("export"));
    t.session.jobs().cancelAll();
    EXPECT_TRUE(waitFor([&] { return t.window.message().contains("nothing was written"); }))
        << t.window.message().toStdString();
    EXPECT_FALSE(QFileInfo::exists(path("graph.pdf")));
}

} // namespace
} // namespace opscape::test
