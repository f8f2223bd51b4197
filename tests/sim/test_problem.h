// SPDX-License-Identifier: MIT
// Small problems for tests: a graph written down in a few lines, clusters of a few shapes, and random ones of both.
#pragma once

#include <opscape/base/random.h>
#include <opscape/base/units.h>
#include <opscape/graph/graph_builder.h>
#include <opscape/plan/plan_check.h>
#include <opscape/sim/simulator.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace opscape::test {

/// Ops with a given time on kind "K" and one output tensor each.
class TinyGraph {
public:
    OpId op(const std::string& name, std::int64_t ns, std::vector<OpId> reads = {}, std::int64_t outBytes = 0) {
        Op op;
        op.name = name;
        op.type = "Test";
        op.timeNs["K"] = ns;
        const OpId id = m_builder.addOp(op);
        for (const OpId producer : reads)
            m_builder.addInput(id, m_outputs[producer.index()]);
        Tensor tensor;
        tensor.name = name + ":0";
        tensor.bytes = outBytes;
        m_outputs.push_back(m_builder.addOutput(id, tensor));
        return id;
    }
    TensorId weight(const std::string& name, std::int64_t bytes, std::vector<OpId> readers) {
        Tensor tensor;
        tensor.name = name;
        tensor.kind = TensorKind::Weight;
        tensor.bytes = bytes;
        const TensorId id = m_builder.addResident(tensor);
        for (const OpId reader : readers)
            m_builder.addInput(reader, id);
        return id;
    }
    void control(OpId before, OpId after) { m_builder.addControl(before, after); }
    Op& edit(OpId id) { return m_builder.op(id); }
    TensorId output(OpId id) const { return m_outputs[id.index()]; }

    std::shared_ptr<const Graph> build() {
        Diagnostics diagnostics;
        auto graph = std::move(m_builder).build(diagnostics);
        EXPECT_TRUE(graph.has_value()) << (graph ? "" : graph.error().message);
        return std::make_shared<const Graph>(std::move(*graph));
    }

private:
    GraphBuilder m_builder{"tiny"};
    std::vector<TensorId> m_outputs;
};

struct ClusterShape {
    /// Ports: out of one device and into the other, together. PortsAndBus: with a bus, twice as fast, between them.
    enum class Wiring { PerPair, SendPort, Ports, Bus, PortsAndBus };
    int devices = 2;
    Wiring wiring = Wiring::PerPair;
    LinkModel model = LinkModel::Fifo;
    double bytesPerNs = 1;
    std::int64_t latencyNs = 0;
    bool blockingSend = false;
    std::int64_t memoryBytes = 0;
    std::vector<std::string> kinds{"K"}; ///< dealt out over the devices in turn
};

inline std::shared_ptr<const Cluster> makeCluster(const ClusterShape& shape) {
    using Wiring = ClusterShape::Wiring;
    std::string kinds, devices, channels, via;
    for (const std::string& kind : shape.kinds)
        kinds += fmt::format(
            R"({}"{}":{{"memory_bytes":{},"memory_bandwidth":1e9,"launch_ns":10,"overlap":1,"peak_flops":{{"f32":1e9}}}})",
            kinds.empty() ? "" : ",", kind, shape.memoryBytes);
    for (int d = 0; d < shape.devices; ++d)
        devices += fmt::format(R"({}{{"name":"d{}","kind":"{}"}})", d == 0 ? "" : ",", d,
                               shape.kinds[static_cast<std::size_t>(d) % shape.kinds.size()]);
    const std::string figures =
        fmt::format(R"("bandwidth":{},"latency_ns":{})", shape.bytesPerNs * 1e9, shape.latencyNs);
    if (shape.devices == 1) {
        channels = R"({"name":"unused",)" + figures + "}";
        via = R"("unused")";
    } else if (shape.wiring == Wiring::PerPair) {
        channels = R"({"name":"{from}>{to}","per_pair":["*","*"],)" + figures + "}";
        via = R"("{from}>{to}")";
    } else if (shape.wiring == Wiring::Bus) {
        channels = R"({"name":"bus",)" + figures + "}";
        via = R"("bus")";
    } else {
        channels = R"({"name":"{device} out","per_device":"*",)" + figures + "}";
        via = R"("{from} out")";
        if (shape.wiring == Wiring::PortsAndBus) {
            channels += fmt::format(R"(,{{"name":"bus","bandwidth":{},"latency_ns":{}}})", shape.bytesPerNs * 2e9,
                                    shape.latencyNs);
            via += R"(,"bus")";
        }
        if (shape.wiring == Wiring::Ports || shape.wiring == Wiring::PortsAndBus) {
            channels += R"(,{"name":"{device} in","per_device":"*",)" + figures + "}";
            via += R"(,"{to} in")";
        }
    }
    std::string routes = R"({"from":"*","to":"*","via":[)" + via + "]}";
    if (shape.devices == 1)
        channels = routes = ""; // nothing to send, and a rule that makes no channel is refused
    const auto cluster = Cluster::parse(
        fmt::format(
            R"({{"link_model":"{}","blocking_send":{},"kinds":{{{}}},"devices":[{}],"channels":[{}],"routes":[{}]}})",
            toString(shape.model), shape.blockingSend, kinds, devices, channels, routes),
        "test");
    EXPECT_TRUE(cluster.has_value()) << (cluster ? "" : cluster.error().message);
    return std::make_shared<const Cluster>(*cluster);
}

inline Problem makeTestProblem(std::shared_ptr<const Graph> graph, const ClusterShape& shape) {
    Diagnostics diagnostics;
    return makeProblem(std::move(graph), makeCluster(shape), diagnostics);
}

inline Schedule simulated(const Problem& problem, const Plan& plan) {
    auto schedule = simulate(problem, plan);
    EXPECT_TRUE(schedule.has_value()) << (schedule ? "" : schedule.error().message);
    return schedule ? *schedule : Schedule();
}

inline Plan placed(std::vector<std::size_t> devices, QueuePolicy policy = QueuePolicy::Fifo,
                   std::vector<std::int64_t> priority = {}) {
    Plan plan;
    for (const std::size_t device : devices)
        plan.device.emplace_back(device);
    plan.policy = policy;
    plan.priority = std::move(priority);
    return plan;
}

/// The whole trace as text: every op, then every transfer, in order of their start.
inline std::string traceText(const Problem& problem, const Plan& plan, const Schedule& schedule) {
    const Graph& graph = *problem.graph;
    const Cluster& cluster = *problem.cluster;
    std::vector<std::size_t> order(graph.opCount());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return schedule.ops[i].startNs; });
    std::string text;
    for (const std::size_t i : order)
        text += fmt::format("{} {} {}-{}\n", cluster.device(plan.device[i]).name, graph.op(OpId(i)).name,
                            schedule.ops[i].startNs, schedule.ops[i].endNs);
    for (const Transfer& t : schedule.transfers)
        text += fmt::format("{}>{} {} {}-{}\n", cluster.device(t.from).name, cluster.device(t.to).name,
                            t.tensor.valid() ? graph.tensor(t.tensor).name : "after " + graph.op(t.producer).name,
                            t.startNs, t.endNs);
    return text;
}

/// A random directed acyclic graph with shared weights, tensors of several readers, control edges and workspace. Times
/// and bytes sent are multiplied by `scale`.
inline std::shared_ptr<const Graph> randomGraph(Random& random, std::uint32_t ops, bool colocated = false,
                                                std::int64_t scale = 1) {
    GraphBuilder builder("random");
    std::vector<std::pair<OpId, TensorId>> tensors;
    std::vector<TensorId> weights;
    for (std::uint32_t i = 0; i < ops; ++i) {
        const bool isView = !weights.empty() && random.below(8) == 0; // hands out a weight
        Op op;
        op.name = fmt::format("op{}", i);
        op.type = isView ? "ReadVariable" : "Test";
        op.timeNs["K"] = (1 + random.below(2000)) * scale;
        op.timeNs["L"] = (1 + random.below(2000)) * scale;
        op.workspaceBytes = random.below(3) == 0 ? random.below(500) : 0;
        if (colocated && random.below(3) == 0)
            op.colocation = fmt::format("group{}", random.below(1 + ops / 6));
        const OpId id = builder.addOp(op);
        if (isView) {
            const TensorId weight = weights[random.below(static_cast<std::uint32_t>(weights.size()))];
            builder.addInput(id, weight);
            Tensor tensor;
            tensor.name = op.name + ":0";
            tensor.bytes = builder.tensor(weight).bytes;
            tensors.emplace_back(id, builder.addOutput(id, tensor));
            continue;
        }
        for (std::uint32_t k = random.below(4); k > 0 && !tensors.empty(); --k) {
            const auto back = std::min<std::size_t>(tensors.size(), 1 + random.below(12));
            builder.addInput(id, tensors[tensors.size() - back].second);
        }
        if (random.below(3) == 0) {
            if (weights.empty() || random.below(2) == 0) {
                Tensor weight;
                weight.kind = TensorKind::Weight;
                weight.bytes = random.below(1000);
                weights.push_back(builder.addResident(weight));
            }
            builder.addInput(id, weights[random.below(static_cast<std::uint32_t>(weights.size()))]);
        }
        if (i > 0 && random.below(5) == 0)
            builder.addControl(OpId(random.below(i)), id);
        for (std::uint32_t k = random.below(3); k > 0; --k) {
            Tensor tensor;
            tensor.name = fmt::format("op{}:{}", i, k);
            tensor.bytes = random.below(1500) * scale;
            tensors.emplace_back(id, builder.addOutput(id, tensor));
        }
    }
    Diagnostics diagnostics;
    auto graph = std::move(builder).build(diagnostics);
    EXPECT_TRUE(graph.has_value());
    return std::make_shared<const Graph>(std::move(*graph));
}

inline ClusterShape randomShape(Random& random) {
    ClusterShape shape;
    shape.devices = static_cast<int>(1 + random.below(5));
    shape.wiring = static_cast<ClusterShape::Wiring>(random.below(5));
    shape.model = static_cast<LinkModel>(random.below(3));
    shape.bytesPerNs = 0.3 + random.uniform() * 3;
    shape.latencyNs = 1 + random.below(300);
    shape.blockingSend = random.below(4) == 0;
    if (random.below(2) == 0)
        shape.kinds.emplace_back("L");
    return shape;
}

/// Merges random neighbours as long as the plan stays valid.
inline void fuseAtRandom(const Problem& problem, Plan& plan, Random& random) {
    const auto ops = static_cast<std::uint32_t>(problem.graph->opCount());
    plan.fusionGroup.assign(ops, Plan::kNotFused);
    for (std::uint32_t attempt = 0; attempt < ops / 2; ++attempt) {
        const OpId op(random.below(ops));
        const auto next = problem.graph->successors(op);
        if (next.empty())
            continue;
        const Plan before = plan;
        const std::uint32_t group = std::min(plan.fusionGroup[op.index()], op.value);
        const std::uint32_t other = plan.fusionGroup[next[0].index()];
        for (std::uint32_t i = 0; i < ops; ++i) {
            if (i == op.value || i == next[0].value || (other != Plan::kNotFused && plan.fusionGroup[i] == other))
                plan.fusionGroup[i] = group;
        }
        if (!checkPlan(problem, plan))
            plan = before;
    }
}

/// A random placement under a random queue policy; a fixed order follows the topological order, so it cannot deadlock.
inline Plan randomPlan(const Problem& problem, Random& random, bool mayFuse = true) {
    const std::size_t ops = problem.graph->opCount();
    Plan plan;
    for (std::size_t i = 0; i < ops; ++i)
        plan.device.emplace_back(random.below(static_cast<std::uint32_t>(problem.cluster->deviceCount())));
    for (const auto& group : problem.graph->colocationGroups()) {
        for (const OpId op : group)
            plan.device[op.index()] = plan.device[group[0].index()];
    }
    plan.policy = static_cast<QueuePolicy>(random.below(3));
    if (plan.policy == QueuePolicy::Priority) {
        for (std::size_t i = 0; i < ops; ++i)
            plan.priority.push_back(random.below(10));
    } else if (plan.policy == QueuePolicy::Order) {
        plan.priority.resize(ops);
        std::int64_t next = 0;
        for (const OpId op : problem.graph->topologicalOrder())
            plan.priority[op.index()] = --next;
    }
    if (mayFuse && plan.policy != QueuePolicy::Order && random.below(3) == 0)
        fuseAtRandom(problem, plan, random);
    return plan;
}

} // namespace opscape::test
