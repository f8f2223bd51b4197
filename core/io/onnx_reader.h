// SPDX-License-Identifier: MIT
// ONNX models. Nodes become ops; what is computed from constants alone (initializers, Constant, ConstantOfShape and
// whatever depends on nothing else) is no work to be placed, so it becomes state of the ops that read it. Branches,
// bodies of loops and functions of the model are opened, each in a scope of its node. Shapes are those of the file,
// completed by ONNX's own shape inference.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

/// A serialised ModelProto, told by its outermost fields; may be cut off.
[[nodiscard]] bool isOnnx(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readOnnx(std::string_view bytes, const std::string& origin);

} // namespace opscape
