// SPDX-License-Identifier: MIT
// Partial schedules seen before. Of two that hold the same units, one that is no later in anything that matters for
// what follows makes the other superfluous.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace opscape {

class DominanceTable {
public:
    /// True when a schedule seen before, of the same units, is nowhere later. If not, this one is remembered as long as
    /// there is room, in place of those it makes superfluous. States of the same units have the same length.
    bool isDominated(std::uint64_t units, std::span<const std::int64_t> state) {
        std::vector<std::int64_t>& seen = m_seen[units];
        const std::size_t length = state.size();
        const auto isNowhereLater = [length](const std::int64_t* a, const std::int64_t* b) {
            for (std::size_t i = 0; i < length; ++i) {
                if (a[i] > b[i])
                    return false;
            }
            return true;
        };
        for (std::size_t at = 0; at < seen.size(); at += length) {
            if (isNowhereLater(&seen[at], state.data()))
                return true;
        }
        std::size_t kept = 0;
        for (std::size_t at = 0; at < seen.size(); at += length) {
            if (isNowhereLater(state.data(), &seen[at]))
                continue;
            if (kept != at)
                std::copy_n(seen.begin() + static_cast<std::ptrdiff_t>(at), length,
                            seen.begin() + static_cast<std::ptrdiff_t>(kept));
            kept += length;
        }
        m_stored -= seen.size() - kept;
        seen.resize(kept);
        if (m_stored + length <= kMost) {
            seen.insert(seen.end(), state.begin(), state.end());
            m_stored += length;
        }
        return false;
    }

private:
    static constexpr std::size_t kMost = 32'000'000; ///< numbers kept, 256 MB

    std::unordered_map<std::uint64_t, std::vector<std::int64_t>> m_seen;
    std::size_t m_stored = 0;
};

} // namespace opscape
