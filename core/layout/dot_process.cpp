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
#include <map>

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

std::optional<Column> parseAnswer(const BoxProblem& problem, std::string_view bytes) {
    AnswerReader reader(bytes);
    Column column;
    BoxLayout& layout = column.layout;
    layout.width = reader.coordinate();
    layout.height = reader.coordinate();
    std::map<long, float> rowHeight; // dot puts the middles of a row on one line
    std::vector<long> row;
    for (const BoxSize& box : problem.boxes) {
        const LayoutPoint middle = reader.point();
        layout.corners.push_back({middle.x - box.width / 2, middle.y - box.height / 2});
        row.push_back(std::lround(middle.y));
        float& height = rowHeight[row.back()];
        height = std::max(height, box.height);
    }
    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
        const float middle = layout.corners[v].y + problem.boxes[v].height / 2;
        column.rowTop.push_back(middle - rowHeight[row[v]] / 2);
        column.rowBottom.push_back(middle + rowHeight[row[v]] / 2);
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
    return column;
}

int millisecondsLeft(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    return static_cast<int>(std::max<long>(0, left));
}

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

void DotProcess::stop() {
    if (m_socket >= 0)
        ::close(m_socket);
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        while (::waitpid(m_pid, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    m_socket = m_pid = -1;
}

DotProcess::Outcome DotProcess::send(std::span<const char> bytes, Clock::time_point deadline) const {
    while (!bytes.empty()) {
        const ssize_t n = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            return Outcome::Broken;
        pollfd waiting{m_socket, POLLOUT, 0};
        if (::poll(&waiting, 1, millisecondsLeft(deadline)) == 0)
            return Outcome::TimedOut;
    }
    return Outcome::Done;
}

DotProcess::Outcome DotProcess::receive(std::span<char> bytes, Clock::time_point deadline) const {
    while (!bytes.empty()) {
        const ssize_t n = ::recv(m_socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (n > 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            return Outcome::Broken;
        pollfd waiting{m_socket, POLLIN, 0};
        if (::poll(&waiting, 1, millisecondsLeft(deadline)) == 0)
            return Outcome::TimedOut;
    }
    return Outcome::Done;
}

DotProcess::Outcome DotProcess::ask(const BoxProblem& problem, std::string& answer, Clock::time_point deadline) const {
    std::string request;
    const auto append = [&](const auto& v) { request.append(reinterpret_cast<const char*>(&v), sizeof v); };
    append(DotRequestHeader{DotRequestHeader::kMagic, static_cast<std::int32_t>(problem.boxes.size()),
                            static_cast<std::int32_t>(problem.edges.size())});
    for (const BoxSize& box : problem.boxes)
        append(box);
    for (const BoxEdge& edge : problem.edges)
        append(edge);
    if (const Outcome outcome = send(request, deadline); outcome != Outcome::Done)
        return outcome;
    DotAnswerHeader header;
    if (const Outcome outcome = receive({reinterpret_cast<char*>(&header), sizeof header}, deadline);
        outcome != Outcome::Done)
        return outcome;
    if (header.magic != DotAnswerHeader::kMagic || header.status != 0 || header.bytes < 0 ||
        header.bytes > kDotMaxAnswer)
        return Outcome::Broken;
    answer.resize(static_cast<std::size_t>(header.bytes));
    return receive(answer, deadline);
}

std::optional<Column> DotProcess::layout(const BoxProblem& problem) {
    if (problem.boxes.size() > kDotMaxBoxes || problem.edges.size() > kDotMaxEdges || problem.boxes.empty())
        return std::nullopt;
    if (m_failures >= kMostFailures || m_lost >= kBudget)
        return std::nullopt;
    const auto begin = Clock::now();
    std::string bytes;
    const Outcome outcome = start() ? ask(problem, bytes, begin + kTimeLimit) : Outcome::Broken;
    std::optional<Column> column = outcome == Outcome::Done ? parseAnswer(problem, bytes) : std::nullopt;
    if (column)
        return column;
    m_lost += Clock::now() - begin;
    m_failures += outcome == Outcome::TimedOut ? 0 : 1;
    stop();
    return std::nullopt;
}

} // namespace opscape
