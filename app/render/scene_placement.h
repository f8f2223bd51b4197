// SPDX-License-Identifier: MIT
// What a plan means for the boxes and edges of a scene: the share of each device in every scope, what crosses devices
// on every edge, and the totals for the legend. Worked out once for a scene and a plan, in a pass over ops and edges.
#pragma once

#include <opscape/layout/graph_layout.h>
#include <opscape/plan/problem.h>

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
    struct Total {
        std::size_t ops = 0;
        std::int64_t busyNs = 0; ///< 0 without a cost model
    };

    /// Shares go by time where a cost model and its cluster are given, else by number of ops. Without a plan there is
    /// nothing.
    ScenePlacement(const Graph& graph, const GraphScene& scene, const Plan* plan, const Cluster* cluster,
                   const CostModel* cost);

    /// Share of each device in a scope's box, adding up to 1; empty for an op or when there is no plan.
    [[nodiscard]] std::span<const float> shares(int node) const;
    /// The device with the largest share, the lower id of two; invalid when there is none.
    [[nodiscard]] DeviceId dominant(int node) const;
    [[nodiscard]] const Crossing& crossing(int edge) const { return m_crossings[edge]; }
    /// Per device that the plan uses or the cluster has.
    [[nodiscard]] const std::vector<Total>& totals() const { return m_totals; }

private:
    void addShares(const GraphScene& scene, const Plan& plan, const Cluster* cluster, const CostModel* cost);
    void addCrossings(const Graph& graph, const GraphScene& scene, const Plan& plan);

    std::size_t m_devices = 0;
    std::vector<int> m_slot; ///< per node; -1 for ops
    std::vector<float> m_shares;
    std::vector<Crossing> m_crossings;
    std::vector<Total> m_totals;
};

} // namespace opscape
