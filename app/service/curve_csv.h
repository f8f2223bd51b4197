// SPDX-License-Identifier: MIT
// The curve of a learning run as a table: every point of it, with what it is compared with.
#pragma once

#include <opscape/store/run_store.h>

#include <string>

namespace opscape {

/// A row per point; each baseline is a column of its own, the same in every row.
[[nodiscard]] std::string curveCsv(const RunCurve& curve);

} // namespace opscape
