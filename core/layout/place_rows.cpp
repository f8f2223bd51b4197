// SPDX-License-Identifier: MIT
// Brandes and Koepf, "Fast and simple horizontal coordinate assignment" (2001): every node is aligned with a median
// neighbour in the row before, where straight pieces of long edges win over all else; aligned nodes form blocks, and
// blocks are pushed together. Done from above and below, from the left and from the right; a node gets the mean of the
// two middle results. Blocks are compacted by longest paths over the order in the rows, pass one from the left, pass
// two back towards the right, which avoids the errors of the paper's class shifts (Brandes, Walter and Zink 2020).
#include <opscape/layout/place_rows.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace opscape {
namespace {

constexpr double kBoxGap = 18;
constexpr double kBendGap = 9;

/// The rows as one of the four runs sees them: perhaps upside down, perhaps mirrored.
struct Run {
    const LayeredRows& rows;
    const std::vector<double>& width;
    bool fromBelow, mirrored;

    [[nodiscard]] int row(int i) const { return fromBelow ? static_cast<int>(rows.order.size()) - 1 - i : i; }
    [[nodiscard]] int node(int r, int i) const {
        const auto& order = rows.order[r];
        return order[mirrored ? order.size() - 1 - static_cast<std::size_t>(i) : static_cast<std::size_t>(i)];
    }
    [[nodiscard]] int position(int v) const {
        const int p = rows.position[v];
        return mirrored ? static_cast<int>(rows.order[rows.rank[v]].size()) - 1 - p : p;
    }
    [[nodiscard]] const std::vector<int>& before(int v) const { return fromBelow ? rows.down[v] : rows.up[v]; }
    [[nodiscard]] double separation(int u, int v) const {
        const bool boxes = !rows.isBend(u) && !rows.isBend(v);
        return (width[u] + width[v]) / 2 + (boxes ? kBoxGap : kBendGap);
    }
};

using Conflicts = std::vector<std::pair<int, int>>; ///< sorted

/// Edges that cross a straight piece of a long edge: (upper node, lower node).
Conflicts findConflicts(const LayeredRows& rows) {
    Conflicts conflicts;
    for (std::size_t r = 1; r + 1 < rows.order.size(); ++r) {
        const auto& upper = rows.order[r];
        const auto& lower = rows.order[r + 1];
        int from = 0; // position of the last straight piece's upper end
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            int inner = -1;
            if (rows.isBend(lower[i])) {
                for (const int u : rows.up[lower[i]])
                    inner = rows.isBend(u) ? u : inner;
            }
            if (inner < 0 && i + 1 < lower.size())
                continue;
            const int to = inner >= 0 ? rows.position[inner] : static_cast<int>(upper.size()) - 1;
            for (; scanned <= i; ++scanned) {
                const int v = lower[scanned];
                for (const int u : rows.up[v]) {
                    const int p = rows.position[u];
                    if ((p < from || p > to) && !(rows.isBend(u) && rows.isBend(v)))
                        conflicts.emplace_back(u, v);
                }
            }
            from = to;
        }
    }
    std::ranges::sort(conflicts);
    return conflicts;
}

/// First node of each node's block.
std::vector<int> align(const Run& run, const Conflicts& conflicts) {
    const std::size_t n = run.rows.nodeCount();
    std::vector<int> root(n), medians;
    for (std::size_t v = 0; v < n; ++v)
        root[v] = static_cast<int>(v);
    for (int i = 1; i < static_cast<int>(run.rows.order.size()); ++i) {
        const int r = run.row(i);
        int last = -1;
        for (int k = 0; k < static_cast<int>(run.rows.order[r].size()); ++k) {
            const int v = run.node(r, k);
            medians = run.before(v);
            if (medians.empty())
                continue;
            const auto bend = std::ranges::find_if(medians, [&](int u) { return run.rows.isBend(u); });
            if (run.rows.isBend(v) && bend != medians.end())
                medians = {*bend}; // a trunk is straight, wherever its branches lie
            std::ranges::sort(medians, {}, [&](int u) { return run.position(u); });
            const std::size_t middle = medians.size() - 1;
            for (const std::size_t m : {middle / 2, (middle + 1) / 2}) {
                const int u = medians[m];
                const auto edge = run.fromBelow ? std::pair(v, u) : std::pair(u, v);
                if (run.position(u) <= last || std::ranges::binary_search(conflicts, edge))
                    continue;
                root[v] = root[u];
                last = run.position(u);
                break;
            }
        }
    }
    return root;
}

/// Pushes the blocks together.
std::vector<double> compact(const Run& run, const std::vector<int>& root) {
    struct Constraint {
        int left, right;
        double separation;
    };
    const std::size_t n = run.rows.nodeCount();
    std::vector<Constraint> constraints;
    for (std::size_t r = 0; r < run.rows.order.size(); ++r) {
        for (int k = 0; k + 1 < static_cast<int>(run.rows.order[r].size()); ++k) {
            const int u = run.node(static_cast<int>(r), k), v = run.node(static_cast<int>(r), k + 1);
            constraints.push_back({root[u], root[v], run.separation(u, v)});
        }
    }
    std::vector<int> first(n + 1), waitsFor(n), order;
    for (const Constraint& c : constraints) {
        ++first[static_cast<std::size_t>(c.left) + 1];
        ++waitsFor[c.right];
    }
    for (std::size_t v = 0; v < n; ++v)
        first[v + 1] += first[v];
    std::vector<int> next(first.begin(), first.end() - 1), byLeft(constraints.size());
    for (std::size_t c = 0; c < constraints.size(); ++c)
        byLeft[next[constraints[c].left]++] = static_cast<int>(c);
    for (std::size_t v = 0; v < n; ++v) {
        if (root[v] == static_cast<int>(v) && waitsFor[v] == 0)
            order.push_back(static_cast<int>(v));
    }
    std::vector<double> x(n, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (int k = first[order[i]]; k < first[order[i] + 1]; ++k) {
            const Constraint& c = constraints[byLeft[k]];
            x[c.right] = std::max(x[c.right], x[c.left] + c.separation);
            if (--waitsFor[c.right] == 0)
                order.push_back(c.right);
        }
    }
    for (std::size_t i = order.size(); i-- > 0;) {
        double most = std::numeric_limits<double>::infinity();
        for (int k = first[order[i]]; k < first[order[i] + 1]; ++k) {
            const Constraint& c = constraints[byLeft[k]];
            most = std::min(most, x[c.right] - c.separation);
        }
        if (most < std::numeric_limits<double>::infinity())
            x[order[i]] = std::max(x[order[i]], most);
    }
    for (std::size_t v = 0; v < n; ++v)
        x[v] = x[root[v]];
    return x;
}

} // namespace

std::vector<double> placeRows(const LayeredRows& rows, const std::vector<double>& width) {
    const std::size_t n = rows.nodeCount();
    const Conflicts conflicts = findConflicts(rows);
    std::array<std::vector<double>, 4> x;
    std::array<double, 4> low{}, high{};
    for (int i = 0; i < 4; ++i) {
        const Run run{rows, width, i / 2 == 1, i % 2 == 1};
        x[i] = compact(run, align(run, conflicts));
        low[i] = std::numeric_limits<double>::infinity();
        high[i] = -low[i];
        for (std::size_t v = 0; v < n; ++v) {
            x[i][v] = run.mirrored ? -x[i][v] : x[i][v];
            low[i] = std::min(low[i], x[i][v] - width[v] / 2);
            high[i] = std::max(high[i], x[i][v] + width[v] / 2);
        }
    }
    // The narrowest result gives the frame: left runs share its left side, right runs its right side.
    int narrow = 0;
    for (int i = 1; i < 4; ++i)
        narrow = high[i] - low[i] < high[narrow] - low[narrow] ? i : narrow;
    std::vector<double> middle(n);
    double left = std::numeric_limits<double>::infinity();
    for (std::size_t v = 0; v < n; ++v) {
        std::array<double, 4> at{};
        for (int i = 0; i < 4; ++i)
            at[i] = x[i][v] + (i % 2 == 0 ? low[narrow] - low[i] : high[narrow] - high[i]);
        std::ranges::sort(at);
        middle[v] = (at[1] + at[2]) / 2;
        left = std::min(left, middle[v] - width[v] / 2);
    }
    for (double& m : middle)
        m -= left;
    return middle;
}

} // namespace opscape
