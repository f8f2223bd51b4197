// SPDX-License-Identifier: MIT
// The policy: one network from the features of the units to a probability for every action of every task, and how it is
// trained. The only thing in the product that is made of torch; nothing of it shows here.
//
// Trunk: features -> linear -> GraphSAGE, producers and consumers apart -> times a function of the mean over all units
// (modulation) -> segment-recurrent attention. Then per task, in the order of the chain, one more such layer, with the
// same weights for all tasks; it reads the layer before and what was chosen there (residual action connection). A head
// per task reads the unit and what each action would mean.
#pragma once

#include <opscape/rl/features/decision_graph.h>
#include <opscape/rl/network/adam.h>
#include <opscape/rl/train/rollout.h>

#include <optional>

namespace opscape::rl {

/// Of one task, as its episode says.
struct TaskShape {
    std::string id;
    int actionCount = 0;
    int features = 0;
};

struct PolicyState {
    std::vector<float> parameters;
    AdamState adam;
    friend bool operator==(const PolicyState&, const PolicyState&) = default;
};

/// Samples to learn from: one TaskBatch per task, and per sample how good it was.
struct LearningBatch {
    std::vector<TaskBatch> tasks;
    std::vector<float> advantage; ///< per sample; used by PPO
    std::vector<float> weight;    ///< per sample; used by imitation
};

struct LossWeights {
    double clip = .2;
    double entropy = 0;
    double imitation = 0;
};

struct LossReport {
    double loss = 0;       ///< what is learned from: the two parts as they weigh
    double policyLoss = 0; ///< of the samples, with the entropy bonus
    double imitationLoss = std::numeric_limits<double>::quiet_NaN(); ///< of the elites; not a number without
    double entropy = 0, kl = 0, clipFraction = 0;                    ///< per free decision
};

class Policy {
public:
    /// Random weights from the seed. The graph must outlive it.
    Policy(const NetworkOptions& options, const DecisionGraph& graph, std::vector<TaskShape> tasks, std::uint64_t seed);
    ~Policy();
    Policy(Policy&&) noexcept;

    [[nodiscard]] const std::vector<TaskShape>& tasks() const;
    /// Looked at many times during an evaluation; once it is true, unitRows() and learn() give nothing and change
    /// nothing.
    void stopWith(std::function<bool()> shouldStop);

    /// Weights of a task's head as they are now.
    [[nodiscard]] HeadWeights head(std::size_t task) const;
    /// The units' part of that head: [unit][hidden] for the first task, [sample][unit][hidden] for the others, which
    /// read what the samples chose before. `batches` are those of the tasks before it.
    [[nodiscard]] std::optional<std::vector<float>> unitRows(std::size_t task,
                                                             std::span<const TaskBatch> batches) const;

    /// PPO's clipped loss on `samples` with the entropy bonus, plus weights.imitation times the cross-entropy of
    /// `elites` (may be null). Gradient per parameter when asked for.
    LossReport loss(const LearningBatch* samples, const LearningBatch* elites, const LossWeights& weights,
                    std::vector<float>* gradient) const;
    /// Adds that gradient to `sum`, which is resized where it is empty; none, and no change, when told to stop.
    std::optional<LossReport> gradient(const LearningBatch* samples, const LearningBatch* elites,
                                       const LossWeights& weights, std::vector<float>& sum) const;
    /// One step of Adam on that loss.
    std::optional<LossReport> learn(const LearningBatch* samples, const LearningBatch* elites,
                                    const LossWeights& weights, double learningRate, double gradientClip);

    [[nodiscard]] PolicyState state() const;
    /// Fails when the number of parameters is another.
    [[nodiscard]] Result<> restore(const PolicyState& state);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace opscape::rl
