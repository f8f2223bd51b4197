// SPDX-License-Identifier: MIT
// Views of resident storage. An op that moves no bytes and reads nothing but resident tensors (a variable's
// ReadVariable, a Reshape of a weight) hands out what lies on its device in any case; counting its output there would
// count the weight twice.
#pragma once

#include <opscape/plan/problem.h>

namespace opscape {

/// True when the outputs of the op are such views; together they are never larger than what it reads.
[[nodiscard]] bool isResidentView(const Problem& problem, OpId op);
/// Bytes that the tensor takes on the device of its producer. A copy sent elsewhere takes all of them.
[[nodiscard]] std::int64_t homeBytes(const Problem& problem, TensorId tensor);

} // namespace opscape
