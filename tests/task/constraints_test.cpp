// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/task/constraints.h>

namespace opscape::test {
namespace {

/// a, b and c in one group, d alone; three devices.
Problem grouped() {
    TinyGraph g;
    for (const char* name : {"a", "b", "c", "d"})
        g.edit(g.op(name, 10)).colocation = *name == 'd' ? "" : "abc";
    return makeTestProblem(g.build(), {.devices = 3});
}

TEST(Constraints, NothingIsFixedByDefault) { EXPECT_EQ(fixedDevices(grouped()).value(), std::vector<DeviceId>(4)); }

TEST(Constraints, APinHoldsForTheWholeGroup) {
    Problem problem = grouped();
    problem.pins = {DeviceId(), DeviceId(2), DeviceId(), DeviceId()};
    EXPECT_EQ(fixedDevices(problem).value(), (std::vector{DeviceId(2), DeviceId(2), DeviceId(2), DeviceId()}));
    EXPECT_EQ(pinnedDevice(problem, OpId(0)), DeviceId(2));
    EXPECT_FALSE(pinnedDevice(problem, OpId(3)).valid());
    EXPECT_EQ(colocationLeader(*problem.graph, OpId(2)), OpId(0));
    EXPECT_EQ(colocationLeader(*problem.graph, OpId(3)), OpId(3));
}

TEST(Constraints, PinsThatPullAGroupApartAreRefused) {
    Problem problem = grouped();
    problem.pins = {DeviceId(1), DeviceId(), DeviceId(2), DeviceId()};
    EXPECT_EQ(fixedDevices(problem).error().message, "colocation group abc is pinned apart: a to d1, c to d2.");
}

TEST(Constraints, PinsThatDoNotFitAreRefused) {
    Problem problem = grouped();
    problem.pins = {DeviceId(7), DeviceId(), DeviceId(), DeviceId()};
    EXPECT_EQ(fixedDevices(problem).error().message, "op a is pinned to device 7, the cluster has 3.");
    problem.pins.resize(2);
    EXPECT_EQ(fixedDevices(problem).error().message, "there are 2 pins for 4 ops.");
}

TEST(Constraints, WithoutThePlacementToDecideEverythingIsFixed) {
    Problem problem = grouped();
    problem.decide = {"scheduling"};
    EXPECT_EQ(fixedDevices(problem).value(), std::vector<DeviceId>(4, DeviceId(0)));
    problem.start = placed({1, 1, 1, 2});
    EXPECT_EQ(fixedDevices(problem).value(), problem.start->device);
    problem.pins = {DeviceId(), DeviceId(), DeviceId(0), DeviceId()};
    EXPECT_EQ(fixedDevices(problem).value(), (std::vector{DeviceId(0), DeviceId(0), DeviceId(0), DeviceId(2)}))
        << "a pin outranks the start plan";
}

} // namespace
} // namespace opscape::test
