// SPDX-License-Identifier: MIT
// One rule per type of TensorFlow's ops that says the shapes of its outputs. Included by the TensorFlow reader's own
// files only.
#pragma once

#include <opscape/io/tensorflow/tensorflow_numbers.h>

namespace opscape {

/// Of the output of that port; nothing where no rule tells. Dimensions may be open.
[[nodiscard]] std::optional<Shape> inferredShape(const TfNodeView& node);

} // namespace opscape
