// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include "commands.h"
#include "report.h"

#include <unistd.h>

#include <ctime>

namespace opscape {
namespace {

/// Until all that computes is held up and the pause is in the store.
constexpr auto kUntilPaused = std::chrono::milliseconds(150);

} // namespace

// A thread waits for the signals in place of a handler, which could not safely request a stop.
Interrupt::Interrupt() {
    ::sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGTSTP})
        ::sigaddset(&m_signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_watcher = std::jthread([this](const std::stop_token& done) { watch(done); });
}

Interrupt::~Interrupt() {
    m_watcher.request_stop();
    m_watcher.join();
    ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

Result<int> Interrupt::failed(const Error& error) const {
    if (!stopped())
        return fail(error);
    printError(error.message);
    return kStopped;
}

void Interrupt::watch(const std::stop_token& done) {
    const timespec patience{0, 50'000'000};
    while (!done.stop_requested()) {
        const int signal = ::sigtimedwait(&m_signals, nullptr, &patience);
        if (signal < 0)
            continue;
        if (signal == SIGUSR1 || signal == SIGUSR2) {
            m_pause->set(signal == SIGUSR1);
        } else if (signal == SIGTSTP) {
            suspend();
        } else {
            if (m_source.stop_requested())
                ::_exit(128 + signal);
            m_source.request_stop();
        }
    }
}

void Interrupt::suspend() {
    const bool before = m_pause->isSet();
    m_pause->set(true);
    std::this_thread::sleep_for(kUntilPaused); // not in the middle of a write, which would lock others out
    ::raise(SIGSTOP);
    m_pause->set(before);
}

} // namespace opscape
