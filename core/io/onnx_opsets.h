// SPDX-License-Identifier: MIT
// Operator sets newer than the library that infers shapes: what they changed, so that its older rules give right shapes
// or none.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>

namespace opscape {

/// The newest set whose changes are known, and the one in whose terms nodes can be put.
inline constexpr std::int64_t kNewestOnnxOpset = 21, kPlainOnnxOpset = 17;

/// Puts nodes of sets up to kNewestOnnxOpset, also in subgraphs, in the terms of kPlainOnnxOpset, as far as the shapes
/// of their outputs go. Where the older rule would be wrong, the node gets a type that has no rule.
void toPlainOpset(onnx::GraphProto& graph);

} // namespace opscape
