// SPDX-License-Identifier: MIT
// BERT (Devlin, Chang, Lee, Toutanova 2018, BERT: Pre-training of Deep Bidirectional Transformers): embeddings of
// words, positions and sentence, an encoder of Transformer layers, and the two heads of pre-training: masked words,
// whose output layer is the word table, and whether the second sentence follows the first.
#include <opscape/zoo/attention.h>
#include <opscape/zoo/bert.h>

namespace opscape {
namespace {

constexpr std::int64_t kPositions = 512, kSentences = 2;
constexpr double kDropout = 0.1;

Value encoderLayer(TensorProgram& p, Value x, const SelfAttention& attention, std::int64_t inner) {
    {
        const auto scope = p.scope("attention");
        const Value attended = selfAttention(p, x, attention);
        x = layerNorm(p, p.add(x, p.dropout(attended, kDropout).result));
    }
    const auto scope = p.scope("feed_forward");
    return layerNorm(p, p.add(x, p.dropout(feedForward(p, x, inner, Activation::Gelu), kDropout).result));
}

Value embeddings(TensorProgram& p, Value table, std::int64_t batch, std::int64_t length) {
    const std::int64_t hidden = p.dim(table, 1);
    const Value words = p.gather(table, p.input("words", {batch, length}, DType::I64), "word");
    const Value sentenceTable = p.variable("sentence_table", {kSentences, hidden});
    const Value sentences = p.gather(sentenceTable, p.input("sentences", {batch, length}, DType::I64), "sentence");
    const Value positions = p.slice(p.variable("position_table", {kPositions, hidden}), 0, 0, length, "position");
    const Value sum = p.reshape(p.add(p.add(words, sentences), positions), {batch * length, hidden});
    return p.dropout(layerNorm(p, sum), kDropout).result;
}

Value maskedWordLoss(TensorProgram& p, Value x, Value table, std::int64_t count) {
    const auto scope = p.scope("masked_words");
    Value h = p.gather(x, p.input("positions", {count}, DType::I64));
    {
        const auto inner = p.scope("transform");
        {
            const auto innermost = p.scope("dense");
            h = p.gelu(dense(p, h, p.dim(h, -1)));
        }
        h = layerNorm(p, h);
    }
    const Value logits = p.add(p.matMul(h, table, false, true), p.variable("bias", {p.dim(table, 0)}));
    return p.softmaxCrossEntropy(logits, p.input("labels", {count}, DType::I64)).loss;
}

Value nextSentenceLoss(TensorProgram& p, Value x, std::int64_t batch) {
    const auto scope = p.scope("next_sentence");
    Value h = p.gather(x, p.input("first_words", {batch}, DType::I64));
    {
        const auto inner = p.scope("pooler");
        h = p.tanh(dense(p, h, p.dim(h, -1)));
    }
    return p.softmaxCrossEntropy(dense(p, h, 2), p.input("labels", {batch}, DType::I64)).loss;
}

Result<Graph> build(const std::string& name, const ZooValues& values) {
    const std::int64_t hidden = values["hidden"], heads = values["heads"], batch = values["batch"],
                       length = values["sequence"];
    if (hidden % heads != 0)
        return fail("{}: a width of {} cannot be shared out equally among {} heads.", name, hidden, heads);
    if (values["predictions"] > length)
        return fail("{}: {} masked words do not fit into a sequence of {}.", name, values["predictions"], length);
    TensorProgram p(name);
    Value table, x, mask;
    {
        const auto scope = p.scope("embeddings");
        table = p.variable("word_table", {values["vocabulary"], hidden});
        x = embeddings(p, table, batch, length);
        mask = p.input("mask", {batch, 1, 1, length});
    }
    for (std::int64_t i = 0; i < values["layers"]; ++i) {
        const auto scope = p.scope(fmt::format("encoder/layer_{}", i));
        x = encoderLayer(p, x, {batch, heads, mask, kDropout}, values["inner"]);
    }
    const auto scope = p.scope("heads");
    const Value loss =
        p.add(maskedWordLoss(p, x, table, batch * values["predictions"]), nextSentenceLoss(p, x, batch), "loss");
    minimize(p, loss, updateRule(values));
    return std::move(p).build();
}

} // namespace

void addBertModels(std::vector<ZooModel>& models) {
    models.push_back({"bert",
                      "BERT-base",
                      "Transformer encoder trained on masked words and next sentences (Devlin et al. 2018).",
                      1,
                      {{"layers", "Encoder layers.", 12, 12, 1, 128, {}},
                       {"hidden", "Width of the layers.", 768, 768, 1, 16384, {}},
                       {"heads", "Attention heads.", 12, 12, 1, 256, {}},
                       {"inner", "Width between the dense layers of a block.", 3072, 3072, 1, 65536, {}},
                       {"vocabulary", "Word pieces in the vocabulary.", 30522, 30522, 2, 1000000, {}},
                       {"batch", "Sequences in a batch.", 32, 8, 1, 4096, {}},
                       {"sequence", "Word pieces in a sequence.", 128, 512, 1, kPositions, {}},
                       {"predictions", "Masked words in a sequence.", 20, 77, 1, kPositions, {}},
                       updateRuleParameter(UpdateRule::Adam)},
                      build});
}

} // namespace opscape
