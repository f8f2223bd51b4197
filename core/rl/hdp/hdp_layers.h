// SPDX-License-Identifier: MIT
// The two layers that take nearly all of HDP's time, as functions with gradients of their own: torch's would add up a
// gradient as large as the weights in every step of the LSTM, and keep the attention of every step to every other. For
// the .cpp files of this folder that see torch.
#pragma once

#include <opscape/rl/pch.h>

#include <functional>

namespace opscape::rl {

/// Called in every step, forward and backward; throws to break off. Must outlive the backward pass.
using MayStop = std::function<void()>;

/// x times weight, [.., in] and [in, out]. For a single row twice as fast as torch's, which packs the weights every
/// time.
[[nodiscard]] torch::Tensor product(const torch::Tensor& x, const torch::Tensor& weight);

/// Long short-term memory (Hochreiter and Schmidhuber 1997), one step without a gradient. `input`: [sample, 4 hidden],
/// times its weights already; in the order input, forget and output gate, candidate.
void lstmStep(const torch::Tensor& input, const torch::Tensor& weight, torch::Tensor& hidden, torch::Tensor& cell);

/// All steps. `inputs`: [step, sample, 4 hidden]; `hidden`, `cell`: what it begins with. [step + 1, sample, hidden]:
/// the hidden states, then the last cell.
[[nodiscard]] torch::Tensor lstmRun(const torch::Tensor& inputs, const torch::Tensor& weight,
                                    const torch::Tensor& hidden, const torch::Tensor& cell, const MayStop& mayStop);

/// Additive attention (Bahdanau, Cho, Bengio 2015), before the softmax: v' tanh(query + memory). `queries`: [step,
/// sample, width], `memory`: [sample, place, width]; [step, sample, place].
[[nodiscard]] torch::Tensor additiveScores(const torch::Tensor& queries, const torch::Tensor& memory,
                                           const torch::Tensor& v, const MayStop& mayStop);

} // namespace opscape::rl
