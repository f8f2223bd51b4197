// SPDX-License-Identifier: MIT
// Parts of the Transformer (Vaswani et al. 2017, Attention Is All You Need) that several families share. Sequences are
// [batch, length, width].
#pragma once

#include <opscape/zoo/layers.h>

namespace opscape {

/// [batch, length, width] to [batch, heads, length, width / heads].
Value splitHeads(TensorProgram& program, Value x, std::int64_t heads);
/// The way back.
Value mergeHeads(TensorProgram& program, Value x);

/// Scaled scores [batch, heads, length, seen], masked by adding `mask`, to weighted values [batch, length, width].
Value weighValues(TensorProgram& program, Value scores, Value mask, Value values, double dropout);

/// Every position attends to all that the mask lets through; scopes query, key, value and output.
Value selfAttention(TensorProgram& program, Value x, std::int64_t heads, Value mask, double dropout);

enum class Activation { Relu, Gelu };
/// Two dense layers, in scopes inner and output.
Value feedForward(TensorProgram& program, Value x, std::int64_t inner, Activation activation);

} // namespace opscape
