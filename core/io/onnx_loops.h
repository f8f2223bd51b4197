// SPDX-License-Identifier: MIT
// Shapes of what ONNX's loops hand on from round to round. The standard's inference gives none, since a round may
// change them; here a state is taken to keep the shape that it begins with.
#pragma once

#include <onnx/onnx_pb.h>

namespace opscape {

/// Gives inputs of bodies the types that the loop begins with, and results of loops the types of states that a round
/// leaves as they are. `inferred` is the graph after inference. True where there was something to give, from which more
/// may be inferred.
bool carryStates(onnx::GraphProto& graph, const onnx::GraphProto& inferred);

} // namespace opscape
