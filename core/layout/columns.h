// SPDX-License-Identifier: MIT
// Lays out one connected part. A tall one is cut into columns, read like a newspaper's, so that a chain of 200 ops
// does not become a thread; edges between columns run in the gutters.
#pragma once

#include <opscape/layout/arrangement.h>

namespace opscape {

/// The columns of a part and the order of their rows.
[[nodiscard]] std::vector<ColumnPlan> planColumns(const BoxProblem& part);
[[nodiscard]] BoxLayout placeColumns(const BoxProblem& part, const std::vector<ColumnPlan>& columns);

/// The boxes and edges of one column.
[[nodiscard]] BoxProblem columnProblem(const BoxProblem& part, const ColumnPlan& column);

} // namespace opscape
