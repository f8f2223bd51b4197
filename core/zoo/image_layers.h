// SPDX-License-Identifier: MIT
// What the image classifiers share, on top of layers.h.
#pragma once

#include <opscape/zoo/layers.h>
#include <opscape/zoo/zoo.h>

namespace opscape {

/// Convolution without bias, batch normalisation and, unless told otherwise, ReLU, all in a scope of the given name.
Value convNorm(TensorProgram& program, std::string_view name, Value x, std::int64_t filters, const Sizes& kernel,
               const Window& window, bool relu = true);

/// [batch, ...] to [batch, rest].
Value flatten(TensorProgram& program, Value x);

/// Mean cross entropy against `labels`, an input of the current scope.
Value imageLoss(TensorProgram& program, Value logits);

/// Images in a batch, their side, and the number of classes, which every classifier has.
std::vector<ZooParameter> imageParameters(std::int64_t smallBatch, std::int64_t paperBatch, std::int64_t image,
                                          std::int64_t leastImage);
/// N x 3 x image x image.
Value imageInput(TensorProgram& program, const ZooValues& values);

} // namespace opscape
