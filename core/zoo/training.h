// SPDX-License-Identifier: MIT
// Makes a training step of a forward pass: gradients of the loss by every variable, and the op that updates it.
#pragma once

#include <opscape/zoo/autodiff.h>

namespace opscape {

/// Sgd keeps no state, Momentum one tensor of the weight's size, Adam two.
enum class UpdateRule { Sgd, Momentum, Adam };

/// Adds the backward pass and one update op per variable, train/layer_0/update_weights for layer_0/weights, in the
/// variable's colocation group. Throws std::logic_error when the loss does not depend on a variable.
void minimize(TensorProgram& program, Value loss, UpdateRule rule);

} // namespace opscape
