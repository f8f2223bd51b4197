// SPDX-License-Identifier: MIT
// What kind of work an op does, told from the name of its type: what a policy may know of it. Names differ from
// framework to framework, so parts of names decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opscape::rl {

enum class OpCategory : std::uint8_t {
    Convolution,
    MatrixProduct,
    Recurrent,
    Normalization, ///< and softmax, losses
    Reduction,     ///< and pooling
    Lookup,        ///< embeddings, gathers
    Movement,      ///< concatenations, slices, copies
    Update,        ///< of weights
    Elementwise,
    Other
};
inline constexpr std::size_t kOpCategories = 10;

[[nodiscard]] OpCategory categoryOf(std::string_view opType);

} // namespace opscape::rl
