// SPDX-License-Identifier: MIT
// The layers of the policy (policy.h), as functions of tensors. For the .cpp files of this folder that see torch.
#pragma once

#include <opscape/rl/network/parameters.h>
#include <opscape/rl/network/policy.h>

namespace opscape::rl {

class Network {
public:
    Network(const NetworkOptions& options, std::vector<TaskShape> tasks, std::uint64_t seed);

    /// All weights, always in the same order.
    [[nodiscard]] std::vector<torch::Tensor>& parameters() { return m_parameters; }
    [[nodiscard]] const std::vector<torch::Tensor>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::vector<TaskShape>& tasks() const { return m_tasks; }
    [[nodiscard]] torch::ScalarType type() const {
        return m_options.doublePrecision ? torch::kFloat64 : torch::kFloat32;
    }
    /// Looked at between the steps of an evaluation, which then throws Stopped.
    void stopWith(std::function<bool()> shouldStop) { m_shouldStop = std::move(shouldStop); }

    struct Embedding {
        torch::Tensor units;  ///< [unit, hidden]
        torch::Tensor pooled; ///< [hidden]: the mean over units
    };
    /// Of all units of a graph.
    [[nodiscard]] Embedding embed(const torch::Tensor& features, const Adjacency& producers,
                                  const Adjacency& consumers) const;
    /// The layers of attention go over a run of whole segments (the last may be shorter) and may be called run after
    /// run, from the first unit on: `memory` is what a layer keeps of the run before, nothing at first. The trunk's
    /// layer reads [1, unit, hidden] of an embedding.
    [[nodiscard]] torch::Tensor trunkLayer(const torch::Tensor& units, const torch::Tensor& pooled,
                                           torch::Tensor& memory) const;
    /// One task's layer, with the same weights for all. `below`: the trunk's or the task's before, with its residual()
    /// added; [sample or 1, unit, hidden].
    [[nodiscard]] torch::Tensor taskLayer(const torch::Tensor& below, const torch::Tensor& pooled,
                                          torch::Tensor& memory) const;
    /// What the actions of a task tell the next one, [action taken, hidden], from their features, [action taken,
    /// feature], or where the task has none from their indices.
    [[nodiscard]] torch::Tensor residual(std::size_t task, const torch::Tensor& features) const;
    [[nodiscard]] torch::Tensor residual(std::size_t task, std::span<const std::int32_t> actions) const;
    /// The units' part of a task's head: [.., unit, hidden of the head], or the logits.
    [[nodiscard]] torch::Tensor unitRows(std::size_t task, const torch::Tensor& hidden) const;
    /// Log-probability per action; `rows`: [decision, ..], `seen`: [decision, action, feature], `mask`: [decision,
    /// action].
    [[nodiscard]] torch::Tensor logProbabilities(std::size_t task, const torch::Tensor& rows, const torch::Tensor& seen,
                                                 const torch::Tensor& mask) const;
    [[nodiscard]] HeadWeights headWeights(std::size_t task) const;

private:
    struct Linear {
        std::size_t weight = 0, bias = 0; ///< indices of parameters
    };
    struct Sage {
        Linear ofProducers, ofConsumers, join;
    };
    struct Attention {
        Linear query, key, value, out, up, down, modulateAttention, modulateUp;
    };
    struct TaskHead {
        Linear unit;
        std::size_t features = 0, own = 0, mean = 0, bias = 0, out = 0; ///< with features only
        Linear residual;                                                ///< with features
        std::size_t embedding = 0;                                      ///< without
    };

    std::size_t add(const std::vector<std::int64_t>& shape, double scale, Random& random);
    Linear addLinear(std::int64_t in, std::int64_t out, Random& random, double scale = 1);
    Attention addAttention(Random& random);
    void addHead(const TaskShape& task, Random& random);

    [[nodiscard]] const torch::Tensor& at(std::size_t index) const { return m_parameters[index]; }
    [[nodiscard]] torch::Tensor apply(const Linear& layer, const torch::Tensor& x) const;
    [[nodiscard]] torch::Tensor apply(const torch::Tensor& weight, const torch::Tensor& bias,
                                      const torch::Tensor& x) const;
    [[nodiscard]] torch::Tensor normalized(const torch::Tensor& x) const;
    [[nodiscard]] torch::Tensor modulated(const Linear& by, const torch::Tensor& weight,
                                          const torch::Tensor& pooled) const;
    [[nodiscard]] torch::Tensor attend(const Attention& layer, const torch::Tensor& x, const torch::Tensor& pooled,
                                       torch::Tensor& memory) const;
    [[nodiscard]] torch::Tensor attentionLayer(const Attention& layer, const torch::Tensor& x,
                                               const torch::Tensor& pooled, torch::Tensor& memory) const;
    void mayStop() const {
        if (m_shouldStop && m_shouldStop())
            throw Stopped();
    }

    NetworkOptions m_options;
    std::vector<TaskShape> m_tasks;
    std::vector<torch::Tensor> m_parameters;
    std::function<bool()> m_shouldStop;
    Linear m_input;
    std::vector<Sage> m_sage;
    Attention m_trunk, m_ofTasks;
    std::vector<TaskHead> m_heads;
};

} // namespace opscape::rl
