// SPDX-License-Identifier: MIT
#include <opscape/cost/cost_model.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

std::int64_t rooflineNs(const OpCost& cost, const DeviceKind& kind) {
    const double compute = cost.flops / kind.peak(cost.computeType) * 1e9;
    const double memory = cost.bytesMoved / kind.memoryBandwidth * 1e9;
    return kind.launchNs + std::llround(compute + memory - kind.overlap * std::min(compute, memory));
}

} // namespace

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
            m_timeNs[i * m_kinds + k] = here ? it->second : rooflineNs(m_costs.back(), kind);
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
