// SPDX-License-Identifier: MIT
#include <opscape/sim/optimistic_costs.h>

#include <algorithm>
#include <limits>

namespace opscape {
namespace {

constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::max() / 4;

class OptimisticTable {
public:
    OptimisticTable(const Problem& problem, const UnitGraph& graph, std::span<const DeviceId> fixed)
        : m_cluster(*problem.cluster),
          m_graph(graph),
          m_fixed(fixed),
          m_devices(problem.cluster->deviceCount()),
          m_costs(graph.unitCount() * m_devices, 0),
          m_wholeNs(m_costs.size(), kNowhere) {}

    std::vector<std::int64_t> fill() {
        for (std::size_t i = m_graph.topological.size(); i-- > 0;) {
            const std::uint32_t unit = m_graph.topological[i];
            for (std::uint32_t s = m_graph.outFirst[unit]; s < m_graph.outFirst[unit + 1]; ++s) {
                for (std::uint32_t r = m_graph.readerFirst[s]; r < m_graph.readerFirst[s + 1]; ++r)
                    addReader(unit, s, m_graph.readers[r]);
            }
            for (std::size_t d = 0; d < m_devices; ++d) {
                if (m_fixed.empty() || !m_fixed[unit].valid() || m_fixed[unit] == DeviceId(d))
                    m_wholeNs[unit * m_devices + d] =
                        m_costs[unit * m_devices + d] + m_graph.unitNs(unit, m_cluster.device(DeviceId(d)).kind);
            }
        }
        return std::move(m_costs);
    }

private:
    void addReader(std::uint32_t unit, std::uint32_t slot, std::uint32_t reader) {
        const std::int64_t* whole = &m_wholeNs[reader * m_devices];
        const std::int64_t fastestNs = *std::min_element(whole, whole + m_devices);
        for (std::size_t from = 0; from < m_devices; ++from) {
            std::int64_t leastNs = whole[from];
            for (std::size_t to = 0; to < m_devices && leastNs > fastestNs; ++to) {
                if (whole[to] < leastNs)
                    leastNs = std::min(leastNs, whole[to] + sentNs(slot, DeviceId(from), DeviceId(to)));
            }
            std::int64_t& cost = m_costs[unit * m_devices + from];
            cost = std::max(cost, leastNs);
        }
    }

    [[nodiscard]] std::int64_t sentNs(std::uint32_t slot, DeviceId from, DeviceId to) const {
        return m_graph.slotTensor[slot] == UnitGraph::kSignal ? m_cluster.routeLatencyNs(from, to)
                                                              : m_cluster.transferNs(m_graph.slotBytes[slot], from, to);
    }

    const Cluster& m_cluster;
    const UnitGraph& m_graph;
    std::span<const DeviceId> m_fixed;
    std::size_t m_devices;
    std::vector<std::int64_t> m_costs; ///< [unit][device]
    std::vector<std::int64_t>
        m_wholeNs; ///< [unit][device]: the unit itself and what follows; kNowhere where not allowed
};

} // namespace

std::vector<std::int64_t> optimisticCosts(const Problem& problem, const UnitGraph& graph,
                                          std::span<const DeviceId> fixed) {
    return OptimisticTable(problem, graph, fixed).fill();
}

} // namespace opscape
