// SPDX-License-Identifier: MIT
#include <opscape/rl/pretrain/crew.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace opscape::rl {
namespace {

struct Found {
    std::string name;
    std::int64_t value;
};

/// The first of the variables that is set.
Result<std::optional<Found>> number(std::initializer_list<const char*> names, std::int64_t least, std::int64_t most) {
    for (const char* name : names) {
        const char* text = std::getenv(name); // NOLINT: nothing sets the environment
        if (text == nullptr)
            continue;
        const std::string_view all(text);
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
        if (error != std::errc() || end != all.data() + all.size() || value < least || value > most)
            return fail("{} is \"{}\"; it takes a whole number from {} to {}.", name, all, least, most);
        return Found{name, value};
    }
    return std::nullopt;
}

} // namespace

Result<std::optional<CrewPlace>> crewPlace() {
    constexpr std::int64_t kMostProcesses = 65'536, kMostPort = 65'535;
    const auto size = number({"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"}, 1, kMostProcesses);
    if (!size)
        return fail(size.error());
    if (!*size || (*size)->value == 1)
        return std::nullopt;
    const auto rank = number({"RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"}, 0, (*size)->value - 1);
    if (!rank)
        return fail(rank.error());
    if (!*rank)
        return fail("{} is {} and RANK is not set; give each process its number, from 0 on.", (*size)->name,
                    (*size)->value);
    const auto port = number({"MASTER_PORT"}, 1, kMostPort);
    if (!port)
        return fail(port.error());
    const char* host = std::getenv("MASTER_ADDR"); // NOLINT: nothing sets the environment
    if (host == nullptr || *host == '\0')
        return fail("{} is {} and MASTER_ADDR is not set; name the machine that the process of rank 0 runs on.",
                    (*size)->name, (*size)->value);
    CrewPlace place;
    place.rank = static_cast<int>((*rank)->value);
    place.size = static_cast<int>((*size)->value);
    place.host = host;
    if (*port)
        place.port = static_cast<std::uint16_t>((*port)->value);
    return place;
}

} // namespace opscape::rl
