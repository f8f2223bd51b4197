// SPDX-License-Identifier: MIT
#include <opscape/store/process_mark.h>

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace opscape {
namespace {

std::string bootId() {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    file >> id;
    return id;
}

/// Start of a running process; none when there is no such process, or it has ended and only waits for its parent.
std::optional<std::int64_t> startOf(std::int64_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    const std::string stat(std::istreambuf_iterator<char>(file), {});
    // The name, in parentheses, may hold spaces and parentheses of its own; the state (field 3) follows it.
    const std::size_t name = stat.rfind(')');
    if (name == std::string::npos)
        return std::nullopt;
    std::istringstream fields(stat.substr(name + 1));
    std::string state, skipped;
    fields >> state;
    for (int field = 4; field < 22; ++field)
        fields >> skipped;
    std::int64_t started = 0;
    if (state == "Z" || state == "X" || !(fields >> started))
        return std::nullopt;
    return started;
}

} // namespace

ProcessMark ProcessMark::ours() { return {::getpid(), startOf(::getpid()).value_or(0), bootId()}; }

bool ProcessMark::alive() const { return boot == bootId() && startOf(pid) == started; }

} // namespace opscape
