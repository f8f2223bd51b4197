// SPDX-License-Identifier: MIT
// What colours and a plan mean for the boxes and edges of a scene: the share of each colour in every scope, what the
// numbers of a scale come to there, and what crosses devices on every edge. Worked out once for a scene, in a pass over
// ops and edges.
#pragma once

#include "op_colours.h"

#include <opscape/layout/graph_layout.h>
#include <opscape/plan/problem.h>

#include <limits>
#include <span>
#include <vector>

namespace opscape {

class ScenePlacement {
public:
    /// Transfers that an edge stands for: each tensor counts once for each device it goes to.
    struct Crossing {
        DeviceId from;    ///< sender of the largest tensor; invalid when nothing crosses
        double bytes = 0; ///< 0 for control edges alone
    };
    /// Of the numbers of the ops in a scope.
    struct Aggregate {
        double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
        double sum = 0;
        std::size_t count = 0;
        [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
        void add(const Aggregate& other);
    };

    /// Coloured by device. Shares go by time where a cost model and its cluster are given, else by number of ops.
    /// Without a plan there is nothing.
    ScenePlacement(const Graph& graph, const GraphScene& scene, const Plan* plan, const Cluster* cluster,
                   const CostModel* cost);
    /// Shares on a scale go by number of ops, others as above. `plan` may be null. `pins`: per op, valid where it is
    /// pinned to its device; empty when none is.
    ScenePlacement(const Graph& graph, const GraphScene& scene, const OpColours& colours, const Plan* plan,
                   std::span<const DeviceId> pins = {});

    /// Share of each class in a scope's box, adding up to 1; empty for an op or when there are no classes.
    [[nodiscard]] std::span<const float> shares(int node) const;
    /// The class with the largest share, the lower of two; -1 when there is none.
    [[nodiscard]] int dominant(int node) const;
    /// Of a scope on a scale; count is 0 elsewhere.
    [[nodiscard]] Aggregate aggregate(int node) const;
    /// The narrow side of the largest box directly in a frame: whether there is anything to be made out in it.
    [[nodiscard]] float largestInside(int frame) const { return m_largestInside[static_cast<std::size_t>(frame)]; }
    [[nodiscard]] const Crossing& crossing(int edge) const { return m_crossings[edge]; }
    /// How many ops in a box, or the op itself, are pinned to their devices.
    [[nodiscard]] std::uint32_t pinned(int node) const { return m_pinned.empty() ? 0 : m_pinned[node]; }
    [[nodiscard]] std::uint32_t pinnedOps() const { return m_pinnedOps; }

private:
    void addShares(const GraphScene& scene, const OpColours& colours);
    void addCrossings(const Graph& graph, const GraphScene& scene, const Plan& plan);
    void addPins(const GraphScene& scene, std::span<const DeviceId> pins);

    std::size_t m_classes = 0;
    std::vector<int> m_slot; ///< per node; -1 for ops
    std::vector<float> m_shares;
    std::vector<Aggregate> m_aggregates; ///< per slot; empty unless on a scale
    std::vector<float> m_largestInside;  ///< per node
    std::vector<Crossing> m_crossings;
    std::vector<std::uint32_t> m_pinned; ///< per node; empty when nothing is pinned
    std::uint32_t m_pinnedOps = 0;
};

} // namespace opscape
