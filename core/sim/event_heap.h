// SPDX-License-Identifier: MIT
// The simulator's agenda: what ends next. A 4-ary heap, ordered by time alone: everything that ends at one moment is
// taken out before anything new starts, so the order among equals does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace opscape {

struct SimEvent {
    std::int64_t timeNs;
    std::uint32_t what;
};

class EventHeap {
public:
    /// Empties it and makes room for this many events at once.
    void clear(std::size_t room) {
        std::fill_n(m_events.begin(), m_size, kNever);
        m_size = 0;
        if (m_events.size() < room + kPadding)
            m_events.resize(room + kPadding, kNever);
    }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] std::int64_t nextNs() const { return m_events[0].timeNs; } ///< of an empty heap: later than anything

    void push(SimEvent event) {
        std::size_t at = m_size++;
        while (at > 0) {
            const std::size_t parent = (at - 1) / 4;
            if (event.timeNs >= m_events[parent].timeNs)
                break;
            m_events[at] = m_events[parent];
            at = parent;
        }
        m_events[at] = event;
    }

    std::uint32_t pop() {
        SimEvent* const events = m_events.data();
        const std::uint32_t what = events[0].what;
        const SimEvent last = events[--m_size];
        events[m_size] = kNever;
        std::size_t at = 0;
        for (std::size_t child; (child = 4 * at + 1) < m_size; at = child) {
            // Places past the end are never the earliest, so that all four can be compared without branches.
            const std::size_t left = events[child + 1].timeNs < events[child].timeNs ? child + 1 : child;
            const std::size_t right = events[child + 3].timeNs < events[child + 2].timeNs ? child + 3 : child + 2;
            child = events[right].timeNs < events[left].timeNs ? right : left;
            if (last.timeNs <= events[child].timeNs)
                break;
            events[at] = events[child];
        }
        if (m_size > 0)
            events[at] = last;
        return what;
    }

private:
    static constexpr SimEvent kNever{std::numeric_limits<std::int64_t>::max(), 0};
    static constexpr std::size_t kPadding = 4;

    std::vector<SimEvent> m_events = std::vector<SimEvent>(kPadding, kNever); ///< kNever from m_size on
    std::size_t m_size = 0;
};

} // namespace opscape
