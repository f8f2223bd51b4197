// SPDX-License-Identifier: MIT
#pragma once

#include <opscape/base/result.h>
#include <opscape/base/text.h>
#include <opscape/base/units.h>

namespace opscape {

/// A name from a file as a sentence quotes it: printable, and no longer than a line bears.
[[nodiscard]] inline std::string shown(std::string_view name) {
    constexpr std::size_t kLongest = 100;
    return elide(printable(name), kLongest);
}

/// An error of a reader as people see it: what it quotes of a file may hold anything.
[[nodiscard]] inline Error printableError(const Error& error) { return {printable(error.message)}; }

} // namespace opscape
