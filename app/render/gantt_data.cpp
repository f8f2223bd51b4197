// SPDX-License-Identifier: MIT
#include "gantt_picture.h"

#include <opscape/layout/text_width.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace opscape {
namespace {

constexpr double kDeviceHeight = 36, kMemoryHeight = 30, kChannelHeight = 20;
constexpr double kGap = 4, kGroupGap = 12;

} // namespace

GanttData::GanttData(const Problem& problem, const Plan& plan, const Schedule& schedule)
    : m_problem(&problem),
      m_schedule(&schedule) {
    addDevices(plan);
    addChannels();
    for (Lane& lane : m_lanes)
        std::ranges::sort(lane.bars, {}, [](const Bar& bar) { return std::tuple(bar.startNs, bar.endNs, bar.index); });
    stackLanes();
}

void GanttData::addDevices(const Plan& plan) {
    const Cluster& cluster = *m_problem->cluster;
    std::vector<std::size_t> laneOfDevice;
    for (std::size_t d = 0; d < cluster.deviceCount(); ++d) {
        laneOfDevice.push_back(m_lanes.size());
        m_lanes.push_back(
            {LaneKind::Device, static_cast<std::uint32_t>(d), cluster.device(DeviceId(d)).name, {}, 0, 0});
        const bool hasMemory = d < m_schedule->devices.size() && m_schedule->devices[d].peakBytes > 0 &&
                               !m_schedule->devices[d].memory.empty();
        if (hasMemory)
            m_lanes.push_back({LaneKind::Memory, static_cast<std::uint32_t>(d), "memory", {}, 0, 0});
    }
    for (std::size_t i = 0; i < m_schedule->ops.size() && i < plan.device.size(); ++i) {
        const DeviceId device = plan.device[i];
        if (device.index() >= laneOfDevice.size())
            continue;
        const OpRun& run = m_schedule->ops[i];
        m_lanes[laneOfDevice[device.index()]].bars.push_back(
            {run.startNs, run.endNs, static_cast<std::uint32_t>(i), device.value});
    }
}

void GanttData::addChannels() {
    const Cluster& cluster = *m_problem->cluster;
    std::vector<Lane> lanes(cluster.channelCount());
    for (std::size_t i = 0; i < m_schedule->transfers.size(); ++i) {
        const Transfer& transfer = m_schedule->transfers[i];
        for (const ChannelId channel : cluster.route(transfer.from, transfer.to))
            lanes[channel.index()].bars.push_back(
                {transfer.startNs, transfer.endNs, static_cast<std::uint32_t>(i), transfer.from.value});
    }
    for (std::size_t c = 0; c < lanes.size(); ++c) {
        if (lanes[c].bars.empty())
            continue;
        lanes[c].kind = LaneKind::Channel;
        lanes[c].index = static_cast<std::uint32_t>(c);
        lanes[c].label = cluster.channel(ChannelId(c)).name;
        m_lanes.push_back(std::move(lanes[c]));
    }
}

void GanttData::stackLanes() {
    double y = kGap;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        Lane& lane = m_lanes[i];
        const bool newGroup = i > 0 && lane.kind != LaneKind::Memory &&
                              (lane.kind == LaneKind::Device || m_lanes[i - 1].kind != LaneKind::Channel);
        y += newGroup ? kGroupGap - kGap : 0;
        lane.top = y;
        lane.height = lane.kind == LaneKind::Device   ? kDeviceHeight
                      : lane.kind == LaneKind::Memory ? kMemoryHeight
                                                      : kChannelHeight;
        y += lane.height + kGap;
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

GanttCamera GanttCamera::fit(std::int64_t endNs, double width, double labelWidth) {
    constexpr double kRight = 12; // a little air after the end
    GanttCamera camera;
    camera.labelWidth = labelWidth;
    camera.nsPerPixel = std::max(1e-3, static_cast<double>(std::max<std::int64_t>(1, endNs)) /
                                           std::max(1.0, width - labelWidth - kRight));
    return camera;
}

double ganttLabelWidth(const GanttData& data) {
    double width = 0;
    for (const GanttData::Lane& lane : data.lanes()) {
        const bool channel = lane.kind == GanttData::LaneKind::Channel;
        width =
            std::max(width, textWidth(lane.label, !channel) * (channel ? 10.0 / kTextHeight : 1) + (channel ? 54 : 44));
    }
    return std::clamp(std::ceil(width), 110.0, 220.0);
}

double ganttHeight(const GanttData& data) {
    return kGanttAxisHeight + (data.lanes().empty() ? 0 : data.lanes().back().top + data.lanes().back().height + kGap);
}

GanttHit ganttHit(const GanttData& data, const GanttCamera& camera, QPointF position) {
    constexpr double kReach = 3; // pixels beside a bar that still count as on it
    constexpr int kLookBack = 64;
    GanttHit hit;
    const double y = position.y() - kGanttAxisHeight + camera.scrollY;
    if (position.y() < kGanttAxisHeight)
        return hit;
    for (std::size_t i = 0; i < data.lanes().size(); ++i) {
        const GanttData::Lane& lane = data.lanes()[i];
        if (y >= lane.top && y < lane.top + lane.height)
            hit.lane = static_cast<int>(i);
    }
    if (hit.lane < 0 || position.x() < camera.labelWidth)
        return hit;
    const auto& bars = data.lanes()[static_cast<std::size_t>(hit.lane)].bars;
    const double time = camera.toNs(position.x());
    const double reach = kReach * camera.nsPerPixel;
    double nearest = reach;
    const auto after = std::ranges::upper_bound(
        bars, time + reach, {}, [](const GanttData::Bar& bar) { return static_cast<double>(bar.startNs); });
    for (auto bar = after; bar != bars.begin() && after - bar < kLookBack;) {
        --bar;
        const double off =
            std::max({0.0, static_cast<double>(bar->startNs) - time, time - static_cast<double>(bar->endNs)});
        if (off > nearest || (off == nearest && hit.bar >= 0))
            continue;
        nearest = off;
        hit.bar = static_cast<int>(bar - bars.begin());
    }
    return hit;
}

GanttHit ganttBarOf(const GanttData& data, OpId op) {
    if (op.index() >= data.schedule().ops.size())
        return {};
    const std::int64_t start = data.schedule().ops[op.index()].startNs;
    for (std::size_t i = 0; i < data.lanes().size(); ++i) {
        const GanttData::Lane& lane = data.lanes()[i];
        if (lane.kind != GanttData::LaneKind::Device)
            continue;
        auto bar = std::ranges::lower_bound(lane.bars, start, {}, &GanttData::Bar::startNs);
        for (; bar != lane.bars.end() && bar->startNs == start; ++bar) {
            if (bar->index == op.value)
                return {static_cast<int>(i), static_cast<int>(bar - lane.bars.begin())};
        }
    }
    return {};
}

} // namespace opscape
