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
    EXPECT_EQ(placement.dominant(nodeOf(scene, "dec")), 2);
}

TEST(ScenePlacement, WithoutACostModelSharesGoByOps) {
    const PictureScene s;
    const GraphScene scene = s.scene(false);
    const ScenePlacement placement(*s.graph, scene, &s.plan, nullptr, nullptr);
    EXPECT_FLOAT_EQ(placement.shares(nodeOf(scene, "dec"))[1], 0.5F);
    EXPECT_EQ(placement.dominant(nodeOf(scene, "dec")), 1) << "a tie goes to the lower id";
}

TEST(ScenePlacement, AnExpandedScopeHasTheSharesOfAllInsideAndAnOpHasNone) {
    const PictureScene s;
    const GraphScene scene = s.scene(true);
    const ScenePlacement placement(*s.graph, scene, &s.plan, s.problem.cluster.get(), s.problem.cost.get());
    EXPECT_FLOAT_EQ(placement.shares(nodeOf(scene, "enc"))[0], 1);
    EXPECT_TRUE(placement.shares(nodeOf(scene, "a")).empty());
    EXPECT_EQ(placement.dominant(nodeOf(scene, "a")), -1);
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
}

TEST(ScenePlacement, OnAScaleAScopeHasTheFiguresOfAllItsOps) {
    const PictureScene s;
    const GraphScene scene = s.scene(true);
    const OpColours colours(ColourBy::Time, {s.graph.get(), s.problem.cluster.get(), &s.plan, s.problem.cost.get()});
    const ScenePlacement placement(*s.graph, scene, colours, &s.plan);
    const auto dec = placement.aggregate(nodeOf(scene, "dec"));
    EXPECT_EQ(dec.count, 2U);
    EXPECT_EQ(dec.least, 30'000);
    EXPECT_EQ(dec.most, 40'000);
    EXPECT_EQ(dec.sum, 70'000);
    EXPECT_EQ(dec.mean(), 35'000);
    EXPECT_EQ(placement.aggregate(nodeOf(scene, "c")).count, 0U) << "an op is no group";
    EXPECT_EQ(aggregateText(colours, dec), "sum 70.0 us, mean 35.0 us, 30.0 us to 40.0 us");
    const auto shares = placement.shares(nodeOf(scene, "dec"));
    EXPECT_FLOAT_EQ(std::accumulate(shares.begin(), shares.end(), 0.0F), 1);
    EXPECT_FLOAT_EQ(shares.back(), 0.5F) << "by number of ops: the longest of them all is one of two here";
}

TEST(ScenePlacement, PinsAreCountedInEveryBoxAroundThem) {
    const PictureScene s;
    std::vector<DeviceId> pins(4);
    pins[2] = DeviceId(1);
    const OpColours colours(ColourBy::Device, {s.graph.get(), s.problem.cluster.get(), &s.plan, nullptr, nullptr});
    const GraphScene open = s.scene(true), closed = s.scene(false);
    const ScenePlacement inside(*s.graph, open, colours, &s.plan, pins),
        outside(*s.graph, closed, colours, &s.plan, pins);
    EXPECT_EQ(inside.pinned(nodeOf(open, "c")), 1U);
    EXPECT_EQ(inside.pinned(nodeOf(open, "d")), 0U);
    EXPECT_EQ(inside.pinned(nodeOf(open, "dec")), 1U);
    EXPECT_EQ(inside.pinned(nodeOf(open, "enc")), 0U);
    EXPECT_EQ(outside.pinned(nodeOf(closed, "dec")), 1U);
    EXPECT_EQ(outside.pinnedOps(), 1U);
    EXPECT_EQ(ScenePlacement(*s.graph, open, colours, &s.plan).pinned(nodeOf(open, "c")), 0U);
}

} // namespace
} // namespace opscape
