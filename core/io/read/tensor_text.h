// SPDX-License-Identifier: MIT
// Element type and shape as other programs write them: "float32[1,256]", "[1,?]", "f32[2,3]", "Tensor(float)".
#pragma once

#include <opscape/graph/graph.h>

#include <string_view>

namespace opscape {

/// By the names of NumPy, TensorFlow, PyTorch and this product; Unknown for any other.
[[nodiscard]] DType dtypeOf(std::string_view name);
/// Fills in what the text tells: the type before the bracket, the dimensions in it. A dimension that is no number is
/// unknown.
void parseTensorText(std::string_view text, Tensor& tensor);

} // namespace opscape
