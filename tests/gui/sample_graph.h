// SPDX-License-Identifier: MIT
// A small graph with scopes two deep, and outcomes of it, for the tests of models and windows.
#pragma once

#include "gui/shown_run.h"

namespace opscape::test {

/// Three scopes "stage_0" .. "stage_2", in each "left" and "right" with `opsEach` MatMuls in a row and a joining Add.
[[nodiscard]] Graph sampleGraph(int opsEach = 3);
[[nodiscard]] std::shared_ptr<const OpenedGraph> sampleOpened(int opsEach = 3);
/// With the left halves on device 0 and the right ones on device 1 (or all on 0), simulated on p100x2.
[[nodiscard]] ShownRunPtr sampleRun(const std::shared_ptr<const OpenedGraph>& opened, bool split);

} // namespace opscape::test
