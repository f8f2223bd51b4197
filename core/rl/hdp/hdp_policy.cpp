// SPDX-License-Identifier: MIT
// Samples are drawn step by step without a gradient; to learn from them all steps are evaluated once more, together,
// with the devices that were drawn as what each step is told, and with the same noise.
//
// As published: no bias but in the LSTMs, whose forget gates begin open; the memory that the decoder attends to is one
// linear layer over the encoder's states; the decoder begins where the encoder ended, and is told nothing of the group
// whose turn it is but by attention; logits of devices are bounded by a hyperbolic tangent.
#include <opscape/rl/hdp/hdp_layers.h>
#include <opscape/rl/hdp/hdp_policy.h>
#include <opscape/rl/network/parameters.h>

#include <algorithm>
#include <cmath>

namespace opscape::rl {
namespace {

using torch::Tensor;

constexpr std::uint32_t kPollEvery = 256; ///< units

/// The sum of four uniform numbers, scaled to a standard deviation of 1.
float nearlyGaussian(Random& random) {
    const std::uint64_t bits = random();
    std::uint64_t sum = 0;
    for (int part = 0; part < 4; ++part)
        sum += (bits >> (16 * part)) & 0xffff;
    return static_cast<float>((static_cast<double>(sum) / 65535 - 2) * std::sqrt(3.0));
}

/// An index by these probabilities.
int draw(std::span<const float> probability, Random& random) {
    const double at = random.uniform();
    double sum = 0;
    for (std::size_t i = 0; i + 1 < probability.size(); ++i) {
        sum += probability[i];
        if (at < sum)
            return static_cast<int>(i);
    }
    return static_cast<int>(probability.size()) - 1;
}

} // namespace

struct HdpPolicy::Impl {
    struct Lstm {
        std::size_t input, bias, state; ///< indices of parameters
    };

    const HdpGraph& graph;
    HdpOptions options;
    std::int64_t devices;
    torch::ScalarType type;
    std::vector<Tensor> parameters;
    std::size_t grouperIn = 0, grouperOut = 0, embedding = 0, ofMemory = 0, ofQuery = 0, ofScore = 0, out = 0;
    Lstm forth{}, back{}, decoder{};
    Tensor ops; ///< [unit, feature]
    MayStop mayStop = [] {};
    // The last samples:
    Tensor groups, chosen;            ///< [unit, sample]; [group, sample]
    Tensor rows;                      ///< [group, sample, feature]
    Tensor grouperNoise, placerNoise; ///< [unit, group]; [group, sample, device]; undefined: none
    double entropy = 0;

    Impl(const HdpGraph& g, std::size_t deviceCount, const HdpOptions& o, Random random)
        : graph(g),
          options(o),
          devices(static_cast<std::int64_t>(deviceCount)),
          type(o.doublePrecision ? torch::kFloat64 : torch::kFloat32) {
        const std::int64_t half = std::max(1, options.hidden / 2), hidden = 2 * half;
        options.hidden = static_cast<int>(hidden);
        const auto add = [&](std::vector<std::int64_t> shape, std::int64_t in) {
            parameters.push_back(randomParameter(shape, 1 / std::sqrt(static_cast<double>(in)), random, type));
            return parameters.size() - 1;
        };
        const auto addLstm = [&](std::int64_t in, std::int64_t width) {
            const Lstm lstm{add({in, 4 * width}, in), add({4 * width}, width), add({width, 4 * width}, width)};
            const torch::NoGradGuard noGradient;
            parameters[lstm.bias].zero_().narrow(0, width, width).fill_(1);
            return lstm;
        };
        grouperIn = add({graph.opFeatureCount(), options.grouperHidden}, graph.opFeatureCount());
        grouperOut = add({options.grouperHidden, graph.groupCount()}, options.grouperHidden);
        forth = addLstm(graph.groupFeatureCount(), half);
        back = addLstm(graph.groupFeatureCount(), half);
        embedding = add({devices + 1, hidden}, hidden); // the last: there is no device before
        decoder = addLstm(hidden, hidden);
        ofMemory = add({hidden, hidden}, hidden);
        ofQuery = add({hidden, hidden}, hidden);
        ofScore = add({hidden}, hidden);
        out = add({2 * hidden, devices}, 2 * hidden);
        ops = tensorOf(graph.opFeatures(), {graph.units().count(), graph.opFeatureCount()}, torch::kFloat32, type);
    }

    [[nodiscard]] const Tensor& at(std::size_t index) const { return parameters[index]; }

    [[nodiscard]] Tensor noiseFor(const Tensor& logits, double noise, Random& random) const {
        const auto size = static_cast<double>(logits.numel());
        const double scale = noise * logits.norm().item<double>() / std::sqrt(size);
        Tensor result = torch::empty(logits.sizes(), torch::kFloat32);
        float* values = result.data_ptr<float>();
        for (std::int64_t i = 0; i < result.numel(); ++i) {
            if (i % (kPollEvery * kPollEvery) == 0)
                mayStop();
            values[i] = static_cast<float>(scale) * nearlyGaussian(random);
        }
        return result.to(type);
    }

    [[nodiscard]] Tensor grouperLogits() const {
        mayStop();
        const Tensor logits = torch::matmul(torch::matmul(ops, at(grouperIn)), at(grouperOut));
        return grouperNoise.defined() ? logits + grouperNoise : logits;
    }

    /// What the decoder begins with and what it attends to.
    struct Encoded {
        Tensor hidden, cell; ///< [sample, hidden]
        Tensor memory;       ///< [sample, group, hidden]
    };

    [[nodiscard]] Encoded encode() const {
        const std::int64_t steps = rows.size(0);
        const Tensor none = torch::zeros({rows.size(1), options.hidden / 2}, type);
        const auto read = [&](const Lstm& lstm, const Tensor& sequence) {
            return lstmRun(torch::matmul(sequence, at(lstm.input)) + at(lstm.bias), at(lstm.state), none, none,
                           mayStop);
        };
        const Tensor ahead = read(forth, rows), behind = read(back, rows.flip(0));
        const Tensor states = torch::cat({ahead.narrow(0, 0, steps), behind.narrow(0, 0, steps).flip(0)}, -1);
        return {torch::cat({ahead[steps - 1], behind[steps - 1]}, -1), torch::cat({ahead[steps], behind[steps]}, -1),
                torch::matmul(states, at(ofMemory)).transpose(0, 1).contiguous()};
    }

    /// What the decoder is told of each device.
    [[nodiscard]] Tensor told() const { return torch::matmul(at(embedding), at(decoder.input)) + at(decoder.bias); }

    /// Logits of devices, [step, sample, device], of so many states of the decoder.
    [[nodiscard]] Tensor placerLogits(const Tensor& states, const Tensor& memory) const {
        const Tensor scores = additiveScores(product(states, at(ofQuery)).contiguous(), memory, at(ofScore), mayStop);
        const Tensor seen = torch::bmm(torch::softmax(scores, -1).transpose(0, 1), memory).transpose(0, 1);
        const Tensor logits = product(torch::cat({states, seen}, -1), at(out));
        return options.bound > 0 ? options.bound * torch::tanh(logits / options.bound) : logits;
    }

    void drawGroups(double noise, Random& random, std::vector<HdpSample>& samples) {
        const std::uint32_t units = graph.units().count();
        const auto count = static_cast<std::size_t>(graph.groupCount());
        grouperNoise = Tensor();
        Tensor logits = grouperLogits();
        if (noise > 0) {
            grouperNoise = noiseFor(logits, noise, random);
            logits = logits + grouperNoise;
        }
        const std::vector<float> probability = numbersOf(torch::softmax(logits, -1));
        std::vector<std::int64_t> all(units * samples.size());
        for (std::size_t s = 0; s < samples.size(); ++s) {
            for (std::uint32_t unit = 0; unit < units; ++unit) {
                if (unit % kPollEvery == 0)
                    mayStop();
                samples[s].group.push_back(draw({&probability[unit * count], count}, random));
                all[unit * samples.size() + s] = samples[s].group.back();
            }
        }
        groups = torch::tensor(all).view({units, static_cast<std::int64_t>(samples.size())});
    }

    void readGroups(const std::vector<HdpSample>& samples) {
        const std::int64_t count = graph.groupCount(), width = graph.groupFeatureCount();
        std::vector<Tensor> all;
        std::vector<float> numbers(static_cast<std::size_t>(count * width));
        for (const HdpSample& sample : samples) {
            mayStop();
            graph.groupFeatures(sample.group, numbers);
            all.push_back(torch::tensor(numbers).view({count, width}).to(type));
        }
        rows = torch::stack(all, 1);
    }

    void drawDevices(double noise, Random& random, std::vector<HdpSample>& samples) {
        const std::int64_t steps = graph.groupCount(), count = static_cast<std::int64_t>(samples.size());
        auto [hidden, cell, memory] = encode();
        const Tensor table = told();
        Tensor before = torch::full({count}, devices, torch::kInt64);
        std::vector<Tensor> drawn, noises;
        entropy = 0;
        for (std::int64_t step = 0; step < steps; ++step) {
            lstmStep(table.index_select(0, before), at(decoder.state), hidden, cell);
            Tensor logits = placerLogits(hidden.unsqueeze(0), memory)[0];
            if (noise > 0) {
                noises.push_back(noiseFor(logits, noise, random));
                logits = logits + noises.back();
            }
            const Tensor logs = torch::log_softmax(logits, -1);
            entropy -= (logs.exp() * logs).sum().item<double>() / static_cast<double>(steps * count);
            const std::vector<float> probability = numbersOf(logs.exp());
            before = torch::empty({count}, torch::kInt64);
            const auto width = static_cast<std::size_t>(devices);
            for (std::size_t s = 0; s < samples.size(); ++s) {
                samples[s].device.push_back(draw({&probability[s * width], width}, random));
                before.data_ptr<std::int64_t>()[s] = samples[s].device.back();
            }
            drawn.push_back(before);
        }
        chosen = torch::stack(drawn);
        placerNoise = noises.empty() ? Tensor() : torch::stack(noises);
    }

    /// Of the last samples.
    [[nodiscard]] Tensor logProbability() const {
        const Tensor ofGroups = torch::log_softmax(grouperLogits(), -1).gather(1, groups).sum(0);
        const std::int64_t steps = chosen.size(0), count = chosen.size(1);
        const Encoded encoded = encode();
        const Tensor before =
            torch::cat({torch::full({1, count}, devices, torch::kInt64), chosen.narrow(0, 0, steps - 1)});
        const Tensor inputs = told().index_select(0, before.view(-1)).view({steps, count, -1});
        const Tensor states = lstmRun(inputs, at(decoder.state), encoded.hidden, encoded.cell, mayStop);
        Tensor logits = placerLogits(states.narrow(0, 0, steps), encoded.memory);
        if (placerNoise.defined())
            logits = logits + placerNoise;
        return ofGroups + torch::log_softmax(logits, -1).gather(2, chosen.unsqueeze(-1)).squeeze(-1).sum(0);
    }
};

HdpPolicy::HdpPolicy(const HdpGraph& graph, std::size_t devices, const HdpOptions& options, std::uint64_t seed)
    : m_learningRate(options.learningRate),
      m_gradientClip(options.gradientClip) {
    prepareProcess();
    m_impl = std::make_unique<Impl>(graph, devices, options, Random(seed));
}
HdpPolicy::~HdpPolicy() = default;

void HdpPolicy::stopWith(std::function<bool()> shouldStop) {
    m_impl->mayStop = [shouldStop = std::move(shouldStop)] {
        if (shouldStop())
            throw Stopped();
    };
}

std::optional<std::vector<HdpSample>> HdpPolicy::sample(int count, double noise, Random& random) {
    const torch::NoGradGuard noGradient;
    std::vector<HdpSample> samples(static_cast<std::size_t>(count));
    try {
        m_impl->drawGroups(noise, random, samples);
        m_impl->readGroups(samples);
        m_impl->drawDevices(noise, random, samples);
    } catch (const Stopped&) {
        return std::nullopt;
    }
    return samples;
}

double HdpPolicy::entropy() const { return m_impl->entropy; }

double HdpPolicy::loss(const std::vector<float>& advantage, std::vector<float>* gradient) const {
    const Tensor worth =
        tensorOf(advantage, {static_cast<std::int64_t>(advantage.size())}, torch::kFloat32, m_impl->type);
    const Tensor loss = -(worth * m_impl->logProbability()).mean();
    if (gradient != nullptr)
        *gradient = gradientOf(loss, m_impl->parameters);
    return loss.item<double>();
}

std::optional<double> HdpPolicy::learn(const std::vector<float>& advantage) {
    std::vector<float> gradient;
    double before = 0;
    try {
        before = loss(advantage, &gradient);
    } catch (const Stopped&) {
        return std::nullopt;
    }
    std::vector<float> all = parameters();
    adamStep(m_adam, all, gradient, m_learningRate, m_gradientClip);
    setParameters(all);
    return before;
}

std::vector<float> HdpPolicy::parameters() const { return numbersOf(m_impl->parameters); }

bool HdpPolicy::restore(const PolicyState& state) {
    if (state.parameters.size() != parameters().size())
        return false;
    setParameters(state.parameters);
    m_adam = state.adam;
    return true;
}

void HdpPolicy::setParameters(const std::vector<float>& numbers) { setNumbers(m_impl->parameters, numbers); }

} // namespace opscape::rl
