// SPDX-License-Identifier: MIT
// Recurrent language model (Zaremba, Sutskever, Vinyals 2014, Recurrent Neural Network Regularization): an embedding, a
// stack of LSTM layers and a softmax over the vocabulary at each step, all unrolled. Width and batch of the `paper`
// preset are those of the device placement literature (Mirhoseini et al. 2017), the vocabulary is that of the Penn
// Treebank.
#include <opscape/zoo/layers.h>
#include <opscape/zoo/rnnlm.h>

namespace opscape {
namespace {

Result<Graph> build(const std::string& name, const ZooValues& values) {
    const std::int64_t layers = values["layers"], steps = values["steps"], batch = values["batch"],
                       hidden = values["hidden"], vocabulary = values["vocabulary"];
    TensorProgram p(name);

    std::vector<Value> x; // per step, what goes into the next layer
    {
        const auto scope = p.scope("embedding");
        x = p.split(embedding(p, p.input("words", {steps * batch}, DType::I64), vocabulary, hidden), 0, steps);
    }
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto scope = p.scope(fmt::format("layer_{}", layer));
        const LstmWeights weights = lstmWeights(p, hidden, hidden);
        LstmState state{p.input("first_hidden", {batch, hidden}), p.input("first_cell", {batch, hidden})};
        for (std::size_t step = 0; step < x.size(); ++step) {
            const auto inner = p.scope(fmt::format("step_{}", step));
            state = lstmCell(p, weights, x[step], state);
            x[step] = state.hidden;
        }
    }

    const auto scope = p.scope("softmax");
    const Value weights = p.variable("weights", {hidden, vocabulary}), bias = p.variable("bias", {vocabulary});
    std::vector<Value> losses;
    for (std::size_t step = 0; step < x.size(); ++step) {
        const auto inner = p.scope(fmt::format("step_{}", step));
        const Value labels = p.input("labels", {batch}, DType::I64);
        losses.push_back(p.softmaxCrossEntropy(p.add(p.matMul(x[step], weights), bias), labels).loss);
    }
    minimize(p, p.addN(losses, "loss"), updateRule(values));
    return std::move(p).build();
}

} // namespace

void addRnnlmModels(std::vector<ZooModel>& models) {
    for (const int layers : {2, 4, 8}) {
        models.push_back({fmt::format("rnnlm{}", layers),
                          fmt::format("RNN language model, {} layers", layers),
                          "Embedding, stacked LSTM layers and softmax, unrolled (Zaremba, Sutskever, Vinyals 2014).",
                          layers,
                          {{"layers", "LSTM layers.", layers, layers, 1, 64, {}},
                           {"steps", "Words that the recurrence is unrolled over.", 24 / layers + 2, 40, 1, 1000, {}},
                           {"batch", "Sequences in a batch.", 64, 64, 1, 4096, {}},
                           {"hidden", "Width of embedding and layers.", 1024, 2048, 1, 16384, {}},
                           {"vocabulary", "Words in the vocabulary.", 10000, 10000, 2, 1000000, {}},
                           updateRuleParameter(UpdateRule::Sgd)},
                          build});
    }
}

} // namespace opscape
