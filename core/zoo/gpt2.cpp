// SPDX-License-Identifier: MIT
// GPT-2 (Radford et al. 2019, Language Models are Unsupervised Multitask Learners): token and position embeddings,
// Transformer layers with the normalisation before each part, and the token table again as output layer.
#include <opscape/zoo/attention.h>
#include <opscape/zoo/gpt2.h>

namespace opscape {
namespace {

constexpr std::int64_t kPositions = 1024;
constexpr double kDropout = 0.1;

Value normalized(TensorProgram& p, Value x) {
    const auto scope = p.scope("norm");
    return layerNorm(p, x);
}

Value decoderLayer(TensorProgram& p, Value x, const SelfAttention& attention, std::int64_t inner) {
    {
        const auto scope = p.scope("attention");
        const Value attended = selfAttention(p, normalized(p, x), attention);
        x = p.add(x, p.dropout(attended, kDropout).result);
    }
    const auto scope = p.scope("feed_forward");
    const Value h = feedForward(p, normalized(p, x), inner, Activation::Gelu);
    return p.add(x, p.dropout(h, kDropout).result);
}

Result<Graph> build(const std::string& name, const ZooValues& values) {
    const std::int64_t hidden = values["hidden"], heads = values["heads"], batch = values["batch"],
                       length = values["sequence"];
    if (hidden % heads != 0)
        return fail("{}: a width of {} cannot be shared out equally among {} heads.", name, hidden, heads);
    TensorProgram p(name);
    Value table, x, mask;
    {
        const auto scope = p.scope("embeddings");
        table = p.variable("token_table", {values["vocabulary"], hidden});
        const Value positions = p.slice(p.variable("position_table", {kPositions, hidden}), 0, 0, length, "position");
        x = p.add(p.gather(table, p.input("tokens", {batch, length}, DType::I64), "token"), positions);
        x = p.dropout(p.reshape(x, {batch * length, hidden}), kDropout).result;
        mask = p.constant("causal_mask", {length, length});
    }
    for (std::int64_t i = 0; i < values["layers"]; ++i) {
        const auto scope = p.scope(fmt::format("layer_{}", i));
        x = decoderLayer(p, x, {batch, heads, mask, kDropout}, values["inner"]);
    }
    const auto scope = p.scope("head");
    const Value logits = p.matMul(normalized(p, x), table, false, true);
    minimize(p, p.softmaxCrossEntropy(logits, p.input("labels", {batch * length}, DType::I64)).loss,
             updateRule(values));
    return std::move(p).build();
}

} // namespace

void addGpt2Models(std::vector<ZooModel>& models) {
    models.push_back({"gpt2",
                      "GPT-2 small",
                      "Transformer decoder that predicts the next token (Radford et al. 2019).",
                      1,
                      {{"layers", "Decoder layers.", 12, 12, 1, 128, {}},
                       {"hidden", "Width of the layers.", 768, 768, 1, 16384, {}},
                       {"heads", "Attention heads.", 12, 12, 1, 256, {}},
                       {"inner", "Width between the dense layers of a block.", 3072, 3072, 1, 65536, {}},
                       {"vocabulary", "Tokens in the vocabulary.", 50257, 50257, 2, 1000000, {}},
                       {"batch", "Sequences in a batch.", 4, 4, 1, 4096, {}},
                       {"sequence", "Tokens in a sequence.", 256, 1024, 1, kPositions, {}},
                       updateRuleParameter(UpdateRule::Adam)},
                      build});
}

} // namespace opscape
