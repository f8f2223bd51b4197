// SPDX-License-Identifier: MIT
#include "service/comparison.h"
#include "service/comparison_ops.h"
#include "service/comparison_runs.h"
#include "support/sentence.h"
#include "support/small_graph.h"
#include "support/temporary_folder.h"

#include <opscape/base/random.h>
#include <opscape/base/units.h>
#include <opscape/graph/graph_builder.h>

#include <gtest/gtest.h>

namespace opscape::test {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Cluster> bundled(const char* name) {
    return std::make_shared<const Cluster>(*Cluster::load(name));
}

/// Two chains of MatMuls with edges between them now and then, and a control edge.
std::shared_ptr<const OpenedGraph> ladder(int length, const std::string& name = "ladder") {
    GraphBuilder builder(name);
    std::array<TensorId, 2> flow;
    std::vector<OpId> ops;
    for (int i = 0; i < 2 * length; ++i) {
        const auto side = static_cast<std::size_t>(i % 2);
        Op op;
        op.name = fmt::format("side_{}/matmul_{}", side, i / 2);
        op.type = "MatMul";
        op.timeNs["gpu"] = 100'000 + 1'000 * i;
        ops.push_back(builder.addOp(op));
        if (flow[side].valid())
            builder.addInput(ops.back(), flow[side]);
        if (i % 6 == 5)
            builder.addInput(ops.back(), flow[1 - side]);
        Tensor tensor;
        tensor.name = op.name + ":0";
        tensor.bytes = 1 << 18;
        flow[side] = builder.addOutput(ops.back(), tensor);
    }
    builder.addControl(ops[0], ops[3]);
    Diagnostics diagnostics;
    auto opened = std::make_shared<OpenedGraph>();
    opened->graph = std::make_shared<const Graph>(*std::move(builder).build(diagnostics));
    opened->scopes = std::make_shared<const ScopeTree>(*opened->graph);
    return opened;
}

class Comparison : public testing::Test {
protected:
    Comparison() { ::setenv("OPSCAPE_PLUGINS", OPSCAPE_BINARY_DIR "/tests/plugins", 1); }
    ~Comparison() override { ::unsetenv("OPSCAPE_PLUGINS"); }

    [[nodiscard]] Workbench workbench() const { return Workbench(m_folder / "runs.sqlite"); }
    [[nodiscard]] OutcomePtr planned(const Plan& plan, const std::shared_ptr<const Cluster>& on) const {
        auto outcome = workbench().simulatePlan(opened, on, plan, false);
        EXPECT_TRUE(outcome.has_value());
        return std::make_shared<const Outcome>(*std::move(outcome));
    }
    /// Side 1 on device 1, the rest on device 0.
    [[nodiscard]] Plan split() const {
        Plan plan = Plan::allOn(DeviceId(0), opened->graph->opCount());
        for (std::size_t i = 1; i < plan.device.size(); i += 2)
            plan.device[i] = DeviceId(1);
        return plan;
    }
    [[nodiscard]] Plan together() const { return Plan::allOn(DeviceId(0), opened->graph->opCount()); }
    static const ComparedRow& row(const std::vector<ComparedRow>& rows, std::string_view title) {
        const auto it = std::ranges::find(rows, title, &ComparedRow::title);
        if (it == rows.end())
            throw std::runtime_error(fmt::format("no row {}", title));
        return *it;
    }

    std::shared_ptr<const OpenedGraph> opened = ladder(12);
    std::shared_ptr<const Cluster> two = bundled("p100x2");

private:
    TemporaryFolder m_folder;
};

TEST_F(Comparison, EveryFigureIsTheSimulators) {
    const OutcomePtr a = planned(together(), two), b = planned(split(), two);
    const std::vector<OutcomePtr> plans{a, b};
    const auto rows = comparisonTable(plans);
    for (std::size_t i = 0; i < 2; ++i) {
        const Schedule schedule = *simulate(plans[i]->problem, plans[i]->plan);
        EXPECT_EQ(row(rows, "Step time").exact[i], formatCount(schedule.makespanNs) + " ns");
        EXPECT_EQ(row(rows, "Step time").texts[i], formatTime(schedule.makespanNs));
        EXPECT_EQ(row(rows, "Pipelined step").exact[i],
                  formatCount(pipelineReport(plans[i]->problem, plans[i]->plan).periodNs) + " ns");
        EXPECT_EQ(row(rows, "Peak memory").exact[i], formatCount(schedule.peakBytes) + " B");
        EXPECT_EQ(row(rows, "Peak memory, B").exact[i], formatCount(schedule.devices[1].peakBytes) + " B");
        EXPECT_EQ(row(rows, "Bytes moved").exact[i], formatCount(schedule.bytesMoved) + " B");
        EXPECT_EQ(row(rows, "Idle share, A").texts[i], formatPercent(idleShare(schedule, DeviceId(0))));
    }
    const bool splitIsFaster = b->schedule.makespanNs < a->schedule.makespanNs;
    EXPECT_EQ(row(rows, "Step time").best, (std::vector<bool>{!splitIsFaster, splitIsFaster}));
    EXPECT_EQ(row(rows, "Lower bound").best, (std::vector<bool>{false, false})) << "a bound is no merit of a plan";
    EXPECT_EQ(row(rows, "Cut edges").texts[0], "0");
    EXPECT_EQ(row(rows, "Cut edges").best, (std::vector<bool>{true, false}));
    EXPECT_EQ(row(rows, "Search time").texts[0], "–") << "nobody searched";
}

TEST_F(Comparison, CutEdgesAreCountedPairByPair) {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        Plan plan = together();
        for (DeviceId& device : plan.device)
            device = DeviceId(std::size_t{random.below(2)});
        std::int64_t cut = 0;
        const Graph& graph = *opened->graph;
        for (std::size_t from = 0; from < graph.opCount(); ++from) {
            for (const TensorId tensor : graph.outputs(OpId(from))) {
                for (const OpId to : graph.consumers(tensor))
                    cut += plan.device[from] != plan.device[to.index()] ? 1 : 0;
            }
            for (const OpId to : graph.controlSuccessors(OpId(from)))
                cut += plan.device[from] != plan.device[to.index()] ? 1 : 0;
        }
        EXPECT_EQ(cutEdges(graph, plan), cut);
    }
}

TEST_F(Comparison, OfPlansThatDoNotFitNoneIsBetter) {
    OutcomePtr fits = planned(together(), two);
    auto crowded = std::make_shared<Outcome>(*planned(split(), two));
    crowded->schedule.makespanNs = fits->schedule.makespanNs / 2;
    crowded->schedule.feasible = false;
    const auto rows = comparisonTable(std::vector<OutcomePtr>{fits, crowded});
    EXPECT_EQ(row(rows, "Step time").best, (std::vector<bool>{true, false})) << "of those that fit it is the best";
    EXPECT_EQ(row(rows, "Fits in memory").texts[1], "no");
}

TEST_F(Comparison, DevicesOfDifferentClustersHaveRowsOfTheirOwn) {
    const auto rows =
        comparisonTable(std::vector<OutcomePtr>{planned(split(), two), planned(split(), bundled("v100x4"))});
    EXPECT_EQ(row(rows, "Idle share, p100x2 A").texts[1], "–");
    EXPECT_EQ(row(rows, "Idle share, v100x4 A").texts[0], "–");
    EXPECT_NE(row(rows, "Idle share, v100x4 B").texts[1], "–");
    EXPECT_EQ(row(rows, "Idle share, v100x4 B").best, (std::vector<bool>{false, false}));
    const auto sameDevices = comparisonTable(std::vector<OutcomePtr>{
        planned(split(), two), planned(split(), std::make_shared<const Cluster>(two->withLinkModel(LinkModel::None)))});
    EXPECT_NE(row(sameDevices, "Idle share, A").texts[1], "–");
}

TEST_F(Comparison, DifferentGraphsAreRefusedInOneSentence) {
    const OutcomePtr a = planned(together(), two);
    opened = ladder(4, "stairs");
    const OutcomePtr b = planned(together(), two);
    const auto refused = checkComparable(std::vector<OutcomePtr>{a, b});
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().message, IsOneSentence());
    EXPECT_THAT(refused.error().message, HasSubstr("different graphs, ladder of 24 ops and stairs of 8 ops"));
    EXPECT_FALSE(checkComparable(std::vector<OutcomePtr>{a}).has_value());
    EXPECT_TRUE(checkComparable(std::vector<OutcomePtr>{a, a, a, a}).has_value());
    EXPECT_FALSE(checkComparable(std::vector<OutcomePtr>{a, a, a, a, a}).has_value());
}

TEST_F(Comparison, OpsThatDifferTogetherAreConnectedAndOnOnePairOfDevices) {
    Random random(11);
    for (int round = 0; round < 30; ++round) {
        Plan p = together(), q = together();
        for (std::size_t i = 0; i < p.device.size(); ++i) {
            p.device[i] = DeviceId(std::size_t{random.below(2)});
            q.device[i] = DeviceId(std::size_t{random.below(2)});
        }
        const OutcomePtr a = planned(p, two), b = planned(q, two);
        const PlanDifferences found = differencesOf(*a, *b);
        std::vector<OpId> expected;
        for (std::size_t i = 0; i < p.device.size(); ++i) {
            if (p.device[i] != q.device[i])
                expected.push_back(OpId(i));
        }
        ASSERT_EQ(found.ops.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(found.ops[i].op, expected[i]);
            EXPECT_EQ(found.ops[i].a, p.device[expected[i].index()]);
            EXPECT_EQ(found.ops[i].b, q.device[expected[i].index()]);
        }
        for (const OpDifference& x : found.ops) { // neighbours of one pair are together, others are not
            for (const OpDifference& y : found.ops) {
                const auto after = opened->graph->successors(x.op);
                const bool neighbours = std::ranges::find(after, y.op) != after.end();
                if (neighbours) {
                    EXPECT_EQ(x.group == y.group, x.a == y.a && x.b == y.b);
                }
                if (x.group == y.group) {
                    EXPECT_TRUE(x.a == y.a && x.b == y.b);
                }
            }
        }
    }
}

TEST_F(Comparison, TheCostOfAMoveIsASimulationOfThePlanWithIt) {
    const OutcomePtr a = planned(together(), two), b = planned(split(), two);
    const PlanDifferences found = differencesOf(*a, *b);
    MoveCosts costs(a, b);
    for (const OpDifference& difference : found.ops) {
        Plan moved = a->plan;
        moved.device[difference.op.index()] = difference.b;
        const auto cost = costs.of(std::array{difference.op});
        ASSERT_TRUE(cost.has_value());
        EXPECT_EQ(cost->changeNs, simulate(a->problem, moved)->makespanNs - a->schedule.makespanNs);
    }
    std::vector<OpId> all;
    for (const OpDifference& difference : found.ops)
        all.push_back(difference.op);
    EXPECT_EQ(costs.of(all)->changeNs, b->schedule.makespanNs - a->schedule.makespanNs)
        << "all of them together are the other plan";
}

TEST_F(Comparison, DevicesOfOneNameAreTheSamePlaceInAnyCluster) {
    const OutcomePtr a = planned(split(), two);
    Plan wide = split();
    wide.device[4] = DeviceId(3);
    const OutcomePtr b = planned(wide, bundled("v100x8"));
    const PlanDifferences found = differencesOf(*a, *b);
    ASSERT_EQ(found.ops.size(), 1U);
    EXPECT_EQ(found.ops[0].op, OpId(4));
    MoveCosts costs(a, b);
    const auto cost = costs.of(std::array{OpId(4)});
    ASSERT_FALSE(cost.has_value()) << "the smaller cluster has no such device";
    EXPECT_THAT(cost.error().message, IsOneSentence());
}

TEST_F(Comparison, AKeptRunIsTakenInPlaceOfANewOne) {
    const Workbench bench = workbench();
    OptimizeRequest request;
    request.optimizer = "scatter";
    bool wasKept = true;
    const auto first = keptOrNew(bench, opened, two, request, {}, &wasKept);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    EXPECT_FALSE(wasKept);
    const auto again = keptOrNew(bench, opened, two, request, {}, &wasKept);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(wasKept);
    EXPECT_EQ(again->run.id, first->run.id);
    EXPECT_EQ(again->plan, first->plan);
    const auto none = std::make_shared<const Cluster>(two->withLinkModel(LinkModel::None));
    ASSERT_TRUE(keptOrNew(bench, opened, none, request, {}, &wasKept).has_value());
    EXPECT_FALSE(wasKept) << "under another link model it is another run";
    ASSERT_TRUE(keptOrNew(bench, opened, bundled("p100x4"), request, {}, &wasKept).has_value());
    EXPECT_FALSE(wasKept) << "on another cluster, too";
    request.finish.scheduler = Scheduler::Rank;
    ASSERT_TRUE(bench.optimize(opened, two, request, {}).has_value());
    EXPECT_EQ((*keptRunOf(bench, *opened, *two, "scatter"))->id, first->run.id)
        << "a plan that was changed afterwards is not the optimizer's";
}

TEST_F(Comparison, OfALearnersRunsTheBestStands) {
    const Workbench bench = workbench();
    OptimizeRequest request;
    request.optimizer = "learns";
    std::int64_t best = 0, bestNs = std::numeric_limits<std::int64_t>::max();
    for (const char* updates : {"1", "40", "3"}) {
        request.options["updates"] = updates;
        request.seed += 1;
        const auto outcome = bench.optimize(opened, two, request, {});
        ASSERT_TRUE(outcome.has_value()) << outcome.error().message;
        if (outcome->schedule.makespanNs <= bestNs) {
            bestNs = outcome->schedule.makespanNs;
            best = outcome->run.id;
        }
    }
    const auto kept = keptRunOf(bench, *opened, *two, "learns");
    ASSERT_TRUE(kept && *kept);
    EXPECT_EQ((*kept)->result->makespanNs, bestNs);
    EXPECT_GT(bench.restore(best)->simulations, 0) << "its curve tells how many plans were simulated";
}

} // namespace
} // namespace opscape::test
