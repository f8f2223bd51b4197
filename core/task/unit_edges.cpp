// SPDX-License-Identifier: MIT
#include <opscape/task/unit_edges.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace opscape {
namespace {

struct Pair {
    std::uint32_t from, to;
    std::int64_t bytes;
};

/// `pairs` sorted by the key.
UnitEdges::Rows rowsOf(const std::vector<Pair>& pairs, std::uint32_t units, std::uint32_t Pair::*key,
                       std::uint32_t Pair::*other) {
    UnitEdges::Rows rows;
    rows.first.assign(std::size_t{units} + 1, 0);
    rows.edges.resize(pairs.size());
    for (const Pair& pair : pairs)
        ++rows.first[pair.*key + 1];
    std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
    std::vector<std::uint32_t> next(rows.first.begin(), rows.first.end() - 1);
    for (const Pair& pair : pairs)
        rows.edges[next[pair.*key]++] = {pair.*other, pair.bytes};
    return rows;
}

} // namespace

UnitEdges::UnitEdges(const Graph& graph, const DecisionUnits& units) {
    std::vector<Pair> pairs;
    std::vector<std::uint32_t> readers;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        const TensorId tensor(t);
        if (!graph.producer(tensor).valid())
            continue;
        const std::uint32_t from = units.unitOf[graph.producer(tensor).index()];
        readers.clear();
        for (const OpId op : graph.consumers(tensor)) {
            if (const std::uint32_t to = units.unitOf[op.index()]; to != from)
                readers.push_back(to);
        }
        std::ranges::sort(readers);
        const auto repeated = std::ranges::unique(readers);
        readers.erase(repeated.begin(), repeated.end());
        for (const std::uint32_t to : readers)
            pairs.push_back({from, to, graph.tensorBytes(tensor)});
    }
    for (std::size_t op = 0; op < graph.opCount(); ++op) {
        for (const OpId after : graph.controlSuccessors(OpId(op))) {
            if (units.unitOf[op] != units.unitOf[after.index()])
                pairs.push_back({units.unitOf[op], units.unitOf[after.index()], 0});
        }
    }
    std::ranges::sort(pairs, {}, [](const Pair& p) { return std::tuple(p.from, p.to, p.bytes); });
    std::size_t kept = 0;
    for (const Pair& pair : pairs) {
        if (kept > 0 && pairs[kept - 1].from == pair.from && pairs[kept - 1].to == pair.to)
            pairs[kept - 1].bytes += pair.bytes;
        else
            pairs[kept++] = pair;
    }
    pairs.resize(kept);
    consumers = rowsOf(pairs, units.count(), &Pair::from, &Pair::to);
    producers = rowsOf(pairs, units.count(), &Pair::to, &Pair::from); // still by producer within a row
}

} // namespace opscape
