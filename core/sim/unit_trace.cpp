// SPDX-License-Identifier: MIT
#include <opscape/base/units.h>
#include <opscape/sim/unit_trace.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace opscape {

UnitTrace::UnitTrace(const Problem& problem, const Plan& plan, const Schedule& schedule)
    : m_problem(problem),
      m_plan(plan),
      m_schedule(schedule),
      m_lanes(problem.cluster->deviceCount()),
      m_byDestination(schedule.transfers.size()) {
    m_units.build(problem, plan.fusionGroup);
    for (Unit u = 0; u < m_units.unitCount(); ++u)
        m_lanes[deviceOf(u).index()].push_back(u);
    for (auto& lane : m_lanes)
        std::ranges::sort(lane, {}, [this](Unit u) { return std::tuple(runOf(u).startNs, runOf(u).endNs, u); });
    std::iota(m_byDestination.begin(), m_byDestination.end(), 0U);
    m_byEnd = m_byDestination;
    std::ranges::sort(m_byDestination, {}, [this](std::uint32_t i) { return destinationKey(m_schedule.transfers[i]); });
    std::ranges::stable_sort(m_byEnd, {}, [this](std::uint32_t i) { return m_schedule.transfers[i].endNs; });
}

std::int64_t UnitTrace::priorityOf(Unit unit) const {
    std::int64_t highest = m_plan.priority[m_units.firstOp[unit]];
    for (Unit i = m_units.memberFirst[unit]; i < m_units.memberFirst[unit + 1]; ++i)
        highest = std::max(highest, m_plan.priority[m_units.members[i].index()]);
    return highest;
}

std::optional<UnitTrace::Input> UnitTrace::lastInput(Unit unit) const {
    const std::uint32_t device = deviceOf(unit).value;
    for (Unit i = m_units.inFirst[unit]; i < m_units.inFirst[unit + 1]; ++i) {
        const Unit slot = m_units.inputs[i];
        if (const auto input = ifLast(unit, m_units.slotUnit[slot], {m_units.slotTensor[slot], 0, device}))
            return input;
    }
    for (Unit i = m_units.memberFirst[unit]; i < m_units.memberFirst[unit + 1]; ++i) {
        for (const OpId before : m_problem.graph->controlPredecessors(m_units.members[i])) {
            const Unit producer = m_units.unitOf[before.index()];
            if (producer == unit)
                continue;
            if (const auto input = ifLast(unit, producer, {UnitGraph::kSignal, m_units.firstOp[producer], device}))
                return input;
        }
    }
    return std::nullopt;
}

std::optional<UnitTrace::Input> UnitTrace::ifLast(Unit unit, Unit producer, const DestinationKey& key) const {
    const std::int64_t readyNs = runOf(unit).readyNs;
    if (deviceOf(producer) == deviceOf(unit))
        return runOf(producer).endNs == readyNs ? std::optional<Input>({producer, {}}) : std::nullopt;
    const std::uint32_t transfer = *std::ranges::lower_bound(
        m_byDestination, key, {}, [this](std::uint32_t i) { return destinationKey(m_schedule.transfers[i]); });
    return m_schedule.transfers[transfer].endNs == readyNs ? std::optional<Input>({producer, transfer}) : std::nullopt;
}

std::optional<std::uint32_t> UnitTrace::wentBefore(const Transfer& waiting) const {
    const auto route = m_problem.cluster->route(waiting.from, waiting.to);
    const auto endNs = [this](std::uint32_t i) { return m_schedule.transfers[i].endNs; };
    const auto until = std::ranges::upper_bound(m_byEnd, waiting.startNs, {}, endNs);
    for (auto it = std::ranges::lower_bound(m_byEnd, waiting.startNs, {}, endNs); it != until; ++it) {
        const Transfer& other = m_schedule.transfers[*it];
        const auto shared = m_problem.cluster->route(other.from, other.to);
        if (&other != &waiting && other.tensor.valid() && std::ranges::find_first_of(route, shared) != route.end())
            return *it;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> UnitTrace::lastSent(DeviceId device, std::int64_t fromNs, std::int64_t toNs) const {
    const auto end =
        std::ranges::upper_bound(m_byEnd, toNs, {}, [this](std::uint32_t i) { return m_schedule.transfers[i].endNs; });
    for (auto it = end; it != m_byEnd.begin() && m_schedule.transfers[*std::prev(it)].endNs > fromNs; --it) {
        const Transfer& transfer = m_schedule.transfers[*std::prev(it)];
        if (transfer.from == device && transfer.tensor.valid())
            return *std::prev(it);
    }
    return std::nullopt;
}

std::string nameOf(const Problem& problem, const Transfer& transfer) {
    if (!transfer.tensor.valid())
        return fmt::format("the signal of {}", problem.graph->op(transfer.producer).name);
    const std::string& name = problem.graph->tensor(transfer.tensor).name;
    return fmt::format("{} ({})", name.empty() ? "an output of " + problem.graph->op(transfer.producer).name : name,
                       formatBytes(transfer.bytes));
}

} // namespace opscape
