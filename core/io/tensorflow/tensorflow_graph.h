// SPDX-License-Identifier: MIT
// The step of the TensorFlow reader from messages to a graph; included by its own files only.
#pragma once

#include <opscape/io/format.h>
#include <opscape/io/tensorflow/tensorflow.pb.h>

namespace opscape {

/// Fills graph, counts and diagnostics.
[[nodiscard]] Result<> convertTensorflow(const tensorflow::MetaGraphDef& model, const std::string& origin,
                                         GraphFile& file);

} // namespace opscape
