// SPDX-License-Identifier: MIT
#include "edit/edit_fixture.h"

namespace opscape::test {
namespace {

/// a -> b -> c, and a -> c; d alone. a and d are colocated.
Problem problem(int devices = 3) {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    const OpId b = g.op("b", 10, {a});
    g.op("c", 10, {a, b});
    const OpId d = g.op("d", 10);
    g.edit(a).colocation = g.edit(d).colocation = "variables";
    return makeTestProblem(g.build(), {.devices = devices});
}

TEST(MovingOps, TakesWhatIsColocatedAlong) {
    Editing e(problem(), placed({0, 0, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Move, {1}, 2), "");
    EXPECT_EQ(e.now.given(), placed({0, 2, 0, 0}));
    EXPECT_EQ(e.remark, "");
    EXPECT_EQ(e.edit(EditKind::Move, {0}, 1), "");
    EXPECT_EQ(e.now.given(), placed({1, 2, 0, 1}));
    EXPECT_EQ(e.remark, "1 more op moves along, being colocated with what is selected.");
}

TEST(MovingOps, TakesWhatIsFusedAlongAndWhatIsColocatedWithThat) {
    Plan plan = placed({0, 0, 0, 0});
    plan.fusionGroup = {5, 5, Plan::kNotFused, Plan::kNotFused};
    Editing e(problem(), plan);
    EXPECT_EQ(e.edit(EditKind::Move, {1}, 1), "");
    EXPECT_EQ(e.now.plan.device, placed({1, 1, 0, 1}).device);
    EXPECT_EQ(e.remark, "2 more ops move along, being colocated or fused with what is selected.");
}

TEST(MovingOps, IsRefusedWhereOneIsPinnedElsewhereOrAllAreThere) {
    Editing e(problem(), placed({0, 1, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Move, {1}, 1), "b is on d1 already.");
    EXPECT_EQ(e.edit(EditKind::Move, {2, 3}, 0), "All of the selection is on d0 already.");
    EXPECT_EQ(e.edit(EditKind::Pin, {3}), "");
    EXPECT_EQ(e.remark, "1 more op is pinned too, being colocated with what is selected.");
    EXPECT_EQ(e.edit(EditKind::Move, {0}, 1),
              "a and 1 more op are pinned to their devices; unpin them before you move the selection.");
    EXPECT_EQ(e.edit(EditKind::Pin, {1}), "");
    EXPECT_EQ(e.edit(EditKind::Move, {1, 2}, 0), "b is pinned to d1; unpin it before you move the selection.");
    EXPECT_EQ(e.edit(EditKind::Move, {}, 0), "Select an op or a group first.");
}

TEST(Pinning, HoldsOpsWhereTheyAreUntilTheyAreUnpinned) {
    Editing e(problem(), placed({0, 1, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Unpin, {0, 1}), "Nothing of the selection is pinned.");
    EXPECT_EQ(e.edit(EditKind::Pin, {1}), "");
    EXPECT_EQ(e.now.givenPins(), (std::vector{DeviceId(), DeviceId(1), DeviceId(), DeviceId()}));
    EXPECT_EQ(e.edit(EditKind::Pin, {1}), "The selection is pinned already.");
    EXPECT_EQ(e.edit(EditKind::Unpin, {0, 1, 2}), "");
    EXPECT_TRUE(e.now.givenPins().empty());
    EXPECT_EQ(e.edit(EditKind::Move, {1}, 0), "");
}

TEST(SwappingDevices, ExchangesAllThatIsOnThem) {
    Editing e(problem(), placed({0, 1, 2, 0}));
    EXPECT_EQ(e.edit(EditKind::Swap, {}, 0, 1), "");
    EXPECT_EQ(e.now.given(), placed({1, 0, 2, 1}));
    EXPECT_EQ(e.edit(EditKind::Pin, {1}), "");
    EXPECT_EQ(e.edit(EditKind::Swap, {}, 2, 0), "b is pinned to d0; unpin it before you swap the devices.");
    EXPECT_EQ(e.edit(EditKind::Swap, {}, 2, 1), "");
    EXPECT_EQ(e.now.given(), placed({2, 0, 1, 2}));
    Editing empty(problem(), placed({2, 2, 2, 2}));
    EXPECT_EQ(empty.edit(EditKind::Swap, {}, 0, 1), "There is nothing on d0 and d1 to swap.");
}

TEST(Fusing, MakesOneKernelOfOpsOnOneDevice) {
    Editing e(problem(), placed({0, 0, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Fuse, {0, 1}), "");
    EXPECT_EQ(e.now.plan.fusionGroup, (std::vector<std::uint32_t>{0, 0, Plan::kNotFused, Plan::kNotFused}));
    EXPECT_EQ(e.edit(EditKind::Fuse, {0, 1}), "The selected ops are fused already.");
    EXPECT_EQ(e.edit(EditKind::Fuse, {1, 2}), "");
    EXPECT_EQ(e.remark, "With 1 more op fused with these before.");
    EXPECT_EQ(e.now.plan.fusionGroup, (std::vector<std::uint32_t>{0, 0, 0, Plan::kNotFused}));
    EXPECT_EQ(e.edit(EditKind::Unfuse, {1, 3}), "");
    EXPECT_TRUE(e.now.given().fusionGroup.empty());
    EXPECT_EQ(e.edit(EditKind::Unfuse, {1}), "Nothing of the selection is fused.");
}

TEST(Fusing, IsRefusedOverDevicesAndWhereAPathLeavesAndComesBack) {
    Editing e(problem(), placed({0, 1, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Fuse, {0}), "Select at least two ops to fuse them.");
    EXPECT_EQ(e.edit(EditKind::Fuse, {0, 1}),
              "One kernel runs on one device, but a is on d0 and b on d1; move them together first.");
    EXPECT_EQ(e.edit(EditKind::Fuse, {0, 2}),
              "They cannot be one kernel: b reads what some of them make and feeds others; select it too.");
    EXPECT_EQ(e.edit(EditKind::Fuse, {2, 3}), "") << "ops that have nothing to do with one another may fuse";
}

TEST(Fusing, SeesPathsThroughOtherKernels) {
    TinyGraph g; // a -> b, x -> c: with b and x fused, a comes before c
    const OpId a = g.op("a", 10);
    const OpId x = g.op("x", 10);
    g.op("b", 10, {a});
    g.op("c", 10, {x});
    Editing e(makeTestProblem(g.build(), {.devices = 1}), placed({0, 0, 0, 0}));
    EXPECT_EQ(e.edit(EditKind::Fuse, {1, 2}), "");
    EXPECT_EQ(e.edit(EditKind::Fuse, {0, 3}),
              "They cannot be one kernel: b reads what some of them make, and the way from there leads through x back "
              "to others; select what lies between too.");
    EXPECT_EQ(e.edit(EditKind::Fuse, {0, 2, 3}), "");
}

TEST(AnyEdit, GivesAValidPlanThatRuns) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        const Problem given = makeTestProblem(randomGraph(random, 40, true), {.devices = 3});
        Editing e(given, randomPlan(given, random));
        EditHistory history(e.now);
        std::vector<EditedPlan> states{e.now};
        int done = 0;
        for (int i = 0; i < 30; ++i) {
            const auto kind = static_cast<EditKind>(random.below(10));
            std::vector<std::size_t> ops;
            const std::size_t from = random.below(36);
            for (std::size_t op = from; op < from + 1 + random.below(4); ++op)
                ops.push_back(op);
            const std::size_t device = random.below(3);
            if (!e.edit(kind, ops, device, (device + 1) % 3).empty())
                continue;
            ++done;
            ASSERT_TRUE(Simulator(given).run(e.now.plan, Detail::Makespan).has_value())
                << "seed " << seed << ", edit " << i << " of kind " << static_cast<int>(kind);
            history.push(fmt::format("edit {}", i), e.now);
            states.push_back(e.now);
        }
        EXPECT_GT(done, 5);
        for (std::size_t i = states.size(); i-- > 1;) {
            EXPECT_EQ(history.now(), states[i]);
            history.undo();
        }
        EXPECT_EQ(history.now(), states[0]);
        for (std::size_t i = 1; i < states.size(); ++i) {
            history.redo();
            EXPECT_EQ(history.now(), states[i]);
        }
    }
}

} // namespace
} // namespace opscape::test
