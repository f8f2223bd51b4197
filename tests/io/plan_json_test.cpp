// SPDX-License-Identifier: MIT
#include "random_graph.h"

#include <opscape/io/plan_json.h>

#include <gtest/gtest.h>

namespace opscape {
namespace {

class PlanJson : public testing::Test {
protected:
    static Graph makeGraph(std::size_t ops) {
        GraphBuilder builder("g");
        for (std::size_t i = 0; i < ops; ++i)
            builder.addOp(namedOp(fmt::format("scope/op \"{}\"", i)));
        Diagnostics diagnostics;
        return *std::move(builder).build(diagnostics);
    }
    static Cluster makeCluster() {
        return *Cluster::parse(R"({
            "kinds": {"K": {"memory_bytes": 0, "memory_bandwidth": 1e9, "launch_ns": 0, "peak_flops": {"f32": 1e12}}},
            "devices": [{"name": "gpu:{i}", "kind": "K", "count": 2}],
            "channels": [{"name": "bus", "bandwidth": 1e9, "latency_ns": 0}],
            "routes": [{"from": "*", "to": "*", "via": ["bus"]}]})",
                               "pair.json");
    }
    std::string errorOf(std::string_view json) const {
        const auto plan = readPlan(json, "p.json", two, cluster);
        return plan ? "no error" : plan.error().message;
    }

    const Graph two = [] {
        GraphBuilder builder("two");
        builder.addOp(namedOp("a"));
        builder.addOp(namedOp("b"));
        Diagnostics diagnostics;
        return *std::move(builder).build(diagnostics);
    }();
    const Cluster cluster = makeCluster();
};

TEST_F(PlanJson, AnyPlanWrittenAndReadBackIsEqual) {
    Random random(3);
    for (int round = 0; round < 100; ++round) {
        const Graph graph = makeGraph(1 + random.below(20));
        Plan plan;
        plan.policy = static_cast<QueuePolicy>(random.below(3));
        const bool fused = random.below(2) == 0;
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            plan.device.emplace_back(random.below(2));
            if (plan.policy != QueuePolicy::Fifo)
                plan.priority.push_back(static_cast<std::int64_t>(random()));
            if (fused)
                plan.fusionGroup.push_back(i > 0 && random.below(2) == 0 ? Plan::kNotFused : random.below(5));
        }
        const auto back = readPlan(writePlan(graph, cluster, plan), "p.json", graph, cluster);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(*back, plan);
    }
}

TEST_F(PlanJson, ThePlanOfAnEmptyGraphIsReadBack) {
    const Graph graph = makeGraph(0);
    const auto back = readPlan(writePlan(graph, cluster, Plan()), "p.json", graph, cluster);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, Plan());
}

TEST_F(PlanJson, IsWrittenOneOpALine) {
    Plan plan = Plan::allOn(DeviceId(1), 2);
    plan.fusionGroup = {4, Plan::kNotFused};
    EXPECT_EQ(
        writePlan(two, cluster, plan),
        fmt::format(
            "{{\"opscape_plan\": 1, \"graph\": \"{}\", \"cluster\": \"pair\", \"policy\": \"fifo\",\n\"ops\": {{\n"
            "\"a\": {{\"device\": \"gpu:1\", \"fusion\": 4}},\n\"b\": {{\"device\": \"gpu:1\"}}\n}}}}\n",
            two.hash()));
}

TEST_F(PlanJson, AWrongFileGivesOneSentenceThatNamesThePlace) {
    const struct {
        std::string json, message;
    } cases[] = {
        {"3", "p.json: the file must be an object."},
        {"", "p.json: line 1: the JSON ends before it is complete; the file seems to be cut off."},
        {R"({"ops": {}})", R"(p.json: the file lacks the key "opscape_plan".)"},
        {R"({"opscape_plan": 1})", R"(p.json: the file lacks the key "ops".)"},
        {R"({"opscape_plan": 9, "ops": {}})", "p.json: opscape_plan is 9, but this program reads version 1."},
        {R"({"opscape_plan": 1, "policy": "lifo", "ops": {}})",
         R"(p.json: policy "lifo" is not a policy: fifo, priority or order.)"},
        {R"({"opscape_plan": 1, "seed": 1, "ops": {}})",
         "p.json: seed is not a known key; known here are opscape_plan, graph, cluster, policy, ops."},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "gpu:0"}}})", "p.json: ops lacks the op b."},
        {R"({"opscape_plan": 1, "ops": {"c": {"device": "gpu:0"}}})",
         "p.json: ops.c names an op that graph two does not have."},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "tpu"}}})",
         R"(p.json: ops.a.device "tpu" is not a device of cluster pair.)"},
        {R"({"opscape_plan": 1, "ops": {"a": {}}})", R"(p.json: ops.a lacks the key "device".)"},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": 0}}})", "p.json: ops.a.device must be a text."},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "gpu:0"}, "a": {"device": "gpu:0"}}})",
         R"(p.json: ops has the key "a" twice.)"},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "gpu:0", "priority": 1.5}}})",
         "p.json: ops.a.priority must be a whole number."},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "gpu:0", "fusion": -1}}})",
         "p.json: ops.a.fusion must be a whole number from 0 to 4294967294."},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "gpu:0", "fuse": 1}}})",
         "p.json: ops.a.fuse is not a known key; known here are device, priority, fusion."},
        {R"({"opscape_plan": 1, "policy": "order", "ops": {"a": {"device": "gpu:0", "priority": 1}, "b": {"device": "gpu:0"}}})",
         "p.json: ops gives a priority to 1 of 2 ops; with policy order it must be all."},
        {R"({"opscape_plan": 1, "ops": {"a": {"device": "gpu:0", "priority": 1}, "b": {"device": "gpu:0"}}})",
         "p.json: ops gives a priority to 1 of 2 ops; with policy fifo it must be all or none."},
    };
    for (const auto& c : cases)
        EXPECT_EQ(errorOf(c.json), c.message) << c.json;
}

} // namespace
} // namespace opscape
