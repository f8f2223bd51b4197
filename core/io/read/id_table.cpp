// SPDX-License-Identifier: MIT
#include <opscape/io/read/id_table.h>

#include <functional>

namespace opscape {

std::size_t IdTable::slotOf(std::string_view text) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = std::hash<std::string_view>()(text) & mask;
    while (m_slots[slot] != kFree && this->text(m_slots[slot]) != text)
        slot = (slot + 1) & mask;
    return slot;
}

std::uint32_t IdTable::add(std::string_view text) {
    std::size_t slot = slotOf(text);
    if (m_slots[slot] != kFree)
        return m_slots[slot];
    if ((size() + 1) * 2 > m_slots.size()) {
        grow();
        slot = slotOf(text);
    }
    const auto number = static_cast<std::uint32_t>(size());
    m_all += text;
    m_begin.push_back(m_all.size());
    m_slots[slot] = number;
    return number;
}

std::optional<std::uint32_t> IdTable::find(std::string_view text) const {
    const std::uint32_t number = m_slots[slotOf(text)];
    return number == kFree ? std::nullopt : std::optional(number);
}

void IdTable::grow() {
    m_slots.assign(m_slots.size() * 2, kFree);
    for (std::uint32_t i = 0; i < size(); ++i)
        m_slots[slotOf(text(i))] = i;
}

} // namespace opscape
