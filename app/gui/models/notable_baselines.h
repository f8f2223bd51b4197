// SPDX-License-Identifier: MIT
// Which of the many plans that a learning run is compared with are worth a line each in its chart.
#pragma once

#include <opscape/base/run_context.h>

#include <span>
#include <vector>

namespace opscape {

/// All where they are few; else where the run began, the best, and the best of those that a person knows: one device,
/// the expert's (layers), METIS (least cut), HEFT (earliest finish). In the same order, one for each step time.
[[nodiscard]] std::vector<NamedTime> notableBaselines(std::span<const NamedTime> all);

} // namespace opscape
