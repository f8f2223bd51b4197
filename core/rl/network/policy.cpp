// SPDX-License-Identifier: MIT
// Learning: proximal policy optimisation (Schulman et al. 2017) over all decisions of all samples at once, plus the
// cross-entropy of samples to repeat. A rollout keeps what it saw, so that an epoch is one evaluation of the network.
//
// Only the embedding needs the whole graph at once. Above it no gradient passes from a segment to the one before, so an
// epoch goes run by run of segments: all layers, the loss of the decisions there, its gradient, and everything but the
// keys and values of the last segment is let go. Memory is that of the embedding and of one run, whose tensors stay in
// the cache of a core. The sums are those of the whole graph at once, added up in another order.
#include <opscape/rl/network/functions.h>
#include <opscape/rl/network/network.h>

#include <algorithm>

namespace opscape::rl {
namespace {

using torch::Tensor;

constexpr double kMostChange = 5; ///< of a log-probability, so that a ratio stays finite

/// A run of units, of whole segments but for the last.
struct UnitRun {
    std::int64_t begin, count;
};

/// The decisions of a task's batch in a run of units that are learned from: all of them, or the free ones.
struct Decisions {
    std::vector<std::int32_t> sample, unit; ///< the unit within the run
    Tensor seen, mask, actions, old;

    Decisions(const TaskBatch& batch, UnitRun run, bool all, torch::ScalarType type) {
        std::vector<std::int64_t> taken;
        std::vector<float> oldLog, seenRows;
        std::vector<std::uint8_t> maskRows;
        const auto rowSize = static_cast<std::ptrdiff_t>(batch.actionCount) * batch.features;
        for (std::int32_t s = 0; s < batch.samples; ++s) {
            for (std::int32_t u = 0; u < run.count; ++u) {
                const std::ptrdiff_t at = std::ptrdiff_t{s} * batch.units + run.begin + u;
                const auto i = static_cast<std::size_t>(at);
                if (!all && !batch.isFree(i))
                    continue;
                sample.push_back(s);
                unit.push_back(u);
                taken.push_back(batch.actions[i]);
                oldLog.push_back(batch.logProbability[i]);
                seenRows.insert(seenRows.end(), batch.seen.begin() + at * rowSize,
                                batch.seen.begin() + (at + 1) * rowSize);
                maskRows.insert(maskRows.end(), batch.mask.begin() + at * batch.actionCount,
                                batch.mask.begin() + (at + 1) * batch.actionCount);
            }
        }
        // Copies, since the gradient is worked out when this is gone.
        const auto count = static_cast<std::int64_t>(taken.size());
        if (batch.features > 0)
            seen = tensorOf(seenRows, {count, batch.actionCount, batch.features}, torch::kFloat32, type).clone();
        mask = tensorOf(maskRows, {count, batch.actionCount}, torch::kUInt8, torch::kBool);
        actions = tensorOf(taken, {count}, torch::kInt64, torch::kInt64).clone();
        old = tensorOf(oldLog, {count}, torch::kFloat32, type).clone();
    }

    /// Their rows of [sample or 1, unit, ..].
    [[nodiscard]] Tensor rowsOf(const Tensor& perUnit) const {
        std::vector<std::int32_t> rows(unit);
        const auto perSample = static_cast<std::int32_t>(perUnit.size(0) == 1 ? 0 : perUnit.size(1));
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] += sample[i] * perSample;
        return pickRows(perUnit.flatten(0, 1), rows);
    }

    /// A number per sample as one per decision.
    [[nodiscard]] Tensor perDecision(const std::vector<float>& perSample, torch::ScalarType type) const {
        Tensor result = torch::empty({static_cast<std::int64_t>(sample.size())}, torch::kFloat32);
        for (std::size_t i = 0; i < sample.size(); ++i)
            result.data_ptr<float>()[i] = perSample[static_cast<std::size_t>(sample[i])];
        return result.to(type);
    }
};

/// Samples on the way from the first unit to the last.
struct Walk {
    const LearningBatch& batch;
    bool all;                                         ///< learn from all decisions, or from the free ones
    std::vector<Tensor> memories{batch.tasks.size()}; ///< per task
    [[nodiscard]] double decisionCount() const {
        double count = 0;
        for (const TaskBatch& task : batch.tasks) {
            for (std::size_t i = 0; i < task.actions.size(); ++i)
                count += all || task.isFree(i) ? 1 : 0;
        }
        return std::max(1.0, count);
    }
};

} // namespace

struct Policy::Impl {
    Network network;
    const DecisionGraph& graph;
    std::int64_t segment, runRows;
    Tensor features;
    AdamState adam;
    /// What all samples share, as long as the weights are the same.
    struct Shared {
        Tensor first, pooled; ///< first: [1, unit, hidden] of the first task's layer
    };
    std::optional<Shared> known;

    Impl(const NetworkOptions& options, const DecisionGraph& g, std::vector<TaskShape> tasks, std::uint64_t seed)
        : network(options, std::move(tasks), seed),
          graph(g),
          segment(options.segment),
          runRows(options.runRows),
          features(tensorOf(g.features, {g.units.count(), DecisionGraph::featureCount()}, torch::kFloat32,
                            network.type())) {}

    [[nodiscard]] Network::Embedding embed() const { return network.embed(features, graph.producers, graph.consumers); }

    [[nodiscard]] std::vector<UnitRun> runs(int samples) const {
        const std::int64_t units = graph.units.count();
        const std::int64_t length = std::max<std::int64_t>(1, runRows / (segment * std::max(1, samples))) * segment;
        std::vector<UnitRun> all;
        for (std::int64_t begin = 0; begin < units; begin += length)
            all.push_back({begin, std::min(length, units - begin)});
        return all;
    }

    /// What the actions of a task in a run of units tell the next one: [sample, unit, hidden].
    [[nodiscard]] Tensor residual(std::size_t task, const TaskBatch& batch, UnitRun run) const {
        std::vector<std::int32_t> actions;
        std::vector<float> chosen;
        const auto size = static_cast<std::ptrdiff_t>(batch.features);
        for (std::ptrdiff_t s = 0; s < batch.samples; ++s) {
            for (std::ptrdiff_t at = s * batch.units + run.begin, end = at + run.count; at < end; ++at) {
                const int action = batch.actions[static_cast<std::size_t>(at)];
                actions.push_back(action);
                const auto row = batch.seen.begin() + (at * batch.actionCount + action) * size;
                chosen.insert(chosen.end(), row, row + size);
            }
        }
        const Tensor told = size == 0
                                ? network.residual(task, actions)
                                : network.residual(task, tensorOf(chosen, {batch.samples * run.count, batch.features},
                                                                  torch::kFloat32, network.type())
                                                             .clone());
        return told.view({batch.samples, run.count, -1});
    }

    /// `hidden` of the task before, [sample or 1, unit, hidden], to that of the task.
    [[nodiscard]] Tensor next(std::size_t task, const Tensor& hidden, const Tensor& pooled,
                              std::span<const TaskBatch> batches, UnitRun run, Tensor& memory) const {
        return network.taskLayer(hidden + residual(task - 1, batches[task - 1], run), pooled, memory);
    }

    /// Calls use(decisions, log-probability per decision and action) for every task. `first`: of the first task's
    /// layer.
    void evaluate(const Tensor& first, const Tensor& pooled, UnitRun run, Walk& walk,
                  const std::function<void(const Decisions&, const Tensor&)>& use) const {
        Tensor hidden = first;
        for (std::size_t task = 0; task < walk.batch.tasks.size(); ++task) {
            if (task > 0)
                hidden = next(task, hidden, pooled, walk.batch.tasks, run, walk.memories[task]);
            const Decisions decisions(walk.batch.tasks[task], run, walk.all, network.type());
            if (decisions.unit.empty())
                continue;
            const Tensor rows = decisions.rowsOf(network.unitRows(task, hidden));
            use(decisions, network.logProbabilities(task, rows, decisions.seen, decisions.mask));
        }
    }

    [[nodiscard]] Tensor imitationLoss(const Tensor& first, const Tensor& pooled, UnitRun run, Walk& elites) const {
        Tensor loss = torch::zeros({}, network.type());
        evaluate(first, pooled, run, elites, [&](const Decisions& decisions, const Tensor& logs) {
            const Tensor taken = logs.gather(1, decisions.actions.unsqueeze(-1)).squeeze(-1);
            loss = loss - (taken * decisions.perDecision(elites.batch.weight, network.type())).sum();
        });
        return loss / static_cast<double>(graph.units.count() * elites.batch.tasks.size());
    }

    /// `total`: of the decisions of all runs.
    Tensor samplesLoss(const Tensor& first, const Tensor& pooled, UnitRun run, Walk& samples, double total,
                       const LossWeights& weights, LossReport& report) const {
        Tensor gain = torch::zeros({}, network.type()), entropy = gain.clone();
        double kl = 0, cut = 0;
        evaluate(first, pooled, run, samples, [&](const Decisions& decisions, const Tensor& logs) {
            const Tensor advantage = decisions.perDecision(samples.batch.advantage, network.type());
            const Tensor taken = logs.gather(1, decisions.actions.unsqueeze(-1)).squeeze(-1);
            const Tensor change = (taken - decisions.old).clamp(-kMostChange, kMostChange);
            const Tensor ratio = change.exp();
            const Tensor kept = ratio.clamp(1 - weights.clip, 1 + weights.clip);
            gain = gain + torch::minimum(ratio * advantage, kept * advantage).sum();
            entropy = entropy - (logs.exp() * logs).sum();
            const torch::NoGradGuard noGradient;
            kl += (ratio - 1 - change).sum().item<double>();
            cut += ratio.ne(kept).sum().item<double>();
        });
        report.entropy += entropy.item<double>() / total;
        report.kl += kl / total;
        report.clipFraction += cut / total;
        return -(gain + weights.entropy * entropy) / total;
    }

    LossReport loss(const LearningBatch* samples, const LearningBatch* elites, const LossWeights& weights,
                    std::vector<float>* gradient) const {
        const torch::AutoGradMode withGradient(gradient != nullptr);
        LossReport report;
        std::optional<Walk> toJudge, toRepeat;
        int most = 1;
        double total = 1;
        if (samples != nullptr) {
            toJudge.emplace(*samples, false);
            total = toJudge->decisionCount();
            most = std::max(most, samples->tasks[0].samples);
        }
        if (elites != nullptr && !elites->weight.empty()) {
            toRepeat.emplace(*elites, true);
            report.imitationLoss = 0;
            most = std::max(most, elites->tasks[0].samples);
        }
        const Network::Embedding embedding = embed();
        const Tensor pooled = embedding.pooled.detach().requires_grad_();
        Tensor ofUnits = torch::zeros_like(embedding.units), ofPooled = torch::zeros_like(pooled);
        std::vector<Tensor> sums;
        for (const Tensor& parameter : network.parameters())
            sums.push_back(torch::zeros_like(parameter));
        Tensor trunkMemory, firstMemory;
        for (const UnitRun run : runs(most)) {
            const Tensor units = embedding.units.detach().narrow(0, run.begin, run.count).requires_grad_();
            const Tensor trunk = network.trunkLayer(units.unsqueeze(0), pooled, trunkMemory);
            const Tensor first = network.taskLayer(trunk, pooled, firstMemory);
            Tensor loss = torch::zeros({}, network.type());
            if (toJudge) {
                const Tensor part = samplesLoss(first, pooled, run, *toJudge, total, weights, report);
                report.policyLoss += part.item<double>();
                loss = loss + part;
            }
            if (toRepeat) {
                const Tensor part = imitationLoss(first, pooled, run, *toRepeat);
                report.imitationLoss += part.item<double>();
                loss = loss + weights.imitation * part;
            }
            report.loss += loss.item<double>();
            if (loss.requires_grad()) { // some decision of the run is learned from
                std::vector<Tensor> to = sums;
                to.insert(to.end(), {ofUnits.narrow(0, run.begin, run.count), ofPooled});
                std::vector<Tensor> by = network.parameters();
                by.insert(by.end(), {units, pooled});
                addGradients({loss}, {}, by, to);
            }
        }
        if (gradient == nullptr)
            return report;
        addGradients({embedding.units, embedding.pooled}, {ofUnits, ofPooled}, network.parameters(), sums);
        *gradient = numbersOf(sums);
        return report;
    }

    [[nodiscard]] const Shared& shared() {
        if (known)
            return *known;
        const Network::Embedding embedding = embed();
        Shared made{torch::empty_like(embedding.units).unsqueeze(0), embedding.pooled};
        Tensor trunkMemory, firstMemory;
        for (const UnitRun run : runs(1)) {
            const Tensor units = embedding.units.narrow(0, run.begin, run.count).unsqueeze(0);
            const Tensor trunk = network.trunkLayer(units, made.pooled, trunkMemory);
            made.first.narrow(1, run.begin, run.count).copy_(network.taskLayer(trunk, made.pooled, firstMemory));
        }
        return known.emplace(std::move(made));
    }

    [[nodiscard]] std::vector<float> unitRows(std::size_t task, std::span<const TaskBatch> batches) {
        const torch::NoGradGuard noGradient;
        const Shared& all = shared();
        if (task == 0)
            return numbersOf(network.unitRows(0, all.first));
        const int samples = batches[0].samples;
        std::vector<Tensor> memories(task + 1);
        Tensor result;
        for (const UnitRun run : runs(samples)) {
            Tensor hidden = all.first.narrow(1, run.begin, run.count);
            for (std::size_t t = 1; t <= task; ++t)
                hidden = next(t, hidden, all.pooled, batches, run, memories[t]);
            const Tensor rows = network.unitRows(task, hidden);
            if (!result.defined())
                result = torch::empty({samples, graph.units.count(), rows.size(2)}, rows.options());
            result.narrow(1, run.begin, run.count).copy_(rows);
        }
        return numbersOf(result);
    }

    void set(const std::vector<float>& parameters) {
        known.reset();
        setNumbers(network.parameters(), parameters);
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
    try {
        return m_impl->unitRows(task, batches);
    } catch (const Stopped&) {
        return std::nullopt;
    }
}

LossReport Policy::loss(const LearningBatch* samples, const LearningBatch* elites, const LossWeights& weights,
                        std::vector<float>* gradient) const {
    return m_impl->loss(samples, elites, weights, gradient);
}

std::optional<LossReport> Policy::gradient(const LearningBatch* samples, const LearningBatch* elites,
                                           const LossWeights& weights, std::vector<float>& sum) const {
    std::vector<float> gradient;
    LossReport report;
    try {
        report = m_impl->loss(samples, elites, weights, &gradient);
    } catch (const Stopped&) {
        return std::nullopt;
    }
    sum.resize(gradient.size());
    for (std::size_t i = 0; i < gradient.size(); ++i)
        sum[i] += gradient[i];
    return report;
}

std::optional<LossReport> Policy::learn(const LearningBatch* samples, const LearningBatch* elites,
                                        const LossWeights& weights, double learningRate, double gradientClip) {
    std::vector<float> sum;
    const auto report = gradient(samples, elites, weights, sum);
    if (!report)
        return std::nullopt;
    std::vector<float> all = numbersOf(m_impl->network.parameters());
    adamStep(m_impl->adam, all, sum, learningRate, gradientClip);
    m_impl->set(all);
    return report;
}

PolicyState Policy::state() const { return {numbersOf(m_impl->network.parameters()), m_impl->adam}; }

Result<> Policy::restore(const PolicyState& state) {
    const std::size_t there = numbersOf(m_impl->network.parameters()).size();
    if (state.parameters.size() != there)
        return fail("the network has {} weights, {} are given.", there, state.parameters.size());
    m_impl->set(state.parameters);
    m_impl->adam = state.adam;
    return {};
}

} // namespace opscape::rl
