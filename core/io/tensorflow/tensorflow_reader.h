// SPDX-License-Identifier: MIT
// TensorFlow's graphs: GraphDef, MetaGraphDef and SavedModel, in protobuf's binary form or as text. Nodes become ops;
// constants, variables and placeholders, and what is computed from constants alone, become state of the ops that read
// them. A call of a function of the file's library is replaced by the function's nodes, in a scope of the call's name.
// Not read: values of tensors, checkpoints, gradients of functions, signatures.
#pragma once

#include <opscape/io/format.h>

namespace opscape {

/// May be cut off.
[[nodiscard]] bool isTensorflow(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readTensorflow(FileText text, const std::string& origin);

[[nodiscard]] bool isTensorflowText(std::string_view bytes);
[[nodiscard]] Result<GraphFile> readTensorflowText(FileText text, const std::string& origin);

} // namespace opscape
