// SPDX-License-Identifier: MIT
#include "picture_scene.h"

#include <numeric>

namespace opscape {
namespace {

int nodeOf(const GraphScene& scene, std::string_view label) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].label == label)
            return static_cast<int>(i);
    }
    return -1;
}

TEST(ScenePlacement, SharesOfAScopeGoByTimeAndAddUpToOne) {
    const PictureScene s;
    const GraphScene scene = s.scene(false);
    const ScenePlacement placement(*s.graph, scene, &s.plan, s.problem.cluster.get(), s.problem.cost.get());
    const auto shares = placement.shares(nodeOf(scene, "dec"));
    ASSERT_EQ(shares.size(), 3U);
    EXPECT_FLOAT_EQ(shares[1], 3.0F / 7);
    EXPECT_FLOAT_EQ(shares[2], 4.0F / 7);
    EXPECT_FLOAT_EQ(std::accumulate(shares.begin(), shares.end(), 0.0F), 1);
    EXPECT_EQ(placement.dominant(nodeOf(scene, "dec")), DeviceId(2));
}

TEST(ScenePlacement, WithoutACostModelSharesGoByOps) {
    const PictureScene s;
    const GraphScene scene = s.scene(false);
    const ScenePlacement placement(*s.graph, scene, &s.plan, nullptr, nullptr);
    EXPECT_FLOAT_EQ(placement.shares(nodeOf(scene, "dec"))[1], 0.5F);
    EXPECT_EQ(placement.dominant(nodeOf(scene, "dec")), DeviceId(1)) << "a tie goes to the lower id";
}

TEST(ScenePlacement, AnExpandedScopeHasTheSharesOfAllInsideAndAnOpHasNone) {
    const PictureScene s;
    const GraphScene scene = s.scene(true);
    const ScenePlacement placement(*s.graph, scene, &s.plan, s.problem.cluster.get(), s.problem.cost.get());
    EXPECT_FLOAT_EQ(placement.shares(nodeOf(scene, "enc"))[0], 1);
    EXPECT_TRUE(placement.shares(nodeOf(scene, "a")).empty());
    EXPECT_FALSE(placement.dominant(nodeOf(scene, "a")).valid());
}

TEST(ScenePlacement, OnlyEdgesBetweenDevicesCross) {
    const PictureScene s;
    const GraphScene scene = s.scene(true);
    const ScenePlacement placement(*s.graph, scene, &s.plan, s.problem.cluster.get(), s.problem.cost.get());
    int crossing = 0;
    for (std::size_t e = 0; e < scene.edges.size(); ++e) {
        const auto& c = placement.crossing(static_cast<int>(e));
        const bool expected =
            s.plan.device[scene.edges[e].ends[0].first.index()] != s.plan.device[scene.edges[e].ends[0].second.index()];
        EXPECT_EQ(c.from.valid(), expected);
        EXPECT_EQ(c.bytes, expected ? 1 << 20 : 0);
        crossing += expected ? 1 : 0;
    }
    EXPECT_EQ(crossing, 2);
}

TEST(ScenePlacement, ATensorReadTwiceOnOneDeviceCrossesOnce) {
    GraphBuilder builder("twice");
    for (const char* name : {"a/x", "b/y", "b/z"}) {
        Op op;
        op.name = name;
        builder.addOp(op);
    }
    Tensor tensor;
    tensor.name = "t";
    tensor.bytes = 1000;
    const TensorId t = builder.addOutput(OpId(0), tensor);
    builder.addInput(OpId(1), t);
    builder.addInput(OpId(2), t);
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    Plan plan = Plan::allOn(DeviceId(0), 3);
    plan.device[1] = plan.device[2] = DeviceId(1);
    EXPECT_EQ(ScenePlacement(graph, scene, &plan, nullptr, nullptr).crossing(0).bytes, 1000);
    plan.device[2] = DeviceId(2);
    EXPECT_EQ(ScenePlacement(graph, scene, &plan, nullptr, nullptr).crossing(0).bytes, 2000);
}

TEST(ScenePlacement, WithoutAPlanNothingIsKnown) {
    const PictureScene s;
    const GraphScene scene = s.scene(false);
    const ScenePlacement placement(*s.graph, scene, nullptr, s.problem.cluster.get(), s.problem.cost.get());
    EXPECT_TRUE(placement.shares(0).empty());
    EXPECT_FALSE(placement.crossing(0).from.valid());
    EXPECT_TRUE(placement.totals().empty());
}

TEST(ScenePlacement, TotalsCountOpsAndTimePerDevice) {
    const PictureScene s;
    const GraphScene scene = s.scene(false);
    const ScenePlacement placement(*s.graph, scene, &s.plan, s.problem.cluster.get(), s.problem.cost.get());
    ASSERT_EQ(placement.totals().size(), 3U);
    EXPECT_EQ(placement.totals()[0].ops, 2U);
    EXPECT_EQ(placement.totals()[0].busyNs, 30'000);
    EXPECT_EQ(placement.totals()[2].busyNs, 40'000);
}

} // namespace
} // namespace opscape
