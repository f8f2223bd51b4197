// SPDX-License-Identifier: MIT
// Runs as a table for programs.
#pragma once

#include <opscape/store/run_store.h>

#include <set>
#include <string>

namespace opscape {

/// A header and a row per run, `paused` are those that are held up; times in ns, sizes in bytes, an empty field where a
/// run has no such figure.
[[nodiscard]] std::string runsCsv(const std::vector<RunRecord>& runs, const std::set<std::int64_t>& paused = {});

} // namespace opscape
