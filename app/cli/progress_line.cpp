// SPDX-License-Identifier: MIT
#include "progress_line.h"

#include <opscape/base/text.h>
#include <opscape/base/units.h>

#include <fmt/format.h>
#include <unistd.h>

namespace opscape {

std::string progressText(const std::string& title, const Progress& progress, std::int64_t elapsedMs) {
    std::string text = title;
    if (!progress.stage.empty())
        text += fmt::format(": {}", progress.stage);
    if (progress.fraction >= 0)
        text += fmt::format(", {:.0f}%", progress.fraction * 100);
    if (progress.bestNs >= 0)
        text += fmt::format(", best {}", formatTime(progress.bestNs));
    if (progress.simulations > 0)
        text += ", " + counted(progress.simulations, "plan");
    return text + fmt::format(", {:.1f} s", static_cast<double>(elapsedMs) / 1000);
}

ProgressLine::ProgressLine(std::string title)
    : m_title(std::move(title)),
      m_visible(::isatty(STDERR_FILENO) == 1),
      m_start(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
    if (m_visible)
        fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(const Progress& progress) {
    if (!m_visible)
        return;
    const auto elapsed = std::chrono::steady_clock::now() - m_start;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count();
    const std::scoped_lock lock(m_mutex);
    fmt::print(stderr, "\r\033[K{}", elide(printable(progressText(m_title, progress, ms)), 100));
    std::fflush(stderr);
}

} // namespace opscape
