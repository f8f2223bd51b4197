// SPDX-License-Identifier: MIT
#include "run_control.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <fstream>

namespace opscape {
namespace {

/// Whether the process handles the signal, or waits for it: it would be killed by one that it does not expect.
bool listens(std::int64_t pid, int signal) {
    std::ifstream file(fmt::format("/proc/{}/status", pid));
    for (std::string line; std::getline(file, line);) {
        const bool isBlocked = line.starts_with("SigBlk:"), isCaught = line.starts_with("SigCgt:");
        const std::size_t digits = line.find_first_of("0123456789abcdef", 7);
        if (!(isBlocked || isCaught) || digits == std::string::npos)
            continue;
        std::uint64_t mask = 0;
        std::from_chars(line.data() + digits, line.data() + line.size(), mask, 16);
        if ((mask >> (signal - 1) & 1) != 0)
            return true;
    }
    return false;
}

} // namespace

int signalOf(RunWish wish) { return wish == RunWish::Pause ? SIGUSR1 : wish == RunWish::Resume ? SIGUSR2 : SIGINT; }

Result<> askRun(const RunStore& store, std::int64_t run, RunWish wish) {
    const auto record = store.get(run);
    if (!record)
        return fail(record.error());
    const auto pid = store.process(run);
    if (!pid)
        return fail(pid.error());
    if (*pid == 0)
        return fail("run {} does not go on: it is {}.", run,
                    record->status == RunStatus::Running ? "interrupted" : toString(record->status));
    return askProcess(*pid, wish, fmt::format("run {}", run));
}

Result<> askProcess(std::int64_t pid, RunWish wish, const std::string& what) {
    if (!listens(pid, signalOf(wish)))
        return fail("{} is made by process {}, which takes no such wishes; ask for it there.", what, pid);
    if (::kill(static_cast<pid_t>(pid), signalOf(wish)) != 0)
        return fail("process {}, which makes {}, cannot be asked: {}.", pid, what, std::strerror(errno));
    return {};
}

} // namespace opscape
