// SPDX-License-Identifier: MIT
// Parts of the Transformer (Vaswani et al. 2017, Attention Is All You Need) that several families share. A batch of
// sequences is a matrix [batch * length, width], so that products with weights are plain ones, forward and backward.
#pragma once

#include <opscape/zoo/layers.h>

namespace opscape {

/// [batch * length, width] to [batch, heads, length, width / heads].
Value splitHeads(TensorProgram& program, Value x, std::int64_t batch, std::int64_t heads);
/// The way back.
Value mergeHeads(TensorProgram& program, Value x);

/// Scores [batch, heads, length, seen], which are scaled and to which `mask` is added, weigh values [batch, heads,
/// seen, width / heads]; gives [batch * length, width].
Value weighValues(TensorProgram& program, Value scores, Value mask, Value values, double dropout);

struct SelfAttention {
    std::int64_t batch, heads;
    Value mask; ///< added to the scores: very low where a position is not to be seen
    double dropout;
};
/// Scopes query, key, value and output.
Value selfAttention(TensorProgram& program, Value x, const SelfAttention& attention);

enum class Activation { Relu, Gelu };
/// Two dense layers, in scopes inner and output.
Value feedForward(TensorProgram& program, Value x, std::int64_t inner, Activation activation);

} // namespace opscape
