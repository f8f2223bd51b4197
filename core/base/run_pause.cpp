// SPDX-License-Identifier: MIT
#include <opscape/base/run_pause.h>

namespace opscape {

void RunPause::set(bool paused) {
    {
        const std::lock_guard lock(m_mutex);
        if (paused == isSet())
            return;
        if (paused)
            m_since = Clock::now();
        else
            m_lost += (Clock::now() - m_since).count();
        m_isSet.store(paused, std::memory_order_release);
    }
    m_wake.notify_all();
}

void RunPause::wait(const std::stop_token& stop) {
    std::unique_lock lock(m_mutex);
    m_wake.wait(lock, stop, [this] { return !isSet(); });
}

RunPause::Clock::duration RunPause::lost() const {
    if (!isSet())
        return Clock::duration(m_lost.load());
    const std::lock_guard lock(m_mutex);
    const Clock::duration before(m_lost.load());
    return isSet() ? before + (Clock::now() - m_since) : before;
}

} // namespace opscape
