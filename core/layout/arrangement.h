// SPDX-License-Identifier: MIT
// How the children of one scope are arranged, apart from their sizes: rows, their order, columns, what stands beside
// what. Made once for a scope and then kept while boxes in it grow and shrink, so that opening a group shuffles nothing
// around it.
#pragma once

#include <opscape/layout/box_layout.h>
#include <opscape/layout/layered_rows.h>
#include <opscape/layout/pack.h>

#include <optional>
#include <stop_token>

namespace opscape {

class DotProcess;

struct ColumnPlan {
    std::vector<int> boxes;      ///< of the part, ascending
    std::vector<int> edges;      ///< of the part: those inside the column
    std::vector<BoxEdge> inside; ///< the same edges by place in `boxes`
    LayeredRows rows;            ///< ordered
    std::int64_t crossings = 0;  ///< of edges
};

/// A connected part.
struct PartPlan {
    std::vector<int> boxes, edges; ///< of the scope, ascending
    std::vector<ColumnPlan> columns;
    bool inGrid = false; ///< a single small box
};

struct Arrangement {
    std::vector<PartPlan> parts; ///< in the order of their first box
    std::size_t gridColumns = 0; ///< of the parts in the grid
    PackingPlan packing;         ///< of the parts outside the grid, and of the grid, if any, as the last one

    [[nodiscard]] std::int64_t crossings() const;
};

[[nodiscard]] Arrangement arrange(const BoxProblem& problem);
/// For boxes of any size; edges and number of boxes are those that it was made for.
[[nodiscard]] BoxLayout place(const BoxProblem& problem, const Arrangement& arrangement);

/// With the rows of dot where those give fewer crossings on no larger a page; none when nothing is better.
[[nodiscard]] std::optional<Arrangement> improved(const BoxProblem& problem, const Arrangement& arrangement,
                                                  DotProcess& dot, const std::stop_token& stop);

/// False when the sizes have changed so much since it was made that a fresh one would be worth losing the old places.
[[nodiscard]] bool stillFits(const BoxProblem& problem, const BoxLayout& layout);

} // namespace opscape
