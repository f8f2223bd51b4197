// SPDX-License-Identifier: MIT
// Which lanes of a schedule are seen, in which order, and where: as a person arranged them. Pinned lanes stay at the
// top while the others scroll.
#pragma once

#include "gantt_data.h"

#include <set>

namespace opscape {

/// What a person chose, by the keys of lanes, so that it holds for every schedule on a cluster.
struct LaneChoice {
    std::vector<std::string> order; ///< lanes that were moved come in this order; others keep their place
    std::set<std::string, std::less<>> hidden, pinned;
    std::set<std::string, std::less<>> wanted; ///< shown although nothing happens there
    friend bool operator==(const LaneChoice&, const LaneChoice&) = default;
};

/// Height of the time axis, which stays at the top when the lanes are scrolled, pixels.
inline constexpr double kGanttAxisHeight = 26;

class LaneStack {
public:
    struct Slot {
        int lane = 0;      ///< in GanttData::lanes()
        double top = 0;    ///< pixels below the axis, of a lane that scrolls before scrolling
        double height = 0; ///< pixels
        bool isPinned = false;
        bool isShown = true;
    };

    /// As the schedule has them: channels that carry nothing are left out.
    LaneStack(const GanttData& data, const LaneChoice& choice);
    explicit LaneStack(const GanttData& data) : LaneStack(data, LaneChoice()) {}

    /// Of every lane, in the order of the screen; those that are not shown are among them, with no height.
    [[nodiscard]] const std::vector<Slot>& inOrder() const { return m_slots; }
    [[nodiscard]] const Slot& slotOf(int lane) const { return m_slots[m_place[static_cast<std::size_t>(lane)]]; }
    [[nodiscard]] bool shows(int lane) const { return slotOf(lane).isShown; }
    [[nodiscard]] std::size_t shownCount() const;
    /// Height of the pinned lanes and of the others, pixels.
    [[nodiscard]] double pinnedHeight() const { return m_pinnedHeight; }
    [[nodiscard]] double scrolledHeight() const { return m_scrolledHeight; }
    /// Height of everything, with the axis.
    [[nodiscard]] double height() const { return kGanttAxisHeight + m_pinnedHeight + m_scrolledHeight; }
    /// The lane at a height of the view; -1 when there is none.
    [[nodiscard]] int laneAt(double y, double scrollY) const;
    /// The upper edge of a lane in the view.
    [[nodiscard]] double yOf(const Slot& slot, double scrollY) const {
        return kGanttAxisHeight + slot.top + (slot.isPinned ? 0 : m_pinnedHeight - scrollY);
    }

private:
    std::vector<Slot> m_slots;
    std::vector<std::size_t> m_place; ///< per lane
    double m_pinnedHeight = 0, m_scrolledHeight = 0;
};

/// True for a channel that carries nothing: not shown unless it is wanted.
[[nodiscard]] bool isIdle(const GanttData::Lane& lane);
/// Keys of all lanes in the order of the choice.
[[nodiscard]] std::vector<int> orderedLanes(const GanttData& data, const LaneChoice& choice);

} // namespace opscape
