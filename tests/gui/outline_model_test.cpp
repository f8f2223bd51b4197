// SPDX-License-Identifier: MIT
#include "gui/models/outline_model.h"
#include "gui/sample_graph.h"
#include "gui/search_subject.h"

#include <opscape/graph/graph_builder.h>

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace opscape {
namespace {

class OutlineModelTest : public testing::Test {
protected:
    /// Every op reachable from the root, by name.
    QStringList ops(const QModelIndex& parent = {}) const {
        QStringList names;
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex index = model.index(row, 0, parent);
            if (const OpId op = model.opAt(index); op.valid())
                names << QString::fromStdString(opened->graph->op(op).name);
            names << ops(index);
        }
        return names;
    }

    /// Holds what fits a query.
    void filter(const char* text, const ShownRunPtr& run = {}) {
        auto ops = Query::parse(text)->match(SearchSubject::of(opened, run).facts());
        ASSERT_TRUE(ops) << ops.error().message;
        model.setFound(std::move(*ops));
    }

    std::shared_ptr<const OpenedGraph> opened = test::sampleOpened();
    OutlineModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(OutlineModelTest, HoldsEveryOpOnce) {
    model.setGraph(opened);
    QStringList names = ops();
    EXPECT_EQ(names.size(), static_cast<qsizetype>(opened->graph->opCount()));
    EXPECT_EQ(names.removeDuplicates(), 0);
    EXPECT_EQ(model.matchCount(), opened->graph->opCount());
}

TEST_F(OutlineModelTest, FindsTheRowOfEveryOpAndScope) {
    model.setGraph(opened);
    for (std::size_t i = 0; i < opened->graph->opCount(); ++i)
        EXPECT_EQ(model.opAt(model.indexOf(OpId(i))), OpId(i));
    for (std::size_t s = 1; s < opened->scopes->scopeCount(); ++s)
        EXPECT_EQ(model.scopeAt(model.indexOf(ScopeId(s))), ScopeId(s));
    EXPECT_FALSE(model.indexOf(ScopeTree::root()).isValid());
}

TEST_F(OutlineModelTest, FilterKeepsMatchingOpsAndTheScopesAroundThem) {
    model.setGraph(opened);
    filter("stage_1 LEFT");
    EXPECT_EQ(ops(), (QStringList{"stage_1/left/matmul_0", "stage_1/left/matmul_1", "stage_1/left/matmul_2"}));
    EXPECT_EQ(model.rowCount(), 1);
    filter("type:add");
    EXPECT_EQ(ops(), (QStringList{"stage_0/join", "stage_1/join", "stage_2/join"}));
    filter("nowhere");
    EXPECT_EQ(model.rowCount(), 0);
    EXPECT_TRUE(model.filtered());
    model.setFound({});
    EXPECT_FALSE(model.filtered());
    EXPECT_EQ(model.matchCount(), opened->graph->opCount());
}

TEST_F(OutlineModelTest, AnotherRunLeavesTheRowsAsTheyAre) {
    model.setGraph(opened);
    const ShownRunPtr run = test::sampleRun(opened, true);
    filter("device:B", run);
    EXPECT_EQ(model.matchCount(), 9U);
    const QPersistentModelIndex row = model.index(0, OutlineModel::Time);
    model.setRun(run);
    EXPECT_TRUE(row.isValid());
    EXPECT_FALSE(row.data().toString().isEmpty());
    for (const QString& name : ops())
        EXPECT_TRUE(name.contains("right")) << name.toStdString();
}

TEST_F(OutlineModelTest, NamesShowTheirControls) {
    GraphBuilder builder("evil");
    Op op;
    op.name = "a\u202eb";
    op.type = "T\n";
    builder.addOp(std::move(op));
    Diagnostics diagnostics;
    auto evil = std::make_shared<OpenedGraph>();
    evil->graph = std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
    evil->scopes = std::make_shared<const ScopeTree>(*evil->graph);
    model.setGraph(evil);
    EXPECT_EQ(model.index(0, OutlineModel::Name).data().toString(), "a\\u202Eb");
    EXPECT_EQ(model.index(0, OutlineModel::Ops).data().toString(), "T\\n");
    EXPECT_TRUE(model.index(0, 0).data(Qt::ToolTipRole).toString().startsWith("a\\u202Eb\nT\\n"));
}

TEST_F(OutlineModelTest, TellsCountTimeAndDevice) {
    model.setGraph(opened);
    EXPECT_EQ(model.index(0, OutlineModel::Ops).data().toString(), "7");
    EXPECT_FALSE(model.index(0, OutlineModel::Time).data().isValid());
    model.setRun(test::sampleRun(opened, true));
    EXPECT_FALSE(model.index(0, OutlineModel::Time).data().toString().isEmpty());
    const QModelIndex right = model.indexOf(opened->scopes->scopeOf(opened->graph->findOp("stage_0/right/matmul_0")));
    EXPECT_EQ(right.data(OutlineModel::DeviceRole).toInt(), 1);
    EXPECT_FALSE(right.data(OutlineModel::MixedRole).toBool());
    EXPECT_TRUE(model.index(0, 0).data(OutlineModel::MixedRole).toBool());
}

TEST_F(OutlineModelTest, IsEmptyWithoutAGraph) {
    EXPECT_EQ(model.rowCount(), 0);
    model.setFound(std::vector<OpId>());
    model.setGraph(opened);
    model.setGraph(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace opscape
