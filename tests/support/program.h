// SPDX-License-Identifier: MIT
// Runs one of our programs as a person would: arguments in; exit status, output and errors out.
#pragma once

#include "support/temporary_folder.h"

#include <opscape/base/paths.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

namespace opscape::test {

struct ProgramEnd {
    int status = -1; ///< of exit; minus the signal when it was killed
    std::string out, err;
};

class Program {
public:
    /// `out` and `err` name files to write to in place of being captured.
    explicit Program(std::vector<std::string> command, const char* out = nullptr, const char* err = nullptr)
        : m_out(out != nullptr ? out : (m_folder / "out").string()),
          m_err(err != nullptr ? err : (m_folder / "err").string()) {
        std::vector<char*> arguments;
        for (std::string& word : command)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        m_pid = ::fork();
        if (m_pid == 0) {
            const int in = ::open("/dev/null", O_RDONLY);
            const int outFd = ::open(m_out.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600);
            const int errFd = ::open(m_err.c_str(), O_WRONLY | O_CREAT | O_NOCTTY, 0600);
            ::dup2(in, 0);
            ::dup2(outFd, 1);
            ::dup2(errFd, 2);
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program() {
        if (m_pid > 0) {
            signal(SIGKILL);
            std::ignore = wait();
        }
    }

    [[nodiscard]] pid_t pid() const { return m_pid; }
    void signal(int number) const { ::kill(m_pid, number); }

    [[nodiscard]] ProgramEnd wait() {
        int status = 0;
        ::waitpid(m_pid, &status, 0);
        m_pid = -1;
        ProgramEnd end{WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), {}, {}};
        if (m_out.starts_with(m_folder.path().string()))
            end.out = readFile(m_out).value_or("");
        if (m_err.starts_with(m_folder.path().string()))
            end.err = readFile(m_err).value_or("");
        return end;
    }

private:
    TemporaryFolder m_folder;
    std::string m_out, m_err;
    pid_t m_pid = -1;
};

/// Looks every few milliseconds until it is so, for at most a minute.
[[nodiscard]] bool eventually(const auto& isSo) {
    for (int i = 0; i < 6000; ++i) {
        if (isSo())
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

} // namespace opscape::test
