// SPDX-License-Identifier: MIT
// The functions that an ONNX model brings along: each call of one is replaced by the nodes of the function, in a scope
// of the call's name, so that shapes are inferred and ops shown as of any other node.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/base/result.h>

#include <onnx/onnx_pb.h>

#include <string>

namespace opscape {

/// How much may become of all calls together.
struct OnnxFunctionLimits {
    std::size_t nodes = 200'000;
    std::size_t bytes = std::size_t{1} << 28;
};

/// Calls that stay, because their function is of another operator set than the model or all of them would be too many,
/// and functions without a call are counted. Fails where a function calls itself.
[[nodiscard]] Result<> openOnnxFunctions(onnx::ModelProto& model, const std::string& origin, Diagnostics& diagnostics,
                                         const OnnxFunctionLimits& limits = {});

} // namespace opscape
