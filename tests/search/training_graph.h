// SPDX-License-Identifier: MIT
// Training steps for tests: forward ops written down by hand, their gradients and weight updates added, with scopes as
// a framework names them. Times are a roofline for one kind of device, "K".
#pragma once

#include "sim/test_problem.h"

namespace opscape::test {

class TrainingGraph {
public:
    struct Value {
        std::size_t index;
    };

    /// A weight, or the input of the step.
    Value weight(const std::string& scope, std::int64_t elements) {
        return add(scope, "weight", {}, elements, 0, true);
    }
    Value input(std::int64_t elements) { return add("", "input", {}, elements, 0, true); }
    /// `flops` negative: one per element.
    Value op(const std::string& scope, const std::string& type, std::vector<Value> reads, std::int64_t elements,
             double flops = -1) {
        return add(scope, type, std::move(reads), elements, flops < 0 ? static_cast<double>(elements) : flops, false);
    }

    /// The whole step: what was added, and backwards from `loss` with an update of every weight.
    std::shared_ptr<const Graph> build(Value loss) {
        GraphBuilder builder("training step");
        for (const Node& node : m_nodes)
            m_tensors.push_back(node.isState ? addState(builder, node) : addForward(builder, node));
        std::vector<std::vector<TensorId>> gradients(m_nodes.size());
        gradients[loss.index].push_back(m_tensors[loss.index]);
        for (std::size_t i = m_nodes.size(); i-- > 0;) {
            if (!gradients[i].empty())
                addBackward(builder, i, gradients);
        }
        Diagnostics diagnostics;
        auto graph = std::move(builder).build(diagnostics);
        EXPECT_TRUE(graph.has_value()) << (graph ? "" : graph.error().message);
        return std::make_shared<const Graph>(std::move(*graph));
    }

private:
    struct Node {
        std::string scope, type;
        std::vector<Value> reads;
        std::int64_t elements;
        double flops;
        bool isState;
    };
    static constexpr std::int64_t kElementBytes = 4;

    Value add(std::string scope, std::string type, std::vector<Value> reads, std::int64_t elements, double flops,
              bool isState) {
        m_nodes.push_back({std::move(scope), std::move(type), std::move(reads), elements, flops, isState});
        return {m_nodes.size() - 1};
    }

    TensorId addState(GraphBuilder& builder, const Node& node) {
        Tensor tensor;
        tensor.name = fmt::format("{}/{}_{}", node.scope, node.type, m_count++);
        tensor.kind = node.type == "input" ? TensorKind::Input : TensorKind::Weight;
        tensor.bytes = node.elements * kElementBytes;
        return builder.addResident(tensor);
    }

    TensorId addOp(GraphBuilder& builder, const std::string& scope, const std::string& type, Phase phase,
                   const std::vector<TensorId>& reads, std::int64_t elements, double flops) {
        constexpr double kFlopsPerNs = 5580, kBytesPerNs = 504, kLaunchNs = 5000;
        Op op;
        op.name = fmt::format("{}{}{}_{}", scope, scope.empty() ? "" : "/", type, m_count++);
        op.type = type;
        op.phase = phase;
        double bytes = static_cast<double>(elements * kElementBytes);
        for (const TensorId read : reads)
            bytes += static_cast<double>(builder.tensor(read).bytes);
        op.timeNs["K"] = static_cast<std::int64_t>(kLaunchNs + std::max(flops / kFlopsPerNs, bytes / kBytesPerNs));
        const OpId id = builder.addOp(op);
        for (const TensorId read : reads)
            builder.addInput(id, read);
        Tensor tensor;
        tensor.name = op.name + ":0";
        tensor.bytes = elements * kElementBytes;
        return builder.addOutput(id, tensor);
    }

    TensorId addForward(GraphBuilder& builder, const Node& node) {
        std::vector<TensorId> reads;
        for (const Value read : node.reads)
            reads.push_back(m_tensors[read.index]);
        return addOp(builder, node.scope, node.type, Phase::Forward, reads, node.elements, node.flops);
    }

    void addBackward(GraphBuilder& builder, std::size_t i, std::vector<std::vector<TensorId>>& gradients) {
        const Node& node = m_nodes[i];
        const std::string scope = "gradients/" + node.scope;
        TensorId gradient = gradients[i][0];
        if (gradients[i].size() > 1)
            gradient = addOp(builder, scope, "AddN", Phase::Backward, gradients[i], node.elements,
                             static_cast<double>(node.elements) * static_cast<double>(gradients[i].size()));
        if (node.type == "input")
            return;
        if (node.isState) {
            addOp(builder, node.scope, "Apply", Phase::Update, {gradient, m_tensors[i]}, 1,
                  static_cast<double>(node.elements) * 10);
            return;
        }
        for (std::size_t r = 0; r < node.reads.size(); ++r) {
            const std::size_t to = node.reads[r].index;
            if (m_nodes[to].type == "input")
                continue;
            if (node.type == "Add") {
                gradients[to].push_back(gradient);
                continue;
            }
            std::vector<TensorId> reads{gradient};
            for (std::size_t other = 0; other < node.reads.size(); ++other) {
                if (other != r || node.reads.size() == 1)
                    reads.push_back(m_tensors[node.reads[other].index]);
            }
            gradients[to].push_back(
                addOp(builder, scope, node.type + "Grad", Phase::Backward, reads, m_nodes[to].elements, node.flops));
        }
    }

    std::vector<Node> m_nodes;
    std::vector<TensorId> m_tensors;
    int m_count = 0;
};

/// An unrolled recurrent language model: embedding, LSTM layers, softmax. About layers * steps * 35 ops.
inline std::shared_ptr<const Graph> lstmTrainingGraph(int layers, int steps, std::int64_t hidden = 2048,
                                                      bool stepsOutside = false) {
    constexpr std::int64_t kBatch = 64, kWords = 10'000;
    using Value = TrainingGraph::Value;
    TrainingGraph g;
    const std::int64_t state = kBatch * hidden;
    const auto scopeOf = [&](const std::string& layer, int step) {
        return stepsOutside ? fmt::format("step_{}/{}", step, layer) : fmt::format("{}/step_{}", layer, step);
    };
    const Value words = g.weight("embedding", kWords * hidden), project = g.weight("softmax", kWords * hidden);
    std::vector<Value> weights, biases, h, c;
    for (int layer = 0; layer < layers; ++layer) {
        const std::string scope = fmt::format("layer_{}", layer);
        weights.push_back(g.weight(scope, 2 * hidden * 4 * hidden));
        biases.push_back(g.weight(scope, 4 * hidden));
        h.push_back(g.input(state));
        c.push_back(g.input(state));
    }
    std::vector<Value> losses;
    for (int step = 0; step < steps; ++step) {
        Value x = g.op(scopeOf("embedding", step), "Gather", {g.input(kBatch), words}, state);
        for (int layer = 0; layer < layers; ++layer) {
            const auto l = static_cast<std::size_t>(layer);
            const std::string scope = scopeOf(fmt::format("layer_{}", layer), step);
            const auto gate = [&](const std::string& type, Value from) {
                return g.op(scope, type, {g.op(scope, "Slice", {from}, state)}, state);
            };
            const Value joined = g.op(scope, "Concat", {x, h[l]}, 2 * state);
            const Value product =
                g.op(scope, "MatMul", {joined, weights[l]}, 4 * state,
                     2.0 * static_cast<double>(kBatch * 2 * hidden) * 4.0 * static_cast<double>(hidden));
            const Value gates = g.op(scope, "BiasAdd", {product, biases[l]}, 4 * state);
            const Value in = gate("Sigmoid", gates), forget = gate("Sigmoid", gates), out = gate("Sigmoid", gates);
            const Value fresh = g.op(scope, "Mul", {in, gate("Tanh", gates)}, state);
            c[l] = g.op(scope, "Add", {fresh, g.op(scope, "Mul", {forget, c[l]}, state)}, state);
            x = h[l] = g.op(scope, "Mul", {out, g.op(scope, "Tanh", {c[l]}, state)}, state);
        }
        const std::string scope = scopeOf("softmax", step);
        const Value logits = g.op(scope, "MatMul", {x, project}, kBatch * kWords,
                                  2.0 * static_cast<double>(state) * static_cast<double>(kWords));
        losses.push_back(g.op(scope, "CrossEntropy", {logits}, kBatch, static_cast<double>(kBatch * kWords * 4)));
    }
    return g.build(g.op("loss", "Sum", losses, 1));
}

/// Like four accelerators on one bus each way.
inline ClusterShape acceleratorShape(int devices, std::int64_t memoryBytes = 0) {
    ClusterShape shape;
    shape.devices = devices;
    shape.bytesPerNs = 12;
    shape.latencyNs = 10'000;
    shape.memoryBytes = memoryBytes;
    return shape;
}

} // namespace opscape::test
