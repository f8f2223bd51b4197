// SPDX-License-Identifier: MIT
#include <opscape/graph/graph.h>
#include <opscape/graph/name_index.h>

#include <bit>

namespace opscape {
namespace {

/// FNV-1a, folded to 32 bits.
std::uint32_t hashOf(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

} // namespace

NameIndex::NameIndex(std::size_t ops) : m_slots(std::bit_ceil(2 * ops + 1)) {}

OpId NameIndex::insert(std::span<const Op> ops, OpId id) {
    const std::string& name = ops[id.index()].name;
    const std::uint32_t hash = hashOf(name);
    Slot& slot = m_slots[slotOf(ops, name, hash)];
    if (slot.id.valid())
        return slot.id;
    slot = {hash, id};
    return {};
}

OpId NameIndex::find(std::span<const Op> ops, std::string_view name) const {
    return m_slots[slotOf(ops, name, hashOf(name))].id;
}

/// Where the name is, or the free slot where it would be.
std::size_t NameIndex::slotOf(std::span<const Op> ops, std::string_view name, std::uint32_t hash) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask;
    while (m_slots[at].id.valid() && (m_slots[at].hash != hash || ops[m_slots[at].id.index()].name != name))
        at = (at + 1) & mask;
    return at;
}

} // namespace opscape
