// SPDX-License-Identifier: MIT
// Texts numbered in the order they first came: the ids of a file's nodes. All of them lie in one string behind an
// open-addressing table, which takes a fifth of what a map of strings would for a million of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

class IdTable {
public:
    /// The number of a text; a new one where it was not there yet.
    std::uint32_t add(std::string_view text);
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text) const;
    [[nodiscard]] std::string_view text(std::uint32_t number) const {
        return std::string_view(m_all).substr(m_begin[number], m_begin[number + 1] - m_begin[number]);
    }
    [[nodiscard]] std::size_t size() const { return m_begin.size() - 1; }

private:
    [[nodiscard]] std::size_t slotOf(std::string_view text) const;
    void grow();

    static constexpr std::uint32_t kFree = 0xffffffff;

    std::string m_all;
    std::vector<std::size_t> m_begin{0};
    std::vector<std::uint32_t> m_slots = std::vector<std::uint32_t>(64, kFree); ///< a power of two, at most half used
};

} // namespace opscape
