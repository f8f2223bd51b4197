// SPDX-License-Identifier: MIT
// What may be merged, against the definition tried out by brute force; what is kept from merge to merge, against the
// same found anew.
#include "fusion/typed_graph.h"

#include <opscape/sim/unit_graph.h>

namespace opscape::test {
namespace {

using enum FusionObstacle;
using Group = FusionGroups::Group;

/// Does a path lead from one group to the other through a third? Looked for in the whole graph of groups.
bool wayThroughAThird(const Graph& graph, const FusionGroups& groups, Group from, Group to) {
    std::vector<std::uint8_t> seen(graph.opCount(), 0);
    std::vector<Group> open{from};
    while (!open.empty()) {
        const Group here = open.back();
        open.pop_back();
        for (const OpId op : groups.ops(here)) {
            for (const OpId next : graph.successors(op)) {
                const Group group = groups.groupOf(next);
                if (group == to && here != from)
                    return true;
                if (group == to || seen[group] != 0)
                    continue;
                seen[group] = 1;
                open.push_back(group);
            }
        }
    }
    return false;
}

/// What UnitGraph, and so the simulator, makes of the group.
std::int64_t simulatedNs(const Problem& problem, const FusionGroups& groups, Group group, DeviceId device) {
    UnitGraph units;
    units.build(problem, groups.fusionGroup());
    return units.unitNs(units.unitOf[group], problem.cluster->device(device).kind);
}

std::vector<DeviceId> randomDevices(const Problem& problem, Random& random) {
    return randomPlan(problem, random, false).device;
}

/// Tries all neighbours in random order, several times; counts what happens.
struct Trial {
    int merged = 0, cycles = 0;

    void run(const Problem& problem, std::span<const DeviceId> device, Random& random, FusionLimits limits) {
        const Graph& graph = *problem.graph;
        FusionGroups groups(problem, device, limits);
        for (std::size_t attempt = 0; attempt < 2 * graph.opCount(); ++attempt) {
            const OpId op(random.below(static_cast<std::uint32_t>(graph.opCount())));
            if (graph.successors(op).empty())
                continue;
            const auto next = graph.successors(op);
            const Group a = groups.groupOf(op);
            const Group b = groups.groupOf(next[random.below(static_cast<std::uint32_t>(next.size()))]);
            const FusionObstacle quick = groups.quickObstacle(a, b);
            const bool cycle = a != b && wayThroughAThird(graph, groups, a, b);
            ASSERT_EQ(groups.obstacle(a, b), quick != None ? quick : cycle ? Cycle : None);
            if (quick != None)
                continue;
            cycles += cycle ? 1 : 0;
            const std::int64_t saved = groups.savedNs(a, b), before = groups.timeNs(a) + groups.timeNs(b);
            ASSERT_EQ(groups.merge(a, b) == None, !cycle);
            if (cycle)
                continue;
            ++merged;
            const Group both = std::min(a, b);
            ASSERT_EQ(groups.groupOf(op), both);
            ASSERT_EQ(groups.timeNs(both), before - saved);
            if (merged % 8 == 0) {
                ASSERT_EQ(groups.timeNs(both), simulatedNs(problem, groups, both, device[both]));
            }
        }
        Plan plan;
        plan.device.assign(device.begin(), device.end());
        plan.fusionGroup = groups.fusionGroup();
        const auto valid = checkPlan(problem, plan);
        ASSERT_TRUE(valid.has_value()) << valid.error().message;
    }
};

TEST(FusionGroups, FindCyclesAsBruteForceDoesOnThousandsOfGraphs) {
    Random random(1);
    Trial trial;
    for (int round = 0; round < 3000; ++round) {
        const bool easy = round % 2 == 0;
        const Problem problem = makeTestProblem(randomTypedGraph(random, 4 + random.below(40), easy),
                                                {.devices = easy ? 1 : 2, .kinds = {"K", "L"}});
        trial.run(problem, randomDevices(problem, random), random, {});
        ASSERT_FALSE(HasFatalFailure()) << "round " << round;
    }
    EXPECT_GT(trial.merged, 10'000);
    EXPECT_GT(trial.cycles, 5'000);
}

TEST(FusionGroups, FindCyclesAsBruteForceDoesOnLargerGraphs) {
    Random random(2);
    Trial trial;
    for (int round = 0; round < 10; ++round) {
        const Problem problem = makeTestProblem(randomTypedGraph(random, 600, true), {.devices = 1});
        trial.run(problem, allOnFirst(problem), random, {.ops = 200});
        ASSERT_FALSE(HasFatalFailure()) << "round " << round;
    }
    EXPECT_GT(trial.merged, 1000);
    EXPECT_GT(trial.cycles, 500);
}

TEST(FusionGroups, StayApartWhenTheSearchForACycleGetsTooLong) {
    // A path of many ops leads around the edge from first to last.
    TypedGraph g;
    const OpId first = g.op("first", "Relu");
    OpId along = first;
    for (int i = 0; i < 40; ++i)
        along = g.op(fmt::format("along{}", i), "TopK", {along});
    OpId side = first;
    for (int i = 0; i < 40; ++i)
        side = g.op(fmt::format("side{}", i), "TopK", {side});
    const OpId last = g.op("last", "Add", {first});
    for (int i = 0; i < 40; ++i)
        g.op(fmt::format("into{}", i), "TopK");
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    FusionGroups enough(problem, allOnFirst(problem));
    EXPECT_EQ(enough.obstacle(first.value, last.value), None);
    FusionGroups few(problem, allOnFirst(problem), {.steps = 0});
    EXPECT_TRUE(few.obstacle(first.value, last.value) == None || few.obstacle(first.value, last.value) == Cycle);
}

TEST(FusionGroups, SayWhatIsInTheWay) {
    TypedGraph g;
    const OpId a = g.op("a", "Relu");
    const OpId b = g.op("b", "Relu", {a});
    const OpId c = g.op("c", "TopK", {b});
    const OpId d = g.op("d", "Add", {b, c});
    const OpId e = g.op("e", "Relu", {d});
    const OpId f = g.op("f", "Relu", {e});
    const OpId h = g.op("h", "Relu", {f});
    g.edit(d).colocation = "x";
    g.edit(g.op("xx", "Relu")).colocation = "x";
    g.edit(e).colocation = "y";
    g.edit(g.op("yy", "Relu")).colocation = "y";
    g.edit(f).workspaceBytes = g.edit(h).workspaceBytes = 40 << 20;
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    std::vector<DeviceId> device = allOnFirst(problem);
    device[a.index()] = DeviceId(1);
    FusionGroups groups(problem, device, {.ops = 2});
    const auto between = [&](OpId x, OpId y) { return groups.obstacle(groups.groupOf(x), groups.groupOf(y)); };
    EXPECT_EQ(between(a, a), NotNeighbours);
    EXPECT_EQ(between(a, c), NotNeighbours);
    EXPECT_EQ(between(b, a), NotNeighbours) << "the other way round";
    EXPECT_EQ(between(a, b), Device);
    EXPECT_EQ(between(d, e), Colocation);
    EXPECT_EQ(between(b, c), Kind);
    EXPECT_EQ(between(f, h), Workspace);
    EXPECT_EQ(between(b, d), Cycle);
    EXPECT_EQ(between(e, f), None);
    EXPECT_EQ(groups.merge(e.value, f.value), None);
    EXPECT_EQ(between(d, e), Colocation);
    FusionGroups roomy(problem, allOnFirst(problem), {.ops = 2, .workspaceBytes = std::int64_t{1} << 30});
    EXPECT_EQ(roomy.merge(e.value, f.value), None);
    EXPECT_EQ(roomy.obstacle(e.value, h.value), Ops);
}

TEST(FusionGroups, MayNotNeedMoreThanTheDeviceHasBesideItsWeights) {
    // Alone each op needs two tensors of 256 KiB; together three, and the weight is always there.
    const auto problem = [](std::int64_t memoryKiB) {
        TypedGraph g;
        const OpId x = g.op("x", "TopK");
        const OpId a = g.op("a", "Relu", {x});
        g.op("b", "Relu", {a});
        g.op("other", "TopK", {a});
        g.weight(x);
        return makeTestProblem(g.build(), {.devices = 1, .memoryBytes = memoryKiB << 10});
    };
    const Problem tight = problem(1000), roomy = problem(1100);
    EXPECT_EQ(FusionGroups(tight, allOnFirst(tight)).obstacle(1, 2), Memory);
    EXPECT_EQ(FusionGroups(roomy, allOnFirst(roomy)).obstacle(1, 2), None);
}

TEST(FusionGroups, AContractionTakesWhatItsEpilogueReadsButNoPrologue) {
    TypedGraph g;
    const OpId x = g.op("x", "Relu");
    const OpId product = g.op("product", "MatMul", {x});
    const OpId other = g.op("other", "Relu");
    const OpId sum = g.op("sum", "Add", {product, other});
    const OpId second = g.op("second", "MatMul", {sum});
    g.weight(product);
    g.weight(second);
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    FusionGroups groups(problem, allOnFirst(problem));
    EXPECT_EQ(groups.obstacle(x.value, product.value), Kind);
    EXPECT_EQ(groups.merge(product.value, sum.value), None);
    EXPECT_EQ(groups.obstacle(x.value, groups.groupOf(sum)), Kind);
    EXPECT_EQ(groups.merge(other.value, groups.groupOf(sum)), None);
    EXPECT_EQ(groups.obstacle(groups.groupOf(sum), second.value), Kind);
    EXPECT_EQ(groupText(*problem.graph, groups.fusionGroup()), "product+other+sum");
}

} // namespace
} // namespace opscape::test
