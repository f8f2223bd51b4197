// SPDX-License-Identifier: MIT
// The rules are those of the simulator (simulator.h), applied to when everything ran: an original lasts from the start
// of its producer to the end of its last local reader and last send, a copy from the start of its transfer to the end
// of its last reader there.
#include <opscape/sim/memory_use.h>
#include <opscape/sim/unit_graph.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace opscape {
namespace {

class SpanFinder {
public:
    SpanFinder(const Problem& problem, const Plan& plan, const Schedule& schedule,
               std::vector<std::vector<MemorySpan>>& spans)
        : m_problem(problem),
          m_plan(plan),
          m_schedule(schedule),
          m_spans(spans) {
        m_units.build(problem, plan.fusionGroup);
    }

    void find() {
        for (std::uint32_t i = 0; i < m_schedule.transfers.size(); ++i) {
            if (m_schedule.transfers[i].tensor.valid())
                m_sent.emplace_back(m_schedule.transfers[i].tensor.value, i);
        }
        std::ranges::sort(m_sent);
        for (std::uint32_t unit = 0; unit < m_units.unitCount(); ++unit) {
            addWorkspace(unit);
            for (std::uint32_t slot = m_units.outFirst[unit]; slot < m_units.outFirst[unit + 1]; ++slot)
                addSlot(unit, slot);
        }
        addResidents();
        for (auto& spans : m_spans)
            std::ranges::stable_sort(spans, {}, &MemorySpan::sinceNs);
    }

private:
    [[nodiscard]] DeviceId deviceOf(std::uint32_t unit) const { return m_plan.device[m_units.firstOp[unit]]; }
    [[nodiscard]] const OpRun& runOf(std::uint32_t unit) const { return m_schedule.ops[m_units.firstOp[unit]]; }

    void add(DeviceId device, const MemorySpan& span) {
        if (span.bytes > 0 && span.untilNs > span.sinceNs)
            m_spans[device.index()].push_back(span);
    }

    void addWorkspace(std::uint32_t unit) {
        add(deviceOf(unit), {MemorySpan::Kind::Workspace, TensorId(), OpId(m_units.firstOp[unit]),
                             m_units.workspaceBytes[unit], runOf(unit).startNs, runOf(unit).endNs});
    }

    /// When the last reader on a device ends; `ns` where that is later.
    [[nodiscard]] std::int64_t lastRead(std::uint32_t slot, DeviceId device, std::int64_t ns) const {
        for (std::uint32_t i = m_units.readerFirst[slot]; i < m_units.readerFirst[slot + 1]; ++i) {
            if (deviceOf(m_units.readers[i]) == device)
                ns = std::max(ns, runOf(m_units.readers[i]).endNs);
        }
        return ns;
    }

    void addSlot(std::uint32_t unit, std::uint32_t slot) {
        if (m_units.slotTensor[slot] == UnitGraph::kSignal)
            return;
        const TensorId tensor(m_units.slotTensor[slot]);
        const OpId producer = m_problem.graph->producer(tensor);
        const DeviceId home = deviceOf(unit);
        std::int64_t untilNs = lastRead(slot, home, runOf(unit).endNs);
        auto sent = std::ranges::lower_bound(m_sent, std::pair(tensor.value, 0U));
        for (; sent != m_sent.end() && sent->first == tensor.value; ++sent) {
            const Transfer& transfer = m_schedule.transfers[sent->second];
            untilNs = std::max(untilNs, transfer.endNs);
            add(transfer.to, {MemorySpan::Kind::Copy, tensor, producer, m_units.slotBytes[slot], transfer.startNs,
                              lastRead(slot, transfer.to, transfer.endNs)});
        }
        add(home,
            {MemorySpan::Kind::Output, tensor, producer, m_units.slotHomeBytes[slot], runOf(unit).startNs, untilNs});
    }

    void addResidents() {
        const Graph& graph = *m_problem.graph;
        std::vector<std::size_t> stamp(m_spans.size(), graph.tensorCount());
        for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
            const TensorId tensor(t);
            if (graph.producer(tensor).valid())
                continue;
            for (const OpId reader : graph.consumers(tensor)) {
                const DeviceId device = m_plan.device[reader.index()];
                if (std::exchange(stamp[device.index()], t) != t)
                    add(device, {MemorySpan::Kind::Resident, tensor, reader, graph.tensorBytes(tensor), 0,
                                 std::numeric_limits<std::int64_t>::max()});
            }
        }
    }

    const Problem& m_problem;
    const Plan& m_plan;
    const Schedule& m_schedule;
    std::vector<std::vector<MemorySpan>>& m_spans;
    UnitGraph m_units;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_sent; ///< tensor and transfer
};

} // namespace

std::string_view toString(MemorySpan::Kind kind) {
    switch (kind) {
    case MemorySpan::Kind::Output:
        return "output";
    case MemorySpan::Kind::Copy:
        return "copy";
    case MemorySpan::Kind::Resident:
        return "resident";
    case MemorySpan::Kind::Workspace:
        break;
    }
    return "workspace";
}

MemoryUse::MemoryUse(const Problem& problem, const Plan& plan, const Schedule& schedule)
    : m_spans(problem.cluster->deviceCount()) {
    SpanFinder(problem, plan, schedule, m_spans).find();
}

std::vector<MemorySpan> MemoryUse::aliveAt(DeviceId device, std::int64_t ns) const {
    std::vector<MemorySpan> alive;
    for (const MemorySpan& span : of(device)) {
        if (span.sinceNs > ns)
            break;
        if (span.untilNs > ns)
            alive.push_back(span);
    }
    std::ranges::sort(alive, {}, [](const MemorySpan& s) {
        return std::tuple(-s.bytes, static_cast<int>(s.kind), s.tensor.value, s.op.value);
    });
    return alive;
}

} // namespace opscape
