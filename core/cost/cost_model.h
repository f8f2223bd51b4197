// SPDX-License-Identifier: MIT
// Time of every op on every kind of device, by the roofline: launch + c + m - rho * min(c, m) with c = flops /
// peak(dtype), m = bytes moved / memory bandwidth (Williams, Waterman, Patterson 2009; rho = 1 is their maximum, 0 the
// sum). A time given in the graph for (op, kind of device) replaces it. Built once per (graph, cluster), then read
// only.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/cost/op_cost.h>
#include <opscape/device/cluster.h>

#include <vector>

namespace opscape {

class CostModel {
public:
    /// Ops without a rule are costed by bytes and listed in the diagnostics.
    CostModel(const Graph& graph, const Cluster& cluster, Diagnostics& diagnostics);

    /// ns
    [[nodiscard]] std::int64_t opNs(OpId op, KindId kind) const {
        return m_timeNs[op.index() * m_kinds + kind.index()];
    }
    [[nodiscard]] const OpCost& cost(OpId op) const { return m_costs[op.index()]; }
    /// True when the time was given with the graph, not computed.
    [[nodiscard]] bool isGiven(OpId op, KindId kind) const { return m_given[op.index() * m_kinds + kind.index()] != 0; }
    /// Time on the fastest kind of the cluster, ns.
    [[nodiscard]] std::int64_t fastestNs(OpId op) const;
    [[nodiscard]] double totalFlops() const;

private:
    std::size_t m_kinds;
    std::vector<std::int64_t> m_timeNs; ///< [op][kind]
    std::vector<std::uint8_t> m_given;  ///< [op][kind]
    std::vector<OpCost> m_costs;
};

} // namespace opscape
