// SPDX-License-Identifier: MIT
#include <opscape/graph/scopes_sections.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kMostSections = 16;

} // namespace

std::vector<std::uint32_t> cutSections(std::size_t count,
                                       std::span<const std::pair<std::uint32_t, std::uint32_t>> edges) {
    std::vector<std::uint32_t> reach(count); // furthest member that each has an edge with
    for (const auto& [a, b] : edges)
        reach[std::min(a, b)] = std::max(reach[std::min(a, b)], std::max(a, b));
    std::vector<int> passing(count + 1); // per member: those before it with edges to it or behind
    for (std::uint32_t v = 0; v < count; ++v) {
        if (reach[v] > v) {
            ++passing[v + 1];
            --passing[reach[v] + 1];
        }
    }
    for (std::size_t v = 1; v <= count; ++v)
        passing[v] += passing[v - 1];

    const double share =
        static_cast<double>(count) / std::clamp(std::sqrt(static_cast<double>(count)), 1.0, kMostSections);
    const auto least = static_cast<std::uint32_t>(std::ceil(0.6 * share));
    const auto most = static_cast<std::uint32_t>(std::ceil(1.5 * share));
    std::vector<std::uint32_t> starts{0};
    while (count - starts.back() > most) {
        const std::uint32_t begin = starts.back() + least;
        const std::uint32_t end = std::min<std::uint32_t>(starts.back() + most, static_cast<std::uint32_t>(count) - 1);
        const double middle = starts.back() + share;
        std::uint32_t best = begin;
        for (std::uint32_t v = begin; v <= end; ++v) {
            if (passing[v] < passing[best] ||
                (passing[v] == passing[best] && std::abs(v - middle) < std::abs(best - middle)))
                best = v;
        }
        starts.push_back(best);
    }
    return starts;
}

} // namespace opscape
