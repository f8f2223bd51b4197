// SPDX-License-Identifier: MIT
#include "sim/test_problem.h"

#include <opscape/sim/bounds.h>
#include <opscape/sim/fused_cost.h>

namespace opscape::test {
namespace {

constexpr std::uint32_t kAlone = Plan::kNotFused;

Plan fused(Plan plan, std::vector<std::uint32_t> groups) {
    plan.fusionGroup = std::move(groups);
    return plan;
}

/// A chain of ops without given times, 100 bytes between them; kind K does 1 FLOP and moves 1 byte per ns and takes 10
/// ns to launch, overlap 1.
struct Chain {
    GraphBuilder builder{"chain"};
    std::vector<TensorId> outputs;

    OpId add(double flops, std::int64_t bytesMoved, std::vector<std::size_t> reads) {
        Op op;
        op.name = fmt::format("op{}", outputs.size());
        op.flops = static_cast<std::int64_t>(flops);
        op.bytesMoved = bytesMoved;
        const OpId id = builder.addOp(op);
        for (const std::size_t read : reads)
            builder.addInput(id, outputs[read]);
        Tensor tensor;
        tensor.bytes = 100;
        outputs.push_back(builder.addOutput(id, tensor));
        return id;
    }
    Problem problem(const ClusterShape& shape = {}) {
        Diagnostics diagnostics;
        return makeTestProblem(std::make_shared<const Graph>(*std::move(builder).build(diagnostics)), shape);
    }
};

TEST(Fusion, CostsOneLaunchAllOfTheFlopsAndNoInternalTraffic) {
    Chain chain;
    const std::array ops{chain.add(50, 300, {}), chain.add(60, 250, {0}), chain.add(70, 220, {1})};
    const Problem problem = chain.problem();
    EXPECT_EQ(problem.cost->opNs(ops[0], KindId(0)), 310) << "alone: launch and the larger of flops and bytes";
    // 300 + 250 + 220 bytes, less two tensors written and read inside.
    EXPECT_EQ(fusedNs(problem, ops, KindId(0)), 10 + 770 - 400);
    EXPECT_EQ(fusedNs(problem, std::span(ops).subspan(1, 1), KindId(0)), 260) << "one op alone is what it was";
}

TEST(Fusion, StillWritesWhatIsReadOutside) {
    Chain chain;
    const std::array ops{chain.add(0, 300, {}), chain.add(0, 250, {0})};
    chain.add(0, 100, {0});
    EXPECT_EQ(fusedNs(chain.problem(), ops, KindId(0)), 10 + 550 - 100) << "op0's tensor is written but not read back";
}

TEST(Fusion, BecomesComputeBoundWhenTheTrafficIsGone) {
    Chain chain;
    const std::array ops{chain.add(150, 200, {}), chain.add(150, 200, {0})};
    EXPECT_EQ(fusedNs(chain.problem(), ops, KindId(0)), 10 + 300);
}

TEST(Fusion, SavesOnlyTheLaunchOfAMeasuredOp) {
    TinyGraph g;
    const OpId a = g.op("a", 100, {}, 50);
    const OpId b = g.op("b", 30, {a}, 50);
    const Problem problem = makeTestProblem(g.build(), {});
    EXPECT_EQ(fusedNs(problem, std::array{a, b}, KindId(0)), 10 + 90 + 20);
}

TEST(Fusion, AGroupStartsWithItsLastInputAndItsOutputsExistAtItsEnd) {
    TinyGraph g;
    const OpId early = g.op("early", 10, {}, 1);
    const OpId late = g.op("late", 50, {}, 1);
    const OpId first = g.op("first", 20, {early}, 30);
    const OpId second = g.op("second", 20, {first, late}, 1);
    g.op("reader", 5, {first});
    g.op("end", 5, {second});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Plan plan = fused(placed({0, 1, 0, 0, 0, 0}), {kAlone, kAlone, 7, 7, kAlone, kAlone});
    EXPECT_EQ(traceText(problem, plan, simulated(problem, plan)),
              "d0 early 0-10\nd1 late 0-50\nd0 first 51-81\nd0 second 51-81\nd0 reader 81-86\nd0 end 86-91\n"
              "d1>d0 late:0 50-51\n");
}

TEST(Fusion, TensorsInsideAGroupTakeNoMemory) {
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 1);
    const OpId b = g.op("b", 10, {a}, 1000);
    const OpId c = g.op("c", 10, {b}, 2);
    g.op("d", 10, {c}, 4);
    g.edit(b).workspaceBytes = 30;
    g.edit(c).workspaceBytes = 20;
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const Schedule alone = simulated(problem, placed({0, 0, 0, 0}));
    EXPECT_EQ(alone.peakBytes, 1031);
    const Schedule together = simulated(problem, fused(placed({0, 0, 0, 0}), {kAlone, 1, 1, kAlone}));
    EXPECT_EQ(together.peakBytes, 1 + 2 + 30) << "its input, its output, the larger workspace";
}

TEST(Fusion, AGroupHasTheHighestPriorityOfItsOpsAndTheIdOfItsFirst) {
    TinyGraph g;
    const OpId a = g.op("a", 20);
    g.op("b", 20);
    g.op("c", 20, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    const Plan byPriority = fused(placed({0, 0, 0}, QueuePolicy::Priority, {1, 5, 9}), {2, kAlone, 2});
    EXPECT_EQ(simulated(problem, byPriority).ops[0].startNs, 0);
    const Plan byId = fused(placed({0, 0, 0}), {2, kAlone, 2});
    EXPECT_EQ(simulated(problem, byId).ops[2].startNs, 0);
    EXPECT_EQ(simulated(problem, byId).ops[1].startNs, 30);
}

TEST(Fusion, ChangesTheBounds) {
    TinyGraph g;
    const OpId a = g.op("a", 100);
    g.op("b", 100, {a});
    const Problem problem = makeTestProblem(g.build(), {.devices = 1});
    EXPECT_EQ(lowerBounds(problem).longestPathNs, 200);
    EXPECT_EQ(lowerBounds(problem, fused(placed({0, 0}), {1, 1})).longestPathNs, 190);
}

} // namespace
} // namespace opscape::test
