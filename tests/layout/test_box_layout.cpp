// SPDX-License-Identifier: MIT
#include "layout_graphs.h"

#include <opscape/layout/box_layout.h>
#include <opscape/layout/layered_rows.h>
#include <opscape/layout/pack.h>
#include <opscape/layout/ranks.h>
#include <opscape/layout/text_width.h>

#include <algorithm>

namespace opscape {
namespace {

BoxProblem boxes(int count, std::vector<BoxEdge> edges) {
    BoxProblem problem;
    for (int i = 0; i < count; ++i)
        problem.boxes.push_back({80, 30});
    problem.edges = std::move(edges);
    return problem;
}

/// Crossings counted the slow way.
std::int64_t crossingsByPairs(const LayeredRows& rows) {
    std::int64_t crossings = 0;
    for (std::size_t r = 0; r + 1 < rows.order.size(); ++r) {
        std::vector<std::pair<int, int>> ends;
        for (const int v : rows.order[r]) {
            for (const int w : rows.down[static_cast<std::size_t>(v)])
                ends.emplace_back(rows.position[static_cast<std::size_t>(v)],
                                  rows.position[static_cast<std::size_t>(w)]);
        }
        for (std::size_t a = 0; a < ends.size(); ++a) {
            for (std::size_t b = a + 1; b < ends.size(); ++b)
                crossings += (ends[a].first < ends[b].first && ends[a].second > ends[b].second) ||
                                     (ends[a].first > ends[b].first && ends[a].second < ends[b].second)
                                 ? 1
                                 : 0;
        }
    }
    return crossings;
}

TEST(Ranks, EdgesRunDownwards) {
    const BoxProblem problem = boxes(4, {{0, 1}, {1, 2}, {0, 2}, {3, 2}});
    const Ranking ranking = rankBoxes(problem, 1e6F);
    for (const BoxEdge& e : problem.edges)
        EXPECT_LT(ranking.rank[static_cast<std::size_t>(e.from)], ranking.rank[static_cast<std::size_t>(e.to)]);
    EXPECT_EQ(ranking.rank[3], 1) << "a source lies just above its use, not at the top";
}

TEST(Ranks, ACycleIsCutAgainstTheOrderOfItsBoxes) {
    const BoxProblem problem = boxes(3, {{0, 1}, {1, 2}, {2, 0}});
    const Ranking ranking = rankBoxes(problem, 1e6F);
    EXPECT_EQ(ranking.rank, (std::vector<int>{0, 1, 2}));
}

TEST(Ranks, AWideRowIsFolded) {
    std::vector<BoxEdge> edges;
    for (int i = 1; i <= 40; ++i)
        edges.push_back({0, i});
    const Ranking ranking = rankBoxes(boxes(41, edges), 800);
    EXPECT_EQ(ranking.rows, 5);
}

TEST(LayeredRows, AWeightReadByManyRowsHasOneTrunk) {
    // a chain of 20 and a weight read by all of it
    std::vector<BoxEdge> edges;
    for (int i = 1; i < 20; ++i)
        edges.push_back({i - 1, i});
    for (int i = 1; i < 20; ++i)
        edges.push_back({20, i});
    const BoxProblem problem = boxes(21, edges);
    const LayeredRows rows = makeRows(problem, rankBoxes(problem, 1e6F));
    EXPECT_EQ(rows.nodeCount() - 21, 18U);
}

TEST(LayeredRows, CrossingsAreCountedAsPairsWouldBe) {
    Random random(3);
    for (int round = 0; round < 20; ++round) {
        std::vector<BoxEdge> edges;
        for (int i = 1; i < 40; ++i) {
            const int a = static_cast<int>(random.below(static_cast<std::uint32_t>(i)));
            const int b = static_cast<int>(random.below(static_cast<std::uint32_t>(i)));
            edges.push_back({a, i});
            if (b != a)
                edges.push_back({b, i});
        }
        const BoxProblem problem = boxes(40, edges);
        LayeredRows rows = makeRows(problem, rankBoxes(problem, 1e6F));
        const std::int64_t before = countCrossings(rows);
        EXPECT_EQ(before, crossingsByPairs(rows));
        orderRows(rows);
        EXPECT_EQ(countCrossings(rows), crossingsByPairs(rows));
        EXPECT_LE(countCrossings(rows), before);
    }
}

TEST(LayeredRows, APlanarLadderIsUntangled) {
    // two chains side by side, listed so that their first order crosses
    const BoxProblem problem = boxes(6, {{0, 3}, {1, 2}, {2, 5}, {3, 4}});
    LayeredRows rows = makeRows(problem, rankBoxes(problem, 1e6F));
    orderRows(rows);
    EXPECT_EQ(countCrossings(rows), 0);
}

TEST(BoxLayout, AStraightChainIsStraight) {
    const BoxLayout layout = layoutBoxes(boxes(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
    for (std::size_t i = 1; i < 5; ++i) {
        EXPECT_FLOAT_EQ(layout.corners[i].x, layout.corners[0].x);
        EXPECT_GT(layout.corners[i].y, layout.corners[i - 1].y + 30);
    }
}

TEST(BoxLayout, BoxesWithoutEdgesFormAGrid) {
    const BoxLayout layout = layoutBoxes(boxes(12, {}));
    EXPECT_GT(layout.width / layout.height, 0.6F);
    EXPECT_LT(layout.width / layout.height, 3.5F);
}

TEST(BoxLayout, ALongChainIsCutIntoColumns) {
    std::vector<BoxEdge> edges;
    for (int i = 1; i < 200; ++i)
        edges.push_back({i - 1, i});
    const BoxLayout layout = layoutBoxes(boxes(200, edges));
    EXPECT_GT(layout.width / layout.height, 0.6F);
    EXPECT_LT(layout.width / layout.height, 3.0F);
}

TEST(BoxLayout, TwoBoxesThatFeedEachOtherHaveTwoPaths) {
    const BoxLayout layout = layoutBoxes(boxes(2, {{0, 1}, {1, 0}}));
    ASSERT_EQ(layout.paths.size(), 2U);
    EXPECT_LT(layout.paths[0].front().y, layout.paths[0].back().y);
    EXPECT_GT(layout.paths[1].front().y, layout.paths[1].back().y) << "the edge that closes the cycle runs upwards";
}

LayoutPoint onPath(const EdgePath& path, std::size_t piece, float t) {
    const auto mix = [&](LayoutPoint a, LayoutPoint b) {
        return LayoutPoint{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
    };
    const LayoutPoint a = mix(path[piece], path[piece + 1]), b = mix(path[piece + 1], path[piece + 2]),
                      c = mix(path[piece + 2], path[piece + 3]);
    return mix(mix(a, b), mix(b, c));
}

TEST(BoxLayout, PathsRunAroundBoxes) {
    Random random(8);
    for (const int count : {12, 40, 120}) {
        BoxProblem problem;
        for (int i = 0; i < count; ++i) {
            problem.boxes.push_back(
                {40 + static_cast<float>(random.below(200)), 20 + static_cast<float>(random.below(150))});
            for (int k = 0; k < 2 && i > 0; ++k) {
                const BoxEdge edge{static_cast<int>(random.below(static_cast<std::uint32_t>(i))), i};
                if (std::ranges::find(problem.edges, edge) == problem.edges.end())
                    problem.edges.push_back(edge);
            }
        }
        const BoxLayout layout = layoutBoxes(problem);
        for (const EdgePath& path : layout.paths) {
            for (std::size_t piece = 0; piece + 3 < path.size(); piece += 3) {
                for (int step = 0; step <= 8; ++step) {
                    const LayoutPoint p = onPath(path, piece, static_cast<float>(step) / 8);
                    for (std::size_t v = 0; v < problem.boxes.size(); ++v) {
                        const LayoutPoint c = layout.corners[v];
                        const bool inside = p.x > c.x + 0.5F && p.x < c.x + problem.boxes[v].width - 0.5F &&
                                            p.y > c.y + 0.5F && p.y < c.y + problem.boxes[v].height - 0.5F;
                        ASSERT_FALSE(inside) << "box " << v << " of " << count;
                    }
                }
            }
        }
    }
}

TEST(BoxLayout, PathsStayOnThePage) {
    Random random(21);
    for (const int count : {30, 200, 800}) {
        BoxProblem problem;
        for (int i = 0; i < count; ++i) {
            problem.boxes.push_back({80, 30});
            if (i > 0)
                problem.edges.push_back({i - 1, i});
            if (i > 40 && random.below(4) == 0)
                problem.edges.push_back({i - 2 - static_cast<int>(random.below(38)), i});
        }
        const BoxLayout layout = layoutBoxes(problem);
        for (const EdgePath& path : layout.paths) {
            for (const LayoutPoint p : path) {
                EXPECT_GE(p.x, -0.01F);
                EXPECT_GE(p.y, -0.01F);
                EXPECT_LE(p.x, layout.width + 0.01F);
                EXPECT_LE(p.y, layout.height + 0.01F);
            }
        }
    }
}

TEST(Pack, RectanglesDoNotOverlapAndStayOnThePage) {
    Random random(11);
    std::vector<BoxSize> sizes;
    for (int i = 0; i < 200; ++i)
        sizes.push_back({20 + static_cast<float>(random.below(300)), 20 + static_cast<float>(random.below(200))});
    const Packing page = placePacking(planPacking(sizes, 10, 1.5F), sizes, 10);
    for (std::size_t a = 0; a < sizes.size(); ++a) {
        EXPECT_LE(page.corners[a].x + sizes[a].width, page.width + 0.01F);
        EXPECT_LE(page.corners[a].y + sizes[a].height, page.height + 0.01F);
        for (std::size_t b = a + 1; b < sizes.size(); ++b) {
            const bool apart = page.corners[a].x + sizes[a].width <= page.corners[b].x ||
                               page.corners[b].x + sizes[b].width <= page.corners[a].x ||
                               page.corners[a].y + sizes[a].height <= page.corners[b].y ||
                               page.corners[b].y + sizes[b].height <= page.corners[a].y;
            EXPECT_TRUE(apart);
        }
    }
}

TEST(TextWidth, WideLettersAreWiderAndUtf8CountsCharacters) {
    EXPECT_GT(textWidth("WWW"), textWidth("iii"));
    EXPECT_FLOAT_EQ(textWidth("\xC3\xA9"), textWidth("\xE4\xB8\xAD"));
    EXPECT_EQ(textWidth(""), 0);
}

} // namespace
} // namespace opscape
