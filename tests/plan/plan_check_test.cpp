// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

namespace opscape::test {
namespace {

constexpr std::uint32_t kAlone = Plan::kNotFused;

/// a -> b -> c, and a -> c; d alone. a and c are colocated.
Problem problem() {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    const OpId b = g.op("b", 10, {a});
    const OpId c = g.op("c", 10, {a, b});
    g.op("d", 10);
    g.edit(a).colocation = g.edit(c).colocation = "variables";
    return makeTestProblem(g.build(), {.devices = 2});
}

std::string reason(const Plan& plan, const Problem& p = problem()) {
    const auto valid = checkPlan(p, plan);
    return valid ? "" : valid.error().message;
}

Plan fused(std::vector<std::size_t> devices, std::vector<std::uint32_t> groups) {
    Plan plan = placed(std::move(devices));
    plan.fusionGroup = std::move(groups);
    return plan;
}

TEST(CheckPlan, AcceptsWhatIsSound) {
    EXPECT_EQ(reason(placed({0, 1, 0, 1})), "");
    EXPECT_EQ(reason(placed({0, 1, 0, 1}, QueuePolicy::Priority, {1, 2, 3, 4})), "");
    EXPECT_EQ(reason(placed({0, 1, 0, 1}, QueuePolicy::Order, {1, 2, 3, 4})), "");
    EXPECT_EQ(reason(placed({0, 1, 0, 1}, QueuePolicy::Fifo, {1, 2, 3, 4})), "");
    EXPECT_EQ(reason(fused({0, 0, 0, 1}, {1, 1, 1, kAlone})), "");
    EXPECT_EQ(reason(fused({0, 0, 0, 0}, {7, 7, kAlone, 7})), "")
        << "ops that have nothing to do with one another may fuse";
}

TEST(CheckPlan, NamesTheGroupAndTwoOpsOfASplitColocation) {
    EXPECT_EQ(reason(placed({0, 0, 1, 0})), "colocation group variables is split: a is on d0, c on d1.");
}

TEST(CheckPlan, NamesAnOpThatIsOnNoDevice) {
    EXPECT_EQ(reason(placed({0, 5, 0, 0})), "op b is placed on device 5, the cluster has 2.");
    EXPECT_EQ(reason(placed({0, 0})), "the plan places 2 ops, the graph has 4.");
}

TEST(CheckPlan, NamesAnOpThatLeftItsPin) {
    Problem pinned = problem();
    pinned.pins = {DeviceId(), DeviceId(1), DeviceId(), DeviceId()};
    EXPECT_EQ(reason(placed({0, 0, 0, 0}), pinned), "op b is pinned to d1 but placed on d0.");
    EXPECT_EQ(reason(placed({0, 1, 0, 0}), pinned), "");
}

TEST(CheckPlan, WantsAPriorityForEveryOpUnlessFifo) {
    EXPECT_EQ(reason(placed({0, 0, 0, 0}, QueuePolicy::Priority)), "the plan has 0 priorities for 4 ops.");
    EXPECT_EQ(reason(placed({0, 0, 0, 0}, QueuePolicy::Order, {1, 2})), "the plan has 2 priorities for 4 ops.");
    EXPECT_EQ(reason(placed({0, 0, 0, 0}, QueuePolicy::Fifo, {1, 2})), "the plan has 2 priorities for 4 ops.");
}

TEST(CheckPlan, RefusesAGroupOverTwoDevices) {
    EXPECT_EQ(reason(fused({0, 1, 0, 0}, {4, 4, kAlone, kAlone})),
              "fusion group 4 is split over devices: a and b must share one.");
    EXPECT_EQ(reason(fused({0, 0, 0, 0}, {1, 1})), "the plan has 2 fusion groups for 4 ops.");
}

TEST(CheckPlan, RefusesAGroupThatIsNotConvex) {
    EXPECT_EQ(reason(fused({0, 0, 0, 0}, {2, kAlone, 2, kAlone})),
              "fusion group 2 is not convex: a path leaves it at or before a and comes back.");
}

TEST(CheckPlan, RefusesGroupsThatWaitForEachOther) {
    TinyGraph g;
    const OpId a = g.op("a", 10);
    const OpId b = g.op("b", 10);
    g.op("afterA", 10, {a});
    g.op("afterB", 10, {b});
    const Problem crossed = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(reason(fused({0, 0, 0, 0}, {1, 2, 2, 1}), crossed),
              "fusion group 1 is not convex: a path leaves it at or before a and comes back.");
}

} // namespace
} // namespace opscape::test
