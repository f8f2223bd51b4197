// SPDX-License-Identifier: MIT
// Opens the file that runs are kept in: its folder, its settings, its schema, and what a process that was killed left
// behind. Internal to the store.
#pragma once

#include <opscape/store/database.h>

namespace opscape {

[[nodiscard]] Result<Database> openRunDatabase(const std::filesystem::path& file, std::chrono::milliseconds patience);

} // namespace opscape
