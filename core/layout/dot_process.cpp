// SPDX-License-Identifier: MIT
#include <opscape/layout/dot_process.h>
#include <opscape/layout/dot_protocol.h>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

extern char** environ;

namespace opscape {
namespace {

using Clock = std::chrono::steady_clock;

/// Reads an answer piece by piece; every later read fails once one has.
class AnswerReader {
public:
    explicit AnswerReader(std::string_view bytes) : m_bytes(bytes) {}

    template <class T>
    T value() {
        T v{};
        if (m_bytes.size() < sizeof v) {
            m_good = false;
            return v;
        }
        std::memcpy(&v, m_bytes.data(), sizeof v);
        m_bytes.remove_prefix(sizeof v);
        return v;
    }
    float coordinate() {
        const auto v = value<float>();
        m_good = m_good && std::isfinite(v) && std::abs(v) < 1e7F;
        return v;
    }
    LayoutPoint point() {
        const float x = coordinate();
        return {x, coordinate()};
    }
    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool atEnd() const { return m_bytes.empty(); }

private:
    std::string_view m_bytes;
    bool m_good = true;
};

std::optional<BoxLayout> parseAnswer(const BoxProblem& problem, std::string_view bytes) {
    AnswerReader reader(bytes);
    BoxLayout layout;
    layout.width = reader.coordinate();
    layout.height = reader.coordinate();
    for (const BoxSize& box : problem.boxes) {
        const LayoutPoint middle = reader.point();
        layout.corners.push_back({middle.x - box.width / 2, middle.y - box.height / 2});
    }
    for (std::size_t e = 0; e < problem.edges.size() && reader.good(); ++e) {
        const auto points = reader.value<std::int32_t>();
        if (points < 4 || points % 3 != 1 || points > kDotMaxAnswer)
            return std::nullopt;
        EdgePath& path = layout.paths.emplace_back();
        for (std::int32_t i = 0; i < points && reader.good(); ++i)
            path.push_back(reader.point());
    }
    if (!reader.good() || !reader.atEnd())
        return std::nullopt;
    return layout;
}

constexpr std::int64_t kSliceMs = 20; ///< between two looks at the wish to stop

} // namespace

bool DotProcess::start() {
    if (m_pid > 0)
        return true;
    int ends[2];
    // A socket rather than two pipes: writing to a helper that has died must not raise a signal.
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char* arguments[] = {m_program.data(), nullptr};
    const int error = ::posix_spawn(&m_pid, m_program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        m_pid = -1;
        return false;
    }
    m_socket = ends[0];
    return true;
}

void DotProcess::stopHelper() {
    if (m_socket >= 0)
        ::close(m_socket);
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    m_socket = m_pid = -1;
}

DotProcess::Outcome DotProcess::wait(short events, const Patience& patience) const {
    while (!patience.stop.stop_requested()) {
        const std::int64_t left =
            std::chrono::ceil<std::chrono::milliseconds>(patience.deadline - Clock::now()).count();
        if (left <= 0)
            return Outcome::TimedOut;
        pollfd waiting{m_socket, events, 0};
        if (::poll(&waiting, 1, static_cast<int>(std::min(left, kSliceMs))) > 0)
            return Outcome::Done;
    }
    return Outcome::Stopped;
}

DotProcess::Outcome DotProcess::send(std::span<const char> bytes, const Patience& patience) const {
    while (!bytes.empty()) {
        const ssize_t n = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            return Outcome::Broken;
        if (const Outcome outcome = wait(POLLOUT, patience); outcome != Outcome::Done)
            return outcome;
    }
    return Outcome::Done;
}

DotProcess::Outcome DotProcess::receive(std::span<char> bytes, const Patience& patience) const {
    while (!bytes.empty()) {
        const ssize_t n = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            return Outcome::Broken;
        if (const Outcome outcome = wait(POLLIN, patience); outcome != Outcome::Done)
            return outcome;
    }
    return Outcome::Done;
}

DotProcess::Outcome DotProcess::ask(const BoxProblem& problem, std::string& answer, const Patience& patience) const {
    std::string request;
    const auto append = [&](const auto& v) { request.append(reinterpret_cast<const char*>(&v), sizeof v); };
    append(DotRequestHeader{DotRequestHeader::kMagic, static_cast<std::int32_t>(problem.boxes.size()),
                            static_cast<std::int32_t>(problem.edges.size())});
    for (const BoxSize& box : problem.boxes)
        append(box);
    for (const BoxEdge& edge : problem.edges)
        append(edge);
    if (const Outcome outcome = send(request, patience); outcome != Outcome::Done)
        return outcome;
    DotAnswerHeader header;
    if (const Outcome outcome = receive({reinterpret_cast<char*>(&header), sizeof header}, patience);
        outcome != Outcome::Done)
        return outcome;
    if (header.magic != DotAnswerHeader::kMagic || header.status != 0 || header.bytes < 0 ||
        header.bytes > kDotMaxAnswer)
        return Outcome::Broken;
    answer.resize(static_cast<std::size_t>(header.bytes));
    return receive(answer, patience);
}

std::optional<BoxLayout> DotProcess::layout(const BoxProblem& problem, const std::stop_token& stop) {
    if (problem.boxes.size() > kDotMaxBoxes || problem.edges.size() > kDotMaxEdges || problem.boxes.empty())
        return std::nullopt;
    if (m_failures >= kMostFailures || m_lost >= kBudget)
        return std::nullopt;
    const auto begin = Clock::now();
    std::string bytes;
    const Outcome outcome = start() ? ask(problem, bytes, {begin + kTimeLimit, stop}) : Outcome::Broken;
    std::optional<BoxLayout> layout = outcome == Outcome::Done ? parseAnswer(problem, bytes) : std::nullopt;
    if (layout)
        return layout;
    if (outcome != Outcome::Stopped) {
        m_lost += Clock::now() - begin;
        m_failures += outcome == Outcome::TimedOut ? 0 : 1;
    }
    stopHelper();
    return std::nullopt;
}

} // namespace opscape
