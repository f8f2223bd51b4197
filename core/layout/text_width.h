// SPDX-License-Identifier: MIT
// How wide a text will be on the screen, without a font library: boxes must fit their labels.
#pragma once

#include <string_view>

namespace opscape {

inline constexpr float kTextHeight = 12;

/// Width of UTF-8 text at 12 points in DejaVu Sans, in points; a little more for bold.
[[nodiscard]] float textWidth(std::string_view text, bool bold = false);

} // namespace opscape
