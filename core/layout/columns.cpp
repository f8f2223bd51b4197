// SPDX-License-Identifier: MIT
// Rows are cut into groups of about equal height, each cut where few edges pass; each group is a layered layout of its
// own. An edge from one column to the next leaves below its box, runs in the gutter between them and enters above its
// target; one to a later column runs above or below the columns between, whichever is the shorter way. Edges from one
// box (or to one box, whichever is more) share a lane, so that they read as one line that branches.
#include <opscape/layout/column_cuts.h>
#include <opscape/layout/columns.h>
#include <opscape/layout/edge_path.h>
#include <opscape/layout/layered.h>

#include <algorithm>
#include <map>

namespace opscape {
namespace {

constexpr float kLane = 6;
constexpr int kMostLanes = 20; ///< side by side; further ones share
constexpr float kSlot = 5;     ///< between lanes in the gap of two rows
constexpr int kMostSlots = 3;
constexpr float kAbove = 24; ///< room for edges that enter the first row of a column,
constexpr float kBelow = 20; ///< and that leave the last
constexpr float kRadius = 7;

/// A component cut into columns: which box lies where, and the lanes of the edges between columns.
class Columns {
public:
    Columns(const BoxProblem& problem, const std::vector<ColumnPlan>& plans)
        : m_problem(problem),
          m_plans(plans),
          m_column(problem.boxes.size()),
          m_index(problem.boxes.size()),
          m_gutters(plans.size()),
          m_between(problem.edges.size(), true) {}

    BoxLayout layout() {
        placeEach();
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

    void placeEach() {
        m_layout.corners.resize(m_problem.boxes.size());
        m_layout.paths.resize(m_problem.edges.size());
        for (std::size_t c = 0; c < m_plans.size(); ++c) {
            const ColumnPlan& plan = m_plans[c];
            for (std::size_t i = 0; i < plan.boxes.size(); ++i) {
                m_column[plan.boxes[i]] = static_cast<int>(c);
                m_index[plan.boxes[i]] = static_cast<int>(i);
            }
            m_columns.push_back(layoutLayered(columnProblem(m_problem, plan), plan.rows));
            for (std::size_t i = 0; i < plan.edges.size(); ++i) {
                m_layout.paths[plan.edges[i]] = std::move(m_columns[c].layout.paths[i]);
                m_between[plan.edges[i]] = false;
            }
        }
    }

    [[nodiscard]] int row(int box) const { return m_plans[m_column[box]].rows.rank[m_index[box]]; }

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
            take(m_below[{m_column[a], row(a)}], m_owner[e]);
            take(m_over[{m_column[b], row(b)}], m_owner[e]);
            if (m_column[b] > m_column[a] + 1) {
                take(m_gutters[m_column[b] - 1], m_owner[e]);
                take(goesBelow(a, b) ? m_under : m_above, m_owner[e]);
            }
        }
    }

    /// From the row below one box to the row above another one, past the columns between.
    [[nodiscard]] bool goesBelow(int a, int b) const {
        float height = 0;
        for (const Column& column : m_columns)
            height = std::max(height, column.layout.height);
        const float down = m_columns[m_column[a]].rowBottom[m_index[a]] + m_columns[m_column[b]].rowTop[m_index[b]];
        return down > height; // the way over the top is as long as what is above, the other as what is left
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
        m_bottom = m_layout.height;
        m_layout.height += lanesWidth(m_under);
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
            const int lane = gaps.at({column, row(box)}).at(m_owner[e]);
            return static_cast<float>(lane % kMostSlots) * kSlot;
        };
        const float leave = m_top + m_columns[ca].rowBottom[m_index[a]] + 6 + slot(m_below, ca, a);
        const float enter = m_top + m_columns[cb].rowTop[m_index[b]] - 10 - slot(m_over, cb, b);
        std::vector<LayoutPoint> corners{start, {start.x, leave}, {laneX(ca), leave}};
        if (cb > ca + 1) {
            const bool below = goesBelow(a, b);
            const float lane = static_cast<float>((below ? m_under : m_above).at(m_owner[e]) % kMostLanes) * kLane;
            const float y = below ? m_bottom + lane : lane;
            corners.insert(corners.end(), {{laneX(ca), y}, {laneX(cb - 1), y}});
        }
        corners.insert(corners.end(), {{laneX(cb - 1), enter}, {end.x, enter}, end});
        EdgePath path = roundedPath(corners, kRadius);
        if (m_problem.edges[e].from != a)
            std::ranges::reverse(path);
        return path;
    }

    const BoxProblem& m_problem;
    const std::vector<ColumnPlan>& m_plans;
    std::vector<int> m_column, m_index; ///< per box: its column, its number there
    std::vector<Column> m_columns;
    std::vector<Lanes> m_gutters;  ///< right of each column
    Lanes m_above, m_under;        ///< above and below all columns
    Gaps m_below, m_over;          ///< below the row an edge leaves, above the row it enters
    std::vector<bool> m_between;   ///< per edge: joins two columns
    std::vector<int> m_owner;      ///< per edge between columns: the box that its lanes belong to
    std::vector<float> m_x;        ///< of each column
    float m_top = 0, m_bottom = 0; ///< of the columns
    BoxLayout m_layout;
};

} // namespace

BoxProblem columnProblem(const BoxProblem& part, const ColumnPlan& column) {
    BoxProblem problem;
    problem.boxes.reserve(column.boxes.size());
    for (const int v : column.boxes)
        problem.boxes.push_back(part.boxes[v]);
    problem.edges = column.inside;
    return problem;
}

std::vector<ColumnPlan> planColumns(const BoxProblem& part) {
    const Ranking ranking = rankBoxes(part, widestRow(part));
    const std::vector<int> starts = chooseColumns(part, ranking);
    std::vector<ColumnPlan> columns(starts.size());
    std::vector<Ranking> rankings(starts.size());
    std::vector<int> columnOf(part.boxes.size()), index(part.boxes.size());
    for (std::size_t v = 0; v < part.boxes.size(); ++v) {
        const auto c = static_cast<int>(std::ranges::upper_bound(starts, ranking.rank[v]) - starts.begin()) - 1;
        columnOf[v] = c;
        index[v] = static_cast<int>(columns[c].boxes.size());
        columns[c].boxes.push_back(static_cast<int>(v));
        const int rank = ranking.rank[v] - starts[c];
        rankings[c].rank.push_back(rank);
        rankings[c].rows = std::max(rankings[c].rows, rank + 1);
    }
    for (std::size_t e = 0; e < part.edges.size(); ++e) {
        const BoxEdge edge = part.edges[e];
        const int c = columnOf[edge.from];
        if (c != columnOf[edge.to])
            continue;
        columns[c].edges.push_back(static_cast<int>(e));
        columns[c].inside.push_back({index[edge.from], index[edge.to]});
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
        columns[c].rows = makeRows(columnProblem(part, columns[c]), rankings[c]);
        orderRows(columns[c].rows);
        columns[c].crossings = countCrossings(columns[c].rows);
    }
    return columns;
}

BoxLayout placeColumns(const BoxProblem& part, const std::vector<ColumnPlan>& columns) {
    if (columns.size() == 1) // its boxes and edges are all of the part's, in their order
        return layoutLayered(part, columns.front().rows).layout;
    return Columns(part, columns).layout();
}

} // namespace opscape
