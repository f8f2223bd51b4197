// SPDX-License-Identifier: MIT
// Why nothing is lost.
//
// Order of starts: any schedule in which no unit can start earlier without a change of placement or order, listed by
// start, is built by appending. At equal starts on different devices the lower unit comes first (mode Every).
//
// Mode Fastest passes over a partial schedule when one seen before holds the same units and is nowhere later: not in
// its last start, nor in the time at which anything still to come can have a device or an input there, nor in the sum
// of all starts. It also passes over a unit that fits into a gap before the last one on its device. Among the fastest
// schedules take one with the least sum of starts. It has no such gap, and where it was passed over, the one seen
// before can be completed in the same way: as fast, with as small a sum, hence again with no unit that could start
// earlier, so this completion is one that is searched there, or passed over for something seen earlier still, and so on
// to an end.
//
// Twins: devices that can be exchanged without changing anything are taken into use in their order.
#include "branch_and_bound.h"

#include <limits>
#include <tuple>

namespace opscape {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

} // namespace

BranchAndBound::BranchAndBound(const StepModel& model, Mode mode, bool exchangesTwins)
    : m_model(model),
      m_mode(mode),
      m_exchangesTwins(exchangesTwins),
      m_lanes(model.devices),
      m_arrivesNs(model.graph.slotCount() * model.devices),
      m_groupPlaced(model.groupSize.size()),
      m_groupDevice(model.groupDevice),
      m_residentReader(model.graph.residentCount() * model.devices),
      m_roomBytes(model.memoryBytes),
      m_children(model.units),
      m_endNs(model.devices),
      m_headNs(model.devices) {
    for (const auto& inputs : model.inputs)
        m_awaits.push_back(static_cast<std::uint32_t>(inputs.size()));
}

std::int64_t BranchAndBound::run(std::int64_t limitNs, const OnSchedule& onSchedule,
                                 const std::function<bool()>& mayGoOn) {
    m_onSchedule = &onSchedule;
    m_mayGoOn = &mayGoOn;
    m_limitNs = limitNs;
    m_openNs = std::numeric_limits<std::int64_t>::max();
    m_stopped = false;
    if (const std::int64_t boundNs = lowerBound(); boundNs < m_limitNs)
        expand(boundNs);
    return std::min(m_openNs, m_limitNs);
}

void BranchAndBound::expand(std::int64_t boundNs) {
    if (!(*m_mayGoOn)()) {
        m_stopped = true;
        m_openNs = std::min(m_openNs, boundNs);
        return;
    }
    if (m_schedule.size() == m_model.units) {
        m_limitNs = (*m_onSchedule)(m_schedule, boundNs);
        return;
    }
    if (m_mode == Mode::Fastest && isSuperfluous())
        return;
    std::vector<Child>& children = m_children[m_schedule.size()];
    findChildren(children);
    for (const Child& child : children) {
        if (child.boundNs >= m_limitNs)
            return;
        if (m_stopped) {
            m_openNs = std::min(m_openNs, child.boundNs);
            return; // the others are no lower
        }
        place(child.placed);
        expand(child.boundNs);
        unplace();
    }
}

void BranchAndBound::findChildren(std::vector<Child>& children) {
    children.clear();
    for (std::uint32_t unit = 0; unit < m_model.units; ++unit) {
        if (isPlaced(unit) || m_awaits[unit] > 0)
            continue;
        for (std::size_t d = 0; d < m_model.devices; ++d) {
            if (!mayRunOn(unit, d))
                continue;
            const std::int64_t ready = readyNs(unit, d);
            const std::int64_t startNs = m_lanes[d].empty() ? ready : std::max(ready, m_lanes[d].back().endNs);
            const Placed placed{unit, static_cast<std::uint16_t>(d), startNs, startNs + m_model.unitNs(unit, d)};
            if (!isWorthTrying(placed, ready))
                continue;
            place(placed);
            const std::int64_t boundNs = lowerBound();
            unplace();
            if (boundNs < m_limitNs)
                children.push_back({boundNs, placed.endNs + m_model.tailNs(unit, d), placed});
        }
    }
    std::ranges::sort(children, {}, [](const Child& c) {
        return std::tuple(c.boundNs, c.wholeNs, c.placed.startNs, c.placed.unit, c.placed.device);
    });
}

bool BranchAndBound::mayRunOn(std::size_t unit, std::size_t device) const {
    const DeviceId given = m_groupDevice[m_model.groupOf[unit]];
    if (given.valid() || !m_exchangesTwins || !m_lanes[device].empty())
        return !given.valid() || given == DeviceId(device);
    for (std::size_t other = m_model.twin[device]; other < device; ++other) {
        if (m_model.twin[other] == m_model.twin[device] && m_lanes[other].empty())
            return false;
    }
    return true;
}

bool BranchAndBound::isWorthTrying(const Placed& placed, std::int64_t inputsNs) const {
    if (placed.startNs < lastStartNs())
        return false;
    return m_mode == Mode::Fastest ? !fitsAGap(placed, inputsNs) : !comesTooLate(placed) && hasRoom(placed);
}

/// The same schedule comes up with this unit and the last one the other way round.
bool BranchAndBound::comesTooLate(const Placed& placed) const {
    if (m_schedule.empty())
        return false;
    const Placed& last = m_schedule.back();
    if (last.startNs != placed.startNs || last.device == placed.device || last.unit < placed.unit)
        return false;
    return std::ranges::none_of(m_model.inputs[placed.unit],
                                [&last](const StepModel::Input& input) { return input.producer == last.unit; });
}

bool BranchAndBound::fitsAGap(const Placed& placed, std::int64_t inputsNs) const {
    std::int64_t freeNs = 0;
    for (const Placed& run : m_lanes[placed.device]) {
        const std::int64_t startNs = std::max(freeNs, inputsNs);
        if (startNs < placed.startNs && startNs + placed.endNs - placed.startNs <= run.startNs)
            return true;
        freeNs = run.endNs;
    }
    return false;
}

bool BranchAndBound::hasRoom(const Placed& placed) const {
    const UnitGraph& graph = m_model.graph;
    std::int64_t bytes = graph.outputBytes[placed.unit] + graph.workspaceBytes[placed.unit];
    for (const std::uint32_t resident : m_model.residents[placed.unit]) {
        if (m_residentReader[resident * m_model.devices + placed.device] == 0)
            bytes += graph.residentBytes[resident];
    }
    return bytes <= m_roomBytes[placed.device];
}

/// The state lists everything that what follows depends on; a group's device twice, so that only equal ones compare.
bool BranchAndBound::isSuperfluous() {
    const std::size_t devices = m_model.devices;
    m_state.assign({lastStartNs(), m_sumOfStartsNs});
    for (std::size_t d = 0; d < devices; ++d) {
        m_endNs[d] = std::max(lastStartNs(), m_lanes[d].empty() ? 0 : m_lanes[d].back().endNs);
        m_state.push_back(m_endNs[d]);
    }
    for (std::size_t g = 0; g < m_groupPlaced.size(); ++g) {
        if (m_groupPlaced[g] == 0 || m_groupPlaced[g] == m_model.groupSize[g])
            continue;
        m_state.push_back(m_groupDevice[g].value);
        m_state.push_back(-std::int64_t{m_groupDevice[g].value});
    }
    const UnitGraph& graph = m_model.graph;
    for (std::uint32_t slot = 0; slot < graph.slotCount(); ++slot) {
        const auto first = graph.readers.begin();
        const bool isAwaited = isPlaced(graph.slotUnit[slot]) &&
                               std::any_of(first + graph.readerFirst[slot], first + graph.readerFirst[slot + 1],
                                           [this](std::uint32_t reader) { return !isPlaced(reader); });
        for (std::size_t d = 0; isAwaited && d < devices; ++d)
            m_state.push_back(std::max(m_endNs[d], m_arrivesNs[slot * devices + d]));
    }
    return m_seen.isDominated(m_placed, m_state);
}

std::int64_t BranchAndBound::readyNs(std::size_t unit, std::size_t device) const {
    std::int64_t latestNs = 0;
    for (const StepModel::Input& input : m_model.inputs[unit])
        latestNs = std::max(latestNs, m_arrivesNs[input.slot * m_model.devices + device]);
    return latestNs;
}

/// Every unit to come starts no earlier than the last one, its device and its inputs allow, on the device that is best
/// for it and its tail; and there is the work of all of them to do.
std::int64_t BranchAndBound::lowerBound() {
    const std::size_t devices = m_model.devices;
    const UnitGraph& graph = m_model.graph;
    std::int64_t boundNs = 0;
    for (const Placed& placed : m_schedule)
        boundNs = std::max(boundNs, placed.endNs);
    std::ranges::fill(m_headNs, kNever);
    for (const std::uint32_t unit : graph.topological) {
        if (isPlaced(unit))
            continue;
        const DeviceId given = m_groupDevice[m_model.groupOf[unit]];
        std::int64_t leastEndNs = kNever, leastNs = kNever;
        for (std::size_t d = 0; d < devices; ++d) {
            m_endNs[d] = kNever;
            if (given.valid() && given != DeviceId(d))
                continue;
            const std::int64_t freeNs = m_lanes[d].empty() ? 0 : m_lanes[d].back().endNs;
            const std::int64_t startNs = std::max({readyNs(unit, d), freeNs, lastStartNs()});
            m_headNs[d] = std::min(m_headNs[d], startNs);
            m_endNs[d] = startNs + m_model.unitNs(unit, d);
            leastEndNs = std::min(leastEndNs, m_endNs[d]);
            leastNs = std::min(leastNs, m_endNs[d] + m_model.tailNs(unit, d));
        }
        boundNs = std::max(boundNs, leastNs);
        if (boundNs >= m_limitNs)
            return boundNs;
        for (std::uint32_t slot = graph.outFirst[unit]; slot < graph.outFirst[unit + 1]; ++slot) {
            for (std::size_t to = 0; to < devices; ++to) {
                std::int64_t arrivesNs = m_endNs[to];
                for (std::size_t from = 0; from < devices && arrivesNs > leastEndNs; ++from) {
                    if (m_endNs[from] < arrivesNs)
                        arrivesNs = std::min(arrivesNs, m_endNs[from] + m_model.sentNs(slot, from, to));
                }
                m_arrivesNs[slot * devices + to] = arrivesNs;
            }
        }
    }
    return std::max(boundNs, workBound());
}

/// The work of all units with at least some tail, poured onto the devices from where they can start, and then that
/// tail.
std::int64_t BranchAndBound::workBound() {
    std::ranges::sort(m_headNs);
    std::int64_t boundNs = 0, workNs = 0;
    for (const std::uint32_t unit : m_model.byTail) {
        if (isPlaced(unit))
            continue;
        workNs += m_model.fastestNs[unit];
        boundNs = std::max(boundNs, levelOf(workNs) + m_model.leastTailNs[unit]);
    }
    return boundNs;
}

std::int64_t BranchAndBound::levelOf(std::int64_t workNs) const {
    std::int64_t sumNs = workNs;
    for (std::size_t count = 1;; ++count) {
        sumNs += m_headNs[count - 1];
        const auto devices = static_cast<std::int64_t>(count);
        const std::int64_t levelNs = (sumNs + devices - 1) / devices;
        if (count == m_headNs.size() || levelNs <= m_headNs[count])
            return levelNs;
    }
}

void BranchAndBound::place(const Placed& placed) {
    const UnitGraph& graph = m_model.graph;
    m_placed |= std::uint64_t{1} << placed.unit;
    m_schedule.push_back(placed);
    m_sumOfStartsNs += placed.startNs;
    m_lanes[placed.device].push_back(placed);
    const std::uint32_t group = m_model.groupOf[placed.unit];
    ++m_groupPlaced[group];
    m_groupDevice[group] = DeviceId(placed.device);
    for (std::uint32_t slot = graph.outFirst[placed.unit]; slot < graph.outFirst[placed.unit + 1]; ++slot) {
        for (std::uint32_t i = graph.readerFirst[slot]; i < graph.readerFirst[slot + 1]; ++i)
            --m_awaits[graph.readers[i]];
        for (std::size_t d = 0; d < m_model.devices; ++d)
            m_arrivesNs[slot * m_model.devices + d] = placed.endNs + m_model.sentNs(slot, placed.device, d);
    }
    for (const std::uint32_t resident : m_model.residents[placed.unit]) {
        if (m_residentReader[resident * m_model.devices + placed.device]++ == 0)
            m_roomBytes[placed.device] -= graph.residentBytes[resident];
    }
}

void BranchAndBound::unplace() {
    const UnitGraph& graph = m_model.graph;
    const Placed placed = m_schedule.back();
    m_schedule.pop_back();
    m_placed &= ~(std::uint64_t{1} << placed.unit);
    m_sumOfStartsNs -= placed.startNs;
    m_lanes[placed.device].pop_back();
    const std::uint32_t group = m_model.groupOf[placed.unit];
    if (--m_groupPlaced[group] == 0)
        m_groupDevice[group] = m_model.groupDevice[group];
    for (std::uint32_t i = graph.readerFirst[graph.outFirst[placed.unit]];
         i < graph.readerFirst[graph.outFirst[placed.unit + 1]]; ++i)
        ++m_awaits[graph.readers[i]];
    for (const std::uint32_t resident : m_model.residents[placed.unit]) {
        if (--m_residentReader[resident * m_model.devices + placed.device] == 0)
            m_roomBytes[placed.device] += graph.residentBytes[resident];
    }
}

} // namespace opscape
