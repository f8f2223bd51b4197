// SPDX-License-Identifier: MIT
#include "edit/edit_fixture.h"

namespace opscape::test {
namespace {

/// Four ops that wait for nothing, and e that reads b.
Problem problem() {
    TinyGraph g;
    g.op("a", 10);
    const OpId b = g.op("b", 10);
    g.op("c", 10);
    g.op("d", 10);
    g.op("e", 10, {b});
    return makeTestProblem(g.build(), {.devices = 2});
}

TEST(ChangingPriority, StartsFromTheOrderThatWasShown) {
    Editing e(problem(), placed({0, 0, 0, 0, 0}));
    ASSERT_EQ(e.order(0), "abcde");
    EXPECT_EQ(e.edit(EditKind::First, {2}), "");
    EXPECT_EQ(e.now.plan.policy, QueuePolicy::Priority);
    EXPECT_EQ(e.order(0), "cabde");
    EXPECT_EQ(e.edit(EditKind::Last, {0, 2}), "");
    EXPECT_EQ(e.order(0), "bdeca") << "several keep their order among themselves";
}

TEST(ChangingPriority, StepsPastOneNeighbourOfTheSameDevice) {
    Editing e(problem(), placed({0, 0, 0, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Earlier, {3}), "");
    EXPECT_EQ(e.order(0), "abdce");
    EXPECT_EQ(e.edit(EditKind::Earlier, {3}), "");
    EXPECT_EQ(e.order(0), "adbce");
    EXPECT_EQ(e.edit(EditKind::Later, {0}), "");
    EXPECT_EQ(e.order(0), "dabce");
    EXPECT_EQ(e.edit(EditKind::Later, {0, 1}), "");
    EXPECT_EQ(e.order(0), "dcabe");
    EXPECT_EQ(e.edit(EditKind::Earlier, {3}), "Nothing runs before the selection on d0.");
    EXPECT_EQ(e.edit(EditKind::Later, {4}), "Nothing runs after the selection on d0.");
}

TEST(ChangingPriority, ChangesTheNumbersOfTheSelectedOpsAlone) {
    Editing e(problem(), placed({0, 0, 0, 0, 0}, QueuePolicy::Priority, {50, 40, 30, 20, 10}));
    EXPECT_EQ(e.edit(EditKind::Earlier, {3}), "");
    EXPECT_EQ(e.now.plan.priority, (std::vector<std::int64_t>{50, 40, 30, 35, 10}));
    EXPECT_EQ(e.edit(EditKind::First, {4}), "");
    EXPECT_EQ(e.order(0), "abedc") << "first as soon as b is there";
}

TEST(ChangingPriority, MakesRoomWhereThereIsNone) {
    Editing e(problem(), placed({0, 0, 0, 0, 0}, QueuePolicy::Priority, {3, 2, 2, 1, 0}));
    EXPECT_EQ(e.edit(EditKind::Earlier, {3}), "");
    EXPECT_EQ(e.order(0), "abdce");
}

TEST(ChangingPriority, SaysWhenTheQueueIsNotWhatKeepsAnOp) {
    Editing e(problem(), placed({0, 0, 0, 0, 0}, QueuePolicy::Priority, {50, 40, 30, 20, 99}));
    ASSERT_EQ(e.order(0), "abecd");
    EXPECT_EQ(e.edit(EditKind::Earlier, {4}),
              "The selection is ahead of b already, and ran later because it was ready later.");
}

TEST(ChangingPriority, MendsAFixedOrderThatCouldNotRun) {
    Editing e(problem(), placed({0, 0, 0, 0, 0}, QueuePolicy::Order, {50, 40, 30, 20, 10}));
    EXPECT_EQ(e.edit(EditKind::First, {4}), "");
    EXPECT_EQ(e.remark, "The fixed order was mended where an op came before what it waits for.");
    EXPECT_EQ(e.order(0), "abecd");
    EXPECT_EQ(e.edit(EditKind::First, {3}), "");
    EXPECT_EQ(e.remark, "");
    EXPECT_EQ(e.order(0), "dabec");
}

TEST(ChangingPriority, LeavesTheScheduleOfOthersAsItIsWhenQueuesGetPriorities) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Random random(seed);
        const Problem given = makeTestProblem(randomGraph(random, 60), {.devices = 3});
        Plan plan = randomPlan(given, random, false);
        plan.policy = QueuePolicy::Fifo;
        plan.priority.clear();
        const Schedule before = simulated(given, plan);
        // An op that starts last of all can be put last without a change.
        std::size_t last = 0;
        for (std::size_t i = 0; i < before.ops.size(); ++i)
            last = before.ops[i].startNs >= before.ops[last].startNs ? i : last;
        Editing e(given, plan);
        ASSERT_EQ(e.edit(EditKind::Last, {last}), "");
        EXPECT_EQ(e.schedule().makespanNs, before.makespanNs) << "seed " << seed;
    }
}

} // namespace
} // namespace opscape::test
