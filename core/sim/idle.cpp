// SPDX-License-Identifier: MIT
// A gap ends when the device starts something. Until the first of the ops still to come was ready, the device had
// nothing to run: that op's last input came by a transfer, and it is told apart how long the input was being made, then
// waited for a channel, then was on its way. From then on the device could have run something but was sending. Under a
// fixed order only the next op counts; while it is not ready but others are, the order is the reason.
#include <opscape/base/units.h>
#include <opscape/sim/idle.h>
#include <opscape/sim/unit_trace.h>

#include <algorithm>

namespace opscape {
namespace {

using Unit = UnitTrace::Unit;

class IdleFinder {
public:
    IdleFinder(const Problem& problem, const Plan& plan, const Schedule& schedule)
        : m_plan(plan),
          m_schedule(schedule),
          m_trace(problem, plan, schedule) {}

    DeviceIdle find(DeviceId device) {
        m_device = device;
        m_found = {};
        m_lane = m_trace.lane(device);
        m_firstReady.assign(m_lane.begin(), m_lane.end());
        for (std::size_t i = m_lane.size(); i-- > 1;) {
            if (readyNs(m_firstReady[i]) < readyNs(m_firstReady[i - 1]))
                m_firstReady[i - 1] = m_firstReady[i];
        }
        std::int64_t atNs = 0;
        for (std::size_t i = 0; i < m_lane.size(); ++i) {
            const OpRun& run = m_trace.runOf(m_lane[i]);
            if (run.startNs > atNs)
                addGap(i, atNs, run.startNs);
            atNs = run.endNs;
        }
        add(IdleReason::NothingLeft, atNs, m_schedule.makespanNs, {});
        return std::move(m_found);
    }

private:
    [[nodiscard]] std::int64_t readyNs(Unit unit) const { return m_trace.runOf(unit).readyNs; }

    /// `cause` says who waits, and for what; nothing is added for a span of no length. Gives the end of the span.
    std::int64_t add(IdleReason reason, std::int64_t startNs, std::int64_t endNs, IdleSpan cause) {
        if (startNs >= endNs)
            return startNs;
        cause.reason = reason;
        cause.startNs = startNs;
        cause.endNs = endNs;
        m_found.ns[static_cast<std::size_t>(reason)] += endNs - startNs;
        m_found.spans.push_back(cause);
        return endNs;
    }

    void addGap(std::size_t next, std::int64_t fromNs, std::int64_t toNs) {
        const Unit ready = m_firstReady[next];
        const Unit first = m_plan.policy == QueuePolicy::Order ? firstInOrder(next) : ready;
        std::int64_t atNs = addInput(first, fromNs, readyNs(ready));
        IdleSpan waits;
        waits.op = m_trace.opOf(ready);
        waits.by = m_trace.opOf(first);
        atNs = add(IdleReason::Order, atNs, readyNs(first), waits);
        waits.op = m_trace.opOf(first);
        waits.by = {};
        waits.transfer = m_trace.lastSent(m_device, fromNs, toNs).value_or(0);
        add(IdleReason::Send, atNs, toNs, waits);
    }

    /// Ops that take no time start together with the one after them.
    [[nodiscard]] Unit firstInOrder(std::size_t next) const {
        Unit first = m_lane[next];
        for (std::size_t i = next + 1;
             i < m_lane.size() && m_trace.runOf(m_lane[i]).startNs == m_trace.runOf(first).startNs; ++i) {
            if (m_trace.priorityOf(m_lane[i]) > m_trace.priorityOf(first))
                first = m_lane[i];
        }
        return first;
    }

    std::int64_t addInput(Unit unit, std::int64_t fromNs, std::int64_t untilNs) {
        if (fromNs >= untilNs)
            return fromNs;
        auto input = m_trace.lastInput(unit);
        while (input && !input->transfer) { // from an op here that took no time
            unit = input->producer;
            input = m_trace.lastInput(unit);
        }
        if (!input)
            return fromNs;
        const Transfer& transfer = m_schedule.transfers[*input->transfer];
        IdleSpan waits;
        waits.op = m_trace.opOf(unit);
        waits.by = m_trace.opOf(input->producer);
        waits.transfer = *input->transfer;
        waits.behind = m_trace.wentBefore(transfer).value_or(IdleSpan::kNobody);
        std::int64_t atNs = add(IdleReason::Input, fromNs, std::min(transfer.readyNs, untilNs), waits);
        atNs = add(IdleReason::Channel, atNs, std::min(transfer.startNs, untilNs), waits);
        return add(IdleReason::Transfer, atNs, untilNs, waits);
    }

    const Plan& m_plan;
    const Schedule& m_schedule;
    UnitTrace m_trace;
    DeviceId m_device;
    std::span<const Unit> m_lane;
    std::vector<Unit> m_firstReady; ///< per place in the lane: of the units from there on, the first that was ready
    DeviceIdle m_found;
};

} // namespace

std::string_view toString(IdleReason reason) {
    switch (reason) {
    case IdleReason::Input:
        return "input";
    case IdleReason::Channel:
        return "channel";
    case IdleReason::Transfer:
        return "transfer";
    case IdleReason::Send:
        return "send";
    case IdleReason::Order:
        return "order";
    case IdleReason::NothingLeft:
        break;
    }
    return "nothing_left";
}

std::vector<DeviceIdle> idleTimes(const Problem& problem, const Plan& plan, const Schedule& schedule) {
    IdleFinder finder(problem, plan, schedule);
    std::vector<DeviceIdle> found;
    for (std::size_t d = 0; d < problem.cluster->deviceCount(); ++d)
        found.push_back(finder.find(DeviceId(d)));
    return found;
}

std::string explain(const Problem& problem, const Plan& plan, const Schedule& schedule, DeviceId device,
                    const IdleSpan& span) {
    const auto opName = [&](OpId op) -> const std::string& { return problem.graph->op(op).name; };
    const auto deviceName = [&](DeviceId id) -> const std::string& { return problem.cluster->device(id).name; };
    const std::string idled = fmt::format("{} idled {}", deviceName(device), formatTime(span.endNs - span.startNs));
    if (span.reason == IdleReason::NothingLeft)
        return fmt::format("{}: nothing was left for it to run.", idled);
    if (span.reason == IdleReason::Order)
        return fmt::format("{}: {} was ready, but the plan puts {} first.", idled, opName(span.op), opName(span.by));
    if (span.reason == IdleReason::Input)
        return fmt::format("{}: {} waited for {} to end on {}.", idled, opName(span.op), opName(span.by),
                           deviceName(plan.device[span.by.index()]));
    const Transfer& transfer = schedule.transfers[span.transfer];
    if (span.reason == IdleReason::Send)
        return fmt::format("{}: {} waited while {} was sent to {}.", idled, opName(span.op), nameOf(problem, transfer),
                           deviceName(transfer.to));
    if (span.reason == IdleReason::Transfer)
        return fmt::format("{}: {} waited for {} on its way from {}.", idled, opName(span.op),
                           nameOf(problem, transfer), deviceName(transfer.from));
    const std::string behind = span.behind == IdleSpan::kNobody
                                   ? std::string()
                                   : ", behind " + nameOf(problem, schedule.transfers[span.behind]);
    return fmt::format("{}: {} waited for {} in the queue of a channel from {}{}.", idled, opName(span.op),
                       nameOf(problem, transfer), deviceName(transfer.from), behind);
}

} // namespace opscape
