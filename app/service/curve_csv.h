// SPDX-License-Identifier: MIT
// The curve of a learning run for other programs: every point of it, with what it is compared with.
#pragma once

#include <opscape/store/run_store.h>

#include <filesystem>
#include <string>

namespace opscape {

/// A row per point; each baseline is a column of its own, the same in every row.
[[nodiscard]] std::string curveCsv(const RunCurve& curve);
/// The curve of a kept run into a file: CSV, or events for TensorBoard, which looks for "tfevents" in the names of
/// files.
[[nodiscard]] Result<> writeCurve(const RunStore& store, std::int64_t run, const std::filesystem::path& file);

} // namespace opscape
