// SPDX-License-Identifier: MIT
#include "neighbourhood.h"

#include <algorithm>
#include <utility>

namespace opscape {

std::vector<OpId> neighbourhood(const Graph& graph, const std::vector<OpId>& ops, int hops, EdgeDirection direction) {
    std::vector<std::uint8_t> seen(graph.opCount());
    std::vector<OpId> all, front;
    const auto reach = [&](OpId op, std::vector<OpId>& into) {
        if (std::exchange(seen[op.index()], 1) == 0) {
            into.push_back(op);
            all.push_back(op);
        }
    };
    for (const OpId op : ops)
        reach(op, front);
    for (int hop = 0; hop < hops && !front.empty(); ++hop) {
        std::vector<OpId> next;
        for (const OpId op : front) {
            if (direction != EdgeDirection::Outputs) {
                for (const OpId before : graph.predecessors(op))
                    reach(before, next);
            }
            if (direction != EdgeDirection::Inputs) {
                for (const OpId after : graph.successors(op))
                    reach(after, next);
            }
        }
        front = std::move(next);
    }
    std::ranges::sort(all);
    return all;
}

} // namespace opscape
