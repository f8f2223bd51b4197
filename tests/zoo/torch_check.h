// SPDX-License-Identifier: MIT
// Runs a training-step graph with LibTorch in double precision, twice over: its forward ops under torch's autograd, and
// its own backward ops; and says how far apart the two gradients of each weight are. Free of torch's headers.
#pragma once

#include <opscape/graph/graph.h>

namespace opscape::test {

struct GradientDifference {
    std::string weight;
    double largest = 0;   ///< of the differences, relative to the largest gradient (at least 1e-3)
    double magnitude = 0; ///< of the gradient: its largest element
};

/// One per op that updates a weight. Weights and inputs are random; class numbers and indices are in range; constants
/// named constants/<number> have that value, others are random. The loss is the last scalar of the forward pass. Throws
/// std::runtime_error on an op that it does not know, and where a result has another shape than the graph says.
[[nodiscard]] std::vector<GradientDifference> compareWithAutograd(const Graph& graph, std::uint64_t seed);

} // namespace opscape::test
