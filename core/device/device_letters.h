// SPDX-License-Identifier: MIT
// The letters a device is known by on the screen and in searches, so that it can be told without its colour.
#pragma once

#include <opscape/base/ids.h>

#include <string>

namespace opscape {

/// "A" ... "Z", "AA", "AB" ...; "?" for an invalid id.
[[nodiscard]] inline std::string deviceLetters(DeviceId id) {
    if (!id.valid())
        return "?";
    std::string letters;
    for (std::size_t i = id.index() + 1; i > 0; i = (i - 1) / 26)
        letters.insert(letters.begin(), static_cast<char>('A' + (i - 1) % 26));
    return letters;
}

} // namespace opscape
