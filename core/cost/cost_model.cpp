// SPDX-License-Identifier: MIT
#include <opscape/cost/cost_model.h>

#include <algorithm>
#include <cmath>

namespace opscape {

WorkTime workTime(const OpCost& cost, const DeviceKind& kind) {
    const Efficiency& reached = kind.efficiency(cost.opClass, cost.computeType);
    const double flopRate = kind.peak(cost.computeType) * reached.compute;
    const double byteRate = kind.memoryBandwidth * reached.memory;
    return {cost.flops / flopRate * 1e9, cost.bytesMoved / byteRate * 1e9,
            cost.flops > 0 ? reached.halfFlops / flopRate * 1e9 : 0,
            cost.bytesMoved > 0 ? reached.halfBytes / byteRate * 1e9 : 0, cost.launches};
}

std::int64_t kernelNs(const WorkTime& work, const DeviceKind& kind) {
    if (!work.launches)
        return 1;
    const double compute = work.computeNs + work.computeLossNs;
    const double memory = work.memoryNs + work.memoryLossNs;
    return kind.launchNs + std::llround(compute + memory - kind.overlap * std::min(compute, memory));
}

CostModel::CostModel(const Graph& graph, const Cluster& cluster, Diagnostics& diagnostics)
    : m_kinds(cluster.kindCount()),
      m_timeNs(graph.opCount() * m_kinds),
      m_given(graph.opCount() * m_kinds) {
    m_costs.reserve(graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        m_costs.push_back(opCost(graph, OpId(i)));
        bool given = true;
        for (std::size_t k = 0; k < m_kinds; ++k) {
            const DeviceKind& kind = cluster.kind(KindId(k));
            auto it = op.timeNs.find(kind.name);
            if (it == op.timeNs.end())
                it = op.timeNs.find(kind.type);
            const bool here = it != op.timeNs.end();
            m_given[i * m_kinds + k] = here;
            m_timeNs[i * m_kinds + k] = here ? it->second : kernelNs(workTime(m_costs.back(), kind), kind);
            given = given && here;
        }
        if (!m_costs.back().known && !given)
            diagnostics.add(Severity::Warning, "unknown-op", "Ops of a type without a cost rule, costed by bytes moved",
                            fmt::format("{} ({})", op.name, op.type.empty() ? "no type" : op.type));
    }
}

std::int64_t CostModel::fastestNs(OpId op) const {
    const auto* row = m_timeNs.data() + op.index() * m_kinds;
    return *std::min_element(row, row + m_kinds);
}

double CostModel::totalFlops() const {
    double sum = 0;
    for (const OpCost& cost : m_costs)
        sum += cost.flops;
    return sum;
}

} // namespace opscape
