// SPDX-License-Identifier: MIT
// The step of the TensorFlow reader from messages to a graph; included by its own files only.
#pragma once

#include <opscape/graph/graph_builder.h>
#include <opscape/io/format.h>
#include <opscape/io/tensorflow/tensorflow.pb.h>

namespace opscape {

/// What the graph is to be built from, once the model has made room for it. Fills counts and diagnostics.
[[nodiscard]] Result<GraphBuilder> convertTensorflow(const tensorflow::MetaGraphDef& model, const std::string& origin,
                                                     GraphFile& file);

} // namespace opscape
