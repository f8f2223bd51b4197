// SPDX-License-Identifier: MIT
// Opens the file that runs are kept in: its folder, its settings, its schema, and what a process that was killed left
// behind. Internal to the store.
#pragma once

#include <opscape/store/database.h>

#include <vector>

namespace opscape {

[[nodiscard]] Result<Database> openRunDatabase(const std::filesystem::path& file, std::chrono::milliseconds patience);

/// Runs whose process is gone will never be finished: says so in the file. Their numbers.
[[nodiscard]] Result<std::vector<std::int64_t>> markDied(const Database& database);

} // namespace opscape
