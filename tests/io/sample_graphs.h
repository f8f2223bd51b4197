// SPDX-License-Identifier: MIT
// The graphs in data/graphs, made here so that anyone can see what is in them and make them again.
#pragma once

#include <opscape/graph/graph.h>

#include <vector>

namespace opscape {

struct SampleGraph {
    const char* file; ///< in data/graphs
    Graph graph;
};

[[nodiscard]] std::vector<SampleGraph> sampleGraphs();

} // namespace opscape
