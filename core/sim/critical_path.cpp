// SPDX-License-Identifier: MIT
// The chain is walked backwards, from the op that ends last. Before an op began it either waited (for its device, for
// ops that the plan puts first, for a send that blocks the device), or its last input had just arrived: from an op on
// the same device, which is next in the chain, or by a transfer, which in turn may have waited for a channel after its
// producer ended. Every step ends where the one after it begins, so the lengths add up to the makespan.
#include <opscape/base/units.h>
#include <opscape/sim/critical_path.h>
#include <opscape/sim/unit_trace.h>

#include <algorithm>

namespace opscape {
namespace {

using Unit = UnitGraph::Index;
using Kind = CriticalSegment::Kind;

class PathFinder {
public:
    PathFinder(const Problem& problem, const Plan& plan, const Schedule& schedule)
        : m_problem(problem),
          m_schedule(schedule),
          m_trace(problem, plan, schedule) {}

    std::vector<CriticalSegment> find() {
        if (m_trace.unitCount() == 0)
            return {};
        Unit unit = 0;
        for (Unit u = 1; u < m_trace.unitCount(); ++u) {
            if (m_trace.runOf(u).endNs > m_trace.runOf(unit).endNs)
                unit = u;
        }
        for (bool more = true; more;) {
            const OpRun& run = m_trace.runOf(unit);
            push(Kind::Op, run.startNs, run.endNs, unit);
            addWaits(unit, run.readyNs, run.startNs);
            more = run.readyNs > 0 && stepToCause(unit);
        }
        std::ranges::reverse(m_path);
        return std::move(m_path);
    }

private:
    CriticalSegment& push(Kind kind, std::int64_t startNs, std::int64_t endNs, Unit unit) {
        CriticalSegment segment;
        segment.kind = kind;
        segment.startNs = startNs;
        segment.endNs = endNs;
        segment.op = m_trace.opOf(unit);
        segment.device = m_trace.deviceOf(unit);
        return m_path.emplace_back(segment);
    }

    /// Moves on to the unit whose output, or signal, came last; adds the transfer that brought it.
    bool stepToCause(Unit& unit) {
        const auto input = m_trace.lastInput(unit);
        if (!input)
            return false;
        if (input->transfer) {
            const Transfer& transfer = m_schedule.transfers[*input->transfer];
            push(Kind::Transfer, transfer.startNs, transfer.endNs, unit).transfer = *input->transfer;
            if (transfer.startNs > transfer.readyNs) {
                CriticalSegment& wait = push(Kind::ChannelWait, transfer.readyNs, transfer.startNs, unit);
                wait.transfer = *input->transfer;
                wait.behindTransfer = m_trace.wentBefore(transfer).value_or(0);
            }
        }
        unit = input->producer;
        return true;
    }

    /// What the device did from `readyNs` to `startNs`, while the unit waited for it.
    void addWaits(Unit unit, std::int64_t readyNs, std::int64_t startNs) {
        const std::span<const Unit> lane = m_trace.lane(m_trace.deviceOf(unit));
        std::vector<CriticalSegment> waits;
        std::swap(waits, m_path); // they are found forwards
        std::int64_t atNs = readyNs;
        auto it = std::ranges::upper_bound(lane, readyNs, {}, [this](Unit u) { return m_trace.runOf(u).endNs; });
        while (atNs < startNs) {
            const OpRun& next = m_trace.runOf(*it);
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
            m_path.back().behind = m_trace.opOf(*it++);
            ++m_path.back().behindCount;
        }
        std::swap(waits, m_path);
        m_path.insert(m_path.end(), waits.rbegin(), waits.rend());
    }

    /// The device idles although the unit is ready: it is sending, or its order puts `next` first, or one after the
    /// other.
    void addIdle(Unit unit, std::int64_t fromNs, std::int64_t toNs, Unit next) {
        const auto sent =
            m_problem.cluster->blockingSend() ? m_trace.lastSent(m_trace.deviceOf(unit), fromNs, toNs) : std::nullopt;
        if (sent) {
            const std::int64_t untilNs = m_schedule.transfers[*sent].endNs;
            push(Kind::SendWait, fromNs, untilNs, unit).behindTransfer = *sent;
            fromNs = untilNs;
        }
        if (fromNs < toNs)
            push(Kind::OrderWait, fromNs, toNs, unit).behind = m_trace.opOf(next);
    }

    const Problem& m_problem;
    const Schedule& m_schedule;
    UnitTrace m_trace;
    std::vector<CriticalSegment> m_path; ///< last first
};

} // namespace

std::vector<CriticalSegment> criticalPath(const Problem& problem, const Plan& plan, const Schedule& schedule) {
    return PathFinder(problem, plan, schedule).find();
}

std::vector<std::uint8_t> opsOnPath(std::span<const CriticalSegment> path, std::size_t opCount) {
    std::vector<std::uint8_t> isOn(opCount);
    for (const CriticalSegment& segment : path) {
        if (segment.kind == CriticalSegment::Kind::Op)
            isOn[segment.op.index()] = 1;
    }
    return isOn;
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
        return fmt::format("{}, which was sending {} to {}.", waited, nameOf(problem, behind), deviceName(behind.to));
    }
    case Kind::Transfer:
    case Kind::ChannelWait:
        break;
    }
    const Transfer& transfer = schedule.transfers[segment.transfer];
    const std::string what = fmt::format("{} for {}", nameOf(problem, transfer), opName(segment.op));
    const std::string route = fmt::format("from {} to {}", deviceName(transfer.from), deviceName(transfer.to));
    if (segment.kind == Kind::Transfer)
        return fmt::format("{} took {} {}.", what, length, route);
    return fmt::format("{} waited {} {} behind {}.", what, length, route,
                       nameOf(problem, schedule.transfers[segment.behindTransfer]));
}

} // namespace opscape
