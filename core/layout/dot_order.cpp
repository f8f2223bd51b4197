// SPDX-License-Identifier: MIT
// dot's rows are the lines on which the middles of its boxes lie; a bend's place in a row is where the curves that it
// belongs to pass that line. Our own sweeps then start from dot's order, which they can only make better.
#include <opscape/layout/column_cuts.h>
#include <opscape/layout/columns.h>
#include <opscape/layout/dot_order.h>
#include <opscape/layout/dot_process.h>
#include <opscape/layout/layered.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr double kLessCrossings = 0.9; ///< of ours: a smaller gain is not worth a change
constexpr float kLargerPage = 1.15F;   ///< than ours: no gain is worth more

/// Rows by the height of the boxes' middles; false when an edge lies within a row.
bool rankByHeight(const BoxProblem& problem, const BoxLayout& answer, Ranking& ranking, std::vector<float>& rowY) {
    std::vector<float> middle;
    for (std::size_t v = 0; v < problem.boxes.size(); ++v)
        middle.push_back(std::round(answer.corners[v].y + problem.boxes[v].height / 2));
    rowY = middle;
    std::ranges::sort(rowY);
    const auto rest = std::ranges::unique(rowY);
    rowY.erase(rest.begin(), rest.end());
    for (const float y : middle)
        ranking.rank.push_back(static_cast<int>(std::ranges::lower_bound(rowY, y) - rowY.begin()));
    ranking.rows = static_cast<int>(rowY.size());
    return std::ranges::none_of(problem.edges,
                                [&](const BoxEdge& e) { return ranking.rank[e.from] == ranking.rank[e.to]; });
}

/// Where a path passes a height: on its control points, which is near enough to tell what is left of what.
float xAt(const EdgePath& path, float y) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const LayoutPoint a = path[i], b = path[i + 1];
        if ((a.y - y) * (b.y - y) <= 0)
            return a.y == b.y ? a.x : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    }
    return path.back().x;
}

void orderBy(LayeredRows& rows, const BoxProblem& problem, const BoxLayout& answer, const std::vector<float>& rowY) {
    std::vector<float> x(rows.nodeCount()), edges(rows.nodeCount());
    for (std::size_t v = 0; v < problem.boxes.size(); ++v)
        x[v] = answer.corners[v].x + problem.boxes[v].width / 2;
    for (std::size_t e = 0; e < rows.chain.size(); ++e) {
        for (const int node : rows.chain[e]) {
            if (!rows.isBend(node))
                continue;
            x[node] += xAt(answer.paths[e], rowY[rows.rank[node]]);
            edges[node] += 1;
        }
    }
    for (std::size_t v = problem.boxes.size(); v < x.size(); ++v)
        x[v] /= std::max(1.0F, edges[v]);
    for (auto& order : rows.order) {
        std::ranges::sort(order, {}, [&](int node) { return std::pair(x[node], node); });
        for (std::size_t i = 0; i < order.size(); ++i)
            rows.position[order[i]] = static_cast<int>(i);
    }
}

} // namespace

std::optional<ColumnPlan> orderByDot(const BoxProblem& part, const ColumnPlan& column, DotProcess& dot,
                                     const std::stop_token& stop) {
    if (column.crossings == 0)
        return std::nullopt;
    const BoxProblem problem = columnProblem(part, column);
    const auto answer = dot.layout(problem, stop);
    Ranking ranking;
    std::vector<float> rowY;
    if (!answer || !rankByHeight(problem, *answer, ranking, rowY))
        return std::nullopt;
    ColumnPlan other = column;
    other.rows = makeRows(problem, ranking);
    orderBy(other.rows, problem, *answer, rowY);
    orderRows(other.rows);
    other.crossings = countCrossings(other.rows);
    if (static_cast<double>(other.crossings) > kLessCrossings * static_cast<double>(column.crossings))
        return std::nullopt;
    const BoxLayout ours = layoutLayered(problem, column.rows).layout,
                    theirs = layoutLayered(problem, other.rows).layout;
    if (pageSize(theirs.width, theirs.height) > kLargerPage * pageSize(ours.width, ours.height))
        return std::nullopt;
    return other;
}

} // namespace opscape
