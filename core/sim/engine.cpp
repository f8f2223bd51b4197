// SPDX-License-Identifier: MIT
#include <opscape/sim/engine.h>

#include <tuple>

namespace opscape {
namespace {

constexpr std::uint32_t kTransfer = 0x80000000u; ///< marks an event as the end of a transfer, not of a unit

} // namespace

Engine::Engine(const Problem& problem)
    : m_opGraph(problem.graph),
      m_cluster(problem.cluster),
      m_blockingSend(problem.cluster->blockingSend()),
      m_channels(*problem.cluster),
      m_isFair(problem.cluster->linkModel() == LinkModel::Fair),
      m_fair(*problem.cluster),
      m_devices(problem.cluster->deviceCount()) {}

Result<> Engine::run(const UnitGraph& graph, const Plan& plan, SimTrace* trace, std::int64_t limitNs) {
    m_graph = &graph;
    m_trace = trace;
    m_limitNs = limitNs;
    prepare(plan);
    if (m_exceeded)
        return {};
    if (trace != nullptr)
        dispatch<true>(plan.policy);
    else
        dispatch<false>(plan.policy);
    if (m_ended < graph.unitCount() && !m_exceeded)
        return fail("{}", deadlock());
    m_exceeded = m_exceeded || m_makespanNs > m_limitNs;
    return {};
}

void Engine::prepare(const Plan& plan) {
    const UnitGraph& g = *m_graph;
    m_nowNs = m_makespanNs = 0;
    m_moment = m_ended = 0;
    m_exceeded = false;
    m_channels.clear();
    m_fair.clear();
    m_touchedCount = 0;
    m_ready.clear();
    m_started.clear();
    for (std::size_t d = 0; d < m_devices.size(); ++d) {
        m_devices[d] = {};
        m_devices[d].kind = m_cluster->device(DeviceId(d)).kind.value;
    }
    m_units.resize(g.unitCount() + 1);
    m_unitsOnDevice.assign(m_devices.size(), 0);
    for (std::uint32_t u = 0; u < g.unitCount(); ++u) {
        const auto device = static_cast<std::uint16_t>(plan.device[g.firstOp[u]].value);
        m_units[u] = {g.timeNs[u * g.kindCount + m_devices[device].kind],
                      g.outputBytes[u] + g.workspaceBytes[u],
                      g.awaits[u],
                      g.inFirst[u],
                      g.outFirst[u],
                      device,
                      g.workspaceBytes[u] != 0,
                      false};
        ++m_unitsOnDevice[device];
    }
    m_units.back().inFirst = g.inFirst.back();
    m_units.back().outFirst = g.outFirst.back();
    if (m_limitNs != kNoLimit) {
        countWorkLeft();
        if (!m_exceeded)
            findTails();
        if (m_exceeded)
            return;
    }
    m_queues.prepare(g, plan, m_unitsOnDevice);
    makeCopies();
    chargeResidents();
    if (m_trace != nullptr) {
        for (auto* perUnit : {&m_trace->unitReadyNs, &m_trace->unitStartNs, &m_trace->unitEndNs})
            perUnit->assign(g.unitCount(), 0);
        m_trace->unitBehind.assign(g.unitCount(), kNobody);
        m_trace->transferBehind.assign(m_copyFirst.back(), kNobody);
        m_ranLast.assign(m_devices.size(), kNobody);
        m_trace->transferStartNs.assign(m_copyFirst.back(), 0);
        m_trace->transferEndNs.assign(m_copyFirst.back(), 0);
        m_trace->steps.clear();
    }
}

void Engine::countWorkLeft() {
    for (std::uint32_t u = 0; u < m_graph->unitCount(); ++u)
        m_devices[m_units[u].device].leftNs += m_units[u].lengthNs;
    m_exceeded = std::ranges::any_of(m_devices, [this](const SimDevice& d) { return d.leftNs > m_limitNs; });
}

void Engine::findTails() {
    const UnitGraph& g = *m_graph;
    const std::int64_t slackNs = m_isFair ? 1 : 0; // a shared link rounds what is left of a transfer again and again
    m_tailNs.resize(g.unitCount());
    for (std::size_t i = g.topological.size(); i-- > 0;) {
        const std::uint32_t unit = g.topological[i];
        const std::uint16_t device = m_units[unit].device;
        std::int64_t behindNs = 0;
        for (std::uint32_t s = g.outFirst[unit]; s < g.outFirst[unit + 1]; ++s) {
            for (std::uint32_t r = g.readerFirst[s]; r < g.readerFirst[s + 1]; ++r) {
                const std::uint16_t to = m_units[g.readers[r]].device;
                std::int64_t tailNs = m_tailNs[g.readers[r]];
                if (to != device)
                    tailNs += g.slotTensor[s] == UnitGraph::kSignal
                                  ? m_channels.latencyNs(device, to)
                                  : m_channels.lengthNs(g.slotBytes[s], device, to) - slackNs;
                behindNs = std::max(behindNs, tailNs);
            }
        }
        m_tailNs[unit] = behindNs + g.timeNs[unit * g.kindCount + m_devices[device].kind];
        m_exceeded = m_exceeded || m_tailNs[unit] > m_limitNs;
    }
}

void Engine::makeCopies() {
    const UnitGraph& g = *m_graph;
    const std::size_t most = g.slotCount() + g.readers.size(); // no plan makes more, so later runs allocate nothing
    m_copies.resize(most);
    m_copySlot.resize(most);
    m_transferNs.resize(most);
    m_ready.reserve(most);
    m_started.reserve(most);
    m_touched.resize(m_devices.size() + 1); // one to spare, see touch()
    m_heap.clear(most + m_devices.size());
    m_firstWaiter.resize(most);
    m_nextWaiter.resize(most);
    m_copyFirst.resize(g.slotCount() + 1);
    m_stamp.assign(m_devices.size(), kNobody);
    m_copyOn.resize(m_devices.size());
    m_inputCopy.resize(g.inputs.size());
    std::uint32_t count = 0;
    for (std::uint32_t s = 0; s < g.slotCount(); ++s) {
        const std::uint32_t first = count;
        m_copyFirst[s] = first;
        const auto add = [&](std::uint16_t device) {
            m_stamp[device] = s;
            m_copyOn[device] = count;
            m_copies[count] = {count == first ? g.slotHomeBytes[s] : g.slotBytes[s], 0, device};
            m_copySlot[count] = s;
            m_firstWaiter[count++] = kNobody;
        };
        const std::uint16_t from = m_units[g.slotUnit[s]].device;
        add(from);
        for (std::uint32_t i = g.readerFirst[s]; i < g.readerFirst[s + 1]; ++i) {
            const std::uint16_t device = m_units[g.readers[i]].device;
            if (m_stamp[device] != s) {
                m_transferNs[count] = m_channels.lengthNs(g.slotBytes[s], from, device);
                add(device);
            }
            ++m_copies[m_copyOn[device]].users;
            if (g.inputOfReader[i] != UnitGraph::kSignal)
                m_inputCopy[g.inputOfReader[i]] = m_copyOn[device];
        }
        m_copies[first].users += count - first - 1;
    }
    m_copyFirst[g.slotCount()] = count;
}

void Engine::chargeResidents() {
    const UnitGraph& g = *m_graph;
    m_stamp.assign(m_devices.size(), kNobody);
    for (std::uint32_t r = 0; r < g.residentCount(); ++r) {
        for (std::uint32_t i = g.residentFirst[r]; i < g.residentFirst[r + 1]; ++i) {
            const std::uint16_t device = m_units[g.residentReaders[i]].device;
            if (m_stamp[device] != r)
                m_devices[device].residentBytes += g.residentBytes[r];
            m_stamp[device] = r;
        }
    }
    for (SimDevice& device : m_devices)
        device.memoryBytes = device.peakBytes = device.residentBytes;
}

template <bool kTraced>
void Engine::dispatch(QueuePolicy policy) {
    switch (policy) {
    case QueuePolicy::Fifo:
        return loop<QueuePolicy::Fifo, kTraced>();
    case QueuePolicy::Priority:
        return loop<QueuePolicy::Priority, kTraced>();
    case QueuePolicy::Order:
        return loop<QueuePolicy::Order, kTraced>();
    }
}

template <QueuePolicy P, bool kTraced>
void Engine::loop() {
    for (std::uint32_t u = 0; u < m_graph->unitCount(); ++u) {
        if (m_units[u].awaits == 0) {
            m_queues.add<P>(u, m_units[u].device, 0);
            touch(m_units[u].device);
        }
    }
    for (;;) {
        while (nextNs() == m_nowNs) {
            while (m_heap.nextNs() == m_nowNs) {
                const std::uint32_t what = m_heap.pop();
                if ((what & kTransfer) != 0)
                    endTransfer<P, kTraced>(what & ~kTransfer);
                else
                    endUnit<P, kTraced>(what);
            }
            if (m_isFair && m_fair.nextNs() == m_nowNs) {
                m_arrived.clear();
                m_fair.advance(m_nowNs, m_arrived);
                for (const std::uint32_t copy : m_arrived)
                    endTransfer<P, kTraced>(copy);
            }
            admitTransfers<kTraced>();
        }
        for (const std::uint32_t copy : m_started) {
            charge<kTraced>(m_copies[copy].device, m_copies[copy].bytes);
            if constexpr (kTraced)
                note(m_copies[copy].device, m_copies[copy].bytes, copy);
        }
        m_started.clear();
        for (std::size_t i = 0; i < m_touchedCount; ++i) {
            m_devices[m_touched[i]].touched = false;
            startNext<P, kTraced>(m_touched[i]);
        }
        m_touchedCount = 0;
        if (m_exceeded || (m_heap.empty() && (!m_isFair || m_fair.nextNs() == FairLinks::kNever)))
            return;
        m_nowNs = nextNs();
        ++m_moment;
    }
}

template <QueuePolicy P, bool kTraced>
void Engine::startNext(std::uint16_t device) {
    SimDevice& d = m_devices[device];
    if (d.busy || d.sending > 0)
        return;
    const std::uint32_t unit = m_queues.take<P>(device, [this](std::uint32_t u) { return m_units[u].awaits == 0; });
    if (unit == kNobody)
        return;
    const UnitState& state = m_units[unit];
    d.busy = true;
    d.busyNs += state.lengthNs;
    if (m_limitNs != kNoLimit) {
        m_exceeded = m_exceeded || m_nowNs + std::max(m_tailNs[unit], d.leftNs) > m_limitNs;
        d.leftNs -= state.lengthNs;
    }
    charge<kTraced>(device, state.takesBytes);
    m_heap.push({m_nowNs + state.lengthNs, unit});
    prefetch(state);
    if constexpr (kTraced) {
        const UnitGraph& g = *m_graph;
        m_trace->unitStartNs[unit] = m_nowNs;
        m_trace->unitBehind[unit] = m_ranLast[device];
        m_ranLast[device] = unit;
        for (std::uint32_t s = g.outFirst[unit]; s < g.outFirst[unit + 1]; ++s)
            note(device, g.slotHomeBytes[s], m_copyFirst[s]);
        note(device, g.workspaceBytes[unit], kNobody);
    }
}

template <QueuePolicy P, bool kTraced>
void Engine::endUnit(std::uint32_t unit) {
    const UnitGraph& g = *m_graph;
    UnitState& state = m_units[unit];
    const std::uint32_t inEnd = m_units[unit + 1].inFirst, outEnd = m_units[unit + 1].outFirst;
    const std::uint16_t device = state.device;
    SimDevice& d = m_devices[device];
    d.busy = false;
    touch(device);
    state.ended = true;
    ++m_ended;
    m_makespanNs = m_nowNs;
    if constexpr (kTraced)
        m_trace->unitEndNs[unit] = m_nowNs;
    if (state.hasWorkspace) {
        d.memoryBytes -= g.workspaceBytes[unit];
        if constexpr (kTraced)
            note(device, -g.workspaceBytes[unit], kNobody);
    }
    for (std::uint32_t i = state.inFirst; i < inEnd; ++i) {
        const std::uint32_t copy = m_inputCopy[i];
        --m_copies[copy].users;
        releaseUnused<kTraced>(copy);
    }
    for (std::uint32_t s = state.outFirst; s < outEnd; ++s) {
        const std::uint32_t original = m_copyFirst[s];
        for (std::uint32_t copy = original + 1; copy < m_copyFirst[s + 1]; ++copy) {
            if (g.slotTensor[s] == UnitGraph::kSignal)
                startTransfer<kTraced>(copy, m_nowNs + m_channels.latencyNs(device, m_copies[copy].device));
            else
                m_ready.push_back(copy);
        }
        releaseUnused<kTraced>(original);
        tellReaders<P, kTraced>(s, device);
    }
}

template <QueuePolicy P, bool kTraced>
void Engine::endTransfer(std::uint32_t copy) {
    const std::uint32_t slot = m_copySlot[copy];
    const std::uint32_t original = m_copyFirst[slot];
    if constexpr (kTraced)
        m_trace->transferEndNs[copy] = m_nowNs;
    --m_copies[original].users;
    releaseUnused<kTraced>(original);
    if (m_blockingSend && m_graph->slotTensor[slot] != UnitGraph::kSignal) {
        --m_devices[m_copies[original].device].sending;
        touch(m_copies[original].device);
    }
    for (std::uint32_t waiter = m_firstWaiter[copy]; waiter != kNobody; waiter = m_nextWaiter[waiter])
        startTransfer<kTraced>(waiter, m_transferNs[waiter]);
    tellReaders<P, kTraced>(slot, m_copies[copy].device);
}

template <QueuePolicy P, bool kTraced>
void Engine::tellReaders(std::uint32_t slot, std::uint16_t device) {
    const UnitGraph& g = *m_graph;
    for (std::uint32_t i = g.readerFirst[slot]; i < g.readerFirst[slot + 1]; ++i) {
        UnitState& reader = m_units[g.readers[i]];
        if (reader.device != device || --reader.awaits > 0)
            continue;
        m_queues.add<P>(g.readers[i], device, m_nowNs);
        touch(device);
        if constexpr (kTraced)
            m_trace->unitReadyNs[g.readers[i]] = m_nowNs;
    }
}

template <bool kTraced>
void Engine::admitTransfers() {
    const auto key = [this](std::uint32_t copy) {
        return std::tuple(m_graph->slotTensor[m_copySlot[copy]], m_copies[copy].device);
    };
    if (m_ready.size() > 1 && !std::ranges::is_sorted(m_ready, {}, key))
        std::ranges::sort(m_ready, {}, key);
    for (const std::uint32_t copy : m_ready) {
        const std::uint16_t from = m_copies[m_copyFirst[m_copySlot[copy]]].device;
        const auto grant = m_channels.admit(copy, m_nowNs, m_transferNs[copy], from, m_copies[copy].device);
        m_devices[from].sending += m_blockingSend ? 1 : 0;
        if (m_limitNs != kNoLimit)
            checkArrival(copy, m_isFair ? grant.endNs - 1 : grant.endNs);
        if constexpr (kTraced)
            m_trace->transferBehind[copy] = grant.behind;
        if (m_isFair) {
            m_started.push_back(copy);
            m_fair.start(copy, m_nowNs, m_copies[copy].bytes, from, m_copies[copy].device);
            if constexpr (kTraced)
                m_trace->transferStartNs[copy] = m_nowNs;
        } else if (grant.behind == ChannelQueues::kNobody) {
            startTransfer<kTraced>(copy, grant.endNs);
        } else {
            m_transferNs[copy] = grant.endNs;
            m_nextWaiter[copy] = m_firstWaiter[grant.behind];
            m_firstWaiter[grant.behind] = copy;
        }
    }
    m_ready.clear();
}

void Engine::checkArrival(std::uint32_t copy, std::int64_t endNs) {
    const std::uint32_t slot = m_copySlot[copy];
    for (std::uint32_t i = m_graph->readerFirst[slot]; i < m_graph->readerFirst[slot + 1]; ++i) {
        const std::uint32_t reader = m_graph->readers[i];
        if (m_units[reader].device == m_copies[copy].device && endNs + m_tailNs[reader] > m_limitNs)
            m_exceeded = true;
    }
}

template <bool kTraced>
void Engine::startTransfer(std::uint32_t copy, std::int64_t endNs) {
    m_started.push_back(copy);
    m_heap.push({endNs, kTransfer | copy});
    if constexpr (kTraced) {
        m_trace->transferStartNs[copy] = m_nowNs;
        m_trace->transferEndNs[copy] = endNs;
    }
}

template <bool kTraced>
void Engine::charge(std::uint16_t device, std::int64_t bytes) {
    SimDevice& d = m_devices[device];
    d.memoryBytes += bytes;
    if (d.memoryBytes > d.peakBytes) {
        d.peakBytes = d.memoryBytes;
        d.peakNs = m_nowNs;
    }
}

template <bool kTraced>
void Engine::releaseUnused(std::uint32_t copy) {
    const SimCopy& c = m_copies[copy];
    const std::int64_t bytes = c.users == 0 ? c.bytes : 0; // no branch: it could not be predicted
    m_devices[c.device].memoryBytes -= bytes;
    if constexpr (kTraced)
        note(c.device, -bytes, copy);
}

void Engine::note(std::uint16_t device, std::int64_t bytes, std::uint32_t copy) {
    if (bytes != 0)
        m_trace->steps.push_back({m_nowNs, bytes, m_moment, copy, device});
}

void Engine::touch(std::uint16_t device) {
    m_touched[m_touchedCount] = device; // no branch: it could not be predicted
    m_touchedCount += m_devices[device].touched ? 0 : 1;
    m_devices[device].touched = true;
}

void Engine::prefetch(const UnitState& unit) const {
    const UnitState& next = *(&unit + 1);
    for (std::uint32_t i = unit.inFirst; i < next.inFirst; ++i)
        __builtin_prefetch(m_copies.data() + m_inputCopy[i], 1);
    __builtin_prefetch(m_graph->readerFirst.data() + unit.outFirst);
    __builtin_prefetch(m_copies.data() + m_copyFirst[unit.outFirst], 1);
}

std::string Engine::deadlock() const {
    const auto name = [this](std::uint32_t unit) -> const std::string& {
        return m_opGraph->op(OpId(m_graph->firstOp[unit])).name;
    };
    const auto deviceName = [this](std::uint32_t unit) -> const std::string& {
        return m_cluster->device(DeviceId(m_units[unit].device)).name;
    };
    // Somebody that has not ended and that the unit waits for, directly.
    const auto awaited = [this](std::uint32_t unit) {
        for (std::uint32_t i = m_graph->memberFirst[unit]; i < m_graph->memberFirst[unit + 1]; ++i) {
            for (const OpId before : m_opGraph->predecessors(m_graph->members[i])) {
                const std::uint32_t other = m_graph->unitOf[before.index()];
                if (other != unit && !m_units[other].ended)
                    return other;
            }
        }
        return kNobody;
    };
    std::size_t device = 0;
    while (m_queues.firstInOrder(device) == kNobody)
        ++device;
    std::vector<std::uint32_t> heads{m_queues.firstInOrder(device)};
    std::vector<std::string> steps;
    for (;;) {
        const std::uint32_t waits = heads.back();
        const std::uint32_t other = awaited(waits);
        const std::uint32_t first = m_queues.firstInOrder(m_units[other].device);
        steps.push_back(fmt::format("on {} {} waits for {}", deviceName(waits), name(waits), name(other)));
        if (first != other)
            steps.back() += fmt::format(", which {} runs only after {}", deviceName(other), name(first));
        const auto seen = std::ranges::find(heads, first);
        if (seen != heads.end()) {
            steps.erase(steps.begin(), steps.begin() + (seen - heads.begin()));
            return fmt::format("the order of the plan deadlocks: {}.", fmt::join(steps, "; "));
        }
        heads.push_back(first);
    }
}

} // namespace opscape
