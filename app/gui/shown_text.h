// SPDX-License-Identifier: MIT
// Names and counts as the panes show them.
#pragma once

#include "gui/words.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <concepts>

namespace opscape {

/// A name out of a file, printable (core/base/text.h).
[[nodiscard]] inline QString seen(std::string_view name) { return qs(printable(name)); }
/// "12,345"
[[nodiscard]] inline QString countText(std::integral auto count) {
    return qs(formatCount(static_cast<std::int64_t>(count)));
}
/// "1 op", "12,345 ops"
[[nodiscard]] inline QString countedText(std::integral auto count, std::string_view what) {
    return qs(counted(static_cast<std::int64_t>(count), what));
}
/// "1 box", "300 boxes"
[[nodiscard]] inline QString boxesText(std::integral auto count) {
    return count == 1 ? QStringLiteral("1 box") : countText(count) + QStringLiteral(" boxes");
}

} // namespace opscape
