// SPDX-License-Identifier: MIT
// A graph with a cycle is refused with one sentence that names it.
#include "small_graph.h"

namespace opscape {
namespace {

using test::op;
using test::ops;

std::string errorOf(GraphBuilder&& builder) {
    Diagnostics diagnostics;
    const auto graph = std::move(builder).build(diagnostics);
    EXPECT_FALSE(graph);
    return graph ? std::string() : graph.error().message;
}

TEST(GraphCycle, IsNamedFromItsFirstOp) {
    EXPECT_EQ(errorOf(ops({"a", "b", "c"}, {{0, 1}, {1, 2}, {2, 0}})),
              "the graph has a cycle of 3 ops: a -> b -> c -> a; a computation graph must be acyclic.");
    EXPECT_EQ(errorOf(ops({"c", "b", "a"}, {{0, 1}, {1, 2}, {2, 0}})),
              "the graph has a cycle of 3 ops: c -> b -> a -> c; a computation graph must be acyclic.");
}

TEST(GraphCycle, LeavesOutWhatLeadsToItAndFollowsIt) {
    EXPECT_EQ(errorOf(ops({"before", "a", "b", "after", "beside"}, {{0, 1}, {1, 2}, {2, 1}, {2, 3}, {0, 4}})),
              "the graph has a cycle of 2 ops: a -> b -> a; a computation graph must be acyclic.");
    EXPECT_EQ(errorOf(ops({"after", "a", "b"}, {{1, 2}, {2, 1}, {2, 0}})),
              "the graph has a cycle of 2 ops: a -> b -> a; a computation graph must be acyclic.");
}

TEST(GraphCycle, CanBeAnOpThatReadsItsOwnOutput) {
    EXPECT_EQ(errorOf(ops({"a", "b"}, {{1, 1}})),
              "the graph has a cycle of 1 op: b -> b; a computation graph must be acyclic.");
}

TEST(GraphCycle, IsOneSentenceWhateverTheNamesHold) {
    EXPECT_EQ(errorOf(ops({"a\nb", "\u202e"}, {{0, 1}, {1, 0}})),
              "the graph has a cycle of 2 ops: a\\nb -> \\u202E -> a\\nb; a computation graph must be acyclic.");
}

TEST(GraphCycle, CanBeMadeOfControlEdges) {
    GraphBuilder control = ops({"a", "b"});
    control.addControl(OpId(0), OpId(1));
    control.addControl(OpId(1), OpId(0));
    EXPECT_EQ(errorOf(std::move(control)),
              "the graph has a cycle of 2 ops: a -> b -> a; a computation graph must be acyclic.");
    GraphBuilder mixed = ops({"a", "b"}, {{0, 1}});
    mixed.addControl(OpId(1), OpId(0));
    EXPECT_EQ(errorOf(std::move(mixed)),
              "the graph has a cycle of 2 ops: a -> b -> a; a computation graph must be acyclic.");
}

TEST(GraphCycle, IsShortenedWhenLong) {
    GraphBuilder builder = test::chain(100'000);
    builder.addControl(OpId(99'999), OpId(0));
    EXPECT_EQ(errorOf(std::move(builder)),
              "the graph has a cycle of 100000 ops: op_0 -> op_1 -> op_2 -> op_3 -> op_4 -> "
              "... (99995 more) -> op_0; a computation graph must be acyclic.");
}

TEST(GraphCycle, NamesOpsAsTheyAreNamedInTheEnd) {
    EXPECT_EQ(errorOf(ops({"a", "a"}, {{0, 1}, {1, 0}})),
              "the graph has a cycle of 2 ops: a -> a#2 -> a; a computation graph must be acyclic.");
}

} // namespace
} // namespace opscape
