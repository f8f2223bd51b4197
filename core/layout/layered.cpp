// SPDX-License-Identifier: MIT
#include <opscape/layout/edge_path.h>
#include <opscape/layout/layered.h>
#include <opscape/layout/layered_rows.h>
#include <opscape/layout/place_rows.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace opscape {
namespace {

constexpr double kBendWidth = 4;
constexpr double kRowGap = 26; ///< between rows; more where edges run far to the side
constexpr double kLargestGap = 90;

struct Placed {
    const LayeredRows& rows;
    std::vector<double> x;           ///< middle of each node
    std::vector<double> top, bottom; ///< of each row
};

/// Height of every row, and enough room between rows that no edge becomes flat.
void stackRows(const BoxProblem& problem, Placed& placed) {
    const LayeredRows& rows = placed.rows;
    double y = 0;
    for (std::size_t r = 0; r < rows.order.size(); ++r) {
        double height = 0, reach = 0;
        for (const int v : rows.order[r]) {
            height = std::max(height, rows.isBend(v) ? 0.0 : static_cast<double>(problem.boxes[v].height));
            for (const int w : rows.down[v])
                reach = std::max(reach, std::abs(placed.x[v] - placed.x[w]));
        }
        placed.top.push_back(y);
        placed.bottom.push_back(y + height);
        y += height + std::clamp(kRowGap + 0.06 * reach, kRowGap, kLargestGap);
    }
}

/// Where on a box's upper or lower side an edge ends: straight edges in the middle, the others beside it, in the order
/// of where they go. Edges that share their first bend share the place.
std::vector<float> portOffsets(const BoxProblem& problem, const Placed& placed, bool atUpperEnd) {
    struct End {
        int box, next;
        double x;
        std::size_t edge;
    };
    std::vector<End> ends;
    for (std::size_t e = 0; e < placed.rows.chain.size(); ++e) {
        const auto& chain = placed.rows.chain[e];
        const int box = atUpperEnd ? chain.front() : chain.back();
        const int next = atUpperEnd ? chain[1] : chain[chain.size() - 2];
        ends.push_back({box, next, placed.x[next], e});
    }
    std::ranges::sort(ends, {}, [](const End& end) { return std::tuple(end.box, end.x, end.next, end.edge); });
    std::vector<float> offsets(ends.size());
    for (std::size_t i = 0; i < ends.size();) {
        const int box = ends[i].box;
        std::size_t stop = i;
        int places = 0, straight = -1;
        for (; stop < ends.size() && ends[stop].box == box; ++stop) {
            if (stop > i && ends[stop].next == ends[stop - 1].next)
                continue;
            if (std::abs(ends[stop].x - placed.x[box]) < 4)
                straight = places;
            ++places;
        }
        const double room = std::max(0.0, problem.boxes[box].width / 2.0 - 10);
        const double step = std::min(10.0, 2 * room / std::max(1, places));
        const double origin = straight >= 0 ? straight : (places - 1) / 2.0;
        int place = -1;
        for (std::size_t k = i; k < stop; ++k) {
            place += k == i || ends[k].next != ends[k - 1].next ? 1 : 0;
            offsets[ends[k].edge] = static_cast<float>(std::clamp((place - origin) * step, -room, room));
        }
        i = stop;
    }
    return offsets;
}

/// Vertical through rows, curved between them, so that no path touches a box.
EdgePath route(const BoxLayout& layout, const BoxProblem& problem, const Placed& placed, std::size_t e,
               float startOffset, float endOffset) {
    const auto& chain = placed.rows.chain[e];
    const int from = chain.front(), to = chain.back();
    const auto top = [&](int v) { return static_cast<float>(placed.top[placed.rows.rank[v]]); };
    const auto bottom = [&](int v) { return static_cast<float>(placed.bottom[placed.rows.rank[v]]); };
    const float startX = static_cast<float>(placed.x[from]) + startOffset;
    PathBuilder path({startX, layout.corners[from].y + problem.boxes[from].height});
    path.line({startX, bottom(from)});
    for (std::size_t i = 1; i + 1 < chain.size(); ++i) {
        const auto x = static_cast<float>(placed.x[chain[i]]);
        path.flow({x, top(chain[i])});
        path.line({x, bottom(chain[i])});
    }
    const float endX = static_cast<float>(placed.x[to]) + endOffset;
    path.flow({endX, top(to)});
    path.line({endX, layout.corners[to].y});
    EdgePath points = path.take();
    if (problem.edges[e].from != from)
        std::ranges::reverse(points);
    return points;
}

} // namespace

Column layoutLayered(const BoxProblem& problem, const LayeredRows& rows) {
    Placed placed{rows, {}, {}, {}};
    Column column;
    std::vector<double> width(placed.rows.nodeCount(), kBendWidth);
    for (std::size_t v = 0; v < problem.boxes.size(); ++v)
        width[v] = problem.boxes[v].width;
    placed.x = placeRows(placed.rows, width);
    stackRows(problem, placed);

    BoxLayout& layout = column.layout;
    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
        const double top = placed.top[rows.rank[v]], bottom = placed.bottom[rows.rank[v]];
        const BoxSize size = problem.boxes[v];
        layout.corners.push_back({static_cast<float>(placed.x[v] - size.width / 2.0),
                                  static_cast<float>((top + bottom - size.height) / 2.0)});
        column.rowTop.push_back(static_cast<float>(top));
        column.rowBottom.push_back(static_cast<float>(bottom));
    }
    for (std::size_t v = 0; v < placed.x.size(); ++v)
        layout.width = std::max(layout.width, static_cast<float>(placed.x[v] + width[v] / 2));
    layout.height = placed.bottom.empty() ? 0 : static_cast<float>(placed.bottom.back());
    const std::vector<float> start = portOffsets(problem, placed, true), end = portOffsets(problem, placed, false);
    for (std::size_t e = 0; e < problem.edges.size(); ++e)
        layout.paths.push_back(route(layout, problem, placed, e, start[e], end[e]));
    return column;
}

} // namespace opscape
