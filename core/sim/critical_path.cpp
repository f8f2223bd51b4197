// SPDX-License-Identifier: MIT
// The chain is walked backwards, from the op that ends last. Before an op began it either waited (for its device, for
// ops that the plan puts first, for a send that blocks the device), or its last input had just arrived: from an op on
// the same device, which is next in the chain, or by a transfer, which in turn may have waited for a channel after its
// producer ended. Every step ends where the one after it begins, so the lengths add up to the makespan.
#include <opscape/base/units.h>
#include <opscape/sim/critical_path.h>
#include <opscape/sim/unit_graph.h>

#include <algorithm>
#include <tuple>

namespace opscape {
namespace {

using Unit = UnitGraph::Index;
using Kind = CriticalSegment::Kind;

class PathFinder {
public:
    PathFinder(const Problem& problem, const Plan& plan, const Schedule& schedule)
        : m_problem(problem),
          m_plan(plan),
          m_schedule(schedule),
          m_lanes(problem.cluster->deviceCount()) {
        m_units.build(problem, plan.fusionGroup);
        for (Unit u = 0; u < m_units.unitCount(); ++u)
            m_lanes[deviceOf(u).index()].push_back(u);
        for (auto& lane : m_lanes)
            std::ranges::sort(lane, {}, [this](Unit u) { return std::tuple(runOf(u).startNs, runOf(u).endNs, u); });
        m_byDestination.resize(schedule.transfers.size());
        for (std::uint32_t i = 0; i < m_byDestination.size(); ++i)
            m_byDestination[i] = i;
        m_byEnd = m_byDestination;
        std::ranges::sort(m_byDestination, {},
                          [this](std::uint32_t i) { return destinationKey(m_schedule.transfers[i]); });
        std::ranges::stable_sort(m_byEnd, {}, [this](std::uint32_t i) { return m_schedule.transfers[i].endNs; });
    }

    std::vector<CriticalSegment> find() {
        if (m_units.unitCount() == 0)
            return {};
        Unit unit = 0;
        for (Unit u = 1; u < m_units.unitCount(); ++u) {
            if (runOf(u).endNs > runOf(unit).endNs)
                unit = u;
        }
        for (bool more = true; more;) {
            const OpRun& run = runOf(unit);
            push(Kind::Op, run.startNs, run.endNs, unit);
            addWaits(unit, run.readyNs, run.startNs);
            more = run.readyNs > 0 && stepToCause(unit);
        }
        std::ranges::reverse(m_path);
        return std::move(m_path);
    }

private:
    [[nodiscard]] DeviceId deviceOf(Unit unit) const { return m_plan.device[m_units.firstOp[unit]]; }
    [[nodiscard]] const OpRun& runOf(Unit unit) const { return m_schedule.ops[m_units.firstOp[unit]]; }
    [[nodiscard]] OpId opOf(Unit unit) const { return OpId(m_units.firstOp[unit]); }

    /// A tensor goes to a device once, and so does a unit's control signal.
    using DestinationKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    static DestinationKey destinationKey(const Transfer& t) {
        return {t.tensor.value, t.tensor.valid() ? 0 : t.producer.value, t.to.value};
    }
    [[nodiscard]] std::uint32_t findTransfer(const DestinationKey& key) const {
        return *std::ranges::lower_bound(m_byDestination, key, {},
                                         [this](std::uint32_t i) { return destinationKey(m_schedule.transfers[i]); });
    }

    CriticalSegment& push(Kind kind, std::int64_t startNs, std::int64_t endNs, Unit unit) {
        CriticalSegment segment;
        segment.kind = kind;
        segment.startNs = startNs;
        segment.endNs = endNs;
        segment.op = opOf(unit);
        segment.device = deviceOf(unit);
        return m_path.emplace_back(segment);
    }

    /// Moves on to the unit whose output, or signal, came last; adds the transfer that brought it.
    bool stepToCause(Unit& unit) {
        for (Unit i = m_units.inFirst[unit]; i < m_units.inFirst[unit + 1]; ++i) {
            const Unit slot = m_units.inputs[i];
            if (arrivedLast(unit, m_units.slotUnit[slot], {m_units.slotTensor[slot], 0, deviceOf(unit).value}))
                return unit = m_units.slotUnit[slot], true;
        }
        for (Unit i = m_units.memberFirst[unit]; i < m_units.memberFirst[unit + 1]; ++i) {
            for (const OpId before : m_problem.graph->controlPredecessors(m_units.members[i])) {
                const Unit producer = m_units.unitOf[before.index()];
                if (producer != unit &&
                    arrivedLast(unit, producer, {UnitGraph::kSignal, m_units.firstOp[producer], deviceOf(unit).value}))
                    return unit = producer, true;
            }
        }
        return false;
    }

    bool arrivedLast(Unit unit, Unit producer, const DestinationKey& key) {
        const std::int64_t readyNs = runOf(unit).readyNs;
        if (deviceOf(producer) == deviceOf(unit))
            return runOf(producer).endNs == readyNs;
        const std::uint32_t index = findTransfer(key);
        const Transfer& transfer = m_schedule.transfers[index];
        if (transfer.endNs != readyNs)
            return false;
        push(Kind::Transfer, transfer.startNs, transfer.endNs, unit).transfer = index;
        if (transfer.startNs > transfer.readyNs) {
            CriticalSegment& wait = push(Kind::ChannelWait, transfer.readyNs, transfer.startNs, unit);
            wait.transfer = index;
            wait.behindTransfer = endingBefore(transfer);
        }
        return true;
    }

    /// The transfer on a common channel whose end let this one start.
    [[nodiscard]] std::uint32_t endingBefore(const Transfer& waiting) const {
        const auto route = m_problem.cluster->route(waiting.from, waiting.to);
        for (const std::uint32_t i : endingAt(waiting.startNs)) {
            const Transfer& other = m_schedule.transfers[i];
            const auto shared = m_problem.cluster->route(other.from, other.to);
            if (&other != &waiting && other.tensor.valid() && std::ranges::find_first_of(route, shared) != route.end())
                return i;
        }
        return 0;
    }

    [[nodiscard]] std::ranges::subrange<std::vector<std::uint32_t>::const_iterator>
    endingAt(std::int64_t timeNs) const {
        return std::ranges::equal_range(m_byEnd, timeNs, {},
                                        [this](std::uint32_t i) { return m_schedule.transfers[i].endNs; });
    }

    /// What the device did from `readyNs` to `startNs`, while the unit waited for it.
    void addWaits(Unit unit, std::int64_t readyNs, std::int64_t startNs) {
        const auto& lane = m_lanes[deviceOf(unit).index()];
        std::vector<CriticalSegment> waits;
        std::swap(waits, m_path); // they are found forwards
        std::int64_t atNs = readyNs;
        auto it = std::ranges::upper_bound(lane, readyNs, {}, [this](Unit u) { return runOf(u).endNs; });
        while (atNs < startNs) {
            const OpRun& next = runOf(*it);
            if (next.startNs > atNs) {
                const std::int64_t untilNs = std::min(next.startNs, startNs);
                addIdle(unit, atNs, untilNs, *it);
                atNs = untilNs;
                continue;
            }
            if (m_path.empty() || m_path.back().kind != Kind::DeviceWait)
                push(Kind::DeviceWait, atNs, atNs, unit);
            atNs = std::max(atNs, next.endNs);
            m_path.back().endNs = atNs;
            m_path.back().behind = opOf(*it++);
            ++m_path.back().behindCount;
        }
        std::swap(waits, m_path);
        m_path.insert(m_path.end(), waits.rbegin(), waits.rend());
    }

    /// The device idles although the unit is ready: it is sending, or its order puts `next` first, or one after the
    /// other.
    void addIdle(Unit unit, std::int64_t fromNs, std::int64_t toNs, Unit next) {
        if (m_problem.cluster->blockingSend()) {
            const auto end = std::ranges::upper_bound(
                m_byEnd, toNs, {}, [this](std::uint32_t i) { return m_schedule.transfers[i].endNs; });
            for (auto it = end; it != m_byEnd.begin() && m_schedule.transfers[*std::prev(it)].endNs > fromNs; --it) {
                const Transfer& transfer = m_schedule.transfers[*std::prev(it)];
                if (transfer.from != deviceOf(unit) || !transfer.tensor.valid())
                    continue;
                push(Kind::SendWait, fromNs, transfer.endNs, unit).behindTransfer = *std::prev(it);
                fromNs = transfer.endNs;
                break;
            }
        }
        if (fromNs < toNs)
            push(Kind::OrderWait, fromNs, toNs, unit).behind = opOf(next);
    }

    const Problem& m_problem;
    const Plan& m_plan;
    const Schedule& m_schedule;
    UnitGraph m_units;
    std::vector<std::vector<Unit>> m_lanes;              ///< per device, in order of time
    std::vector<std::uint32_t> m_byDestination, m_byEnd; ///< transfers
    std::vector<CriticalSegment> m_path;                 ///< last first
};

std::string describe(const Problem& problem, const Transfer& transfer) {
    if (!transfer.tensor.valid())
        return fmt::format("the signal of {}", problem.graph->op(transfer.producer).name);
    const std::string& name = problem.graph->tensor(transfer.tensor).name;
    return fmt::format("{} ({})", name.empty() ? "an output of " + problem.graph->op(transfer.producer).name : name,
                       formatBytes(transfer.bytes));
}

} // namespace

std::vector<CriticalSegment> criticalPath(const Problem& problem, const Plan& plan, const Schedule& schedule) {
    return PathFinder(problem, plan, schedule).find();
}

std::string explain(const Problem& problem, const Schedule& schedule, const CriticalSegment& segment) {
    const auto opName = [&](OpId op) -> const std::string& { return problem.graph->op(op).name; };
    const auto deviceName = [&](DeviceId device) -> const std::string& { return problem.cluster->device(device).name; };
    const std::string length = formatTime(segment.endNs - segment.startNs);
    const std::string waited =
        fmt::format("{} waited {} on {}", opName(segment.op), length, deviceName(segment.device));
    switch (segment.kind) {
    case Kind::Op:
        return fmt::format("{} ran {} on {}.", opName(segment.op), length, deviceName(segment.device));
    case Kind::DeviceWait:
        if (segment.behindCount > 1)
            return fmt::format("{} behind {} ops, the last of them {}.", waited, segment.behindCount,
                               opName(segment.behind));
        return fmt::format("{} behind {}.", waited, opName(segment.behind));
    case Kind::OrderWait:
        return fmt::format("{}, which was idle, because the plan puts {} first.", waited, opName(segment.behind));
    case Kind::SendWait: {
        const Transfer& behind = schedule.transfers[segment.behindTransfer];
        return fmt::format("{}, which was sending {} to {}.", waited, describe(problem, behind), deviceName(behind.to));
    }
    case Kind::Transfer:
    case Kind::ChannelWait:
        break;
    }
    const Transfer& transfer = schedule.transfers[segment.transfer];
    const std::string what = fmt::format("{} for {}", describe(problem, transfer), opName(segment.op));
    const std::string route = fmt::format("from {} to {}", deviceName(transfer.from), deviceName(transfer.to));
    if (segment.kind == Kind::Transfer)
        return fmt::format("{} took {} {}.", what, length, route);
    return fmt::format("{} waited {} {} behind {}.", what, length, route,
                       describe(problem, schedule.transfers[segment.behindTransfer]));
}

} // namespace opscape
