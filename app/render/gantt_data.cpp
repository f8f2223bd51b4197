// SPDX-License-Identifier: MIT
// Bars that overlap, as those of channels without contention do, are dealt out to rows in order of their start: each
// takes the first row that is free. Within a row what is covered is cut off, so that spans never overlap and busy time
// is a difference of sums.
#include "gantt_data.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace opscape {

GanttData::GanttData(const Problem& problem, const Plan& plan, const Schedule& schedule)
    : m_problem(&problem),
      m_plan(&plan),
      m_schedule(&schedule) {
    groupOps();
    addDevices();
    addChannels();
    for (Lane& lane : m_lanes) {
        std::ranges::sort(lane.bars, {}, [](const Bar& bar) { return std::tuple(bar.startNs, bar.endNs, bar.index); });
        makeRows(lane);
    }
    indexTransfers();
    placeBars();
}

void GanttData::groupOps() {
    const std::size_t n = m_schedule->ops.size();
    m_members.resize(n);
    m_memberFirst.resize(n);
    m_memberCount.assign(n, 1);
    const auto& groups = m_plan->fusionGroup;
    if (groups.size() != n) {
        for (std::uint32_t i = 0; i < n; ++i) {
            m_members[i] = OpId(i);
            m_memberFirst[i] = i;
        }
        return;
    }
    std::map<std::uint32_t, std::vector<OpId>> fused;
    for (std::size_t i = 0; i < n; ++i) {
        if (groups[i] != Plan::kNotFused)
            fused[groups[i]].emplace_back(i);
    }
    m_members.clear();
    for (std::size_t i = 0; i < n; ++i) {
        if (groups[i] != Plan::kNotFused)
            continue;
        m_memberFirst[i] = static_cast<std::uint32_t>(m_members.size());
        m_members.emplace_back(i);
    }
    for (const auto& [group, ops] : fused) {
        const auto first = static_cast<std::uint32_t>(m_members.size());
        m_members.insert(m_members.end(), ops.begin(), ops.end());
        for (const OpId op : ops) {
            m_memberFirst[op.index()] = first;
            m_memberCount[op.index()] = static_cast<std::uint32_t>(ops.size());
        }
    }
}

std::span<const OpId> GanttData::opsOf(const Bar& bar) const {
    return {m_members.data() + m_memberFirst[bar.index], m_memberCount[bar.index]};
}

void GanttData::addDevices() {
    const Cluster& cluster = *m_problem->cluster;
    std::vector<std::size_t> laneOfDevice;
    const auto add = [&](LaneKind kind, std::size_t d, const std::string& label, const char* what) {
        Lane& lane = m_lanes.emplace_back();
        lane.kind = kind;
        lane.index = static_cast<std::uint32_t>(d);
        lane.label = label;
        lane.key = what + cluster.device(DeviceId(d)).name;
    };
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        laneOfDevice.push_back(m_lanes.size());
        add(LaneKind::Device, d, cluster.device(DeviceId(d)).name, "device ");
        const bool hasMemory = d < m_schedule->devices.size() && m_schedule->devices[d].peakBytes > 0 &&
                               !m_schedule->devices[d].memory.empty();
        if (hasMemory)
            add(LaneKind::Memory, d, "memory", "memory ");
    }
    for (std::uint32_t i = 0; i < m_schedule->ops.size() && i < m_plan->device.size(); ++i) {
        const DeviceId device = m_plan->device[i];
        const bool isFirst = m_members[m_memberFirst[i]] == OpId(i);
        if (device.index() < laneOfDevice.size() && isFirst)
            m_lanes[laneOfDevice[device.index()]].bars.push_back(
                {m_schedule->ops[i].startNs, m_schedule->ops[i].endNs, i, device.value});
    }
}

void GanttData::addChannels() {
    const Cluster& cluster = *m_problem->cluster;
    const std::size_t first = m_lanes.size();
    for (std::size_t c = 0; c < cluster.channelCount(); ++c) {
        Lane& lane = m_lanes.emplace_back();
        lane.kind = LaneKind::Channel;
        lane.index = static_cast<std::uint32_t>(c);
        lane.label = cluster.channel(ChannelId(c)).name;
        lane.key = "channel " + lane.label;
    }
    for (std::uint32_t i = 0; i < m_schedule->transfers.size(); ++i) {
        const Transfer& transfer = m_schedule->transfers[i];
        for (const ChannelId channel : cluster.route(transfer.from, transfer.to))
            m_lanes[first + channel.index()].bars.push_back({transfer.startNs, transfer.endNs, i, transfer.from.value});
    }
}

void GanttData::makeRows(Lane& lane) const {
    std::vector<std::int64_t> until; // per row, of as many as are needed
    lane.rows.resize(1);
    for (Bar& bar : lane.bars) {
        lane.longestNs = std::max(lane.longestNs, bar.endNs - bar.startNs);
        // The signal of a control edge does not occupy the channel: no row is made for it.
        const bool isSignal = lane.kind == LaneKind::Channel && !m_schedule->transfers[bar.index].tensor.valid();
        std::size_t row = 0;
        while (!isSignal && row < until.size() && until[row] > bar.startNs)
            ++row;
        if (row == until.size())
            until.push_back(0);
        bar.row = static_cast<std::uint32_t>(std::min(row, kMostRows - 1));
        if (bar.row >= lane.rows.size())
            lane.rows.resize(bar.row + 1);
        Row& drawn = lane.rows[bar.row];
        addSpans(lane, bar, drawn);
        if (!isSignal)
            until[row] = std::max(until[row], bar.endNs);
    }
    lane.mostRows = std::max<std::size_t>(1, until.size());
    for (Row& row : lane.rows)
        row.sum();
    if (lane.rows.size() == 1)
        return;
    for (const Bar& bar : lane.bars)
        addSpans(lane, bar, lane.together);
    lane.together.sum();
}

void GanttData::Row::sum() {
    busyBefore.reserve(spans.size() + 1);
    std::int64_t busyNs = 0;
    busyBefore.push_back(0);
    for (const Span& span : spans)
        busyBefore.push_back(busyNs += span.endNs - span.startNs);
}

void GanttData::addSpans(const Lane& lane, const Bar& bar, Row& row) const {
    const std::int64_t fromNs = row.spans.empty() ? bar.startNs : std::max(bar.startNs, row.spans.back().endNs);
    const auto push = [&](std::int64_t start, std::int64_t end, std::uint32_t op) {
        start = std::max(start, fromNs);
        if (end > start)
            row.spans.push_back({start, end, op, bar.device});
    };
    if (lane.kind == LaneKind::Channel)
        return push(bar.startNs, bar.endNs, m_schedule->transfers[bar.index].producer.value);
    const std::span<const OpId> ops = opsOf(bar);
    if (ops.size() == 1)
        return push(bar.startNs, bar.endNs, bar.index);
    double all = 0;
    for (const OpId op : ops)
        all += static_cast<double>(m_problem->opNs(op, DeviceId(bar.device))) + 1;
    double before = 0;
    std::int64_t start = bar.startNs;
    for (const OpId op : ops) {
        before += static_cast<double>(m_problem->opNs(op, DeviceId(bar.device))) + 1;
        const auto length = static_cast<double>(bar.endNs - bar.startNs);
        const std::int64_t end =
            op == ops.back() ? bar.endNs : bar.startNs + static_cast<std::int64_t>(length * (before / all));
        push(start, end, op.value);
        start = end;
    }
}

std::int64_t GanttData::Row::busyNs(std::int64_t fromNs, std::int64_t toNs) const {
    const auto before = [this](std::int64_t ns) {
        const auto after = std::ranges::lower_bound(spans, ns, {}, &Span::startNs);
        const auto i = static_cast<std::size_t>(after - spans.begin());
        const std::int64_t over = i > 0 ? std::max<std::int64_t>(0, spans[i - 1].endNs - ns) : 0;
        return busyBefore[i] - over;
    };
    return toNs > fromNs ? before(toNs) - before(fromNs) : 0;
}

void GanttData::indexTransfers() {
    const auto& transfers = m_schedule->transfers;
    m_sentFirst.assign(m_schedule->ops.size() + 1, 0);
    for (const Transfer& transfer : transfers)
        ++m_sentFirst[transfer.producer.index() + 1];
    std::partial_sum(m_sentFirst.begin(), m_sentFirst.end(), m_sentFirst.begin());
    m_sent.resize(transfers.size());
    std::vector<std::uint32_t> next(m_sentFirst.begin(), m_sentFirst.end() - 1);
    for (std::uint32_t i = 0; i < transfers.size(); ++i)
        m_sent[next[transfers[i].producer.index()]++] = i;
}

void GanttData::placeBars() {
    m_barOfOp.resize(m_schedule->ops.size());
    m_barOfTransfer.resize(m_schedule->transfers.size());
    for (std::uint32_t l = 0; l < m_lanes.size(); ++l) {
        const Lane& lane = m_lanes[l];
        for (std::uint32_t b = 0; b < lane.bars.size(); ++b) {
            const std::uint32_t index = lane.bars[b].index;
            if (lane.kind == LaneKind::Device) {
                for (const OpId op : opsOf(lane.bars[b]))
                    m_barOfOp[op.index()] = {l, b};
                continue;
            }
            const Transfer& transfer = m_schedule->transfers[index];
            if (m_problem->cluster->route(transfer.from, transfer.to).front().value == lane.index)
                m_barOfTransfer[index] = {l, b};
        }
    }
}

int GanttData::laneOf(LaneKind kind, std::uint32_t index) const {
    const auto it = std::ranges::find_if(m_lanes, [&](const Lane& l) { return l.kind == kind && l.index == index; });
    return it == m_lanes.end() ? -1 : static_cast<int>(it - m_lanes.begin());
}

std::string_view GanttData::nameOf(const Lane& lane, const Bar& bar) const {
    const Graph& graph = *m_problem->graph;
    if (lane.kind == LaneKind::Device)
        return graph.op(OpId(bar.index)).name;
    const Transfer& transfer = m_schedule->transfers[bar.index];
    return transfer.tensor.valid() ? graph.tensor(transfer.tensor).name : graph.op(transfer.producer).name;
}

GanttData::Place GanttData::barOf(OpId op) const {
    return op.index() < m_barOfOp.size() ? m_barOfOp[op.index()] : Place();
}

GanttData::Place GanttData::barOfTransfer(std::uint32_t transfer) const {
    return transfer < m_barOfTransfer.size() ? m_barOfTransfer[transfer] : Place();
}

std::span<const std::uint32_t> GanttData::sentBy(OpId op) const {
    if (op.index() + 1 >= m_sentFirst.size())
        return {};
    return {m_sent.data() + m_sentFirst[op.index()], m_sent.data() + m_sentFirst[op.index() + 1]};
}

std::vector<std::uint32_t> GanttData::receivedFor(OpId op) const {
    const Graph& graph = *m_problem->graph;
    const DeviceId here = m_plan->device[op.index()];
    std::vector<std::uint32_t> found;
    const auto take = [&](OpId from, TensorId tensor) {
        for (const std::uint32_t i : sentBy(from)) {
            const Transfer& transfer = m_schedule->transfers[i];
            if (transfer.tensor == tensor && transfer.to == here)
                found.push_back(i);
        }
    };
    for (const TensorId tensor : graph.dataInputs(op))
        take(graph.producer(tensor), tensor);
    for (const OpId before : graph.controlPredecessors(op)) // a fused group signals as its lowest op
        take(m_members[m_memberFirst[before.index()]], TensorId());
    std::ranges::sort(found);
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
}

} // namespace opscape
