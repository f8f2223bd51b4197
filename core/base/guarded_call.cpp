// SPDX-License-Identifier: MIT
#include <opscape/base/guarded_call.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kThrew = 3; ///< exit code of a child whose work threw
constexpr std::int64_t kPollMs = 20;

enum class Ending : std::uint8_t { Whole, TooLate, Stopped };

void writeAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            ::_exit(1); // nobody listens any more
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

[[noreturn]] void runChild(int fd, const std::function<std::string()>& work) {
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) { // what a library prints is of no use to anyone
        ::dup2(null, STDOUT_FILENO);
        ::dup2(null, STDERR_FILENO);
    }
    for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL, SIGTERM})
        std::signal(signal, SIG_DFL);
    try {
        writeAll(fd, work());
    } catch (...) {
        ::_exit(kThrew);
    }
    ::_exit(0); // without the destructors and exit handlers of the parent's copy
}

/// Reads to the end, unless the time is up or a stop is asked for before.
Ending readAll(int fd, Clock::time_point deadline, const std::stop_token& stop, std::string& bytes) {
    for (;;) {
        if (stop.stop_requested())
            return Ending::Stopped;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0)
            return Ending::TooLate;
        pollfd waiting{fd, POLLIN, 0};
        const int ready = ::poll(&waiting, 1, static_cast<int>(std::min<std::int64_t>(left, kPollMs)));
        if (ready == 0 || (ready < 0 && errno == EINTR))
            continue;
        char buffer[1 << 16];
        const ssize_t n = ::read(fd, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return Ending::Whole;
        bytes.append(buffer, static_cast<std::size_t>(n));
    }
}

} // namespace

Result<std::string> guardedCall(const std::function<std::string()>& work, std::chrono::milliseconds limit,
                                const std::stop_token& stop) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return fail("no pipe could be made: {}", std::strerror(errno));
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        runChild(ends[1], work);
    }
    ::close(ends[1]);
    std::string answer;
    Ending ending = Ending::Whole;
    if (child > 0) {
        ending = readAll(ends[0], Clock::now() + limit, stop, answer);
        if (ending != Ending::Whole)
            ::kill(child, SIGKILL);
    }
    ::close(ends[0]);
    if (child < 0)
        return fail("no process could be started for it: {}", std::strerror(errno));
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (ending == Ending::Stopped)
        return fail("it was told to stop");
    if (ending == Ending::TooLate)
        return fail("it took more than {} s", static_cast<double>(limit.count()) / 1000);
    if (WIFSIGNALED(status))
        return fail("it stopped with signal {}", WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return fail("it stopped with code {}", WEXITSTATUS(status));
    return answer;
}

} // namespace opscape
