// SPDX-License-Identifier: MIT
#include "edit/edit_fixture.h"

namespace opscape::test {
namespace {

TEST(EditHistory, GoesBackAndForthOverWhatWasDone) {
    const EditedPlan start = EditedPlan::of(placed({0, 0, 0}));
    EditedPlan moved = start, pinned = start;
    moved.plan.device[1] = DeviceId(1);
    pinned.plan.device[1] = DeviceId(1);
    pinned.pins[1] = DeviceId(1);
    EditHistory history(start);
    EXPECT_FALSE(history.canUndo());
    EXPECT_FALSE(history.canRedo());
    history.push("move", moved);
    history.push("pin", pinned);
    EXPECT_EQ(history.undoTitle(), "pin");
    history.undo();
    EXPECT_EQ(history.now(), moved);
    EXPECT_EQ(history.redoTitle(), "pin");
    history.undo();
    history.undo();
    EXPECT_EQ(history.now(), start) << "undoing more than there is changes nothing";
    EXPECT_EQ(history.undoTitle(), "");
    history.redo();
    history.redo();
    history.redo();
    EXPECT_EQ(history.now(), pinned);
}

TEST(EditHistory, ForgetsWhatWasUndoneOnceSomethingElseIsDone) {
    const EditedPlan start = EditedPlan::of(placed({0, 0, 0}));
    EditedPlan one = start, two = start;
    one.plan.device[0] = DeviceId(1);
    two.plan.device[2] = DeviceId(1);
    EditHistory history(start);
    history.push("one", one);
    history.undo();
    history.push("two", two);
    EXPECT_FALSE(history.canRedo());
    EXPECT_EQ(history.size(), 1U);
    history.undo();
    EXPECT_EQ(history.now(), start);
}

TEST(EditedPlan, GivesBackThePlanItWasMadeOf) {
    for (Plan plan : {placed({0, 1, 0}), placed({0, 1, 0}, QueuePolicy::Priority, {3, 2, 1})}) {
        EXPECT_EQ(EditedPlan::of(plan).given(), plan);
        plan.fusionGroup = {Plan::kNotFused, 1, 1};
        EXPECT_EQ(EditedPlan::of(plan).given(), plan);
        plan.fusionGroup = {9, Plan::kNotFused, 9};
        EXPECT_EQ(EditedPlan::of(plan).given().fusionGroup, (std::vector<std::uint32_t>{0, Plan::kNotFused, 0}));
    }
}

} // namespace
} // namespace opscape::test
