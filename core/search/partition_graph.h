// SPDX-License-Identifier: MIT
// The undirected, weighted graph that METIS cuts: one vertex per colocation group or lone op, weighted by time and, on
// request, by memory; an edge wherever data or control passes, weighted by bytes.
#pragma once

#include <opscape/plan/problem.h>

#include <metis.h>

namespace opscape {

struct PartitionGraph {
    PartitionGraph(const Problem& problem, bool withMemory);

    [[nodiscard]] idx_t vertexCount() const { return static_cast<idx_t>(first.size()) - 1; }

    std::vector<idx_t> vertexOf;         ///< per op
    idx_t constraints = 1;               ///< weights per vertex
    std::vector<idx_t> first, neighbors; ///< CSR, both directions
    std::vector<idx_t> edgeWeights;
    std::vector<idx_t> vertexWeights; ///< [vertex][constraint]: time, memory
};

/// METIS adds weights up in 32 bits: scaled down, if need be, so that their sum stays below 2^30. Positive weights stay
/// positive.
[[nodiscard]] std::vector<idx_t> scaledWeights(const std::vector<std::int64_t>& weights);

} // namespace opscape
