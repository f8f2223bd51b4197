// SPDX-License-Identifier: MIT
#include <opscape/zoo/layers.h>

#include <array>

namespace opscape {

Value dense(TensorProgram& p, Value x, std::int64_t units, bool bias) {
    const Value product = p.matMul(x, p.variable("weights", {p.dim(x, -1), units}));
    return bias ? p.add(product, p.variable("bias", {units})) : product;
}

Value embedding(TensorProgram& p, Value indices, std::int64_t rows, std::int64_t width) {
    return p.gather(p.variable("table", {rows, width}), indices);
}

Value layerNorm(TensorProgram& p, Value x) {
    const Value scale = p.variable("scale", {p.dim(x, -1)}), bias = p.variable("bias", {p.dim(x, -1)});
    return p.layerNormalization(x, scale, bias).result;
}

Value batchNorm(TensorProgram& p, Value x) {
    const Shape channels{p.dim(x, 1)};
    const Value scale = p.variable("scale", channels), bias = p.variable("bias", channels);
    const auto normalized = p.batchNormalization(x, scale, bias);
    const auto update = p.phase(Phase::Update);
    p.op("MovingAverage", std::array{p.state("moving_mean", channels), normalized.mean}, {});
    p.op("MovingAverage", std::array{p.state("moving_variance", channels), normalized.variance}, {});
    return normalized.result;
}

Value convolution(TensorProgram& p, Value x, std::int64_t filters, const Sizes& kernel, const Window& window,
                  bool bias) {
    Shape shape{filters, p.dim(x, 1) / window.group};
    shape.insert(shape.end(), kernel.begin(), kernel.end());
    const Value result = p.conv(x, p.variable("weights", shape), window);
    if (!bias)
        return result;
    Shape perChannel(kernel.size() + 1, 1);
    perChannel[0] = filters;
    return p.add(result, p.variable("bias", perChannel));
}

LstmWeights lstmWeights(TensorProgram& p, std::int64_t inputWidth, std::int64_t hidden) {
    return {p.variable("weights", {inputWidth + hidden, 4 * hidden}), p.variable("bias", {4 * hidden})};
}

LstmState lstmCell(TensorProgram& p, const LstmWeights& weights, Value input, const LstmState& before) {
    const auto scope = p.scope("lstm_cell");
    const Value both = p.concat(std::array{input, before.hidden}, -1);
    const Value sums = p.add(p.matMul(both, weights.weights), weights.bias);
    const std::vector<Value> gates = p.split(sums, -1, 4);
    const Value inputGate = p.sigmoid(gates[0], "input_gate");
    const Value candidate = p.tanh(gates[1], "candidate");
    const Value forgetGate = p.sigmoid(gates[2], "forget_gate");
    const Value outputGate = p.sigmoid(gates[3], "output_gate");
    const Value cell = p.add(p.mul(forgetGate, before.cell, "keep"), p.mul(inputGate, candidate, "write"), "cell");
    return {p.mul(outputGate, p.tanh(cell), "hidden"), cell};
}

} // namespace opscape
