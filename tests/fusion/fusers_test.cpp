// SPDX-License-Identifier: MIT
#include "fusion/typed_graph.h"

#include <opscape/fusion/fusers.h>
#include <opscape/search/finish.h>

namespace opscape::test {
namespace {

TEST(Fusers, AreKnownByTheirIds) {
    ASSERT_EQ(fusers().size(), 3u);
    for (const FuserInfo& info : fusers()) {
        EXPECT_EQ(parseFuser(info.id).value(), info.fuser);
        EXPECT_EQ(toString(info.fuser), info.id);
    }
    const auto unknown = parseFuser("all");
    ASSERT_FALSE(unknown.has_value());
    EXPECT_EQ(unknown.error().message, "there is no fuser all; there are none, elementwise, time-saved.");
}

TEST(ElementwiseFuser, MakesChainsOfOpsWithASingleReader) {
    TypedGraph g;
    const OpId product = g.op("product", "MatMul");
    const OpId bias = g.op("bias", "Add", {product});
    const OpId relu = g.op("relu", "Relu", {bias});
    const OpId square = g.op("square", "Mul", {relu});
    const OpId left = g.op("left", "Sigmoid", {square});
    const OpId right = g.op("right", "Tanh", {square});
    const OpId both = g.op("both", "Mul", {left, right});
    g.op("moved", "Transpose", {both});
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(groupText(*problem.graph, fuseChains(problem, allOnFirst(problem))), "bias+relu+square left+both")
        << "square has two readers, both continues one chain only, and only elementwise ops count";
}

TEST(TimeSavedFuser, MergesWhatSavesMostFirst) {
    // The reduction may go with one of its elementwise producers' chains only as far as no second anchor comes in.
    TypedGraph g;
    const OpId x = g.op("x", "TopK");
    const OpId a = g.op("a", "Relu", {x});
    const OpId b = g.op("b", "Mul", {a});
    const OpId sum = g.op("sum", "ReduceSum", {b}, 1);
    const OpId root = g.op("root", "Sqrt", {sum}, 1);
    g.op("next", "TopK", {root});
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(groupText(*problem.graph, fuseByTimeSaved(problem, allOnFirst(problem), FusionReach::Any)),
              "a+b+sum+root");
}

TEST(TimeSavedFuser, SumsOverAllReadersToDecideWhoGoesFirst) {
    // Two reductions cannot share a kernel, so either the small chain or the large one gets to the reduction `end`.
    // `two` saves little with each of its readers, but more in sum than `one`.
    TypedGraph g;
    const OpId source = g.op("source", "TopK");
    const OpId two = g.op("two", "Relu", {source}, 256);
    g.op("first", "ReduceSum", {two}, 1);
    g.op("second", "ReduceSum", {two}, 1);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(groupText(*problem.graph, fuseByTimeSaved(problem, allOnFirst(problem), FusionReach::Any)), "two+first")
        << "a tie goes to the lower id, and the second reduction is one too many";
}

TEST(TimeSavedFuser, LocalReachLeavesAloneWhatOtherDevicesWaitFor) {
    TypedGraph g;
    const OpId x = g.op("x", "Relu");
    const OpId sent = g.op("sent", "Relu", {x});
    const OpId after = g.op("after", "Relu", {sent});
    const OpId end = g.op("end", "Relu", {after});
    const OpId elsewhere = g.op("elsewhere", "Relu", {sent});
    g.op("back", "Add", {end, elsewhere});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    std::vector<DeviceId> device = allOnFirst(problem);
    device[elsewhere.index()] = DeviceId(1);
    EXPECT_EQ(groupText(*problem.graph, fuseByTimeSaved(problem, device, FusionReach::Local)), "x+sent after+end")
        << "sent sends, back receives";
    EXPECT_EQ(groupText(*problem.graph, fuseByTimeSaved(problem, device, FusionReach::Any)), "x+sent after+end+back")
        << "all five would close a cycle over the other device";
}

TEST(TimeSavedFuser, IsLeftOutWhereItMakesTheStepSlower) {
    // What d1 waits for would come only at the end of a long group.
    TypedGraph g;
    const OpId x = g.op("x", "Relu");
    OpId last = x;
    for (int i = 0; i < 20; ++i)
        last = g.op(fmt::format("chain{}", i), "Relu", {last});
    OpId other = x;
    for (int i = 0; i < 20; ++i)
        other = g.op(fmt::format("other{}", i), "TopK", {other});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2, .bytesPerNs = 1000});
    Plan plan = Plan::allOn(DeviceId(0), problem.graph->opCount());
    for (std::size_t i = 21; i < plan.device.size(); ++i)
        plan.device[i] = DeviceId(1);
    const auto all = fuseByTimeSaved(problem, plan.device, FusionReach::Any);
    Plan greedy = plan;
    setFusion(*problem.graph, greedy, all);
    const auto chosen = finished(problem, plan, {Fuser::TimeSaved, {}}, {});
    ASSERT_TRUE(chosen.has_value());
    EXPECT_GT(simulated(problem, greedy).makespanNs, simulated(problem, plan).makespanNs);
    EXPECT_LE(simulated(problem, *chosen).makespanNs, simulated(problem, plan).makespanNs);
    EXPECT_NE(groupText(*problem.graph, chosen->fusionGroup).find("chain18+chain19"), std::string::npos)
        << "what delays nobody is still fused";
}

TEST(Fusers, KeepAFixedOrderThatCannotWaitForItself) {
    TypedGraph g;
    const OpId a = g.op("a", "Relu");
    const OpId b = g.op("b", "TopK");
    const OpId c = g.op("c", "Add", {a, b});
    g.op("d", "TopK");
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    Plan plan = placed({0, 0, 0, 0}, QueuePolicy::Order, {9, 8, 7, 6}); // a b c d
    setFusion(*problem.graph, plan, {a.value, Plan::kNotFused, a.value, Plan::kNotFused});
    EXPECT_EQ(plan.policy, QueuePolicy::Order);
    const Schedule schedule = simulated(problem, plan);
    EXPECT_LT(schedule.ops[b.index()].startNs, schedule.ops[c.index()].startNs);
    EXPECT_LT(schedule.ops[c.index()].startNs, schedule.ops[3].startNs) << "a+c as early as it can, before d";
}

TEST(LevelFuser, VisitsHighLevelsFirstAndLeavesOutLevelZero) {
    TypedGraph g;
    const OpId x = g.op("x", "TopK");
    const OpId a = g.op("a", "Relu", {x});
    const OpId b = g.op("b", "ReduceSum", {a}, 1);
    const OpId c = g.op("c", "ReduceMax", {a}, 1);
    const OpId d = g.op("d", "Sqrt", {c}, 1);
    const OpId e = g.op("e", "Sqrt", {b}, 1);
    g.op("end", "TopK", {d, e});
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const auto groups = [&](std::vector<int> levels) {
        return groupText(*problem.graph, fuseByLevel(problem, allOnFirst(problem), levels));
    };
    EXPECT_EQ(groups({0, 0, 0, 0, 0, 0, 0}), "");
    EXPECT_EQ(groups({0, 0, 0, 0, 1, 0, 0}), "c+d");
    EXPECT_EQ(groups({0, 0, 2, 3, 0, 0, 0}), "a+c b+e") << "c is first and takes a; b has e left";
    EXPECT_EQ(groups({0, 0, 3, 2, 0, 0, 0}), "a+b c+d");
    EXPECT_EQ(groups({0, 0, 2, 2, 0, 0, 0}), "a+b c+d") << "a tie by id";
    EXPECT_EQ(groups({7, 0, 0, 0, 0, 0, 7}), "") << "opaque ops ask in vain";
}

TEST(Fusers, GiveTheSameGroupsAgainOnRandomGraphsAndThePlanStaysValid) {
    Random random(9);
    for (int round = 0; round < 60; ++round) {
        const Problem problem =
            makeTestProblem(randomTypedGraph(random, 20 + random.below(150), round % 3 == 0), randomShape(random));
        const Plan plan = randomPlan(problem, random, false);
        for (const FuserInfo& info : fusers()) {
            for (const FusionGroupIds& groups : fusionProposals(problem, plan.device, info.fuser)) {
                Plan fused = plan;
                setFusion(*problem.graph, fused, groups);
                ASSERT_TRUE(checkPlan(problem, fused).has_value()) << info.id;
                EXPECT_TRUE(simulate(problem, fused).has_value()) << info.id;
            }
            const auto first = finished(problem, plan, {info.fuser, {}}, {});
            const auto second = finished(problem, plan, {info.fuser, {}}, {});
            ASSERT_TRUE(first && second);
            EXPECT_EQ(*first, *second);
            if (info.fuser == Fuser::TimeSaved) {
                const Schedule before = simulated(problem, plan), after = simulated(problem, *first);
                EXPECT_TRUE(after.feasible || !before.feasible);
                EXPECT_LE(after.makespanNs, before.makespanNs);
            }
        }
    }
}

} // namespace
} // namespace opscape::test
