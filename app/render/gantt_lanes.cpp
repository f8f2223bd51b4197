// SPDX-License-Identifier: MIT
#include "gantt_lanes.h"

#include <algorithm>
#include <map>

namespace opscape {
namespace {

constexpr double kDeviceHeight = 36, kMemoryHeight = 30, kChannelHeight = 20, kRowHeight = 12;
constexpr double kGap = 4, kGroupGap = 12;

double heightOf(const GanttData::Lane& lane) {
    if (lane.kind == GanttData::LaneKind::Device)
        return kDeviceHeight;
    if (lane.kind == GanttData::LaneKind::Memory)
        return kMemoryHeight;
    return std::max(kChannelHeight, kRowHeight * static_cast<double>(lane.rows.size()));
}

} // namespace

bool isIdle(const GanttData::Lane& lane) { return lane.kind == GanttData::LaneKind::Channel && lane.bars.empty(); }

std::vector<int> orderedLanes(const GanttData& data, const LaneChoice& choice) {
    std::vector<int> order;
    for (std::size_t l = 0; l < data.lanes().size(); ++l)
        order.push_back(static_cast<int>(l));
    if (choice.order.empty())
        return order;
    std::map<std::string_view, std::size_t> chosen;
    for (const std::string& key : choice.order)
        chosen.emplace(key, chosen.size());
    // A lane nobody moved, of a schedule with more of them, stays behind the one it comes after.
    std::vector<std::pair<std::size_t, int>> placed;
    std::size_t last = 0;
    for (const int lane : order) {
        const auto known = chosen.find(data.lanes()[static_cast<std::size_t>(lane)].key);
        last = known != chosen.end() ? known->second : last;
        placed.emplace_back(last, lane);
    }
    std::ranges::stable_sort(placed, {}, &std::pair<std::size_t, int>::first);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = placed[i].second;
    return order;
}

LaneStack::LaneStack(const GanttData& data, const LaneChoice& choice) : m_place(data.lanes().size()) {
    const auto& lanes = data.lanes();
    double pinned = 0, scrolled = 0;
    const Slot* above[2] = {nullptr, nullptr}; // of those that scroll, of the pinned ones
    m_slots.reserve(lanes.size());
    for (const int l : orderedLanes(data, choice)) {
        const GanttData::Lane& lane = lanes[static_cast<std::size_t>(l)];
        Slot slot;
        slot.lane = l;
        slot.isPinned = choice.pinned.contains(lane.key);
        slot.isShown =
            !choice.hidden.contains(lane.key) && (!isIdle(lane) || slot.isPinned || choice.wanted.contains(lane.key));
        if (slot.isShown) {
            double& y = slot.isPinned ? pinned : scrolled;
            const Slot*& before = above[slot.isPinned ? 1 : 0];
            const bool newGroup = before != nullptr && lane.kind != GanttData::LaneKind::Memory &&
                                  (lane.kind == GanttData::LaneKind::Device ||
                                   lanes[static_cast<std::size_t>(before->lane)].kind != GanttData::LaneKind::Channel);
            y += newGroup ? kGroupGap : kGap;
            slot.top = y;
            slot.height = heightOf(lane);
            y += slot.height;
            m_slots.push_back(slot);
            before = &m_slots.back();
        } else {
            m_slots.push_back(slot);
        }
        m_place[static_cast<std::size_t>(l)] = m_slots.size() - 1;
    }
    m_pinnedHeight = pinned > 0 ? pinned + kGap : 0;
    m_scrolledHeight = scrolled > 0 ? scrolled + kGap : 0;
}

std::size_t LaneStack::shownCount() const {
    return static_cast<std::size_t>(std::ranges::count_if(m_slots, &Slot::isShown));
}

int LaneStack::laneAt(double y, double scrollY) const {
    if (y < kGanttAxisHeight)
        return -1;
    const bool inPinned = y < kGanttAxisHeight + m_pinnedHeight;
    for (const Slot& slot : m_slots) {
        const double top = yOf(slot, scrollY);
        if (slot.isShown && slot.isPinned == inPinned && y >= top && y < top + slot.height)
            return slot.lane;
    }
    return -1;
}

} // namespace opscape
