// SPDX-License-Identifier: MIT
// Walked backwards from the unit that ends last: a unit that started later than it was ready waited for what its device
// ran before it; otherwise the input that came last is the cause, and the transfer that brought it may have waited for
// others.
#include <opscape/sim/delays.h>

#include <algorithm>

namespace opscape {
namespace {

class DelayFinder {
public:
    DelayFinder(const Graph& opGraph, const UnitGraph& graph, const Engine& engine, const SimTrace& trace,
                std::vector<Delay>& found)
        : m_opGraph(opGraph),
          m_graph(graph),
          m_engine(engine),
          m_trace(trace),
          m_found(found) {}

    void find() {
        const auto last = std::ranges::max_element(m_trace.unitEndNs);
        auto unit = static_cast<std::uint32_t>(last - m_trace.unitEndNs.begin());
        for (bool more = true; more;) {
            const std::uint32_t behind = m_trace.unitBehind[unit];
            if (m_trace.unitStartNs[unit] > m_trace.unitReadyNs[unit] && behind != Engine::kNobody) {
                add(Delay::Kind::Device, unit, behind, 0);
                unit = behind;
            } else {
                more = m_trace.unitReadyNs[unit] > 0 && stepToCause(unit);
            }
        }
    }

private:
    [[nodiscard]] std::uint16_t deviceOf(std::uint32_t unit) const { return m_engine.deviceOf(unit); }

    void add(Delay::Kind kind, std::uint32_t unit, std::uint32_t by, std::uint16_t to) {
        m_found.push_back({kind, OpId(m_graph.firstOp[unit]), OpId(m_graph.firstOp[by]), DeviceId(to)});
    }

    bool stepToCause(std::uint32_t& unit) {
        for (std::uint32_t i = m_graph.inFirst[unit]; i < m_graph.inFirst[unit + 1]; ++i) {
            if (cameLast(unit, m_graph.inputs[i]))
                return unit = m_graph.slotUnit[m_graph.inputs[i]], true;
        }
        for (std::uint32_t i = m_graph.memberFirst[unit]; i < m_graph.memberFirst[unit + 1]; ++i) {
            for (const OpId before : m_opGraph.controlPredecessors(m_graph.members[i])) {
                const std::uint32_t producer = m_graph.unitOf[before.index()];
                if (producer != unit && cameLast(unit, m_graph.outFirst[producer + 1] - 1)) // the signal comes last
                    return unit = producer, true;
            }
        }
        return false;
    }

    bool cameLast(std::uint32_t unit, std::uint32_t slot) {
        const std::int64_t readyNs = m_trace.unitReadyNs[unit];
        const std::uint32_t producer = m_graph.slotUnit[slot];
        const std::uint16_t to = deviceOf(unit);
        if (deviceOf(producer) == to)
            return m_trace.unitEndNs[producer] == readyNs;
        const auto copies = m_engine.copies();
        std::uint32_t copy = m_engine.copyFirst()[slot] + 1;
        while (copies[copy].device != to)
            ++copy;
        if (m_trace.transferEndNs[copy] != readyNs)
            return false;
        add(Delay::Kind::Transfer, unit, producer, to);
        while ((copy = m_trace.transferBehind[copy]) != Engine::kNobody)
            add(Delay::Kind::Channel, unit, m_graph.slotUnit[m_engine.slotOf(copy)], copies[copy].device);
        return true;
    }

    const Graph& m_opGraph;
    const UnitGraph& m_graph;
    const Engine& m_engine;
    const SimTrace& m_trace;
    std::vector<Delay>& m_found;
};

} // namespace

void findDelays(const Graph& opGraph, const UnitGraph& graph, const Engine& engine, const SimTrace& trace,
                std::vector<Delay>& found) {
    found.clear();
    if (!trace.unitEndNs.empty())
        DelayFinder(opGraph, graph, engine, trace, found).find();
}

} // namespace opscape
