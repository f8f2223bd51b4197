// SPDX-License-Identifier: MIT
// Graphviz dot at arm's length. It is neither interruptible nor safe against hard inputs, so it runs in a helper
// program that is started when first needed, kept for further questions, and killed when it takes too long. Whatever
// the helper does, the worst that comes of it is no answer.
#pragma once

#include <opscape/layout/box_layout.h>

#include <chrono>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

namespace opscape {

class DotProcess {
public:
    static constexpr std::chrono::milliseconds kTimeLimit{300}; ///< for one question
    static constexpr std::chrono::milliseconds kBudget{
        600};                               ///< lost to questions without an answer, between two calls of renewBudget()
    static constexpr int kMostFailures = 5; ///< after these many crashes or bad answers it is not asked again

    explicit DotProcess(std::string program) : m_program(std::move(program)) {}
    ~DotProcess() { stopHelper(); }
    DotProcess(const DotProcess&) = delete;
    DotProcess& operator=(const DotProcess&) = delete;

    /// None when the problem is too large for dot, the time is up, a stop is wished (the helper is killed within 20 ms)
    /// or the helper is not well.
    [[nodiscard]] std::optional<BoxLayout> layout(const BoxProblem& problem, const std::stop_token& stop = {});
    void renewBudget() { m_lost = {}; }
    [[nodiscard]] int failures() const { return m_failures; }

private:
    enum class Outcome { Done, TimedOut, Stopped, Broken };
    struct Patience {
        std::chrono::steady_clock::time_point deadline;
        const std::stop_token& stop;
    };

    bool start();
    void stopHelper();
    Outcome wait(short events, const Patience& patience) const;
    Outcome send(std::span<const char> bytes, const Patience& patience) const;
    Outcome receive(std::span<char> bytes, const Patience& patience) const;
    Outcome ask(const BoxProblem& problem, std::string& answer, const Patience& patience) const;

    std::string m_program;
    int m_pid = -1;
    int m_socket = -1;
    int m_failures = 0;
    std::chrono::steady_clock::duration m_lost{};
};

} // namespace opscape
