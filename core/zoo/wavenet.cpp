// SPDX-License-Identifier: MIT
// WaveNet (van den Oord et al. 2016, WaveNet: A Generative Model for Raw Audio): residual layers of a dilated causal
// convolution with two outputs, one of which gates the other. Within a stack the dilation doubles from layer to layer;
// every layer adds to a sum of skip connections, from which two more layers predict the next of 256 sample values.
// Audio can be cut into chunks in time: a convolution then reads the end of the chunk before it, so that the result is
// that of the whole, and devices can work on different chunks at once.
#include <opscape/zoo/layers.h>
#include <opscape/zoo/wavenet.h>

#include <array>

namespace opscape {
namespace {

constexpr std::int64_t kSampleValues = 256, kTaps = 2;

/// What all chunks have in common with the layer: [filters, channels, kTaps] or [filters, channels, 1], and a bias.
struct Weights {
    Value weights, bias;
};

Weights weightsOf(TensorProgram& p, std::string_view name, std::int64_t filters, std::int64_t channels,
                  std::int64_t taps) {
    const auto scope = p.scope(name);
    return {p.variable("weights", {filters, channels, taps}), p.variable("bias", {filters, 1})};
}

Value convolve(TensorProgram& p, std::string_view name, Value x, const Weights& w, std::int64_t dilation = 1) {
    const auto scope = p.scope(name);
    return p.add(p.conv(x, w.weights, {{1}, {0, 0}, {dilation}}), w.bias);
}

/// The chunk behind the samples before it that a causal convolution sees: the end of the chunk before, or zeros.
Value withPast(TensorProgram& p, Value x, Value before, std::int64_t samples) {
    if (!before.valid())
        return p.pad(x, 2, samples, 0);
    const std::int64_t length = p.dim(before, 2);
    return p.concat(std::array{p.slice(before, 2, length - samples, length), x}, 2);
}

class Wavenet {
public:
    Wavenet(TensorProgram& program, const ZooValues& values)
        : p(program),
          m_residual(values["residual"]),
          m_skip(values["skip"]) {}

    /// Numbers of sample values to what the first layer reads, per chunk.
    std::vector<Value> front(std::int64_t batch, std::int64_t chunks, std::int64_t length) {
        const auto scope = p.scope("front");
        const Value table = p.variable("table", {kSampleValues, m_residual});
        const Weights w = weightsOf(p, "causal", m_residual, m_residual, kTaps);
        std::vector<Value> x;
        Value before;
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
            const auto inner = p.scope(fmt::format("chunk_{}", chunk));
            const Value samples = p.input("samples", {batch, length}, DType::I64);
            const Value embedded = p.transpose(p.gather(table, samples), {0, 2, 1});
            x.push_back(convolve(p, "causal", withPast(p, embedded, before, kTaps - 1), w));
            before = embedded;
        }
        return x;
    }

    /// Takes x to the next layer and adds to the skip sums.
    void layer(std::int64_t dilation, bool isLast, std::vector<Value>& x, std::vector<Value>& skips) {
        const Weights filter = weightsOf(p, "filter", m_residual, m_residual, kTaps);
        const Weights gate = weightsOf(p, "gate", m_residual, m_residual, kTaps);
        const Weights skip = weightsOf(p, "skip", m_skip, m_residual, 1);
        const Weights residual = isLast ? Weights() : weightsOf(p, "residual", m_residual, m_residual, 1);
        Value before;
        for (std::size_t chunk = 0; chunk < x.size(); ++chunk) {
            const auto scope = p.scope(fmt::format("chunk_{}", chunk));
            const Value seen = withPast(p, x[chunk], before, dilation * (kTaps - 1));
            before = x[chunk];
            const Value gated = p.mul(p.tanh(convolve(p, "filter", seen, filter, dilation)),
                                      p.sigmoid(convolve(p, "gate", seen, gate, dilation)));
            const Value skipped = convolve(p, "skip", gated, skip);
            skips[chunk] = skips[chunk].valid() ? p.add(skips[chunk], skipped, "skip_sum") : skipped;
            if (!isLast)
                x[chunk] = p.add(x[chunk], convolve(p, "residual", gated, residual), "residual_sum");
        }
    }

    /// The mean loss over the chunks.
    Value head(std::span<const Value> skips) {
        const auto scope = p.scope("head");
        const Weights first = weightsOf(p, "conv_0", m_skip, m_skip, 1);
        const Weights second = weightsOf(p, "conv_1", kSampleValues, m_skip, 1);
        std::vector<Value> losses;
        for (std::size_t chunk = 0; chunk < skips.size(); ++chunk) {
            const auto inner = p.scope(fmt::format("chunk_{}", chunk));
            const Value hidden = convolve(p, "conv_0", p.relu(skips[chunk]), first);
            const Value scores = p.transpose(convolve(p, "conv_1", p.relu(hidden), second), {0, 2, 1});
            const Value labels = p.input("labels", {p.dim(scores, 0), p.dim(scores, 1)}, DType::I64);
            losses.push_back(p.softmaxCrossEntropy(scores, labels).loss);
        }
        return p.mul(p.addN(losses), p.scalar(1.0 / static_cast<double>(losses.size())), "loss");
    }

private:
    TensorProgram& p;
    std::int64_t m_residual, m_skip;
};

Result<Graph> build(const std::string& name, const ZooValues& values) {
    const std::int64_t stacks = values["stacks"], layers = values["layers"], chunks = values["chunks"],
                       samples = values["samples"];
    if (layers % stacks != 0)
        return fail("{}: {} layers cannot be shared out equally among {} stacks.", name, layers, stacks);
    if (samples % chunks != 0)
        return fail("{}: {} samples cannot be cut into {} equal chunks.", name, samples, chunks);
    const std::int64_t perStack = layers / stacks, length = samples / chunks;
    const std::int64_t widest = std::int64_t{1} << (perStack - 1);
    if (length < widest * (kTaps - 1))
        return fail("{}: a chunk of {} samples is shorter than the widest dilation, {}; set fewer chunks or layers.",
                    name, length, widest);
    TensorProgram p(name);
    Wavenet net(p, values);
    std::vector<Value> x = net.front(values["batch"], chunks, length), skips(x.size());
    for (std::int64_t i = 0; i < layers; ++i) {
        const auto scope = p.scope(fmt::format("stack_{}/layer_{}", i / perStack, i % perStack));
        net.layer(std::int64_t{1} << (i % perStack), i + 1 == layers, x, skips);
    }
    minimize(p, net.head(skips), updateRule(values));
    return std::move(p).build();
}

} // namespace

void addWavenetModels(std::vector<ZooModel>& models) {
    for (const int stacks : {2, 4}) {
        const int layers = 9 * stacks;
        models.push_back({fmt::format("wavenet{}", stacks),
                          fmt::format("WaveNet, {} stacks, {} layers", stacks, layers),
                          "Audio from stacks of dilated causal convolutions with gates (van den Oord et al. 2016).",
                          stacks,
                          {{"stacks", "Stacks, each of which starts again with dilation 1.", stacks, stacks, 1, 64, {}},
                           {"layers", "Residual layers in all stacks together.", layers, layers, 1, 512, {}},
                           {"batch", "Recordings in a batch.", 4, 4, 1, 1024, {}},
                           {"samples", "Samples of each recording.", 3072, 4096, 1, 1 << 22, {}},
                           {"chunks", "Pieces of equal length in time.", stacks == 2 ? 3 : 1, 8, 1, 256, {}},
                           {"residual", "Channels between and in the layers.", 512, 512, 1, 8192, {}},
                           {"skip", "Channels of the skip connections.", 256, 256, 1, 8192, {}},
                           updateRuleParameter(UpdateRule::Adam)},
                          build});
    }
}

} // namespace opscape
