// SPDX-License-Identifier: MIT
#include <opscape/layout/column_cuts.h>

#include <algorithm>
#include <cmath>

namespace opscape {
namespace {

constexpr float kWideRow = 1300;     ///< rows up to this are never folded
constexpr float kTallest = 760;      ///< below this nothing is cut
constexpr float kCutCost = 0.15F;    ///< how much smaller the page must become (natural logarithm) to be worth cutting,
constexpr float kColumnCost = 0.04F; ///< again for each column,
constexpr float kPassingCost = 0.05F; ///< and more for each line beyond the first that passes the worst cut

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
std::vector<int> cutRows(const std::vector<Row>& rows, float height, float count) {
    const float share = height / count;
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

} // namespace

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
    float least = std::log(pageSize(width, height)) - kCutCost;
    const float guess = std::sqrt(height * kTargetAspect / (width + kGutter));
    const float most = std::min(guess + 2, static_cast<float>(ranking.rows));
    for (float count = std::max(1.5F, guess / 2); count <= most; count += 0.5F) {
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
        const float now = std::log(pageSize(pageWidth, pageHeight)) +
                          kPassingCost * static_cast<float>(std::max(0, passing - 1)) +
                          kColumnCost * static_cast<float>(starts.size());
        if (now < least) {
            least = now;
            best = starts;
        }
    }
    return best;
}

float widestRow(const BoxProblem& problem) {
    float area = 0;
    for (const BoxSize& box : problem.boxes)
        area += (box.width + 18) * (box.height + 28);
    return std::max(kWideRow, 1.25F * std::sqrt(area * kTargetAspect));
}

} // namespace opscape
