// SPDX-License-Identifier: MIT
// The graph between decision units: who reads whose tensors, and how many bytes go over if they are on different
// devices. Flat rows, neighbours ascending.
#pragma once

#include <opscape/graph/graph.h>
#include <opscape/task/decision_units.h>

namespace opscape {

struct UnitEdges {
    struct Edge {
        std::uint32_t unit;     ///< the neighbour
        std::int64_t bytes = 0; ///< each tensor once, however many ops of a unit read it; 0: control only
    };
    struct Rows {
        std::vector<std::uint32_t> first; ///< per unit + 1
        std::vector<Edge> edges;
        [[nodiscard]] std::span<const Edge> of(std::uint32_t unit) const {
            return {edges.data() + first[unit], edges.data() + first[unit + 1]};
        }
    };

    Rows producers, consumers;

    UnitEdges(const Graph& graph, const DecisionUnits& units);
};

} // namespace opscape
