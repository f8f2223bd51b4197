// SPDX-License-Identifier: MIT
#include "small_graph.h"

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::built;
using test::indices;
using test::op;
using test::ops;
using test::tensor;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> names(const Graph& graph) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        all.push_back(graph.op(OpId(i)).name);
    return all;
}

TEST(GraphBuilder, BuildsTheEmptyGraph) {
    Diagnostics diagnostics;
    const Graph graph = built(GraphBuilder("nothing"), &diagnostics);
    EXPECT_EQ(graph.name(), "nothing");
    EXPECT_EQ(graph.opCount(), 0u);
    EXPECT_EQ(graph.edgeCount(), 0u);
    EXPECT_TRUE(graph.topologicalOrder().empty());
    EXPECT_FALSE(graph.findOp("x").valid());
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_EQ(graph.hash().size(), 32u);
}

TEST(GraphBuilder, KeepsTheOrderOfItsSource) {
    const Graph graph = built(ops({"c", "a", "b"}));
    EXPECT_THAT(names(graph), ElementsAre("c", "a", "b"));
    EXPECT_EQ(graph.findOp("a"), OpId(1));
    EXPECT_EQ(graph.findOp("c"), OpId(0));
    EXPECT_FALSE(graph.findOp("d").valid());
    EXPECT_FALSE(graph.findOp("").valid());
    EXPECT_FALSE(graph.findOp("a ").valid());
}

TEST(GraphBuilder, DerivesWhoReadsAndWritesWhat) {
    // a writes x and y; b reads x twice, an omitted input and y; c reads y.
    GraphBuilder builder("g");
    const OpId a = builder.addOp(op("a")), b = builder.addOp(op("b")), c = builder.addOp(op("c"));
    const TensorId y = builder.addOutput(a, tensor("y"));
    const TensorId z = builder.addOutput(b, tensor("z"));
    const TensorId x = builder.addOutput(a, tensor("x"));
    for (const TensorId input : {x, TensorId(), y, x})
        builder.addInput(b, input);
    builder.addInput(c, y);
    const Graph graph = built(std::move(builder));

    EXPECT_THAT(graph.inputs(b), ElementsAre(x, TensorId(), y, x));
    EXPECT_THAT(graph.outputs(a), ElementsAre(y, x)) << "in the order they were added";
    EXPECT_THAT(graph.dataInputs(b), ElementsAre(y, x)) << "distinct and ascending";
    EXPECT_THAT(graph.consumers(x), ElementsAre(b));
    EXPECT_THAT(graph.consumers(y), ElementsAre(b, c));
    EXPECT_THAT(graph.consumers(z), IsEmpty());
    EXPECT_EQ(graph.producer(x), a);
    EXPECT_THAT(graph.predecessors(b), ElementsAre(a));
    EXPECT_THAT(graph.successors(a), ElementsAre(b, c));
    EXPECT_EQ(graph.edgeCount(), 3u) << "x-b, y-b, y-c";
    EXPECT_EQ(graph.controlEdgeCount(), 0u);
}

TEST(GraphBuilder, InputsMayBeAddedInAnyOrderOfOps) {
    GraphBuilder builder("g");
    const OpId a = builder.addOp(op("a")), b = builder.addOp(op("b"));
    const TensorId w = builder.addResident(tensor("w", {1}, TensorKind::Weight));
    const TensorId v = builder.addResident(tensor("v", {1}, TensorKind::Weight));
    builder.addInput(b, w);
    builder.addInput(a, v);
    builder.addInput(b, v);
    builder.addInput(a, w);
    const Graph graph = built(std::move(builder));
    EXPECT_THAT(graph.inputs(a), ElementsAre(v, w));
    EXPECT_THAT(graph.inputs(b), ElementsAre(w, v));
}

TEST(GraphBuilder, ResidentsHaveReadersButNoProducerAndMakeNoEdge) {
    GraphBuilder builder("g");
    const OpId a = builder.addOp(op("a")), b = builder.addOp(op("b"));
    for (const TensorKind kind :
         {TensorKind::Input, TensorKind::Weight, TensorKind::Constant, TensorKind::OptimizerState}) {
        const TensorId id = builder.addResident(tensor("r", {10}, kind));
        builder.addInput(b, id);
        builder.addInput(a, id);
    }
    const Graph graph = built(std::move(builder));
    for (std::size_t t = 0; t < 4; ++t) {
        EXPECT_FALSE(graph.producer(TensorId(t)).valid());
        EXPECT_THAT(graph.consumers(TensorId(t)), ElementsAre(a, b));
        EXPECT_EQ(graph.tensorBytes(TensorId(t)), 40);
    }
    EXPECT_EQ(graph.tensor(TensorId(3)).kind, TensorKind::OptimizerState);
    EXPECT_THAT(graph.dataInputs(a), IsEmpty());
    EXPECT_THAT(graph.predecessors(a), IsEmpty());
    EXPECT_EQ(graph.edgeCount(), 0u);
}

TEST(GraphBuilder, AnOutputIsAnActivationWhateverItSays) {
    GraphBuilder builder("g");
    const OpId a = builder.addOp(op("a"));
    const TensorId t = builder.addOutput(a, tensor("t", {1}, TensorKind::Weight));
    EXPECT_EQ(built(std::move(builder)).tensor(t).kind, TensorKind::Activation);
}

TEST(GraphBuilder, ControlEdgesOrderOpsWithoutData) {
    GraphBuilder builder = ops({"a", "b", "c"}, {{0, 2}});
    builder.addControl(OpId(1), OpId(2));
    builder.addControl(OpId(1), OpId(0));
    const Graph graph = built(std::move(builder));
    EXPECT_THAT(graph.controlSuccessors(OpId(1)), ElementsAre(OpId(0), OpId(2)));
    EXPECT_THAT(graph.controlPredecessors(OpId(2)), ElementsAre(OpId(1)));
    EXPECT_THAT(graph.predecessors(OpId(2)), ElementsAre(OpId(0), OpId(1))) << "through data or control";
    EXPECT_THAT(graph.dataInputs(OpId(2)), ElementsAre(TensorId(0)));
    EXPECT_EQ(graph.edgeCount(), 3u);
    EXPECT_EQ(graph.controlEdgeCount(), 2u);
    EXPECT_THAT(indices(graph.topologicalOrder()), ElementsAre(1, 0, 2));
}

TEST(GraphBuilder, DropsAndCountsRepeatedAndSelfControlEdges) {
    GraphBuilder builder = ops({"a", "b"});
    for (int i = 0; i < 3; ++i)
        builder.addControl(OpId(0), OpId(1));
    builder.addControl(OpId(1), OpId(1));
    Diagnostics diagnostics;
    const Graph graph = built(std::move(builder), &diagnostics);
    EXPECT_EQ(graph.controlEdgeCount(), 1u);
    EXPECT_EQ(diagnostics.count("redundant-control"), 3u);
    EXPECT_THAT(diagnostics.entries()[0].examples, ElementsAre("a -> b", "a -> b", "b -> b"));
}

TEST(GraphBuilder, NamesTheNamelessByTypeAndNumber) {
    GraphBuilder builder("g");
    builder.addOp(op("", "Conv"));
    builder.addOp(op("x", "Conv"));
    builder.addOp(op("", ""));
    Diagnostics diagnostics;
    EXPECT_THAT(names(built(std::move(builder), &diagnostics)), ElementsAre("Conv_0", "x", "op_2"));
    EXPECT_EQ(diagnostics.count("unnamed-op"), 2u);
    EXPECT_EQ(diagnostics.count("duplicate-name"), 0u);
}

TEST(GraphBuilder, NumbersTheLaterOfTwoOpsOfOneName) {
    Diagnostics diagnostics;
    const Graph graph = built(ops({"a", "b", "a", "a"}), &diagnostics);
    EXPECT_THAT(names(graph), ElementsAre("a", "b", "a#2", "a#3"));
    EXPECT_EQ(graph.findOp("a"), OpId(0));
    EXPECT_EQ(graph.findOp("a#3"), OpId(3));
    EXPECT_EQ(diagnostics.count("duplicate-name"), 2u);
    EXPECT_EQ(diagnostics.entries()[0].examples[0], "a is now a#2");
}

TEST(GraphBuilder, ANumberedNameNeverTakesThatOfAnotherOp) {
    EXPECT_THAT(names(built(ops({"a#2", "a", "a"}))), ElementsAre("a#2", "a", "a#3"));
    EXPECT_THAT(names(built(ops({"a", "a", "a#2"}))), ElementsAre("a", "a#3", "a#2"));
    EXPECT_THAT(names(built(ops({"a", "a", "a#2", "a#2"}))), ElementsAre("a", "a#3", "a#2", "a#2#2"));
    EXPECT_THAT(names(built(ops({"", "Op_0"}))), ElementsAre("Op_0#2", "Op_0")) << "who came with a name keeps it";
}

TEST(GraphBuilder, RenamesManyOpsOfOneName) {
    constexpr std::size_t kMany = 20'000; // quadratic work would take minutes
    Diagnostics diagnostics;
    const Graph graph = built(ops(std::vector<std::string>(kMany, "same")), &diagnostics);
    EXPECT_EQ(diagnostics.count("duplicate-name"), kMany - 1);
    EXPECT_EQ(graph.op(OpId(kMany - 1)).name, fmt::format("same#{}", kMany));
    EXPECT_EQ(graph.findOp(fmt::format("same#{}", kMany / 2)), OpId(kMany / 2 - 1));
}

TEST(GraphBuilder, FindsEveryOpOfAThousandByItsName) {
    const Graph graph = built(test::chain(1000));
    for (std::size_t i = 0; i < 1000; ++i)
        ASSERT_EQ(graph.findOp(graph.op(OpId(i)).name), OpId(i));
    EXPECT_FALSE(graph.findOp("op_1000").valid());
}

TEST(GraphBuilder, AnOpCanBeChangedUntilItIsBuilt) {
    GraphBuilder builder = ops({"a", "b"});
    builder.op(OpId(1)).name = "a";
    EXPECT_EQ(builder.opCount(), 2u);
    EXPECT_EQ(builder.tensor(TensorId(0)).name, "a:0");
    EXPECT_THAT(names(built(std::move(builder))), ElementsAre("a", "a#2")) << "names are settled at the end";
}

TEST(GraphBuilder, SizesATensorByWhatIsGivenOrElseByItsShape) {
    GraphBuilder builder("g");
    const OpId a = builder.addOp(op("a"));
    Tensor given = tensor("given", {10});
    given.bytes = 7;
    const TensorId byBytes = builder.addOutput(a, given);
    const TensorId byShape = builder.addOutput(a, tensor("shape", {10}));
    const TensorId scalar = builder.addOutput(a, tensor("scalar", {}));
    Tensor noShape = tensor("no shape");
    noShape.shapeKnown = false;
    const TensorId unknown = builder.addOutput(a, noShape);
    const TensorId dynamic = builder.addOutput(a, tensor("dynamic", {kUnknownDim, 8}));
    Tensor huge = tensor("huge", {1LL << 40, 1LL << 40});
    const TensorId tooLarge = builder.addOutput(a, huge);
    Diagnostics diagnostics;
    const Graph graph = built(std::move(builder), &diagnostics);
    EXPECT_EQ(graph.tensorBytes(byBytes), 7);
    EXPECT_EQ(graph.tensorBytes(byShape), 40);
    EXPECT_EQ(graph.tensorBytes(scalar), 4);
    for (const TensorId id : {unknown, dynamic, tooLarge})
        EXPECT_EQ(graph.tensorBytes(id), 0);
    EXPECT_EQ(diagnostics.count("unknown-size"), 3u);
    EXPECT_THAT(diagnostics.entries()[0].examples, ElementsAre("no shape: f32 of unknown shape", "dynamic: f32 ?x8",
                                                               "huge: f32 1099511627776x1099511627776"));
}

TEST(GraphBuilder, WhatIsNotUtf8IsMadeSo) {
    GraphBuilder builder("g\xff");
    for (int i = 0; i < 2; ++i) {
        Op op;
        op.name = i == 0 ? "a\xff" : "a\xfe";
        op.type = op.colocation = op.requestedDevice = "\xff";
        op.attributes = {{"\xff", std::string("\xff")}};
        Tensor tensor;
        tensor.name = "\xff";
        builder.addOutput(builder.addOp(op), tensor);
    }
    Diagnostics diagnostics;
    const auto graph = std::move(builder).build(diagnostics);
    ASSERT_TRUE(graph);
    const std::string unknown = "\uFFFD";
    EXPECT_EQ(graph->name(), "g" + unknown);
    EXPECT_EQ(graph->op(OpId(0)).name, "a" + unknown);
    EXPECT_EQ(graph->op(OpId(1)).name, "a" + unknown + "#2");
    EXPECT_EQ(graph->op(OpId(0)).attributes[0], (Attribute{unknown, unknown}));
    EXPECT_EQ(graph->op(OpId(0)).colocation, unknown);
    EXPECT_EQ(graph->tensor(TensorId(0)).name, unknown);
    EXPECT_EQ(diagnostics.count("not-utf8"), 15u);
}

TEST(GraphBuilder, ATensorOfUnknownShapeHasNoDimensions) {
    GraphBuilder builder("g");
    Tensor token;
    token.kind = TensorKind::Input;
    token.shape = {8};
    builder.addResident(token);
    Diagnostics diagnostics;
    const auto graph = std::move(builder).build(diagnostics);
    ASSERT_TRUE(graph);
    EXPECT_TRUE(graph->tensor(TensorId(0)).shape.empty());
}

TEST(GraphBuilder, RefusesNegativeTimesAndWorkspaces) {
    const auto error = [](auto change) {
        GraphBuilder builder = ops({"a", "b"});
        change(builder.op(OpId(1)));
        Diagnostics diagnostics;
        const auto graph = std::move(builder).build(diagnostics);
        return graph ? std::string() : graph.error().message;
    };
    EXPECT_EQ(error([](Op& o) { o.timeNs["P100"] = -3; }), "op b takes -3 ns on P100; a time cannot be negative.");
    EXPECT_EQ(error([](Op& o) { o.workspaceBytes = -1; }), "op b has a workspace of -1 bytes; it cannot be negative.");
    EXPECT_EQ(error([](Op& o) { o.timeNs["P100"] = 0; }), "");
    EXPECT_EQ(error([](Op& o) { o.flops = o.bytesMoved = -1; }), "") << "not given";
}

TEST(GraphBuilder, OrdersProducersFirstAndTheLowestReadyIdBeforeOthers) {
    EXPECT_THAT(indices(built(ops({"0", "1", "2", "3"}, {{3, 0}, {2, 0}})).topologicalOrder()),
                ElementsAre(1, 2, 3, 0));
    EXPECT_THAT(indices(built(ops({"0", "1", "2", "3"}, {{3, 2}, {2, 1}, {1, 0}})).topologicalOrder()),
                ElementsAre(3, 2, 1, 0));
    EXPECT_THAT(indices(built(ops({"0", "1", "2", "3", "4"}, {{1, 0}, {0, 4}})).topologicalOrder()),
                ElementsAre(1, 0, 2, 3, 4));
}

TEST(GraphBuilder, GathersColocationGroupsOfAtLeastTwo) {
    GraphBuilder builder = ops({"a", "b", "c", "d", "e", "f"});
    for (const auto& [id, group] :
         std::vector<std::pair<std::size_t, std::string>>{{0, "z"}, {1, "alone"}, {2, "b"}, {3, "z"}, {5, "b"}})
        builder.op(OpId(id)).colocation = group;
    const Graph graph = built(std::move(builder));
    ASSERT_EQ(graph.colocationGroups().size(), 2u);
    EXPECT_THAT(graph.colocationGroups()[0], ElementsAre(OpId(2), OpId(5))) << "b before z";
    EXPECT_THAT(graph.colocationGroups()[1], ElementsAre(OpId(0), OpId(3)));
    std::vector<int> groups;
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        groups.push_back(graph.colocationGroup(OpId(i)));
    EXPECT_THAT(groups, ElementsAre(1, -1, 0, 1, -1, 0));
}

TEST(GraphBuilder, AddsToTheDiagnosticsOfItsCaller) {
    Diagnostics diagnostics;
    diagnostics.add(Severity::Info, "earlier", "Earlier", "x");
    built(ops({"a", "a"}), &diagnostics);
    EXPECT_EQ(diagnostics.count("earlier"), 1u);
    EXPECT_EQ(diagnostics.count("duplicate-name"), 1u);
}

TEST(GraphBuilder, BuildsAChainOfAHundredThousandOps) {
    const Graph graph = built(test::chain(100'000));
    EXPECT_EQ(graph.edgeCount(), 99'999u);
    EXPECT_EQ(graph.topologicalOrder().back(), OpId(99'999));
}

TEST(GraphBuilder, BuildsAFanOutOfFiftyThousandConsumers) {
    constexpr std::size_t kFan = 50'000;
    GraphBuilder builder("fan");
    const OpId source = builder.addOp(op("source"));
    const OpId sink = builder.addOp(op("sink"));
    const TensorId x = builder.addOutput(source, tensor("x"));
    for (std::size_t i = 0; i < kFan; ++i) {
        const OpId id = builder.addOp(op(fmt::format("fan_{}", i)));
        builder.addInput(id, x);
        builder.addControl(source, id); // the same neighbour a second way
        builder.addInput(sink, builder.addOutput(id, tensor("y")));
    }
    const Graph graph = built(std::move(builder));
    EXPECT_EQ(graph.consumers(x).size(), kFan);
    EXPECT_EQ(graph.successors(source).size(), kFan);
    EXPECT_EQ(graph.predecessors(sink).size(), kFan);
    EXPECT_EQ(graph.edgeCount(), 3 * kFan);
    EXPECT_EQ(graph.topologicalOrder().back(), sink);
}

} // namespace
} // namespace opscape
