// SPDX-License-Identifier: MIT
// Layers that several families share. Each makes its variables in the current scope, so it is called once per layer;
// where steps share weights, make the weights once and pass them (LstmWeights).
#pragma once

#include <opscape/zoo/tensor_program.h>

namespace opscape {

/// x [..., n] to [..., units]: variables weights and bias.
Value dense(TensorProgram& program, Value x, std::int64_t units, bool bias = true);

/// One table row per index: variable `table` [rows, width].
Value embedding(TensorProgram& program, Value indices, std::int64_t rows, std::int64_t width);

/// Over the last dimension: variables scale and bias.
Value layerNorm(TensorProgram& program, Value x);

/// Over the batch: variables scale and bias, and moving averages of mean and variance that are updated in the step.
Value batchNorm(TensorProgram& program, Value x);

/// Convolution: variable weights [filters, channels / group, kernel...], and bias [filters] if wanted.
Value convolution(TensorProgram& program, Value x, std::int64_t filters, const Sizes& kernel, const Window& window,
                  bool bias);

struct LstmWeights {
    Value weights; ///< [input + hidden, 4 * hidden]
    Value bias;    ///< [4 * hidden]
};
struct LstmState {
    Value hidden, cell; ///< [batch, hidden]
};

/// Variables weights and bias.
LstmWeights lstmWeights(TensorProgram& program, std::int64_t inputWidth, std::int64_t hidden);
/// One step (Hochreiter and Schmidhuber 1997, with forget gate), in scope lstm_cell of the current scope.
LstmState lstmCell(TensorProgram& program, const LstmWeights& weights, Value input, const LstmState& before);

} // namespace opscape
