// SPDX-License-Identifier: MIT
// A synthetic training step of an unrolled recurrent network, for benchmarks: layers x steps cells, each a little
// forward graph and its mirror image backward, state passed along both axes, weights shared over the steps. Ops take
// given times on kind "gpu", so that nothing but the simulator is measured.
#pragma once

#include <opscape/base/random.h>
#include <opscape/graph/graph_builder.h>

#include <memory>
#include <stdexcept>

namespace opscape::bench {

class UnrolledGraph {
public:
    /// `opsPerCell` counts forward and backward together.
    static std::shared_ptr<const Graph> make(std::uint32_t layers, std::uint32_t steps, std::uint32_t opsPerCell) {
        UnrolledGraph maker(layers, steps, opsPerCell / 2);
        Diagnostics diagnostics;
        auto graph = std::move(maker.m_builder).build(diagnostics);
        if (!graph)
            throw std::runtime_error(graph.error().message);
        return std::make_shared<const Graph>(std::move(*graph));
    }

private:
    UnrolledGraph(std::uint32_t layers, std::uint32_t steps, std::uint32_t length) {
        std::vector<TensorId> weights;
        for (std::uint32_t l = 0; l < layers; ++l)
            weights.push_back(
                m_builder.addResident(tensor(fmt::format("layer_{}/kernel", l), TensorKind::Weight, 4 << 20)));
        const auto at = [steps](std::uint32_t l, std::uint32_t s) { return std::size_t{l} * steps + s; };
        std::vector<TensorId> state(std::size_t{layers} * steps), gradient(state.size());
        for (std::uint32_t l = 0; l < layers; ++l) {
            for (std::uint32_t s = 0; s < steps; ++s) {
                std::vector<TensorId> inputs{weights[l]};
                if (l > 0)
                    inputs.push_back(state[at(l - 1, s)]);
                if (s > 0)
                    inputs.push_back(state[at(l, s - 1)]);
                state[at(l, s)] = cell(fmt::format("layer_{}/step_{}", l, s), Phase::Forward, length, inputs);
            }
        }
        for (std::uint32_t l = layers; l-- > 0;) {
            for (std::uint32_t s = steps; s-- > 0;) {
                std::vector<TensorId> inputs{weights[l], state[at(l, s)]};
                if (l + 1 < layers)
                    inputs.push_back(gradient[at(l + 1, s)]);
                if (s + 1 < steps)
                    inputs.push_back(gradient[at(l, s + 1)]);
                gradient[at(l, s)] =
                    cell(fmt::format("gradients/layer_{}/step_{}", l, s), Phase::Backward, length, inputs);
            }
        }
    }

    /// A chain with a skip edge at every third op.
    TensorId cell(const std::string& scope, Phase phase, std::uint32_t length, const std::vector<TensorId>& inputs) {
        TensorId last, before;
        for (std::uint32_t i = 0; i < length; ++i) {
            Op op;
            op.name = fmt::format("{}/op_{}", scope, i);
            op.type = "Cell";
            op.phase = phase;
            op.timeNs["gpu"] = 5000 + m_random.below(40000);
            const OpId id = m_builder.addOp(std::move(op));
            if (i == 0) {
                for (const TensorId input : inputs)
                    m_builder.addInput(id, input);
            } else {
                m_builder.addInput(id, last);
                if (i % 3 == 2)
                    m_builder.addInput(id, before);
            }
            before = last;
            last = m_builder.addOutput(id, tensor(fmt::format("{}/op_{}:0", scope, i), TensorKind::Activation,
                                                  16384 + std::int64_t{m_random.below(500'000)}));
        }
        return last;
    }

    static Tensor tensor(std::string name, TensorKind kind, std::int64_t bytes) {
        Tensor tensor;
        tensor.name = std::move(name);
        tensor.kind = kind;
        tensor.bytes = bytes;
        return tensor;
    }

    GraphBuilder m_builder{"unrolled"};
    Random m_random{1};
};

} // namespace opscape::bench
