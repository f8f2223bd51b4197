// SPDX-License-Identifier: MIT
// Ctrl+C (SIGINT) and SIGTERM as a wish to stop. The first one asks the computation to end with the best it has; a
// second one ends the program at once.
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace opscape {

/// While one exists the signals are its own. Made before any other thread, since threads inherit which signals they
/// take.
class Interrupt {
public:
    Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;
    ~Interrupt();

    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }
    [[nodiscard]] bool stopped() const { return m_source.stop_requested(); }

private:
    void watch(const std::stop_token& done);

    sigset_t m_signals{}, m_before{};
    std::stop_source m_source;
    std::jthread m_watcher;
};

} // namespace opscape
