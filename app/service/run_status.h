// SPDX-License-Identifier: MIT
// What people are told of how a run is: its status, but "paused" where it is held up just now.
#pragma once

#include <opscape/store/run_store.h>

#include <set>

namespace opscape {

/// The runs that are held up. Empty where they cannot be read: then all that go on are said to be running.
[[nodiscard]] std::set<std::int64_t> pausedRuns(const RunStore& store);
[[nodiscard]] std::string_view statusText(const RunRecord& run, bool isPaused);

} // namespace opscape
