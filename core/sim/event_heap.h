// SPDX-License-Identifier: MIT
// The simulator's agenda: what ends next. A 4-ary heap, ordered by time alone: everything that ends at one moment is
// taken out before anything new starts, so the order among equals does not matter.
#pragma once

#include <cstdint>
#include <vector>

namespace opscape {

struct SimEvent {
    std::int64_t timeNs;
    std::uint32_t what;
};

class EventHeap {
public:
    void clear() { m_events.clear(); }
    void reserve(std::size_t count) { m_events.reserve(count); }
    [[nodiscard]] bool empty() const { return m_events.empty(); }
    [[nodiscard]] std::int64_t nextNs() const { return m_events[0].timeNs; }

    void push(SimEvent event) {
        std::size_t at = m_events.size();
        m_events.push_back(event);
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
        const std::uint32_t what = m_events[0].what;
        const SimEvent last = m_events.back();
        m_events.pop_back();
        const std::size_t size = m_events.size();
        if (size == 0)
            return what;
        std::size_t at = 0;
        for (std::size_t child; (child = 4 * at + 1) < size;) {
            std::size_t least = child;
            const std::size_t end = child + 4 < size ? child + 4 : size;
            while (++child < end) {
                if (m_events[child].timeNs < m_events[least].timeNs)
                    least = child;
            }
            if (last.timeNs <= m_events[least].timeNs)
                break;
            m_events[at] = m_events[least];
            at = least;
        }
        m_events[at] = last;
        return what;
    }

private:
    std::vector<SimEvent> m_events;
};

} // namespace opscape
