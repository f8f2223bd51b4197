// SPDX-License-Identifier: MIT
// Where a time axis has its ticks and what they say.
#pragma once

#include <QString>

#include <vector>

namespace opscape {

struct TimeTick {
    double ns = 0;
    QString label; ///< empty for a minor tick
};

/// Round times (1, 2 or 5 times a power of ten) from `startNs` to `endNs`, labelled ones at least `labelSpacing` ns
/// apart.
[[nodiscard]] std::vector<TimeTick> timeTicks(double startNs, double endNs, double labelSpacing);

} // namespace opscape
