// SPDX-License-Identifier: MIT
// Brings a run database to the newest schema. The schema is a list of numbered steps (schema/NNN_*.sql, built into the
// library); `PRAGMA user_version` is the number of steps a file has had. Internal to the store.
#pragma once

#include <opscape/store/database.h>

#include <span>

namespace opscape {

/// SQL of every step, in order; generated from the files in schema/.
[[nodiscard]] std::span<const std::string_view> schemaSteps();

/// The number of steps the file has had; refused when it is another program's or has had more than `steps`. Changes
/// nothing.
[[nodiscard]] Result<std::int64_t> checkSchema(const Database& database, std::span<const std::string_view> steps);
/// Runs the steps that are missing in one transaction. A file of an older schema is copied first, to
/// FILE.schema-N.backup with its old number N. Several processes may do this at once.
[[nodiscard]] Result<> migrate(const Database& database, std::span<const std::string_view> steps);

} // namespace opscape
