// SPDX-License-Identifier: MIT
// A device's spans are found by a sweep over the starts and ends of its ops in both schedules: between two of these
// moments nothing changes. Ops of a fused kernel run at the same time, so ops are counted, not taken for one.
#include "delta_gantt.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace opscape {
namespace {

constexpr double kLaneHeight = 54, kLaneGap = 10;

struct Event {
    std::int64_t ns;
    std::uint32_t op;
    bool inA;
    int by; ///< +1 starts, -1 ends
};

} // namespace

DeltaGantt::DeltaGantt(const ScheduledPlan& a, const ScheduledPlan& b) : m_a(a), m_b(b) {
    addLanes();
    addBars();
    double top = kLaneGap;
    for (Lane& lane : m_lanes) {
        addSpans(lane);
        lane.top = top;
        lane.height = kLaneHeight;
        top += kLaneHeight + kLaneGap;
    }
}

std::int64_t DeltaGantt::endNs() const { return std::max(m_a.schedule->makespanNs, m_b.schedule->makespanNs); }

std::int64_t DeltaGantt::shiftNs(OpId op) const {
    return m_b.schedule->ops[op.index()].startNs - m_a.schedule->ops[op.index()].startNs;
}

void DeltaGantt::addLanes() {
    const Cluster &of = *m_a.problem->cluster, &other = *m_b.problem->cluster;
    const bool oneCluster = of.hash() == other.hash();
    std::vector<std::uint8_t> paired(other.deviceCount());
    for (std::size_t d = 0; d < of.deviceCount(); ++d) {
        Lane lane;
        lane.label = of.device(DeviceId(d)).name;
        lane.a = DeviceId(d);
        lane.b = oneCluster ? DeviceId(d) : other.findDevice(lane.label);
        if (lane.b.valid())
            paired[lane.b.index()] = 1;
        m_lanes.push_back(std::move(lane));
    }
    for (std::size_t d = 0; d < other.deviceCount(); ++d) {
        if (paired[d] != 0)
            continue;
        Lane lane;
        lane.label = other.device(DeviceId(d)).name;
        lane.b = DeviceId(d);
        m_lanes.push_back(std::move(lane));
    }
}

void DeltaGantt::addBars() {
    std::vector<std::size_t> laneOfA(m_a.problem->cluster->deviceCount()), laneOfB(m_b.problem->cluster->deviceCount());
    for (std::size_t l = 0; l < m_lanes.size(); ++l) {
        if (m_lanes[l].a.valid())
            laneOfA[m_lanes[l].a.index()] = l;
        if (m_lanes[l].b.valid())
            laneOfB[m_lanes[l].b.index()] = l;
    }
    const double much = kMuch * static_cast<double>(endNs());
    for (std::size_t i = 0; i < m_a.schedule->ops.size(); ++i) {
        const OpId op(i);
        const std::size_t inA = laneOfA[m_a.plan->device[i].index()], inB = laneOfB[m_b.plan->device[i].index()];
        const std::int64_t by = shiftNs(op);
        const bool isMuch = std::abs(static_cast<double>(by)) > much;
        const Shift shift = inA != inB ? Shift::Elsewhere
                            : by < 0   ? (isMuch ? Shift::MuchEarlier : Shift::Earlier)
                            : by > 0   ? (isMuch ? Shift::MuchLater : Shift::Later)
                                       : Shift::None;
        m_shift.push_back(shift);
        const auto add = [&](std::vector<Bar>& bars, const OpRun& run) {
            bars.push_back({run.startNs, run.endNs, op.value, shift});
        };
        add(m_lanes[inA].barsA, m_a.schedule->ops[i]);
        add(m_lanes[inB].barsB, m_b.schedule->ops[i]);
    }
    for (Lane& lane : m_lanes) {
        for (auto* bars : {&lane.barsA, &lane.barsB})
            std::ranges::sort(*bars, {}, [](const Bar& bar) { return std::tuple(bar.startNs, bar.endNs, bar.op); });
    }
}

void DeltaGantt::addSpans(Lane& lane) const {
    std::vector<Event> events;
    for (const bool inA : {true, false}) {
        for (const Bar& bar : inA ? lane.barsA : lane.barsB) {
            if (bar.startNs == bar.endNs)
                continue;
            events.push_back({bar.startNs, bar.op, inA, 1});
            events.push_back({bar.endNs, bar.op, inA, -1});
        }
    }
    std::ranges::sort(events, {}, [](const Event& e) { return std::tuple(e.ns, e.op, e.inA, e.by); });
    std::vector<std::uint8_t> runs(m_shift.size()); // per op: bit 0 in a, bit 1 in b
    std::size_t inA = 0, inB = 0, inBoth = 0;
    for (std::size_t i = 0; i < events.size();) {
        const std::int64_t now = events[i].ns;
        for (; i < events.size() && events[i].ns == now; ++i) {
            const Event& event = events[i];
            std::uint8_t& op = runs[event.op];
            inBoth -= op == 3 ? 1 : 0;
            op = static_cast<std::uint8_t>(op ^ (event.inA ? 1 : 2));
            inBoth += op == 3 ? 1 : 0;
            (event.inA ? inA : inB) += static_cast<std::size_t>(static_cast<std::ptrdiff_t>(event.by));
        }
        if (i == events.size() || inA + inB == 0)
            continue;
        const Ran ran = inBoth > 0 ? Ran::Same : inA == 0 ? Ran::OnlyB : inB == 0 ? Ran::OnlyA : Ran::Both;
        const std::int64_t next = events[i].ns;
        lane.ns[static_cast<std::size_t>(ran)] += next - now;
        if (!lane.spans.empty() && lane.spans.back().endNs == now && lane.spans.back().ran == ran)
            lane.spans.back().endNs = next;
        else
            lane.spans.push_back({now, next, ran});
    }
}

std::vector<RanShares> spanColumns(std::span<const DeltaGantt::Span> spans, double startNs, double nsPerColumn,
                                   std::size_t columns) {
    std::vector<RanShares> shares(columns, RanShares{});
    const double endNs = startNs + static_cast<double>(columns) * nsPerColumn;
    auto span = std::ranges::upper_bound(spans, startNs, {},
                                         [](const DeltaGantt::Span& s) { return static_cast<double>(s.endNs); });
    for (; span != spans.end() && static_cast<double>(span->startNs) < endNs; ++span) {
        const double from = std::max(startNs, static_cast<double>(span->startNs));
        const double to = std::min(endNs, static_cast<double>(span->endNs));
        for (auto c = static_cast<std::size_t>((from - startNs) / nsPerColumn); c < columns; ++c) {
            const double left = startNs + static_cast<double>(c) * nsPerColumn;
            if (left >= to)
                break;
            const double part = std::min(to, left + nsPerColumn) - std::max(from, left);
            shares[c][static_cast<std::size_t>(span->ran)] += static_cast<float>(std::max(0.0, part) / nsPerColumn);
        }
    }
    return shares;
}

std::vector<ShiftColumn> shiftColumns(std::span<const DeltaGantt::Bar> bars, double startNs, double nsPerColumn,
                                      std::size_t columns, double widestNs) {
    std::vector<std::array<double, DeltaGantt::kShifts>> parts(columns);
    const double endNs = startNs + static_cast<double>(columns) * nsPerColumn;
    double covered = startNs; // bars that overlap count once
    auto bar = std::ranges::upper_bound(bars, startNs, {},
                                        [](const DeltaGantt::Bar& b) { return static_cast<double>(b.endNs); });
    for (; bar != bars.end() && static_cast<double>(bar->startNs) < endNs; ++bar) {
        if (static_cast<double>(bar->endNs - bar->startNs) > widestNs)
            continue;
        const double from = std::max(static_cast<double>(bar->startNs), covered);
        const double to = std::min(static_cast<double>(bar->endNs), endNs);
        covered = std::max(covered, to);
        for (auto c = static_cast<std::size_t>((from - startNs) / nsPerColumn); c < columns; ++c) {
            const double left = startNs + static_cast<double>(c) * nsPerColumn;
            if (left >= to)
                break;
            parts[c][static_cast<std::size_t>(bar->shift)] +=
                std::max(0.0, std::min(to, left + nsPerColumn) - std::max(from, left)) / nsPerColumn;
        }
    }
    std::vector<ShiftColumn> merged(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        for (const double part : parts[c])
            merged[c].busy += part;
        const auto most = std::ranges::max_element(parts[c]);
        merged[c].shift = static_cast<DeltaGantt::Shift>(most - parts[c].begin());
    }
    return merged;
}

} // namespace opscape
