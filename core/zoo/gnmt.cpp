// SPDX-License-Identifier: MIT
// GNMT (Wu et al. 2016, Google's Neural Machine Translation System). The first layer of the encoder reads the sentence
// in both directions, the others upwards; from the third layer on each adds what it read (residual connections). The
// attention of a decoder step (Bahdanau, Cho, Bengio 2014, normalised as by Salimans, Kingma 2016) asks with the output
// of the first decoder layer and reads the last encoder layer; its context goes into every decoder layer, into the
// first one a step later. A softmax over the vocabulary follows at each step. Where a sentence of the batch has ended,
// the encoder's state stays as it is.
#include <opscape/zoo/gnmt.h>
#include <opscape/zoo/layers.h>

#include <array>

namespace opscape {
namespace {

constexpr double kDropout = 0.2;
constexpr int kFirstResidual = 2;

class Gnmt {
public:
    Gnmt(TensorProgram& program, const ZooValues& values)
        : p(program),
          m_layers(values["layers"]),
          m_sourceSteps(values["source-steps"]),
          m_targetSteps(values["target-steps"]),
          m_batch(values["batch"]),
          m_hidden(values["hidden"]),
          m_vocabulary(values["vocabulary"]) {}

    Value loss() {
        encode();
        const auto scope = p.scope("decoder");
        std::vector<Value> x = embedded(m_targetSteps), contexts;
        firstDecoderLayer(x, contexts);
        for (std::int64_t layer = 1; layer < m_layers; ++layer) {
            const auto inner = p.scope(fmt::format("layer_{}", layer));
            const LstmWeights weights = lstmWeights(p, 2 * m_hidden, m_hidden);
            LstmState state = firstState();
            for (std::size_t step = 0; step < x.size(); ++step) {
                const auto innermost = p.scope(fmt::format("step_{}", step));
                state = lstmCell(p, weights, dropped(p.concat(std::array{x[step], contexts[step]}, -1)), state);
                x[step] = layer < kFirstResidual ? state.hidden : p.add(state.hidden, x[step], "residual");
            }
        }
        return softmaxLoss(x);
    }

private:
    Value dropped(Value x) { return p.dropout(x, kDropout).result; }

    LstmState firstState() {
        const Value zeros = p.zeros({m_batch, m_hidden}, "zeros");
        return {zeros, zeros};
    }

    /// One per step.
    std::vector<Value> embedded(std::int64_t steps) {
        const auto scope = p.scope("embedding");
        return p.split(embedding(p, p.input("words", {steps * m_batch}, DType::I64), m_vocabulary, m_hidden), 0, steps);
    }

    void encode() {
        const auto scope = p.scope("encoder");
        std::vector<Value> x = embedded(m_sourceSteps);
        for (std::int64_t step = 0; step < m_sourceSteps; ++step)
            m_isWord.push_back(p.input(fmt::format("is_word_{}", step), {m_batch, 1}));
        for (std::int64_t layer = 0; layer < m_layers; ++layer) {
            const auto inner = p.scope(fmt::format("layer_{}", layer));
            x = layer == 0 ? bothWays(x) : encoderLayer(x, layer >= kFirstResidual, false);
        }
        const auto inner = p.scope("memory");
        const Value stacked = p.reshape(p.concat(x, 0), {m_sourceSteps, m_batch, p.dim(x[0], 1)});
        m_memory = p.transpose(stacked, {1, 0, 2});
    }

    /// The two directions, each in a scope of its own, and side by side.
    std::vector<Value> bothWays(std::span<const Value> x) {
        std::vector<Value> forwards, both;
        {
            const auto scope = p.scope("fw");
            forwards = encoderLayer(x, false, false);
        }
        const auto scope = p.scope("bw");
        const std::vector<Value> backwards = encoderLayer(x, false, true);
        for (std::size_t step = 0; step < x.size(); ++step) {
            const auto inner = p.scope(fmt::format("step_{}", step));
            both.push_back(p.concat(std::array{forwards[step], backwards[step]}, -1, "both"));
        }
        return both;
    }

    std::vector<Value> encoderLayer(std::span<const Value> x, bool isResidual, bool isReverse) {
        const LstmWeights weights = lstmWeights(p, p.dim(x[0], -1), m_hidden);
        LstmState state = firstState();
        std::vector<Value> results(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            const std::size_t step = isReverse ? x.size() - 1 - i : i;
            const auto scope = p.scope(fmt::format("step_{}", step));
            const LstmState next = lstmCell(p, weights, dropped(x[step]), state);
            state = {kept(state.hidden, next.hidden, m_isWord[step]), kept(state.cell, next.cell, m_isWord[step])};
            results[step] = isResidual ? p.add(state.hidden, x[step], "residual") : state.hidden;
        }
        return results;
    }

    /// `next` where there is a word, else `before`.
    Value kept(Value before, Value next, Value isWord) {
        return p.add(before, p.mul(isWord, p.sub(next, before)), "kept");
    }

    /// Takes x to the second layer; the contexts of the attention are found on the way.
    void firstDecoderLayer(std::vector<Value>& x, std::vector<Value>& contexts) {
        LstmWeights weights;
        LstmState state;
        {
            const auto scope = p.scope("layer_0");
            weights = lstmWeights(p, 2 * m_hidden, m_hidden);
            state = firstState();
        }
        prepareAttention();
        Value context = state.hidden;
        for (std::size_t step = 0; step < x.size(); ++step) {
            {
                const auto scope = p.scope(fmt::format("layer_0/step_{}", step));
                state = lstmCell(p, weights, dropped(p.concat(std::array{x[step], context}, -1)), state);
            }
            const auto scope = p.scope(fmt::format("attention/step_{}", step));
            context = attend(state.hidden);
            x[step] = state.hidden;
            contexts.push_back(context);
        }
    }

    void prepareAttention() {
        const auto scope = p.scope("attention");
        const std::int64_t width = p.dim(m_memory, -1);
        m_query = p.variable("query", {m_hidden, m_hidden});
        m_bias = p.variable("bias", {m_hidden});
        const Value rows = p.reshape(m_memory, {m_batch * m_sourceSteps, width});
        m_keys = p.reshape(p.matMul(rows, p.variable("keys", {width, m_hidden})), {m_batch, m_sourceSteps, m_hidden});
        const Value direction = p.variable("direction", {m_hidden, 1});
        const Value length = p.sqrt(p.reduceSum(p.mul(direction, direction)));
        m_score = p.mul(p.div(direction, length), p.variable("scale", {}), "score");
        m_mask = p.input("mask", {m_batch, 1, m_sourceSteps});
    }

    /// [batch, hidden] to the weighted mean of the memory, [batch, width of the memory].
    Value attend(Value asker) {
        const Value query = p.add(p.matMul(asker, m_query), m_bias);
        const Value sum = p.add(m_keys, p.reshape(query, {m_batch, 1, m_hidden}));
        const Value rows = p.tanh(p.reshape(sum, {m_batch * m_sourceSteps, m_hidden})); // kept for the backward pass
        const Value scores = p.reshape(p.matMul(rows, m_score), {m_batch, 1, m_sourceSteps});
        const Value context = p.matMul(p.softmax(p.add(scores, m_mask)), m_memory);
        return p.reshape(context, {m_batch, -1});
    }

    Value softmaxLoss(std::span<const Value> x) {
        const auto scope = p.scope("softmax");
        const Value weights = p.variable("weights", {m_hidden, m_vocabulary}),
                    bias = p.variable("bias", {m_vocabulary});
        std::vector<Value> losses;
        for (std::size_t step = 0; step < x.size(); ++step) {
            const auto inner = p.scope(fmt::format("step_{}", step));
            const Value labels = p.input("labels", {m_batch}, DType::I64), isWord = p.input("is_word", {m_batch});
            const Value logits = p.add(p.matMul(x[step], weights), bias);
            const auto loss = p.softmaxCrossEntropy(logits, labels, TensorProgram::Reduction::None);
            losses.push_back(p.reduceMean(p.mul(loss.loss, isWord)));
        }
        return p.addN(losses, "loss");
    }

    TensorProgram& p;
    std::int64_t m_layers, m_sourceSteps, m_targetSteps, m_batch, m_hidden, m_vocabulary;
    std::vector<Value> m_isWord; ///< per step of the source: 1 or 0 for each sentence
    Value m_memory;              ///< [batch, source steps, width]
    Value m_query, m_bias, m_keys, m_score, m_mask;
};

Result<Graph> build(const std::string& name, const ZooValues& values) {
    TensorProgram p(name);
    minimize(p, Gnmt(p, values).loss(), updateRule(values));
    return std::move(p).build();
}

} // namespace

void addGnmtModels(std::vector<ZooModel>& models) {
    for (const int layers : {2, 4, 8}) {
        const std::int64_t small = 2 + 12 / layers;
        models.push_back({fmt::format("gnmt{}", layers),
                          fmt::format("GNMT, {} layers", layers),
                          "Translation by an LSTM encoder and decoder with attention, unrolled (Wu et al. 2016).",
                          layers,
                          {{"layers", "Layers of the encoder, and of the decoder.", layers, layers, 2, 64, {}},
                           {"source-steps", "Words of the source sentences.", small, 110, 1, 1000, {}},
                           {"target-steps", "Words of the target sentences.", small, 110, 1, 1000, {}},
                           {"batch", "Sentences in a batch.", 128, 128, 1, 4096, {}},
                           {"hidden", "Width of embeddings and layers.", 1024, 1024, 1, 16384, {}},
                           {"vocabulary", "Word pieces in each vocabulary.", 32000, 32000, 2, 1000000, {}},
                           updateRuleParameter(UpdateRule::Adam)},
                          build});
    }
}

} // namespace opscape
