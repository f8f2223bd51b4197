// SPDX-License-Identifier: MIT
#include "layout_graphs.h"

#include <algorithm>

namespace opscape {
namespace {

ScopeId find(const ScopeTree& scopes, const std::string& path) {
    for (std::size_t s = 0; s < scopes.scopeCount(); ++s) {
        if (scopes.path(ScopeId(s)) == path)
            return ScopeId(s);
    }
    return {};
}

Graph layers() {
    std::vector<std::string> names;
    for (int layer = 0; layer < 8; ++layer) {
        for (int op = 0; op < 4 + layer % 2; ++op)
            names.push_back(fmt::format("model/layer_{}/op_{}", layer, op));
    }
    names.emplace_back("model/head/op");
    return makeGraph(names, {});
}

TEST(ExpandToBudget, NoMoreBoxesThanTheBudgetAreVisible) {
    const Graph graph = randomGraph(4, 500);
    const ScopeTree scopes(graph);
    for (const std::size_t budget : {10U, 50U, 100U, 300U, 5000U}) {
        const GraphScene scene = GraphLayout().layout(graph, scopes, expandToBudget(scopes, budget));
        const auto& root = scopes.scope(ScopeTree::root());
        EXPECT_LE(scene.nodes.size(), std::max(budget, root.scopes.size() + root.ops.size()));
    }
}

TEST(ExpandToBudget, NumberedSiblingsAreExpandedTogetherOrNotAtAll) {
    const Graph graph = layers();
    const ScopeTree scopes(graph);
    for (std::size_t budget = 1; budget < 60; ++budget) {
        const ExpandedScopes expanded = expandToBudget(scopes, budget);
        int open = 0;
        for (int layer = 0; layer < 8; ++layer)
            open += expanded.contains(find(scopes, fmt::format("model/layer_{}", layer))) ? 1 : 0;
        EXPECT_TRUE(open == 0 || open == 8) << budget;
    }
}

TEST(ExpandToBudget, AHugeScopeDoesNotKeepItsSiblingsClosed) {
    std::vector<std::string> names{"small/a", "small/b"};
    for (int i = 0; i < 1000; ++i)
        names.push_back(fmt::format("huge/part_{}/op", i));
    const Graph graph = makeGraph(names, {});
    const ScopeTree scopes(graph);
    const ExpandedScopes expanded = expandToBudget(scopes, 50);
    EXPECT_TRUE(expanded.contains(find(scopes, "small")));
    EXPECT_FALSE(expanded.contains(find(scopes, "huge")));
}

TEST(ExpandToBudget, EverythingOpensWhenTheBudgetAllows) {
    const Graph graph = layers();
    const ScopeTree scopes(graph);
    EXPECT_EQ(expandToBudget(scopes, 1000).size(), scopes.scopeCount());
}

TEST(ExpandToBudget, AnEmptyGraphHasOnlyItsRoot) {
    const Graph graph = makeGraph({}, {});
    const ScopeTree scopes(graph);
    EXPECT_EQ(expandToBudget(scopes, 100), ExpandedScopes{ScopeTree::root()});
}

} // namespace
} // namespace opscape
