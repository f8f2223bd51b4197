// SPDX-License-Identifier: MIT
// Tells a process apart from every other one, before and after it: process ids are used again, so the time it started
// and the boot of the machine are kept beside it.
#pragma once

#include <cstdint>
#include <string>

namespace opscape {

struct ProcessMark {
    std::int64_t pid = 0;
    std::int64_t started = 0; ///< clock ticks since boot
    std::string boot;         ///< the kernel's id of this boot

    [[nodiscard]] static ProcessMark ours();
    /// False once the process has ended, also when its id was given to another one since.
    [[nodiscard]] bool alive() const;
};

} // namespace opscape
