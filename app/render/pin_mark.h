// SPDX-License-Identifier: MIT
// The mark of what is pinned to its device: a pin, as on a notice board.
#pragma once

#include "surface.h"
#include "theme.h"

namespace opscape {

/// Its point at `tip`, so high in pixels. The head is hollow where not `all` of a group is pinned.
void paintPin(Surface& surface, QPointF tip, double height, const Theme& theme, bool all);

} // namespace opscape
