// SPDX-License-Identifier: MIT
#include "compared_colours.h"

#include <array>

namespace opscape {

QColor planColour(const Theme& theme, std::size_t plan) {
    // Blue, vermilion, green, pink: the four of the palette that differ most in hue and lightness.
    constexpr std::array<std::size_t, 4> kHues{0, 5, 2, 3};
    return theme.device(DeviceId(kHues[plan % kHues.size()]));
}

Qt::PenStyle planLine(std::size_t plan) {
    constexpr std::array<Qt::PenStyle, 4> kStyles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return kStyles[plan % kStyles.size()];
}

} // namespace opscape
