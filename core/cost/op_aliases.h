// SPDX-License-Identifier: MIT
// Op types of TensorFlow and XLA under the names that rules and kinds are kept by. An op keeps the type of its file;
// what is known of the work behind it is looked up here.
#pragma once

#include <opscape/graph/graph.h>

namespace opscape {

/// The type whose rule holds, "Add" for "AddV2" and for "add"; the type itself where it has no other name.
[[nodiscard]] std::string_view ruleTypeOf(std::string_view type);
/// The same, where the attributes tell apart what two formats call by one name: "Sum" adds its operands up in ONNX,
/// and the values of its first operand in TensorFlow.
[[nodiscard]] std::string_view ruleTypeOf(const Op& op);

} // namespace opscape
