// SPDX-License-Identifier: MIT
// Opens the file that runs are kept in: its folder, its settings, its schema, and what a process that was killed left
// behind. Internal to the store.
#pragma once

#include <opscape/store/database.h>

#include <vector>

namespace opscape {

[[nodiscard]] Result<Database> openRunDatabase(const std::filesystem::path& file, std::chrono::milliseconds patience);

/// Runs whose process is gone will never be finished: says so in the file, with what is known of it. Their numbers.
[[nodiscard]] Result<std::vector<std::int64_t>> markDied(const Database& database);

/// Deletes the graphs and clusters that no run is about. In a transaction of the caller.
[[nodiscard]] Result<> dropUnused(const Database& database);

} // namespace opscape
