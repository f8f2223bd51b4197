// SPDX-License-Identifier: MIT
// Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) with a stack of its own in place of
// recursion: a node's component ends where no edge leads from what was found below it to what was found before it.
#include <opscape/io/read/components.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace opscape {

std::vector<std::uint32_t> stronglyConnected(std::size_t count,
                                             std::span<const std::pair<std::uint32_t, std::uint32_t>> edges) {
    constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> first(count + 1), next(edges.size());
    for (const auto& [from, to] : edges)
        ++first[from + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> at(first.begin(), first.end() - 1);
    for (const auto& [from, to] : edges)
        next[at[from]++] = to;

    std::vector<std::uint32_t> found(count, kNone), lowest(count), component(count, kNone);
    std::vector<std::uint32_t> walk, open; // the path that is walked; all that is found and in no component yet
    std::copy(first.begin(), first.end() - 1, at.begin());
    std::uint32_t finds = 0, components = 0;
    for (std::uint32_t root = 0; root < count; ++root) {
        if (found[root] != kNone)
            continue;
        walk.push_back(root);
        while (!walk.empty()) {
            const std::uint32_t node = walk.back();
            if (found[node] == kNone) {
                found[node] = lowest[node] = finds++;
                open.push_back(node);
            }
            if (at[node] < first[node + 1]) {
                const std::uint32_t to = next[at[node]++];
                if (found[to] == kNone)
                    walk.push_back(to);
                else if (component[to] == kNone)
                    lowest[node] = std::min(lowest[node], found[to]);
                continue;
            }
            walk.pop_back();
            if (!walk.empty())
                lowest[walk.back()] = std::min(lowest[walk.back()], lowest[node]);
            if (lowest[node] != found[node])
                continue;
            std::uint32_t member = kNone;
            do {
                member = open.back();
                open.pop_back();
                component[member] = components;
            } while (member != node);
            ++components;
        }
    }
    return component;
}

} // namespace opscape
