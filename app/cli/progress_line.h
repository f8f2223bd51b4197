// SPDX-License-Identifier: MIT
// One line of progress on a terminal, written over and over, and gone at the end. Silent where stderr is no terminal.
#pragma once

#include <opscape/base/run_context.h>

#include <chrono>
#include <mutex>
#include <string>

namespace opscape {

class ProgressLine {
public:
    explicit ProgressLine(std::string title);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    /// Takes the line away, before something else is printed.
    void clear();
    /// May be called by any thread.
    void show(const Progress& progress);

private:
    std::string m_title;
    bool m_visible;
    std::chrono::steady_clock::time_point m_start;
    std::mutex m_mutex;
};

/// The words of the line.
[[nodiscard]] std::string progressText(const std::string& title, const Progress& progress, std::int64_t elapsedMs);

} // namespace opscape
