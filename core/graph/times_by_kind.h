// SPDX-License-Identifier: MIT
// Times by device kind or type: a sorted list, because an op has few of them and most ops none.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opscape {

class TimesByKind {
public:
    using value_type = std::pair<std::string, std::int64_t>; ///< kind and ns
    using const_iterator = std::vector<value_type>::const_iterator;

    TimesByKind() = default;
    TimesByKind(std::initializer_list<value_type> times) {
        for (const auto& [kind, ns] : times)
            (*this)[kind] = ns;
    }

    [[nodiscard]] const_iterator begin() const { return m_times.begin(); } ///< by kind, ascending
    [[nodiscard]] const_iterator end() const { return m_times.end(); }
    [[nodiscard]] bool empty() const { return m_times.empty(); }
    [[nodiscard]] std::size_t size() const { return m_times.size(); }

    /// The time of a kind; 0 is added where there is none.
    [[nodiscard]] std::int64_t& operator[](std::string_view kind) {
        auto it = std::ranges::lower_bound(m_times, kind, {}, &value_type::first);
        if (it == m_times.end() || it->first != kind)
            it = m_times.emplace(it, kind, 0);
        return it->second;
    }
    /// end() where there is none.
    [[nodiscard]] const_iterator find(std::string_view kind) const {
        const auto it = std::ranges::lower_bound(m_times, kind, {}, &value_type::first);
        return it != m_times.end() && it->first == kind ? it : m_times.end();
    }
    void erase(const_iterator it) { m_times.erase(it); }
    void clear() { m_times.clear(); }

    friend bool operator==(const TimesByKind&, const TimesByKind&) = default;

private:
    std::vector<value_type> m_times;
};

} // namespace opscape
