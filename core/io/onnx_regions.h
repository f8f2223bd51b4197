// SPDX-License-Identifier: MIT
// The work of ops in subgraphs: those in a loop do that of all its rounds, and of branches only the one with most work
// does any, as a compiler's conditional is costed.
#pragma once

#include <opscape/graph/graph_builder.h>

#include <span>

namespace opscape {

/// The ops of one subgraph, those of subgraphs inside it included.
struct OnnxRegion {
    std::size_t first = 0, last = 0; ///< ops from first on, before last
    double rounds = 1;
    int choice = -1; ///< branches of one number exclude one another; -1: no branch
};

/// Inner regions come before those around them, branches of one choice after one another.
void weighRegions(GraphBuilder& builder, std::span<const OnnxRegion> regions);

} // namespace opscape
