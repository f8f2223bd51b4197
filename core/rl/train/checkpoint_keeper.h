// SPDX-License-Identifier: MIT
// Keeps a file up to date with a training as it goes on: now and then, and once more at the end. What it writes is the
// state after a whole update; where a run was stopped in the middle of one, that update is made again from the file.
#pragma once

#include <opscape/rl/train/checkpoint.h>

#include <chrono>
#include <optional>

namespace opscape::rl {

class CheckpointKeeper {
public:
    /// An empty path: nothing is kept.
    CheckpointKeeper(std::filesystem::path file, std::int64_t everyUpdates)
        : m_file(std::move(file)),
          m_everyUpdates(everyUpdates) {}

    [[nodiscard]] bool isOn() const { return !m_file.empty(); }
    /// Before the first update. Fails when the file cannot be written, while little is lost by that.
    [[nodiscard]] Result<> begin(Checkpoint checkpoint);
    /// After every update. A file that cannot be written any more is no reason to end the training.
    void add(Checkpoint checkpoint);
    void end();
    /// Why the file is behind; empty when it is not.
    [[nodiscard]] const std::string& failure() const { return m_failure; }

private:
    void write();

    std::filesystem::path m_file;
    std::int64_t m_everyUpdates;
    std::optional<Checkpoint> m_unwritten;
    std::chrono::steady_clock::time_point m_written;
    std::string m_failure;
};

} // namespace opscape::rl
