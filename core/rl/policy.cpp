// SPDX-License-Identifier: MIT
// Learning: proximal policy optimisation (Schulman et al. 2017) over all decisions of all samples at once, plus the
// cross-entropy of samples to repeat. A rollout keeps what it saw, so that an epoch is one evaluation of the network.
#include <opscape/rl/network.h>

#include <algorithm>

namespace opscape::rl {
namespace {

using torch::Tensor;

constexpr double kMostChange = 5; ///< of a log-probability, so that a ratio stays finite

/// What a task tells the next one: [sample, unit, feature] of the actions taken, or their indices.
Tensor chosenOf(const TaskBatch& batch, torch::ScalarType type) {
    const std::int64_t s = batch.samples, u = batch.units, a = batch.actionCount, f = batch.features;
    const Tensor actions = tensorOf(batch.actions, {s, u}, torch::kInt32, torch::kInt64);
    if (f == 0)
        return actions;
    const Tensor seen = tensorOf(batch.seen, {s, u, a, f}, torch::kFloat32, type);
    return seen.gather(2, actions.view({s, u, 1, 1}).expand({s, u, 1, f})).squeeze(2);
}

/// The decisions of a task's batch that are learned from, as tensors: all of them, or the free ones.
struct Decisions {
    std::vector<std::int64_t> sample, unit;
    Tensor seen, mask, actions, old;

    Decisions(const TaskBatch& batch, bool all, torch::ScalarType type) {
        std::vector<std::int64_t> taken;
        std::vector<float> oldLog, seenRows;
        std::vector<std::uint8_t> maskRows;
        const auto rowSize = static_cast<std::ptrdiff_t>(batch.actionCount) * batch.features;
        for (std::size_t i = 0; i < batch.actions.size(); ++i) {
            if (!all && !batch.isFree(i))
                continue;
            sample.push_back(static_cast<std::int64_t>(i) / batch.units);
            unit.push_back(static_cast<std::int64_t>(i) % batch.units);
            taken.push_back(batch.actions[i]);
            oldLog.push_back(batch.logProbability[i]);
            const auto at = static_cast<std::ptrdiff_t>(i);
            seenRows.insert(seenRows.end(), batch.seen.begin() + at * rowSize, batch.seen.begin() + (at + 1) * rowSize);
            maskRows.insert(maskRows.end(), batch.mask.begin() + at * batch.actionCount,
                            batch.mask.begin() + (at + 1) * batch.actionCount);
        }
        // Copies, since the gradient is worked out when this is gone.
        const auto count = static_cast<std::int64_t>(taken.size());
        if (batch.features > 0)
            seen = tensorOf(seenRows, {count, batch.actionCount, batch.features}, torch::kFloat32, type).clone();
        mask = tensorOf(maskRows, {count, batch.actionCount}, torch::kUInt8, torch::kBool);
        actions = tensorOf(taken, {count}, torch::kInt64, torch::kInt64).clone();
        old = tensorOf(oldLog, {count}, torch::kFloat32, type).clone();
    }

    /// A number per sample as one per decision.
    [[nodiscard]] Tensor perDecision(const std::vector<float>& perSample, torch::ScalarType type) const {
        Tensor result = torch::empty({static_cast<std::int64_t>(sample.size())}, torch::kFloat32);
        for (std::size_t i = 0; i < sample.size(); ++i)
            result.data_ptr<float>()[i] = perSample[static_cast<std::size_t>(sample[i])];
        return result.to(type);
    }
};

} // namespace

struct Policy::Impl {
    Network network;
    const DecisionGraph& graph;
    Tensor features;
    AdamState adam;

    Impl(const NetworkOptions& options, const DecisionGraph& g, std::vector<TaskShape> tasks, std::uint64_t seed)
        : network(options, std::move(tasks), seed),
          graph(g),
          features(tensorOf(g.features, {g.units.count(), DecisionGraph::featureCount()}, torch::kFloat32,
                            network.type())) {}

    [[nodiscard]] Network::Trunk trunk() const { return network.trunk(features, graph.producers, graph.consumers); }

    /// Calls use(decisions, log-probability per decision and action) for every task.
    void evaluate(const Network::Trunk& trunk, const LearningBatch& batch, bool all,
                  const std::function<void(const Decisions&, const Tensor&)>& use) const {
        Tensor hidden = trunk.hidden;
        for (std::size_t task = 0; task < batch.tasks.size(); ++task) {
            if (task > 0)
                hidden = hidden + network.residual(task - 1, chosenOf(batch.tasks[task - 1], network.type()));
            hidden = network.taskLayer(task, hidden, trunk.pooled);
            const Decisions decisions(batch.tasks[task], all, network.type());
            if (decisions.unit.empty())
                continue;
            const Tensor units = torch::tensor(decisions.unit), samples = torch::tensor(decisions.sample);
            const Tensor rows = network.unitRows(task, hidden);
            const Tensor row = rows.size(0) == 1 ? rows[0].index_select(0, units)
                                                 : rows.flatten(0, 1).index_select(0, samples * rows.size(1) + units);
            use(decisions, network.logProbabilities(task, row, decisions.seen, decisions.mask));
        }
    }

    [[nodiscard]] Tensor imitationLoss(const Network::Trunk& trunk, const LearningBatch& elites) const {
        Tensor loss = torch::zeros({}, network.type());
        evaluate(trunk, elites, true, [&](const Decisions& decisions, const Tensor& logs) {
            const Tensor taken = logs.gather(1, decisions.actions.unsqueeze(-1)).squeeze(-1);
            loss = loss - (taken * decisions.perDecision(elites.weight, network.type())).sum();
        });
        return loss / static_cast<double>(graph.units.count() * elites.tasks.size());
    }

    Tensor samplesLoss(const Network::Trunk& trunk, const LearningBatch& samples, const LossWeights& weights,
                       LossReport& report) const {
        Tensor gain = torch::zeros({}, network.type()), entropy = gain.clone();
        double kl = 0, cut = 0, total = 0;
        evaluate(trunk, samples, false, [&](const Decisions& decisions, const Tensor& logs) {
            const Tensor advantage = decisions.perDecision(samples.advantage, network.type());
            const Tensor taken = logs.gather(1, decisions.actions.unsqueeze(-1)).squeeze(-1);
            const Tensor change = (taken - decisions.old).clamp(-kMostChange, kMostChange);
            const Tensor ratio = change.exp();
            const Tensor kept = ratio.clamp(1 - weights.clip, 1 + weights.clip);
            gain = gain + torch::minimum(ratio * advantage, kept * advantage).sum();
            entropy = entropy - (logs.exp() * logs).sum();
            const torch::NoGradGuard noGradient;
            kl += (ratio - 1 - change).sum().item<double>();
            cut += ratio.ne(kept).sum().item<double>();
            total += static_cast<double>(decisions.unit.size());
        });
        total = std::max(1.0, total);
        report.entropy = entropy.item<double>() / total;
        report.kl = kl / total;
        report.clipFraction = cut / total;
        return -(gain + weights.entropy * entropy) / total;
    }

    LossReport loss(const LearningBatch* samples, const LearningBatch* elites, const LossWeights& weights,
                    std::vector<float>* gradient) const {
        LossReport report;
        const Network::Trunk shared = trunk();
        Tensor loss = torch::zeros({}, network.type());
        if (samples != nullptr)
            loss = loss + samplesLoss(shared, *samples, weights, report);
        if (elites != nullptr && !elites->weight.empty())
            loss = loss + weights.imitation * imitationLoss(shared, *elites);
        report.loss = loss.item<double>();
        if (gradient == nullptr)
            return report;
        *gradient = gradientOf(loss, network.parameters());
        return report;
    }
};

Policy::Policy(const NetworkOptions& options, const DecisionGraph& graph, std::vector<TaskShape> tasks,
               std::uint64_t seed) {
    prepareProcess();
    m_impl = std::make_unique<Impl>(options, graph, std::move(tasks), seed);
}
Policy::~Policy() = default;
Policy::Policy(Policy&&) noexcept = default;

const std::vector<TaskShape>& Policy::tasks() const { return m_impl->network.tasks(); }

void Policy::stopWith(std::function<bool()> shouldStop) { m_impl->network.stopWith(std::move(shouldStop)); }

HeadWeights Policy::head(std::size_t task) const { return m_impl->network.headWeights(task); }

std::optional<std::vector<float>> Policy::unitRows(std::size_t task, std::span<const TaskBatch> batches) const {
    const torch::NoGradGuard noGradient;
    const Network& network = m_impl->network;
    try {
        const Network::Trunk trunk = m_impl->trunk();
        Tensor hidden = trunk.hidden;
        for (std::size_t t = 0; t <= task; ++t) {
            if (t > 0)
                hidden = hidden + network.residual(t - 1, chosenOf(batches[t - 1], network.type()));
            hidden = network.taskLayer(t, hidden, trunk.pooled);
        }
        const Tensor rows = network.unitRows(task, hidden).to(torch::kFloat32).contiguous();
        return std::vector<float>(rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel());
    } catch (const Stopped&) {
        return std::nullopt;
    }
}

LossReport Policy::loss(const LearningBatch* samples, const LearningBatch* elites, const LossWeights& weights,
                        std::vector<float>* gradient) const {
    return m_impl->loss(samples, elites, weights, gradient);
}

std::optional<LossReport> Policy::learn(const LearningBatch* samples, const LearningBatch* elites,
                                        const LossWeights& weights, double learningRate, double gradientClip) {
    std::vector<float> gradient;
    LossReport report;
    try {
        report = m_impl->loss(samples, elites, weights, &gradient);
    } catch (const Stopped&) {
        return std::nullopt;
    }
    std::vector<float> all = numbersOf(m_impl->network.parameters());
    adamStep(m_impl->adam, all, gradient, learningRate, gradientClip);
    setNumbers(m_impl->network.parameters(), all);
    return report;
}

PolicyState Policy::state() const { return {numbersOf(m_impl->network.parameters()), m_impl->adam}; }

Result<> Policy::restore(const PolicyState& state) {
    const std::size_t there = numbersOf(m_impl->network.parameters()).size();
    if (state.parameters.size() != there)
        return fail("the network has {} weights, {} are given.", there, state.parameters.size());
    setNumbers(m_impl->network.parameters(), state.parameters);
    m_impl->adam = state.adam;
    return {};
}

} // namespace opscape::rl
