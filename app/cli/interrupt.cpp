// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <unistd.h>

#include <ctime>

namespace opscape {

// A thread waits for the signals in place of a handler, which could not safely request a stop.
Interrupt::Interrupt() {
    ::sigemptyset(&m_signals);
    ::sigaddset(&m_signals, SIGINT);
    ::sigaddset(&m_signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_watcher = std::jthread([this](const std::stop_token& done) { watch(done); });
}

Interrupt::~Interrupt() {
    m_watcher.request_stop();
    m_watcher.join();
    ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

void Interrupt::watch(const std::stop_token& done) {
    const timespec patience{0, 50'000'000};
    while (!done.stop_requested()) {
        const int signal = ::sigtimedwait(&m_signals, nullptr, &patience);
        if (signal < 0)
            continue;
        if (m_source.stop_requested())
            ::_exit(128 + signal);
        m_source.request_stop();
    }
}

} // namespace opscape
