// SPDX-License-Identifier: MIT
// Runs a piece of a test in a process of its own: one that is killed, or has no rights, or runs beside others.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <string>

namespace opscape::test {

class ChildProcess {
public:
    /// The child runs `body`, which may tell() its parent something, and ends with its return value.
    explicit ChildProcess(const std::function<int(const ChildProcess&)>& body) {
        int ends[2] = {-1, -1};
        if (::pipe(ends) != 0)
            return;
        m_pid = ::fork();
        if (m_pid == 0) {
            ::close(ends[0]);
            m_pipe = ends[1];
            ::_exit(body(*this));
        }
        ::close(ends[1]);
        m_pipe = ends[0];
    }
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    ~ChildProcess() {
        kill();
        ::close(m_pipe);
    }

    [[nodiscard]] pid_t pid() const { return m_pid; }

    /// In the child: one line for hear().
    void tell(std::string line) const {
        line += '\n';
        [[maybe_unused]] const ssize_t written = ::write(m_pipe, line.data(), line.size());
    }
    /// In the parent: the next line; empty when the child has ended.
    [[nodiscard]] std::string hear() const {
        std::string line;
        char c = 0;
        while (::read(m_pipe, &c, 1) == 1 && c != '\n')
            line += c;
        return line;
    }
    /// Waits for its end: the value it returned, or minus the signal that killed it.
    int wait() {
        int status = 0;
        if (m_pid <= 0 || ::waitpid(m_pid, &status, 0) != m_pid)
            return -1000;
        m_pid = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    void kill() {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            wait();
        }
    }

private:
    pid_t m_pid = -1;
    int m_pipe = -1;
};

} // namespace opscape::test
