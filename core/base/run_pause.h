// SPDX-License-Identifier: MIT
// Holds up a run and lets it go on. Whoever computes waits in hold(), which RunContext::stopRequested() calls, so that
// a pause is heard wherever a stop is: every 50 ms. Threads that wait use no processor. The time of a pause is lost to
// the clock of the run, not to its budget.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace opscape {

class RunPause {
public:
    using Clock = std::chrono::steady_clock;

    // From any thread.
    void set(bool paused);
    [[nodiscard]] bool isSet() const { return m_isSet.load(std::memory_order_acquire); }
    /// Returns at once unless it is set, else when it no longer is or there is a stop.
    void hold(const std::stop_token& stop) {
        if (isSet())
            wait(stop);
    }
    /// The length of all pauses up to now.
    [[nodiscard]] Clock::duration lost() const;

private:
    void wait(const std::stop_token& stop);

    std::atomic<bool> m_isSet = false;
    std::atomic<Clock::rep> m_lost = 0; ///< of the pauses that are over
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Clock::time_point m_since; ///< when it was set
};

} // namespace opscape
