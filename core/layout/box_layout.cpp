// SPDX-License-Identifier: MIT
#include <opscape/layout/box_layout.h>
#include <opscape/layout/columns.h>
#include <opscape/layout/edge_path.h>
#include <opscape/layout/pack.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opscape {
namespace {

constexpr float kPartGap = 22;
constexpr float kGridGap = 14;

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

/// How far a page is from the shape aimed at, and how large it is: less is better.
float badness(const Packing& page) {
    return std::abs(std::log(page.width / page.height / kTargetAspect)) + std::log(page.width * page.height);
}

/// Places the parts; those of a single box form a grid, of the number of columns that makes the best page.
Packing packParts(const std::vector<BoxSize>& sizes, const std::vector<bool>& isSingle) {
    std::vector<BoxSize> large, singles;
    for (std::size_t p = 0; p < sizes.size(); ++p)
        (isSingle[p] ? singles : large).push_back(sizes[p]);
    if (singles.empty())
        return packBoxes(large, kPartGap, kTargetAspect);
    Packing best, bestGrid;
    for (std::size_t columns = 1; columns <= singles.size(); columns += 1 + columns / 4) {
        Packing grid = gridOf(singles, columns);
        large.push_back({grid.width, grid.height});
        Packing page = packBoxes(large, kPartGap, kTargetAspect);
        large.pop_back();
        if (!best.corners.empty() && badness(page) >= badness(best))
            continue;
        best = std::move(page);
        bestGrid = std::move(grid);
    }
    const LayoutPoint origin = best.corners.back();
    Packing all{std::vector<LayoutPoint>(sizes.size()), best.width, best.height};
    for (std::size_t p = 0, l = 0, s = 0; p < sizes.size(); ++p) {
        if (isSingle[p]) {
            all.corners[p] = {origin.x + bestGrid.corners[s].x, origin.y + bestGrid.corners[s].y};
            ++s;
        } else {
            all.corners[p] = best.corners[l++];
        }
    }
    return all;
}

} // namespace

BoxLayout layoutBoxes(const BoxProblem& problem, DotProcess* dot) {
    const Parts parts(problem);
    std::vector<BoxLayout> layouts;
    std::vector<BoxSize> sizes;
    std::vector<bool> isSingle;
    for (std::size_t p = 0; p < parts.boxes.size(); ++p) {
        BoxProblem part;
        for (const int v : parts.boxes[p])
            part.boxes.push_back(problem.boxes[v]);
        for (const int e : parts.edges[p])
            part.edges.push_back({parts.index[problem.edges[e].from], parts.index[problem.edges[e].to]});
        if (part.boxes.size() == 1)
            layouts.push_back({{{0, 0}}, {}, part.boxes[0].width, part.boxes[0].height});
        else
            layouts.push_back(layoutConnected(part, dot));
        sizes.push_back({layouts.back().width, layouts.back().height});
        isSingle.push_back(part.boxes.size() == 1);
    }
    const Packing packing = packParts(sizes, isSingle);

    BoxLayout whole;
    whole.width = packing.width;
    whole.height = packing.height;
    whole.corners.resize(problem.boxes.size());
    whole.paths.resize(problem.edges.size());
    for (std::size_t p = 0; p < layouts.size(); ++p) {
        const LayoutPoint at = packing.corners[p];
        for (std::size_t i = 0; i < parts.boxes[p].size(); ++i)
            whole.corners[parts.boxes[p][i]] = {layouts[p].corners[i].x + at.x, layouts[p].corners[i].y + at.y};
        for (std::size_t i = 0; i < parts.edges[p].size(); ++i) {
            translate(layouts[p].paths[i], at.x, at.y);
            whole.paths[parts.edges[p][i]] = std::move(layouts[p].paths[i]);
        }
    }
    return whole;
}

} // namespace opscape
