// SPDX-License-Identifier: MIT
// What a run that learns keeps on disk while it goes on, in a folder of its own beside the database: what it can be
// resumed from, what the store does not know of it, and what its process said last. Gone when the run has finished or
// is deleted.
#pragma once

#include <opscape/plan/problem.h>

#include <filesystem>
#include <optional>

namespace opscape {

/// The end of what a process wrote to a file, on one line; empty when it said nothing.
[[nodiscard]] std::string lastWordsIn(const std::filesystem::path& log);

class RunFiles {
public:
    RunFiles(const std::filesystem::path& database, std::int64_t run);

    /// Those of the oldest runs that nobody went on with make room.
    [[nodiscard]] Result<> makeFolder() const;
    [[nodiscard]] bool hasFolder() const;
    [[nodiscard]] std::filesystem::path checkpoint() const { return m_folder / "checkpoint"; }
    [[nodiscard]] bool hasCheckpoint() const;
    /// What its process wrote on stderr.
    [[nodiscard]] std::filesystem::path log() const { return m_folder / "log"; }
    /// The end of it, on one line; empty when it said nothing.
    [[nodiscard]] std::string lastWords() const;

    /// The plan that it starts from and the pins that it keeps; nothing is written where there are none.
    [[nodiscard]] Result<> writeStart(const Problem& problem) const;
    /// Fills them in.
    [[nodiscard]] Result<> readStart(const Graph& graph, const Cluster& cluster, std::optional<Plan>& start,
                                     std::vector<DeviceId>& pins) const;
    void remove() const;

private:
    void makeRoom() const;

    std::filesystem::path m_database, m_folder;
};

} // namespace opscape
