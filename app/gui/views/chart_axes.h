// SPDX-License-Identifier: MIT
// How the axes of every chart look.
#pragma once

#include "render/theme.h"

#include <qcustomplot.h>

namespace opscape {

/// Lines, ticks, texts and grid of the bottom and the left axis in the colours of the theme.
void dressAxes(QCPAxisRect& chart, const Theme& theme, const QFont& font, const QColor& zeroLine);

} // namespace opscape
