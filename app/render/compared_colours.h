// SPDX-License-Identifier: MIT
// How plans that are compared are told apart in pictures that show several of them at once: by number, by colour and
// by the pattern of a line, so that nothing is said by hue alone.
#pragma once

#include "theme.h"

#include <QPen>

namespace opscape {

/// Of the first, second, third, fourth plan; any further ones repeat.
[[nodiscard]] QColor planColour(const Theme& theme, std::size_t plan);
[[nodiscard]] Qt::PenStyle planLine(std::size_t plan);

} // namespace opscape
