// SPDX-License-Identifier: MIT
// Time of every op on every kind of device, by the roofline: launch + c + m - rho * min(c, m) with c = flops /
// (peak(dtype) * e_c), m = bytes moved / (memory bandwidth * e_m) (Williams, Waterman, Patterson 2009; rho = 1 is their
// maximum, 0 the sum). e_c and e_m are the parts of the nominal peaks that the kind of device reaches for that class of
// ops and that much work (efficiency.h). A time given in the graph for (op, kind of device) replaces all of it. Built
// once per (graph, cluster), then read only.
#pragma once

#include <opscape/base/diagnostics.h>
#include <opscape/cost/op_cost.h>
#include <opscape/device/cluster.h>

#include <vector>

namespace opscape {

/// What work takes on a device, ns, apart from launching it: at the rate that large kernels of its class reach, and
/// what is lost on top because one kernel does not fill the device (from w / (w + half) follows half / rate, however
/// large w is). The first adds up over ops that are done in one kernel, of the second one kernel has the largest.
struct WorkTime {
    double computeNs = 0;
    double memoryNs = 0;
    double computeLossNs = 0;
    double memoryLossNs = 0;
    bool launches = true;
};
[[nodiscard]] WorkTime workTime(const OpCost& cost, const DeviceKind& kind);
/// One kernel: launch and roofline. Where none runs, 1 ns, the least there is: time goes on from each op to the next.
[[nodiscard]] std::int64_t kernelNs(const WorkTime& work, const DeviceKind& kind);

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
