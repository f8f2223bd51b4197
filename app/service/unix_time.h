// SPDX-License-Identifier: MIT
// When a run began, as it is kept.
#pragma once

#include <chrono>
#include <cstdint>

namespace opscape {

/// Now, in milliseconds since 1970.
[[nodiscard]] inline std::int64_t unixMs() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

} // namespace opscape
