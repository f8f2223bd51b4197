// SPDX-License-Identifier: MIT
// Finds an op by its name: an open-addressing hash table of op ids. It holds no names itself, so the ops are passed in.
#pragma once

#include <opscape/base/ids.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace opscape {

struct Op;

class NameIndex {
public:
    NameIndex() : NameIndex(0) {}
    /// Room for `ops` names.
    explicit NameIndex(std::size_t ops);

    /// Enters an op under its name; when the name is taken nothing changes and the op that has it is returned.
    OpId insert(std::span<const Op> ops, OpId id);
    /// Invalid when there is no op of that name.
    [[nodiscard]] OpId find(std::span<const Op> ops, std::string_view name) const;

private:
    struct Slot {
        std::uint32_t hash = 0;
        OpId id;
    };
    [[nodiscard]] std::size_t slotOf(std::span<const Op> ops, std::string_view name, std::uint32_t hash) const;

    std::vector<Slot> m_slots; ///< a power of two, at most half of them used
};

} // namespace opscape
