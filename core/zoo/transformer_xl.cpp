// SPDX-License-Identifier: MIT
// Transformer-XL (Dai, Yang, Yang, Carbonell, Le, Salakhutdinov 2019, Transformer-XL: Attentive Language Models beyond
// a Fixed-Length Context). A text is read segment by segment. A layer attends to its segment and to a memory: what it
// read in the segments before, through which no gradient flows, so that the backward pass of a segment needs nothing of
// the later ones. Positions are relative: a score is (q + u) k + (q + v) r, with r a projection of sinusoids by
// distance, and the second product is shifted row by row so that a column again means a position (padding, reshaping,
// cutting off). The word table is the output layer, too.
#include <opscape/zoo/attention.h>
#include <opscape/zoo/transformer_xl.h>

#include <array>
#include <cmath>

namespace opscape {
namespace {

constexpr double kDropout = 0.1;

struct Norm {
    Value scale, bias;
};
struct Affine {
    Value weights, bias;
};

Norm normOf(TensorProgram& p, std::string_view name, std::int64_t width) {
    const auto scope = p.scope(name);
    return {p.variable("scale", {width}), p.variable("bias", {width})};
}

Affine affineOf(TensorProgram& p, std::string_view name, std::int64_t from, std::int64_t to) {
    const auto scope = p.scope(name);
    return {p.variable("weights", {from, to}), p.variable("bias", {to})};
}

Value apply(TensorProgram& p, const Affine& affine, Value x) { return p.add(p.matMul(x, affine.weights), affine.bias); }

/// What the segments of one layer share.
class Layer {
public:
    /// `distances` are sinusoids [memory + segment, hidden].
    Layer(TensorProgram& program, const ZooValues& values, Value distances)
        : p(program),
          m_batch(values["batch"]),
          m_length(values["segment"]),
          m_heads(values["heads"]),
          m_memory(values["memory"]) {
        const std::int64_t hidden = values["hidden"];
        m_query = p.variable("query", {hidden, hidden});
        m_keyValue = p.variable("key_value", {hidden, 2 * hidden});
        m_output = p.variable("output", {hidden, hidden});
        m_contentBias = p.variable("content_bias", {m_heads, 1, hidden / m_heads});
        m_distanceBias = p.variable("distance_bias", {m_heads, 1, hidden / m_heads});
        m_attentionNorm = normOf(p, "attention_norm", hidden);
        m_inner = affineOf(p, "inner", hidden, values["inner"]);
        m_outer = affineOf(p, "outer", values["inner"], hidden);
        m_norm = normOf(p, "norm", hidden);
        const auto scope = p.scope("distance");
        const Value r = p.matMul(distances, p.variable("weights", {hidden, hidden}));
        m_distances = p.transpose(p.reshape(r, {p.dim(r, 0), m_heads, hidden / m_heads}), {1, 0, 2});
    }

    /// Takes x [batch * segment, hidden] to the next layer, and memory [batch, memory, hidden] to what this layer
    /// remembers for the next segment.
    Value segment(Value x, Value& memory, Value mask) const {
        const std::int64_t hidden = p.dim(x, 1);
        const Value both = p.concat(std::array{memory, p.reshape(x, {m_batch, m_length, hidden})}, 1, "memory_and_x");
        memory = p.stopGradient(p.slice(both, 1, m_length, m_length + m_memory, "remember"), "memory");

        const Value seen = p.reshape(both, {-1, hidden}, "seen");
        const Value query = splitHeads(p, p.matMul(x, m_query, false, false, "query"), m_batch, m_heads);
        const std::vector<Value> keyValue = p.split(p.matMul(seen, m_keyValue, false, false, "key_value"), -1, 2);
        const Value key = splitHeads(p, keyValue[0], m_batch, m_heads);
        const Value value = splitHeads(p, keyValue[1], m_batch, m_heads);
        const Value content = p.matMul(p.add(query, m_contentBias), key, false, true, "content_scores");
        const Value distance = p.matMul(p.add(query, m_distanceBias), m_distances, false, true, "distance_scores");
        const Value context = weighValues(p, p.add(content, shifted(distance)), mask, value, kDropout);
        const Value attended = p.dropout(p.matMul(context, m_output, false, false, "output"), kDropout).result;
        x = normalized(m_attentionNorm, p.add(x, attended));

        const Value inner = p.dropout(p.relu(apply(p, m_inner, x)), kDropout).result;
        return normalized(m_norm, p.add(x, p.dropout(apply(p, m_outer, inner), kDropout).result));
    }

private:
    Value normalized(const Norm& norm, Value x) const { return p.layerNormalization(x, norm.scale, norm.bias).result; }

    /// Row i of scores [batch, heads, length, seen], by distance, moves by length - 1 - i to the left.
    Value shifted(Value scores) const {
        const Shape shape = p.shape(scores);
        const Value padded = p.pad(scores, 3, 1, 0);
        const Value turned = p.reshape(padded, {shape[0], shape[1], shape[3] + 1, shape[2]});
        return p.reshape(p.slice(turned, 2, 1, shape[3] + 1), shape);
    }

    TensorProgram& p;
    std::int64_t m_batch, m_length, m_heads, m_memory;
    Value m_query, m_keyValue, m_output, m_contentBias, m_distanceBias, m_distances;
    Norm m_attentionNorm, m_norm;
    Affine m_inner, m_outer;
};

Result<Graph> build(const std::string& name, const ZooValues& values) {
    const std::int64_t hidden = values["hidden"], batch = values["batch"], length = values["segment"],
                       segments = values["segments"], memory = values["memory"];
    if (hidden % values["heads"] != 0)
        return fail("{}: a width of {} cannot be shared out equally among {} heads.", name, hidden, values["heads"]);
    TensorProgram p(name);
    Value table, distances, mask;
    std::vector<Value> x; // per segment, what goes into the next layer
    {
        const auto scope = p.scope("embedding");
        table = p.variable("table", {values["vocabulary"], hidden});
        const Value words = p.gather(table, p.input("words", {segments * batch * length}, DType::I64));
        const Value scaled = p.mul(words, p.scalar(std::sqrt(static_cast<double>(hidden))));
        x = p.split(p.dropout(scaled, kDropout).result, 0, segments);
        distances = p.dropout(p.constant("sinusoids", {memory + length, hidden}), kDropout, "distances").result;
        mask = p.constant("causal_mask", {length, memory + length});
    }
    for (std::int64_t i = 0; i < values["layers"]; ++i) {
        const auto scope = p.scope(fmt::format("layer_{}", i));
        const Layer layer(p, values, distances);
        Value remembered = p.input("memory", {batch, memory, hidden});
        for (std::size_t segment = 0; segment < x.size(); ++segment) {
            const auto inner = p.scope(fmt::format("segment_{}", segment));
            x[segment] = layer.segment(x[segment], remembered, mask);
        }
    }
    const auto scope = p.scope("softmax");
    // One handle of its own: the gradients of the segments are summed here before they go to the table.
    const Value weights = p.identity(table, "weights"), bias = p.variable("bias", {values["vocabulary"]});
    std::vector<Value> losses;
    for (std::size_t segment = 0; segment < x.size(); ++segment) {
        const auto inner = p.scope(fmt::format("segment_{}", segment));
        const Value logits = p.add(p.matMul(p.dropout(x[segment], kDropout).result, weights, false, true), bias);
        losses.push_back(p.softmaxCrossEntropy(logits, p.input("labels", {batch * length}, DType::I64)).loss);
    }
    const Value loss = p.mul(p.addN(losses), p.scalar(1.0 / static_cast<double>(segments)), "loss");
    minimize(p, loss, updateRule(values));
    return std::move(p).build();
}

} // namespace

void addTransformerXlModels(std::vector<ZooModel>& models) {
    for (const int layers : {2, 4, 8}) {
        models.push_back(
            {fmt::format("txl{}", layers),
             fmt::format("Transformer-XL, {} layers", layers),
             "Language model that attends to a memory of earlier segments (Dai et al. 2019).",
             layers,
             {{"layers", "Layers.", layers, layers, 1, 128, {}},
              {"hidden", "Width of embedding and layers.", 1024, 1024, 1, 16384, {}},
              {"heads", "Attention heads.", 16, 16, 1, 256, {}},
              {"inner", "Width between the dense layers of a block.", 4096, 4096, 1, 65536, {}},
              {"vocabulary", "Words in the vocabulary.", 32000, 32000, 2, 1000000, {}},
              {"batch", "Texts in a batch.", 8, 8, 1, 4096, {}},
              {"segment", "Words in a segment.", 64, 64, 1, 4096, {}},
              {"memory", "Words remembered from the segments before.", 64, 64, 1, 4096, {}},
              {"segments", "Segments of each text in one step.", layers == 8 ? 3 : 16 / layers, 12, 1, 256, {}},
              updateRuleParameter(UpdateRule::Adam)},
             build});
    }
}

} // namespace opscape
