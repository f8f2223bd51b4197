// SPDX-License-Identifier: MIT
// How much of a device's nominal peaks a kernel reaches. It depends on what the kernel does (a copy streams, a matrix
// product reuses, a recurrent cell waits for itself) and on how much of it there is: a small kernel does not fill the
// device.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace opscape {

/// What a kernel does, as far as it decides which part of the peaks is within reach.
enum class OpClass : std::uint8_t {
    Matrix,             ///< products of matrices
    Convolution,        ///< dense, or of a few groups
    GroupedConvolution, ///< many groups, depthwise at the end of it: little reuse
    Recurrent,          ///< cells in which a step waits for the one before
    Attention,          ///< fused attention
    Reduction,          ///< normalisation, softmax, pooling, sums, losses
    Elementwise,        ///< one value out per value in; the update of weights
    Movement            ///< copies: gather, scatter, transpose, concat
};
inline constexpr std::size_t kOpClassCount = 8;

/// "matrix", "grouped_convolution", ...; the names in cluster files.
[[nodiscard]] std::string_view toString(OpClass opClass);
[[nodiscard]] std::optional<OpClass> parseOpClass(std::string_view name);

/// A kernel of w FLOP runs at `compute` * w / (w + halfFlops) of the peak; so does one of w bytes at `memory` * w / (w
/// + halfBytes) of the memory bandwidth. At w = halfFlops it is half of what large kernels reach. The default is the
/// nominal peaks.
struct Efficiency {
    double compute = 1;
    double memory = 1;
    double halfFlops = 0;
    double halfBytes = 0;
};

} // namespace opscape
