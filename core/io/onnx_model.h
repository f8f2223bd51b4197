// SPDX-License-Identifier: MIT
// The steps of the ONNX reader that see libonnx's types; included by its own files only.
#pragma once

#include <opscape/io/format.h>

#include <onnx/onnx_pb.h>

namespace opscape {

/// Completes the model's value_info. What could not be inferred is counted; shapes in the file stay.
void inferOnnxShapes(onnx::ModelProto& model, Diagnostics& diagnostics);

/// Dtype and shape; the size in bytes where they do not give it.
[[nodiscard]] Tensor tensorOf(const onnx::TypeProto& type);
[[nodiscard]] Tensor tensorOf(const onnx::TensorProto& value);
[[nodiscard]] Tensor tensorOf(const onnx::SparseTensorProto& value);
/// What a Constant node holds; unknown for other nodes.
[[nodiscard]] Tensor tensorOfConstant(const onnx::NodeProto& node);

/// Attributes as far as a graph keeps them; the others are counted, but for graphs where those are opened.
[[nodiscard]] std::vector<Attribute> attributesOf(const onnx::NodeProto& node, bool isOpened, Diagnostics& diagnostics);

/// Fills graph, counts and diagnostics.
[[nodiscard]] Result<> convertOnnx(const onnx::ModelProto& model, const std::string& origin, GraphFile& file);

} // namespace opscape
