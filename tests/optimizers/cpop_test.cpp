// SPDX-License-Identifier: MIT
// CPOP as it is loaded, against its paper.
#include "contract/plugins.h"
#include "sim/textbook.h"

#include <opscape/sim/ranks.h>

namespace opscape::test {
namespace {

TEST(Cpop, Reaches86OnGraphAStartByStart) {
    const Problem problem = textbookProblem(graphA(), LinkModel::None);
    const auto plan = solved("cpop", problem);
    ASSERT_TRUE(plan.has_value());
    const Schedule schedule = simulated(problem, *plan);
    EXPECT_EQ(schedule.makespanNs, 86 * kUnitNs);
    const std::vector<std::array<std::int64_t, 3>> published{{2, 0, 16},  {2, 16, 35}, {1, 28, 39}, {3, 25, 42},
                                                             {2, 35, 48}, {3, 42, 51}, {1, 39, 46}, {3, 54, 68},
                                                             {2, 65, 77}, {2, 79, 86}};
    for (std::size_t t = 0; t < published.size(); ++t) {
        EXPECT_EQ(plan->device[t].value + 1, published[t][0]) << "T" << t + 1;
        EXPECT_EQ(schedule.ops[t].startNs, published[t][1] * kUnitNs) << "T" << t + 1;
        EXPECT_EQ(schedule.ops[t].endNs, published[t][2] * kUnitNs) << "T" << t + 1;
    }
}

TEST(Cpop, KeepsTheCriticalPathOnItsFastestDevice) {
    // Each op of the path is faster elsewhere, and sending is cheap; only the sum speaks for d1.
    TinyGraph g;
    const OpId a = g.op("a", 100, {}, 1);
    const OpId b = g.op("b", 40, {a}, 1);
    const OpId c = g.op("c", 100, {b});
    for (const OpId op : {a, b, c})
        g.edit(op).timeNs["L"] = 60;
    const OpId loose = g.op("loose", 5);
    g.edit(loose).timeNs["L"] = 50;
    const Problem problem = makeTestProblem(g.build(), {.model = LinkModel::None, .kinds = {"K", "L"}});
    EXPECT_EQ(solved("cpop", problem)->device, (std::vector{DeviceId(1), DeviceId(1), DeviceId(1), DeviceId(0)}));
    EXPECT_EQ(simulated(problem, *solved("heft", problem)).makespanNs, 60 + 1 + 40 + 1 + 60)
        << "what an op at a time gives";
}

TEST(Cpop, SendsThePathElsewhereWhenItsDeviceHasNoRoom) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 400);
    const OpId b = g.op("b", 10, {a}, 1);
    g.weight("weightA", 900, {a});
    g.weight("weightB", 900, {b});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2, .memoryBytes = 1500});
    EXPECT_TRUE(simulated(problem, *solved("cpop", problem)).feasible);
}

} // namespace
} // namespace opscape::test
