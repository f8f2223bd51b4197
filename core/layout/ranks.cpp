// SPDX-License-Identifier: MIT
// Rows by the longest path from the sources. Cycles first: inside a strongly connected component (Tarjan 1972) an edge
// against the order of the boxes is turned round. Then each box that has at least as many edges below as above
// sinks to just above the first box that needs it, so that a constant lies next to its use and not at the very top.
#include <opscape/layout/ranks.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace opscape {
namespace {

constexpr int kFewInRow = 9; ///< no row is folded into shorter ones

/// Targets per box, as one array with the start of each box's part.
struct Adjacency {
    std::vector<int> first, items;

    Adjacency(std::size_t boxes, const std::vector<BoxEdge>& edges) : first(boxes + 1), items(edges.size()) {
        for (const BoxEdge& e : edges)
            ++first[static_cast<std::size_t>(e.from) + 1];
        for (std::size_t i = 0; i < boxes; ++i)
            first[i + 1] += first[i];
        std::vector<int> next(first.begin(), first.end() - 1);
        for (const BoxEdge& e : edges)
            items[next[e.from]++] = e.to;
    }
};

/// Component number per box.
std::vector<int> strongComponents(std::size_t boxes, const Adjacency& out) {
    std::vector<int> component(boxes, -1), number(boxes, -1), low(boxes, 0), path,
        next(out.first.begin(), out.first.end() - 1);
    std::vector<int> open;
    int numbers = 0, components = 0;
    for (std::size_t root = 0; root < boxes; ++root) {
        if (number[root] >= 0)
            continue;
        path.push_back(static_cast<int>(root));
        while (!path.empty()) {
            const int v = path.back();
            if (number[v] < 0) {
                number[v] = low[v] = numbers++;
                open.push_back(v);
            }
            if (next[v] < out.first[v + 1]) {
                const int w = out.items[next[v]++];
                if (number[w] < 0)
                    path.push_back(w);
                else if (component[w] < 0)
                    low[v] = std::min(low[v], number[w]);
                continue;
            }
            path.pop_back();
            if (!path.empty())
                low[path.back()] = std::min(low[path.back()], low[v]);
            if (low[v] != number[v])
                continue;
            int w = -1;
            do {
                w = open.back();
                open.pop_back();
                component[w] = components;
            } while (w != v);
            ++components;
        }
    }
    return component;
}

/// Splits rows that are too wide; lower rows move down.
void foldWideRows(const BoxProblem& problem, Ranking& ranking, float widest) {
    std::vector<float> width(ranking.rows);
    std::vector<int> count(ranking.rows);
    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
        width[ranking.rank[v]] += problem.boxes[v].width;
        ++count[ranking.rank[v]];
    }
    std::vector<int> newRow(ranking.rows), parts(ranking.rows);
    int rows = 0;
    for (int r = 0; r < ranking.rows; ++r) {
        newRow[r] = rows;
        parts[r] =
            std::clamp(static_cast<int>(std::ceil(width[r] / widest)), 1, (count[r] + kFewInRow - 1) / kFewInRow);
        rows += parts[r];
    }
    if (rows == ranking.rows)
        return;
    std::vector<float> used(ranking.rows);
    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
        const int r = ranking.rank[v];
        const float middle = used[r] + problem.boxes[v].width / 2;
        used[r] += problem.boxes[v].width;
        const int part = static_cast<int>(middle / width[r] * static_cast<float>(parts[r]));
        ranking.rank[v] = newRow[r] + std::clamp(part, 0, parts[r] - 1);
    }
    // Boxes wider than a part can leave a part empty.
    std::vector<int> seen(rows);
    for (const int r : ranking.rank)
        seen[r] = 1;
    int next = 0;
    for (int& s : seen)
        s = s != 0 ? next++ : -1;
    for (int& r : ranking.rank)
        r = seen[r];
    ranking.rows = next;
}

} // namespace

Ranking rankBoxes(const BoxProblem& problem, float widest) {
    const std::size_t n = problem.boxes.size();
    const std::vector<int> component = strongComponents(n, Adjacency(n, problem.edges));
    std::vector<BoxEdge> edges = problem.edges;
    for (BoxEdge& e : edges) {
        if (component[e.from] == component[e.to] && e.from > e.to)
            std::swap(e.from, e.to);
    }
    const Adjacency out(n, edges);
    std::vector<int> waitsFor(n), inputs(n);
    for (const BoxEdge& e : edges)
        ++inputs[e.to];
    waitsFor = inputs;

    Ranking ranking;
    ranking.rank.assign(n, 0);
    std::vector<int> order;
    order.reserve(n);
    for (std::size_t v = 0; v < n; ++v) {
        if (waitsFor[v] == 0)
            order.push_back(static_cast<int>(v));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        const int v = order[i];
        ranking.rows = std::max(ranking.rows, ranking.rank[v] + 1);
        for (int k = out.first[v]; k < out.first[v + 1]; ++k) {
            const int w = out.items[k];
            ranking.rank[w] = std::max(ranking.rank[w], ranking.rank[v] + 1);
            if (--waitsFor[w] == 0)
                order.push_back(w);
        }
    }
    for (std::size_t i = order.size(); i-- > 0;) {
        const int v = order[i];
        const int outputs = out.first[v + 1] - out.first[v];
        if (outputs == 0 || outputs < inputs[v])
            continue;
        int lowest = ranking.rows;
        for (int k = out.first[v]; k < out.first[v + 1]; ++k)
            lowest = std::min(lowest, ranking.rank[out.items[k]] - 1);
        ranking.rank[v] = lowest;
    }
    foldWideRows(problem, ranking, widest);
    return ranking;
}

} // namespace opscape
