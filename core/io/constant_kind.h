// SPDX-License-Identifier: MIT
// What a constant of a file that does not tell weights from constants is taken for.
#pragma once

#include <opscape/graph/types.h>

namespace opscape {

/// A tensor of numbers that training could have changed is a weight; a scalar, an index or a shape is a constant.
[[nodiscard]] inline TensorKind kindOfConstant(DType type, std::size_t rank) {
    return rank > 0 && isFloat(type) ? TensorKind::Weight : TensorKind::Constant;
}

} // namespace opscape
