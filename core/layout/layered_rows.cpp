// SPDX-License-Identifier: MIT
// The method of Sugiyama, Tagawa and Toda (1981): sweeps down and up, each row sorted by the mean position of its
// neighbours in the row before, then neighbours in a row exchanged while that saves crossings (Gansner, Koutsofios,
// North and Vo 1993). The best order met is kept; crossings are counted by inversions (Barth, Mutzel and Juenger 2004).
// Only the structure counts, never a box's size: expanding a scope does not shuffle those around it.
#include <opscape/layout/layered_rows.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>

namespace opscape {
namespace {

constexpr int kSmall = 2000; ///< nodes up to which a better order is worth more sweeps

void renumber(LayeredRows& rows, int row) {
    for (std::size_t i = 0; i < rows.order[row].size(); ++i)
        rows.position[rows.order[row][i]] = static_cast<int>(i);
}

/// Depth first from the top: what belongs together starts side by side.
void firstOrder(LayeredRows& rows) {
    std::vector<std::uint8_t> seen(rows.nodeCount());
    std::vector<int> open;
    const auto visit = [&](int root) {
        open.push_back(root);
        while (!open.empty()) {
            const int v = open.back();
            open.pop_back();
            if (seen[v] != 0)
                continue;
            seen[v] = 1;
            rows.order[rows.rank[v]].push_back(v);
            const auto& down = rows.down[v];
            open.insert(open.end(), down.rbegin(), down.rend());
        }
    };
    for (std::size_t v = 0; v < rows.nodeCount(); ++v) {
        if (rows.up[v].empty())
            visit(static_cast<int>(v));
    }
    for (std::size_t r = 0; r < rows.order.size(); ++r)
        renumber(rows, static_cast<int>(r));
}

/// A node without neighbours in the row before stays where it is.
void sortRow(LayeredRows& rows, int row, const std::vector<std::vector<int>>& neighbours, int before) {
    auto& order = rows.order[row];
    const double scale =
        static_cast<double>(order.size()) / static_cast<double>(std::max<std::size_t>(1, rows.order[before].size()));
    std::vector<std::pair<double, int>> keyed;
    keyed.reserve(order.size());
    for (const int v : order) {
        double key = rows.position[v] + 0.5;
        if (!neighbours[v].empty()) {
            double sum = 0;
            for (const int u : neighbours[v])
                sum += rows.position[u] + 0.5;
            key = sum / static_cast<double>(neighbours[v].size()) * scale;
        }
        keyed.emplace_back(key, v);
    }
    std::ranges::stable_sort(keyed, {}, [](const auto& k) { return k.first; });
    for (std::size_t i = 0; i < keyed.size(); ++i)
        order[i] = keyed[i].second;
    renumber(rows, row);
}

/// Crossings among the edges of two nodes to one neighbouring row when `left` is left of `right`; both lists are
/// sorted.
std::int64_t crossingsOf(const std::vector<int>& left, const std::vector<int>& right) {
    std::int64_t crossings = 0;
    std::size_t k = 0;
    for (const int l : left) {
        while (k < right.size() && right[k] < l)
            ++k;
        crossings += static_cast<std::int64_t>(k);
    }
    return crossings;
}

void exchangeNeighbours(LayeredRows& rows) {
    std::vector<std::vector<int>> upAt(rows.nodeCount()), downAt(rows.nodeCount());
    const auto positions = [&](const std::vector<int>& nodes, std::vector<int>& at) {
        at.clear();
        for (const int v : nodes)
            at.push_back(rows.position[v]);
        std::ranges::sort(at);
    };
    for (int pass = 0; pass < 4; ++pass) {
        bool better = false;
        for (auto& order : rows.order) {
            for (const int v : order) {
                positions(rows.up[v], upAt[v]);
                positions(rows.down[v], downAt[v]);
            }
            for (std::size_t i = 0; i + 1 < order.size(); ++i) {
                const int a = order[i], b = order[i + 1];
                const std::int64_t now = crossingsOf(upAt[a], upAt[b]) + crossingsOf(downAt[a], downAt[b]);
                const std::int64_t then = crossingsOf(upAt[b], upAt[a]) + crossingsOf(downAt[b], downAt[a]);
                if (then >= now)
                    continue;
                std::swap(order[i], order[i + 1]);
                std::swap(rows.position[a], rows.position[b]);
                better = true;
            }
        }
        if (!better)
            return;
    }
}

} // namespace

LayeredRows makeRows(const BoxProblem& problem, const Ranking& ranking) {
    LayeredRows rows;
    const std::size_t n = problem.boxes.size();
    rows.boxes = static_cast<int>(n);
    rows.rank = ranking.rank;
    rows.up.resize(n);
    rows.down.resize(n);
    rows.chain.resize(problem.edges.size());
    rows.order.resize(ranking.rows);

    const auto upper = [&](const BoxEdge& e) { return ranking.rank[e.from] < ranking.rank[e.to] ? e.from : e.to; };
    const auto lower = [&](const BoxEdge& e) { return ranking.rank[e.from] < ranking.rank[e.to] ? e.to : e.from; };
    const auto span = [&](const BoxEdge& e) { return ranking.rank[lower(e)] - ranking.rank[upper(e)]; };
    const auto link = [&](int a, int b) {
        rows.down[a].push_back(b);
        rows.up[b].push_back(a);
    };
    const auto addBend = [&](int rank) {
        const int bend = static_cast<int>(rows.rank.size());
        rows.rank.push_back(rank);
        rows.up.emplace_back();
        rows.down.emplace_back();
        return bend;
    };

    std::vector<int> longDown(n), longUp(n), byLength;
    for (std::size_t e = 0; e < problem.edges.size(); ++e) {
        const BoxEdge& edge = problem.edges[e];
        if (span(edge) == 1) {
            link(upper(edge), lower(edge));
            rows.chain[e] = {upper(edge), lower(edge)};
            continue;
        }
        ++longDown[upper(edge)];
        ++longUp[lower(edge)];
        byLength.push_back(static_cast<int>(e));
    }
    std::ranges::stable_sort(byLength, {}, [&](int e) { return span(problem.edges[e]); });

    // A trunk belongs to one box, one side and one direction of the edges; it grows with the longest edge on it.
    std::map<std::tuple<int, bool, bool>, std::vector<int>> trunks;
    std::size_t budget = 4 * (n + problem.edges.size()) + 1000;
    for (const int e : byLength) {
        const BoxEdge& edge = problem.edges[e];
        const int top = upper(edge), bottom = lower(edge);
        const bool fromTop = longDown[top] >= longUp[bottom];
        const int owner = fromTop ? top : bottom;
        std::vector<int>& trunk = trunks[{owner, fromTop, edge.from == top}];
        const auto needed = static_cast<std::size_t>(span(edge) - 1);
        rows.chain[e] = {top, bottom};
        if (needed > trunk.size() + budget)
            continue;
        while (trunk.size() < needed) {
            const int last = trunk.empty() ? owner : trunk.back();
            const int bend = addBend(rows.rank[last] + (fromTop ? 1 : -1));
            fromTop ? link(last, bend) : link(bend, last);
            trunk.push_back(bend);
            --budget;
        }
        fromTop ? link(trunk[needed - 1], bottom) : link(top, trunk[needed - 1]);
        rows.chain[e].insert(rows.chain[e].begin() + 1, trunk.begin(),
                             trunk.begin() + static_cast<std::ptrdiff_t>(needed));
        if (!fromTop)
            std::reverse(rows.chain[e].begin() + 1, rows.chain[e].end() - 1);
    }
    rows.position.assign(rows.nodeCount(), 0);
    firstOrder(rows);
    return rows;
}

std::int64_t countCrossings(const LayeredRows& rows) {
    std::int64_t crossings = 0;
    std::vector<int> ends, sums;
    for (std::size_t r = 0; r + 1 < rows.order.size(); ++r) {
        // Lower ends in the order of the upper ones: every inversion is a crossing. A Fenwick tree counts those passed.
        sums.assign(rows.order[r + 1].size() + 1, 0);
        std::int64_t passed = 0;
        for (const int v : rows.order[r]) {
            ends.clear();
            for (const int w : rows.down[v])
                ends.push_back(rows.position[w]);
            for (const int end : ends) {
                std::int64_t notRight = 0;
                for (int i = end + 1; i > 0; i -= i & -i)
                    notRight += sums[i];
                crossings += passed - notRight;
            }
            for (const int end : ends) {
                for (int i = end + 1; i < static_cast<int>(sums.size()); i += i & -i)
                    ++sums[i];
            }
            passed += static_cast<std::int64_t>(ends.size());
        }
    }
    return crossings;
}

void orderRows(LayeredRows& rows) {
    const int count = static_cast<int>(rows.order.size());
    const bool small = rows.nodeCount() <= kSmall;
    const int sweeps = small ? 16 : 6;
    std::int64_t best = countCrossings(rows);
    std::vector<std::vector<int>> bestOrder = rows.order;
    for (int sweep = 0, since = 0; sweep < sweeps && best > 0 && since < 4; ++sweep, ++since) {
        if (sweep % 2 == 0) {
            for (int r = 1; r < count; ++r)
                sortRow(rows, r, rows.up, r - 1);
        } else {
            for (int r = count - 1; r-- > 0;)
                sortRow(rows, r, rows.down, r + 1);
        }
        if (small)
            exchangeNeighbours(rows);
        const std::int64_t crossings = countCrossings(rows);
        if (crossings >= best)
            continue;
        best = crossings;
        bestOrder = rows.order;
        since = 0;
    }
    rows.order = std::move(bestOrder);
    for (int r = 0; r < count; ++r)
        renumber(rows, r);
}

} // namespace opscape
