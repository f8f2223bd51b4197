// SPDX-License-Identifier: MIT
// Connected parts are arranged one by one and packed; small single boxes form a grid.
#include <opscape/layout/arrangement.h>
#include <opscape/layout/column_cuts.h>
#include <opscape/layout/columns.h>
#include <opscape/layout/dot_order.h>
#include <opscape/layout/edge_path.h>

#include <cmath>
#include <numeric>

namespace opscape {
namespace {

constexpr float kPartGap = 22;
constexpr float kGridGap = 14;
constexpr float kGridHeight = 60; ///< what is taller is an open frame, and packed
constexpr float kWasteful = 3;    ///< a page this much larger than its boxes need is worth another try

/// Connected parts, each with its boxes and edges in ascending order; parts in the order of their first box.
struct Parts {
    std::vector<std::vector<int>> boxes;
    std::vector<std::vector<int>> edges;
    std::vector<int> index; ///< per box: its number in its part

    explicit Parts(const BoxProblem& problem) : index(problem.boxes.size()) {
        std::vector<int> parent(problem.boxes.size());
        std::iota(parent.begin(), parent.end(), 0);
        const auto find = [&](int v) {
            while (parent[v] != v)
                v = parent[v] = parent[parent[v]];
            return v;
        };
        for (const BoxEdge& e : problem.edges) {
            const int a = find(e.from), b = find(e.to);
            parent[std::max(a, b)] = std::min(a, b); // the root is the first box
        }
        std::vector<int> partOf(problem.boxes.size(), -1);
        for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
            const int root = find(static_cast<int>(v));
            if (partOf[root] < 0) {
                partOf[root] = static_cast<int>(boxes.size());
                boxes.emplace_back();
            }
            partOf[v] = partOf[root];
            index[v] = static_cast<int>(boxes[partOf[v]].size());
            boxes[partOf[v]].push_back(static_cast<int>(v));
        }
        edges.resize(boxes.size());
        for (std::size_t e = 0; e < problem.edges.size(); ++e)
            edges[partOf[problem.edges[e].from]].push_back(static_cast<int>(e));
    }
};

/// Boxes without edges in `columns` aligned columns, row by row.
Packing gridOf(const std::vector<BoxSize>& boxes, std::size_t columns) {
    std::vector<float> width(columns);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        width[i % columns] = std::max(width[i % columns], boxes[i].width);
    Packing grid;
    float x = 0, y = 0, rowHeight = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (i > 0 && i % columns == 0) {
            x = 0;
            y += rowHeight + kGridGap;
            rowHeight = 0;
        }
        grid.corners.push_back({x + (width[i % columns] - boxes[i].width) / 2, y});
        x += width[i % columns];
        grid.width = std::max(grid.width, x);
        x += kGridGap;
        rowHeight = std::max(rowHeight, boxes[i].height);
    }
    grid.height = y + rowHeight;
    return grid;
}

BoxProblem partProblem(const BoxProblem& problem, const PartPlan& part, const std::vector<int>& index) {
    BoxProblem own;
    own.boxes.reserve(part.boxes.size());
    for (const int v : part.boxes)
        own.boxes.push_back(problem.boxes[v]);
    own.edges.reserve(part.edges.size());
    for (const int e : part.edges)
        own.edges.push_back({index[problem.edges[e].from], index[problem.edges[e].to]});
    return own;
}

/// Per box: its number in its part.
std::vector<int> indices(const BoxProblem& problem, const Arrangement& arrangement) {
    std::vector<int> index(problem.boxes.size());
    for (const PartPlan& part : arrangement.parts) {
        for (std::size_t i = 0; i < part.boxes.size(); ++i)
            index[part.boxes[i]] = static_cast<int>(i);
    }
    return index;
}

bool isSingle(const PartPlan& part) { return part.boxes.size() == 1; }

std::vector<BoxLayout> placeParts(const BoxProblem& problem, const Arrangement& arrangement) {
    const std::vector<int> index = indices(problem, arrangement);
    std::vector<BoxLayout> layouts;
    for (const PartPlan& part : arrangement.parts) {
        if (isSingle(part)) {
            const BoxSize box = problem.boxes[part.boxes.front()];
            layouts.push_back({{{0, 0}}, {}, box.width, box.height});
        } else {
            layouts.push_back(placeColumns(partProblem(problem, part, index), part.columns));
        }
    }
    return layouts;
}

/// Sizes of what is packed: the parts, or those that are no single box and the grid.
std::vector<BoxSize> packedSizes(const Arrangement& arrangement, const std::vector<BoxLayout>& layouts, Packing& grid) {
    std::vector<BoxSize> packed, singles;
    for (std::size_t p = 0; p < layouts.size(); ++p) {
        (arrangement.parts[p].inGrid ? singles : packed).push_back({layouts[p].width, layouts[p].height});
    }
    if (!singles.empty()) {
        grid = gridOf(singles, arrangement.gridColumns);
        packed.push_back({grid.width, grid.height});
    }
    return packed;
}

/// Chooses the number of columns of the grid that makes the smallest page.
void planPage(Arrangement& arrangement, const std::vector<BoxLayout>& layouts) {
    const auto inGrid = static_cast<std::size_t>(std::ranges::count_if(arrangement.parts, &PartPlan::inGrid));
    float least = 0;
    std::size_t best = 0;
    for (std::size_t columns = 1; columns <= std::max<std::size_t>(1, inGrid); columns += 1 + columns / 4) {
        arrangement.gridColumns = columns;
        Packing grid;
        const std::vector<BoxSize> sizes = packedSizes(arrangement, layouts, grid);
        PackingPlan plan = planPacking(sizes, kPartGap, kTargetAspect);
        const Packing page = placePacking(plan, sizes, kPartGap);
        const float size = pageSize(page.width, page.height) + 0.05F * (page.width / kTargetAspect + page.height);
        if (best != 0 && size >= least)
            continue;
        least = size;
        best = columns;
        arrangement.packing = std::move(plan);
    }
    arrangement.gridColumns = best;
}

} // namespace

std::int64_t Arrangement::crossings() const {
    std::int64_t sum = 0;
    for (const PartPlan& part : parts) {
        for (const ColumnPlan& column : part.columns)
            sum += column.crossings;
    }
    return sum;
}

Arrangement arrange(const BoxProblem& problem) {
    Parts parts(problem);
    Arrangement arrangement;
    for (std::size_t p = 0; p < parts.boxes.size(); ++p) {
        PartPlan& part = arrangement.parts.emplace_back();
        part.boxes = std::move(parts.boxes[p]);
        part.edges = std::move(parts.edges[p]);
        part.inGrid = isSingle(part) && problem.boxes[part.boxes.front()].height <= kGridHeight;
        if (!isSingle(part))
            part.columns = planColumns(partProblem(problem, part, parts.index));
    }
    planPage(arrangement, placeParts(problem, arrangement));
    return arrangement;
}

BoxLayout place(const BoxProblem& problem, const Arrangement& arrangement) {
    std::vector<BoxLayout> layouts = placeParts(problem, arrangement);
    Packing grid;
    const Packing page = placePacking(arrangement.packing, packedSizes(arrangement, layouts, grid), kPartGap);
    BoxLayout whole;
    whole.width = page.width;
    whole.height = page.height;
    whole.corners.resize(problem.boxes.size());
    whole.paths.resize(problem.edges.size());
    std::size_t packed = 0, inGrid = 0;
    for (std::size_t p = 0; p < layouts.size(); ++p) {
        const PartPlan& part = arrangement.parts[p];
        LayoutPoint at;
        if (part.inGrid) {
            const LayoutPoint origin = page.corners.back(), corner = grid.corners[inGrid++];
            at = {origin.x + corner.x, origin.y + corner.y};
        } else {
            at = page.corners[packed++];
        }
        for (std::size_t i = 0; i < part.boxes.size(); ++i)
            whole.corners[part.boxes[i]] = {layouts[p].corners[i].x + at.x, layouts[p].corners[i].y + at.y};
        for (std::size_t i = 0; i < part.edges.size(); ++i) {
            translate(layouts[p].paths[i], at.x, at.y);
            whole.paths[part.edges[i]] = std::move(layouts[p].paths[i]);
        }
    }
    return whole;
}

std::optional<Arrangement> improved(const BoxProblem& problem, const Arrangement& arrangement, DotProcess& dot,
                                    const std::stop_token& stop) {
    const std::vector<int> index = indices(problem, arrangement);
    std::optional<Arrangement> better;
    for (std::size_t p = 0; p < arrangement.parts.size(); ++p) {
        const PartPlan& part = arrangement.parts[p];
        const BoxProblem own = isSingle(part) ? BoxProblem() : partProblem(problem, part, index);
        for (std::size_t c = 0; c < part.columns.size() && !stop.stop_requested(); ++c) {
            auto column = orderByDot(own, part.columns[c], dot, stop);
            if (!column)
                continue;
            if (!better)
                better = arrangement;
            better->parts[p].columns[c] = std::move(*column);
        }
    }
    return better;
}

bool stillFits(const BoxProblem& problem, const BoxLayout& layout) {
    float area = 0, width = 0, height = 0;
    for (const BoxSize& box : problem.boxes) {
        area += (box.width + kPartGap) * (box.height + kPartGap);
        width = std::max(width, box.width);
        height = std::max(height, box.height);
    }
    const float needed = std::max(std::sqrt(area / kTargetAspect), pageSize(width, height));
    return pageSize(layout.width, layout.height) <= kWasteful * needed;
}

BoxLayout layoutBoxes(const BoxProblem& problem) { return place(problem, arrange(problem)); }

} // namespace opscape
