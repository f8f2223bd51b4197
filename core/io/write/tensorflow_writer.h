// SPDX-License-Identifier: MIT
// A graph as TensorFlow GraphDef in text form (.pbtxt): ops as nodes with device strings, inputs as name:port, control
// edges as ^name, shapes as _output_shapes, colocation as _class. What ops read and none makes becomes Placeholder,
// VariableV2 or Const. Names that TensorFlow would refuse are changed.
#pragma once

#include <opscape/base/result.h>
#include <opscape/io/write/graph_to_write.h>

namespace opscape {

[[nodiscard]] Result<WrittenGraph> writeTensorflowText(const GraphToWrite& what);

} // namespace opscape
