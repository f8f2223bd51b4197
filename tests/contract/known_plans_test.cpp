// SPDX-License-Identifier: MIT
// Plans whose answer is known, from the optimizers as loaded.
#include "contract/plugins.h"
#include "sim/textbook.h"

#include <set>

namespace opscape::test {
namespace {

Schedule run(std::string_view optimizer, const Problem& problem, const std::vector<std::string>& set = {}) {
    const auto plan = solved(optimizer, problem, {}, set);
    EXPECT_TRUE(plan.has_value()) << (plan ? "" : plan.error().message);
    return plan ? simulated(problem, *plan) : Schedule();
}

TEST(Heft, Reaches80OnGraphAStartByStart) {
    const Problem problem = textbookProblem(graphA(), LinkModel::None);
    const auto plan = solved("heft", problem);
    ASSERT_TRUE(plan.has_value());
    const Schedule schedule = simulated(problem, *plan);
    EXPECT_EQ(schedule.makespanNs, 80 * kUnitNs);
    const std::vector<std::array<std::int64_t, 3>> published{{3, 0, 9},   {1, 27, 40}, {3, 9, 28},  {2, 18, 26},
                                                             {3, 28, 38}, {2, 26, 42}, {3, 38, 49}, {1, 57, 62},
                                                             {2, 56, 68}, {2, 73, 80}};
    for (std::size_t t = 0; t < published.size(); ++t) {
        EXPECT_EQ(plan->device[t].value + 1, published[t][0]) << "T" << t + 1;
        EXPECT_EQ(schedule.ops[t].startNs, published[t][1] * kUnitNs) << "T" << t + 1;
        EXPECT_EQ(schedule.ops[t].endNs, published[t][2] * kUnitNs) << "T" << t + 1;
    }
}

TEST(Heft, Reaches133OnGraphB) {
    EXPECT_EQ(run("heft", textbookProblem(graphB(), LinkModel::None)).makespanNs, 133 * kUnitNs);
}

TEST(Heft, FillsAGapBetweenOpsPlacedBefore) {
    // big waits on d1 for its input from d0; small has the lower rank, is placed last, and fits before big.
    TinyGraph g;
    const OpId source = g.op("source", 100, {}, 50);
    g.edit(source).timeNs["L"] = 1000;
    const OpId big = g.op("big", 900, {source});
    g.edit(big).timeNs["L"] = 300;
    const OpId small = g.op("small", 120);
    g.edit(small).timeNs["L"] = 120;
    const Problem problem = makeTestProblem(g.build(), {.model = LinkModel::None, .kinds = {"K", "L"}});
    const auto plan = solved("heft", problem);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(traceText(problem, *plan, simulated(problem, *plan)),
              "d0 source 0-100\nd1 small 0-120\nd1 big 150-450\nd0>d1 source:0 100-150\n");
}

TEST(Heft, AvoidsADeviceWithoutRoomWhileAnotherHasSome) {
    // By time alone both layers would share d0: the tensor between them is dear to send.
    TinyGraph g;
    const OpId a = g.op("a", 10, {}, 400);
    const OpId b = g.op("b", 10, {a}, 1);
    g.weight("weightA", 900, {a});
    g.weight("weightB", 900, {b});
    const auto graph = g.build();
    const Problem roomy = makeTestProblem(graph, {.devices = 2});
    EXPECT_EQ(run("heft", roomy).makespanNs, 20);
    const Problem tight = makeTestProblem(graph, {.devices = 2, .memoryBytes = 1500});
    const Schedule schedule = run("heft", tight);
    EXPECT_TRUE(schedule.feasible);
    EXPECT_EQ(schedule.makespanNs, 420);
}

TEST(Single, TakesTheFastestDeviceThatHoldsTheGraph) {
    TinyGraph g;
    const OpId a = g.op("a", 100, {}, 600);
    g.edit(a).timeNs["L"] = 10;
    const auto graph = g.build();
    Problem problem = makeTestProblem(graph, {.devices = 3, .kinds = {"K", "L"}});
    EXPECT_EQ(solved("single", problem)->device[0], DeviceId(1));
}

TEST(Single, SaysInTheSimulationWhenNoDeviceHoldsIt) {
    TinyGraph g;
    g.op("a", 100, {}, 600);
    const Problem problem = makeTestProblem(g.build(), {.devices = 2, .memoryBytes = 500});
    const Schedule schedule = run("single", problem);
    EXPECT_FALSE(schedule.feasible);
    EXPECT_EQ(outOfMemoryReport(*problem.cluster, schedule),
              "d0 runs out of memory at 0 ns: 600 B needed, 500 B there.");
}

/// Layers of two ops each, forward and backward, with an embedding before them and a softmax after them.
std::shared_ptr<const Graph> recurrentModel(const std::vector<std::string>& layers) {
    TinyGraph g;
    const auto add = [&g](const std::string& name, const std::string& type, std::vector<OpId> reads, Phase phase) {
        const OpId id = g.op(name, 100, std::move(reads), 10);
        g.edit(id).type = type;
        g.edit(id).phase = phase;
        return id;
    };
    OpId last = add("embedding/Gather", "Gather", {}, Phase::Forward);
    for (const std::string& layer : layers) {
        last = add(layer + "/step_0/gate", "Sigmoid", {last}, Phase::Forward);
        last = add(layer + "/step_0/out", "Tanh", {last}, Phase::Forward);
        g.weight(layer + "/kernel", 100, {last});
    }
    last = add("softmax/Softmax", "Softmax", {last}, Phase::Forward);
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        last = add("gradients/" + *layer + "/step_0/out_grad/mul", "Mul", {last}, Phase::Backward);
    return g.build();
}

std::uint32_t deviceOf(const Problem& problem, const Plan& plan, std::string_view op) {
    return plan.device[problem.graph->findOp(op).index()].value;
}

TEST(Expert, PutsOneRecurrentLayerOnEachDeviceAndTheBackwardPassBesideIt) {
    const Problem problem =
        makeTestProblem(recurrentModel({"layer_0", "layer_1", "layer_2", "layer_3"}), {.devices = 3});
    const Plan plan = *solved("expert", problem);
    for (int i = 0; i < 4; ++i) {
        const auto expected = static_cast<std::uint32_t>(i % 3);
        EXPECT_EQ(deviceOf(problem, plan, fmt::format("layer_{}/step_0/gate", i)), expected);
        EXPECT_EQ(deviceOf(problem, plan, fmt::format("layer_{}/step_0/out", i)), expected);
        EXPECT_EQ(deviceOf(problem, plan, fmt::format("gradients/layer_{}/step_0/out_grad/mul", i)), expected);
    }
    EXPECT_EQ(deviceOf(problem, plan, "embedding/Gather"), 0U);
    EXPECT_EQ(deviceOf(problem, plan, "softmax/Softmax"), 2U);
}

TEST(Expert, ShiftsTheEncoderByOneAgainstTheDecoder) {
    const Problem problem = makeTestProblem(
        recurrentModel({"encoder/layer_0", "encoder/layer_1", "decoder/layer_0", "decoder/layer_1"}), {.devices = 2});
    const Plan plan = *solved("expert", problem);
    EXPECT_EQ(deviceOf(problem, plan, "encoder/layer_0/step_0/out"), 1U);
    EXPECT_EQ(deviceOf(problem, plan, "encoder/layer_1/step_0/out"), 0U);
    EXPECT_EQ(deviceOf(problem, plan, "decoder/layer_0/step_0/out"), 0U);
    EXPECT_EQ(deviceOf(problem, plan, "decoder/layer_1/step_0/out"), 1U);
    EXPECT_EQ(deviceOf(problem, plan, "embedding/Gather"), 1U) << "with the layer it feeds";
}

TEST(Expert, CutsOtherModelsIntoContiguousScopesOfEqualTime) {
    TinyGraph g;
    OpId last = g.op("cell_a/op0", 300, {}, 10);
    for (const char* name : {"cell_a/op1", "cell_b/op0", "cell_b/op1", "cell_c/op0", "cell_c/op1", "cell_d/op0"})
        last = g.op(name, 100, {last}, 10);
    const OpId gradient = g.op("gradients/cell_a/op0_grad/Conv", 10, {last}, 10);
    g.edit(gradient).phase = Phase::Backward;
    const OpId update = g.op("optimizer/update", 10, {gradient});
    g.edit(update).phase = Phase::Update;
    g.weight("cell_b/kernel", 10, {OpId(2), update});
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Plan plan = *solved("expert", problem);
    EXPECT_EQ(plan.device, (std::vector{DeviceId(0), DeviceId(0), DeviceId(1), DeviceId(1), DeviceId(1), DeviceId(1),
                                        DeviceId(1), DeviceId(0), DeviceId(1)}))
        << "cells are not torn apart, the gradient follows its cell and the update its weight";
}

TEST(Expert, UsesTheFastestKindOfDevice) {
    TinyGraph g;
    for (int i = 0; i < 12; ++i)
        g.edit(g.op(fmt::format("op{}", i), 1000)).timeNs["L"] = 10;
    const Problem problem = makeTestProblem(g.build(), {.devices = 4, .kinds = {"K", "L"}});
    std::set<std::uint32_t> used;
    const Plan plan = *solved("expert", problem);
    for (const DeviceId device : plan.device)
        used.insert(device.value);
    EXPECT_EQ(used, (std::set<std::uint32_t>{1, 3}));
}

TEST(Metis, CutsWhereTheFewestBytesPass) {
    TinyGraph g;
    std::vector<OpId> side;
    for (int s = 0; s < 2; ++s) { // two clusters of ops with 1000-byte tensors, one byte between them
        const OpId root = g.op(fmt::format("root{}", s), 50, s == 0 ? std::vector<OpId>() : std::vector{side[0]}, 1000);
        for (int i = 0; i < 6; ++i)
            g.op(fmt::format("leaf{}_{}", s, i), 50, {root}, 1000);
        side.push_back(g.op(fmt::format("bridge{}", s), 50, {root}, 1));
    }
    const Problem problem = makeTestProblem(g.build(), {.devices = 2});
    const Plan plan = *solved("metis", problem);
    for (std::size_t i = 0; i < 16; ++i)
        EXPECT_EQ(plan.device[i] == plan.device[0], i < 8) << i;
}

TEST(Metis, GivesEveryDeviceItsShareOfTime) {
    Random random(9);
    const Problem problem = makeTestProblem(randomGraph(random, 400), {.devices = 4});
    const Schedule schedule = run("metis", problem);
    std::int64_t sum = 0, most = 0;
    for (const DeviceReport& device : schedule.devices) {
        sum += device.busyNs;
        most = std::max(most, device.busyNs);
    }
    EXPECT_LE(static_cast<double>(most), 1.1 * static_cast<double>(sum) / 4);
}

TEST(Metis, KeepsItsRemarksOffStandardOutput) {
    const std::vector<NamedProblem> problems = tinyProblems();
    testing::internal::CaptureStdout();
    for (const NamedProblem& named : problems)
        EXPECT_TRUE(solved("metis", named.problem).has_value()) << named.name;
    std::fputs("still here", stdout);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "still here");
}

TEST(Metis, SurvivesWeightsThatDoNotFit32Bits) {
    TinyGraph g;
    OpId last = g.op("first", 4'000'000'000'000, {}, 5'000'000'000'000);
    for (int i = 0; i < 40; ++i)
        last = g.op(fmt::format("op{}", i), 4'000'000'000'000, {last}, 5'000'000'000'000);
    const Problem problem = makeTestProblem(g.build(), {.devices = 4});
    const Schedule schedule = run("metis", problem, {"balance-memory=true"});
    for (const DeviceReport& device : schedule.devices)
        EXPECT_GT(device.busyNs, 0);
}

} // namespace
} // namespace opscape::test
