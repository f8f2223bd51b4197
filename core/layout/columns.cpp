// SPDX-License-Identifier: MIT
// Rows are cut into groups of about equal height, each cut where few edges pass; each group is a layered layout of its
// own, by dot where that draws with fewer crossings than ours. An edge from one column to the next leaves below its
// box, runs in the gutter between them and enters above its target; one to a later column runs above the columns
// between. Edges from one box (or to one box, whichever is more) share a lane, so that they read as one line that
// branches.
#include <opscape/layout/columns.h>
#include <opscape/layout/dot_process.h>
#include <opscape/layout/edge_path.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace opscape {
namespace {

constexpr float kTallest = 700;      ///< below this nothing is cut
constexpr float kCutCost = 0.25F;    ///< how much better the shape must become (natural logarithm) to be worth cutting,
constexpr float kColumnCost = 0.06F; ///< again for each column,
constexpr float kPassingCost = 0.08F; ///< and more for each line that passes the worst cut
constexpr float kGutter = 34;
constexpr float kLane = 6;
constexpr int kMostLanes = 20; ///< side by side; further ones share
constexpr float kSlot = 5;     ///< between lanes in the gap of two rows
constexpr int kMostSlots = 3;
constexpr float kAbove = 24; ///< room for edges that enter the first row of a column,
constexpr float kBelow = 20; ///< and that leave the last
constexpr float kRadius = 7;

struct Row {
    float width = 0, height = 0;
    int passing = 0; ///< lines that come from above this row and end in it or below; edges that share a lane are one
};

std::vector<Row> measureRows(const BoxProblem& problem, const Ranking& ranking) {
    std::vector<Row> rows(static_cast<std::size_t>(ranking.rows));
    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
        Row& row = rows[ranking.rank[v]];
        row.width += problem.boxes[v].width + 18;
        row.height = std::max(row.height, problem.boxes[v].height + 28);
    }
    const auto ends = [&](const BoxEdge& e) {
        return ranking.rank[e.from] < ranking.rank[e.to] ? e : BoxEdge{e.to, e.from};
    };
    std::vector<int> below(problem.boxes.size()), above(problem.boxes.size());
    for (const BoxEdge& e : problem.edges) {
        ++below[ends(e).from];
        ++above[ends(e).to];
    }
    std::vector<int> lowest = ranking.rank, highest = ranking.rank; // reach of each box's shared lanes
    for (const BoxEdge& e : problem.edges) {
        const auto [upper, lower] = ends(e);
        if (below[upper] >= above[lower])
            lowest[upper] = std::max(lowest[upper], ranking.rank[lower]);
        else
            highest[lower] = std::min(highest[lower], ranking.rank[upper]);
    }
    std::vector<int> change(rows.size() + 1);
    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
        for (const auto& [first, last] :
             {std::pair(highest[v], ranking.rank[v]), std::pair(ranking.rank[v], lowest[v])}) {
            ++change[first + 1];
            --change[last + 1];
        }
    }
    int passing = 0;
    for (std::size_t r = 0; r < rows.size(); ++r)
        rows[r].passing = passing += change[r];
    return rows;
}

/// First row of each of about `count` columns.
std::vector<int> cutRows(const std::vector<Row>& rows, float height, int count) {
    const float share = height / static_cast<float>(count);
    std::vector<int> starts{0};
    float used = 0;
    int best = -1; // best place for the next cut so far
    for (int r = 0; r < static_cast<int>(rows.size()); ++r) {
        const bool inWindow = used >= 0.8F * share && r > starts.back();
        if (inWindow && (best < 0 || rows[r].passing < rows[best].passing))
            best = r;
        if (best >= 0 && used + rows[r].height > 1.12F * share) {
            starts.push_back(best);
            used = 0;
            for (int k = best; k < r; ++k)
                used += rows[k].height;
            best = -1;
        }
        used += rows[r].height;
    }
    return starts;
}

/// First row of each column, for the shape that comes closest to the one aimed at.
std::vector<int> chooseColumns(const BoxProblem& problem, const Ranking& ranking) {
    const std::vector<Row> rows = measureRows(problem, ranking);
    float width = 0, height = 0;
    for (const Row& row : rows) {
        width = std::max(width, row.width);
        height += row.height;
    }
    std::vector<int> best{0};
    if (height <= kTallest)
        return best;
    const auto off = [](float w, float h) { return std::abs(std::log(w / h / kTargetAspect)); };
    float least = off(width, height) - kCutCost;
    const int guess = static_cast<int>(std::sqrt(height * kTargetAspect / (width + kGutter)));
    for (int count = std::max(2, guess / 2); count <= std::min(guess + 2, ranking.rows); ++count) {
        const std::vector<int> starts = cutRows(rows, height, count);
        float pageWidth = 0, pageHeight = 0;
        int passing = 0;
        for (std::size_t c = 0; c < starts.size(); ++c) {
            const int stop = c + 1 < starts.size() ? starts[c + 1] : static_cast<int>(rows.size());
            passing = std::max(passing, rows[starts[c]].passing);
            float columnWidth = 0, columnHeight = 0;
            for (int r = starts[c]; r < stop; ++r) {
                columnWidth = std::max(columnWidth, rows[r].width);
                columnHeight += rows[r].height;
            }
            pageWidth += columnWidth + kGutter;
            pageHeight = std::max(pageHeight, columnHeight);
        }
        const float now = off(pageWidth, pageHeight) + kPassingCost * static_cast<float>(passing) +
                          kColumnCost * static_cast<float>(starts.size());
        if (now < least) {
            least = now;
            best = starts;
        }
    }
    return best;
}

Column layoutColumn(const BoxProblem& problem, const Ranking& ranking, DotProcess* dot) {
    Column column = layoutLayered(problem, ranking);
    if (dot == nullptr || column.crossings == 0)
        return column;
    if (auto other = dot->layout(problem))
        return std::move(*other);
    return column;
}

/// A component cut into columns: which box lies where, and the lanes of the edges between columns.
class Columns {
public:
    Columns(const BoxProblem& problem, const Ranking& ranking, const std::vector<int>& starts)
        : m_problem(problem),
          m_ranking(ranking),
          m_starts(starts),
          m_column(problem.boxes.size()),
          m_index(problem.boxes.size()),
          m_columns(starts.size()),
          m_gutters(starts.size()),
          m_between(problem.edges.size()) {
        for (std::size_t v = 0; v < problem.boxes.size(); ++v)
            m_column[v] = static_cast<int>(std::ranges::upper_bound(starts, ranking.rank[v]) - starts.begin()) - 1;
    }

    BoxLayout layout(DotProcess* dot) {
        layoutEach(dot);
        assignLanes();
        setSide();
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            if (m_between[e])
                m_layout.paths[e] = between(e);
        }
        return std::move(m_layout);
    }

private:
    using Lanes = std::map<int, int>;                  ///< owner of the lane -> its number
    using Gaps = std::map<std::pair<int, int>, Lanes>; ///< lanes between two rows of a column, by column and row

    [[nodiscard]] int left(const BoxEdge& e) const { return m_column[e.from] < m_column[e.to] ? e.from : e.to; }
    [[nodiscard]] int right(const BoxEdge& e) const { return m_column[e.from] < m_column[e.to] ? e.to : e.from; }

    void layoutEach(DotProcess* dot) {
        m_layout.corners.resize(m_problem.boxes.size());
        m_layout.paths.resize(m_problem.edges.size());
        std::vector<BoxProblem> parts(m_starts.size());
        std::vector<Ranking> rankings(m_starts.size());
        std::vector<std::vector<std::size_t>> edges(m_starts.size());
        for (std::size_t v = 0; v < m_problem.boxes.size(); ++v) {
            const int c = m_column[v];
            m_index[v] = static_cast<int>(parts[c].boxes.size());
            parts[c].boxes.push_back(m_problem.boxes[v]);
            const int rank = m_ranking.rank[v] - m_starts[c];
            rankings[c].rank.push_back(rank);
            rankings[c].rows = std::max(rankings[c].rows, rank + 1);
        }
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            const BoxEdge edge = m_problem.edges[e];
            const int c = m_column[edge.from];
            m_between[e] = c != m_column[edge.to];
            if (m_between[e])
                continue;
            parts[c].edges.push_back({m_index[edge.from], m_index[edge.to]});
            edges[c].push_back(e);
        }
        for (std::size_t c = 0; c < parts.size(); ++c) {
            m_columns[c] = layoutColumn(parts[c], rankings[c], dot);
            for (std::size_t i = 0; i < edges[c].size(); ++i)
                m_layout.paths[edges[c][i]] = std::move(m_columns[c].layout.paths[i]);
        }
    }

    void assignLanes() {
        std::vector<int> out(m_problem.boxes.size()), in(m_problem.boxes.size());
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            if (m_between[e]) {
                ++out[left(m_problem.edges[e])];
                ++in[right(m_problem.edges[e])];
            }
        }
        const auto take = [](Lanes& lanes, int owner) { lanes.try_emplace(owner, static_cast<int>(lanes.size())); };
        m_owner.resize(m_problem.edges.size());
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e) {
            if (!m_between[e])
                continue;
            const int a = left(m_problem.edges[e]), b = right(m_problem.edges[e]);
            m_owner[e] = out[a] >= in[b] ? a : b;
            take(m_gutters[m_column[a]], m_owner[e]);
            take(m_below[{m_column[a], m_ranking.rank[a]}], m_owner[e]);
            take(m_over[{m_column[b], m_ranking.rank[b]}], m_owner[e]);
            if (m_column[b] > m_column[a] + 1) {
                take(m_gutters[m_column[b] - 1], m_owner[e]);
                take(m_above, m_owner[e]);
            }
        }
    }

    static float lanesWidth(const Lanes& lanes) {
        return static_cast<float>(std::min(kMostLanes, static_cast<int>(lanes.size()))) * kLane;
    }

    /// Columns side by side, room for the lanes above and between.
    void setSide() {
        const float top = lanesWidth(m_above) + kAbove;
        float x = 0;
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            m_x.push_back(x);
            x += m_columns[c].layout.width;
            m_layout.width = x;
            m_layout.height = std::max(m_layout.height, top + m_columns[c].layout.height);
            x += kGutter + lanesWidth(m_gutters[c]);
        }
        m_top = top;
        m_layout.height += kBelow;
        for (std::size_t v = 0; v < m_problem.boxes.size(); ++v) {
            const LayoutPoint corner = m_columns[m_column[v]].layout.corners[m_index[v]];
            m_layout.corners[v] = {corner.x + m_x[m_column[v]], corner.y + top};
        }
        for (std::size_t e = 0; e < m_problem.edges.size(); ++e)
            translate(m_layout.paths[e], m_x[m_column[m_problem.edges[e].from]], top);
    }

    [[nodiscard]] EdgePath between(std::size_t e) const {
        const int a = left(m_problem.edges[e]), b = right(m_problem.edges[e]);
        const int ca = m_column[a], cb = m_column[b];
        const auto laneX = [&](int gutter) {
            const int lane = m_gutters[gutter].at(m_owner[e]) % kMostLanes;
            return m_x[gutter] + m_columns[gutter].layout.width + kGutter / 2 + static_cast<float>(lane) * kLane;
        };
        const LayoutPoint start{m_layout.corners[a].x + m_problem.boxes[a].width / 2,
                                m_layout.corners[a].y + m_problem.boxes[a].height};
        const LayoutPoint end{m_layout.corners[b].x + m_problem.boxes[b].width / 2, m_layout.corners[b].y};
        const auto slot = [&](const Gaps& gaps, int column, int box) {
            const int lane = gaps.at({column, m_ranking.rank[box]}).at(m_owner[e]);
            return static_cast<float>(lane % kMostSlots) * kSlot;
        };
        const float leave = m_top + m_columns[ca].rowBottom[m_index[a]] + 6 + slot(m_below, ca, a);
        const float enter = m_top + m_columns[cb].rowTop[m_index[b]] - 10 - slot(m_over, cb, b);
        std::vector<LayoutPoint> corners{start, {start.x, leave}, {laneX(ca), leave}};
        if (cb > ca + 1) {
            const float above = static_cast<float>(m_above.at(m_owner[e]) % kMostLanes) * kLane;
            corners.insert(corners.end(), {{laneX(ca), above}, {laneX(cb - 1), above}});
        }
        corners.insert(corners.end(), {{laneX(cb - 1), enter}, {end.x, enter}, end});
        EdgePath path = roundedPath(corners, kRadius);
        if (m_problem.edges[e].from != a)
            std::ranges::reverse(path);
        return path;
    }

    const BoxProblem& m_problem;
    const Ranking& m_ranking;
    const std::vector<int>& m_starts;
    std::vector<int> m_column, m_index; ///< per box: its column, its number there
    std::vector<Column> m_columns;
    std::vector<Lanes> m_gutters; ///< right of each column
    Lanes m_above;                ///< above all columns
    Gaps m_below, m_over;         ///< below the row an edge leaves, above the row it enters
    std::vector<bool> m_between;  ///< per edge: joins two columns
    std::vector<int> m_owner;     ///< per edge between columns: the box that its lanes belong to
    std::vector<float> m_x;       ///< of each column
    float m_top = 0;
    BoxLayout m_layout;
};

float widestRow(const BoxProblem& problem) {
    float area = 0;
    for (const BoxSize& box : problem.boxes)
        area += (box.width + 18) * (box.height + 28);
    return std::max(700.0F, 1.25F * std::sqrt(area * kTargetAspect));
}

} // namespace

BoxLayout layoutConnected(const BoxProblem& problem, DotProcess* dot) {
    const Ranking ranking = rankBoxes(problem, widestRow(problem));
    const std::vector<int> starts = chooseColumns(problem, ranking);
    if (starts.size() == 1)
        return layoutColumn(problem, ranking, dot).layout;
    return Columns(problem, ranking, starts).layout(dot);
}

} // namespace opscape
