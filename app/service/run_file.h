// SPDX-License-Identifier: MIT
// Runs in a file of their own, to take them to another machine: everything there is of them, the graph and the cluster
// included. The file is JSON of one line:
//   {"opscape_runs": 1,                 the version of this format
//    "version": "0.1.0",                of the product that wrote it
//    "graphs": {HASH: {...}},           Opscape JSON, by content hash
//    "clusters": {HASH: "..."},         the text of the cluster file, by content hash
//    "runs": [{"uid": "...", "number": 3, "kind": "optimize", "status": "finished", "graph_hash": HASH, ...,
//              "options": {...}, "seed": 7, "tags": [...], "notes": "...", "result": {"makespan_ns": ..., ...},
//              "plan": {...},           as written by the command line; left out where there is none
//              "curve": {"baselines": [["heft", 4000000]], "points": [[1, 0.5, 32, ...], ...]}}],
//    "checksum": HASH}                  of everything else, as JSON without blanks
// A point of a curve is update, seconds, simulations, reward, best ns, entropy, KL, clip fraction, value baseline;
// figures that are not finite are "nan", "inf" or "-inf". A uid is the same run wherever it is.
#pragma once

#include <opscape/store/run_store.h>

#include <filesystem>
#include <string>

namespace opscape {

inline constexpr std::string_view kRunFileExtension = ".opscape-runs";

/// Fails where what is kept of a run cannot be read.
[[nodiscard]] Result<std::string> writeRuns(const RunBundle& bundle);
/// Checks all of it: what is read can be kept and shown. An error is one sentence that begins with `origin`.
[[nodiscard]] Result<RunBundle> readRuns(std::string_view text, const std::string& origin);

/// How many bytes were written.
[[nodiscard]] Result<std::size_t> exportRuns(const std::filesystem::path& database, std::span<const std::int64_t> ids,
                                             const std::filesystem::path& file);
[[nodiscard]] Result<std::vector<BundledRun>> importRuns(const std::filesystem::path& database,
                                                         const std::filesystem::path& file);
/// "2 runs are imported, as 8 and 9; 1 was here already, as run 7."
[[nodiscard]] std::string importReport(const std::vector<BundledRun>& runs);

} // namespace opscape
