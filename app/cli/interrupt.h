// SPDX-License-Identifier: MIT
// What a person asks of a computation by signals: Ctrl+C (SIGINT) and SIGTERM are a wish to stop, the first for the
// best there is, a second ends the program at once; SIGUSR1 pauses and SIGUSR2 goes on (service/run_control.h); Ctrl+Z
// (SIGTSTP) pauses, then stops the program until the shell lets it go on.
#pragma once

#include <opscape/base/result.h>
#include <opscape/base/run_context.h>

#include <csignal>
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
    [[nodiscard]] const std::shared_ptr<RunPause>& pause() const { return m_pause; }
    /// What a command returns that failed: the error, but where it was stopped kStopped, with the sentence printed.
    [[nodiscard]] Result<int> failed(const Error& error) const;

private:
    void watch(const std::stop_token& done);
    void suspend();

    sigset_t m_signals{}, m_before{};
    std::stop_source m_source;
    std::shared_ptr<RunPause> m_pause = std::make_shared<RunPause>();
    std::jthread m_watcher;
};

} // namespace opscape
