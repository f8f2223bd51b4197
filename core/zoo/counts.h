// SPDX-License-Identifier: MIT
// The figures by which a network is known: parameters, and multiply-adds of its matrix products and convolutions (what
// publications count; biases, activations and normalisation are left out).
#pragma once

#include <opscape/graph/graph.h>

namespace opscape {

struct GraphCounts {
    std::int64_t parameters = 0; ///< elements of all weights
    double forwardMultiplyAdds = 0, backwardMultiplyAdds = 0;
};

[[nodiscard]] GraphCounts countGraph(const Graph& graph);

} // namespace opscape
