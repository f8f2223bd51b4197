// SPDX-License-Identifier: MIT
// Reverse-mode differentiation of a tensor program: the backward pass, op by op, from one table of gradient rules.
// For each op the gradient's ops lie in gradients/<name of the op>_grad; a value that is used several times (a weight
// that every time step shares, too) gets the sum of its gradients there, by one AddN or, of many, by several. Nothing
// is built that does not lead from the loss to one of the values asked for; no gradient flows through StopGradient,
// labels and indices.
#pragma once

#include <opscape/zoo/tensor_program.h>

namespace opscape {

/// d loss / d value for each of `values`, in their order, each shaped like its value; none where the loss does not
/// depend on it. The loss is a scalar. Throws std::logic_error on an op on the way that has no rule.
[[nodiscard]] std::vector<Value> gradients(TensorProgram& program, Value loss, std::span<const Value> values);

/// The op types with a gradient rule, sorted; those that end a gradient (StopGradient, ReadVariable) are not in it.
[[nodiscard]] std::vector<std::string_view> differentiableOps();

} // namespace opscape
