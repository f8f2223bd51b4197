// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/sim/memory_use.h>

namespace opscape::test {
namespace {

std::int64_t curveAt(const DeviceReport& device, std::int64_t ns) {
    std::int64_t bytes = 0;
    for (const MemoryStep& step : device.memory)
        bytes = step.timeNs <= ns ? step.bytes : bytes;
    return bytes;
}

std::int64_t sumOf(const std::vector<MemorySpan>& spans) {
    std::int64_t bytes = 0;
    for (const MemorySpan& span : spans)
        bytes += span.bytes;
    return bytes;
}

TEST(MemoryUse, AddsUpToTheMemoryCurveAtEveryMoment) {
    Random random(11);
    for (int round = 0; round < 40; ++round) {
        const auto graph = randomGraph(random, 60);
        const Problem problem = makeTestProblem(graph, randomShape(random));
        const Plan plan = randomPlan(problem, random);
        const Schedule schedule = simulated(problem, plan);
        const MemoryUse use(problem, plan, schedule);
        for (std::size_t d = 0; d < schedule.devices.size(); ++d) {
            const DeviceReport& device = schedule.devices[d];
            for (const MemoryStep& step : device.memory) {
                const auto alive = use.aliveAt(DeviceId(d), step.timeNs);
                EXPECT_EQ(sumOf(alive), curveAt(device, step.timeNs)) << "round " << round << " at " << step.timeNs;
                for (std::size_t i = 1; i < alive.size(); ++i)
                    EXPECT_GE(alive[i - 1].bytes, alive[i].bytes) << "largest first";
            }
        }
    }
}

TEST(MemoryUse, AFusedGroupHandsOutOnlyWhatIsReadOutside) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100), b = g.op("b", 10, {a}, 40), c = g.op("c", 10, {b}, 1);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    Plan plan = placed({0, 0, 0});
    plan.fusionGroup = {4, 4, Plan::kNotFused};
    const Schedule schedule = simulated(problem, plan);
    const MemoryUse use(problem, plan, schedule);
    for (const MemorySpan& span : use.of(DeviceId(0)))
        EXPECT_NE(span.tensor, g.output(a));
    for (const MemoryStep& step : schedule.devices[0].memory)
        EXPECT_EQ(sumOf(use.aliveAt(DeviceId(0), step.timeNs)), step.bytes);
    const auto alive = use.aliveAt(DeviceId(0), schedule.ops[c.index()].startNs);
    ASSERT_EQ(alive.size(), 2U);
    EXPECT_EQ(alive[0].tensor, g.output(b));
    EXPECT_EQ(alive[0].sinceNs, schedule.ops[b.index()].startNs);
    EXPECT_EQ(alive[0].untilNs, schedule.ops[c.index()].endNs);
}

TEST(MemoryUse, SaysWhatIsReceivedWhatStaysAndWhatIsScratch) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 100), b = g.op("b", 10, {a}, 5);
    g.edit(b).workspaceBytes = 30;
    const TensorId weight = g.weight("w", 70, {b});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Plan plan = placed({0, 1});
    const Schedule schedule = simulated(problem, plan);
    const auto alive = MemoryUse(problem, plan, schedule).aliveAt(DeviceId(1), schedule.ops[b.index()].startNs);
    ASSERT_EQ(alive.size(), 4U);
    EXPECT_EQ(alive[0].kind, MemorySpan::Kind::Copy);
    EXPECT_EQ(alive[0].sinceNs, schedule.transfers[0].startNs);
    EXPECT_EQ(alive[1].kind, MemorySpan::Kind::Resident);
    EXPECT_EQ(alive[1].tensor, weight);
    EXPECT_EQ(alive[2].kind, MemorySpan::Kind::Workspace);
    EXPECT_EQ(alive[2].op, b);
    EXPECT_EQ(toString(alive[3].kind), "output");
}

} // namespace
} // namespace opscape::test
