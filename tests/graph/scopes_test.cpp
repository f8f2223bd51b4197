// SPDX-License-Identifier: MIT
#include "small_graph.h"

#include <opscape/graph/scopes.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::built;
using test::ops;
using testing::ElementsAre;
using testing::IsEmpty;

/// The tree in one line: scopes as name(...), ops by id.
std::string text(const ScopeTree& tree, ScopeId id = ScopeTree::root()) {
    std::string out;
    for (const OpId op : tree.scope(id).ops)
        out += fmt::format("{}{}", out.empty() ? "" : " ", op.value);
    for (const ScopeId child : tree.scope(id).scopes)
        out += fmt::format("{}{}({})", out.empty() ? "" : " ", tree.scope(child).name, text(tree, child));
    return out;
}

/// What must hold for every tree.
void expectSound(const Graph& graph, const ScopeTree& tree) {
    std::vector<int> seen(graph.opCount());
    for (std::size_t s = 0; s < tree.scopeCount(); ++s) {
        const Scope& scope = tree.scope(ScopeId(s));
        EXPECT_EQ(scope.parent.valid(), s != 0);
        if (scope.parent.valid()) {
            EXPECT_LT(scope.parent.index(), s) << "parents before children";
            EXPECT_EQ(scope.depth, tree.scope(scope.parent).depth + 1);
            EXPECT_EQ(std::ranges::count(tree.scope(scope.parent).scopes, ScopeId(s)), 1);
        }
        EXPECT_TRUE(std::ranges::is_sorted(scope.ops));
        std::uint32_t below = static_cast<std::uint32_t>(scope.ops.size());
        for (const ScopeId child : scope.scopes)
            below += tree.scope(child).opsBelow;
        EXPECT_EQ(scope.opsBelow, below);
        EXPECT_GT(scope.opsBelow + (s == 0), 0u) << "an empty scope";
        for (const OpId op : scope.ops) {
            ++seen[op.index()];
            EXPECT_EQ(tree.scopeOf(op), ScopeId(s));
        }
    }
    for (const int count : seen)
        EXPECT_EQ(count, 1) << "every op is in one scope";
}

TEST(ScopeTree, FollowsTheSlashesOfNames) {
    const Graph graph = built(ops({"enc/l0/a", "loss", "enc/l1/b", "enc/l0/c", "dec/d", "enc/e"}));
    const ScopeTree tree(graph);
    EXPECT_EQ(text(tree), "1 enc(5 l0(0 3) l1(2)) dec(4)");
    expectSound(graph, tree);
    const ScopeId l0 = tree.scopeOf(OpId(3));
    EXPECT_EQ(tree.path(l0), "enc/l0");
    EXPECT_EQ(tree.path(ScopeTree::root()), "");
    EXPECT_EQ(tree.path(ScopeId()), "");
    EXPECT_EQ(tree.scope(l0).depth, 2);
    EXPECT_FALSE(tree.scope(l0).fromStructure);
}

TEST(ScopeTree, OfNothingIsARoot) {
    const ScopeTree tree(built(GraphBuilder("empty")));
    EXPECT_EQ(tree.scopeCount(), 1u);
    EXPECT_EQ(tree.scope(ScopeTree::root()).opsBelow, 0u);
    EXPECT_THAT(tree.opsBelow(ScopeTree::root()), IsEmpty());
}

TEST(ScopeTree, KnowsWhatIsInsideWhat) {
    const ScopeTree tree(built(ops({"a/b/x", "a/y", "c/z"})));
    const ScopeId ab = tree.scopeOf(OpId(0)), a = tree.scopeOf(OpId(1)), c = tree.scopeOf(OpId(2));
    EXPECT_TRUE(tree.isInside(ab, a));
    EXPECT_TRUE(tree.isInside(ab, ab));
    EXPECT_TRUE(tree.isInside(ab, ScopeTree::root()));
    EXPECT_FALSE(tree.isInside(a, ab));
    EXPECT_FALSE(tree.isInside(ab, c));
    EXPECT_FALSE(tree.isInside(ScopeId(), a));
    EXPECT_FALSE(tree.isInside(a, ScopeId()));
    EXPECT_THAT(tree.opsBelow(a), ElementsAre(OpId(0), OpId(1)));
    EXPECT_THAT(tree.opsBelow(ScopeTree::root()), ElementsAre(OpId(0), OpId(1), OpId(2)));
}

TEST(ScopeTree, LeadingAndDoubledSlashesDoNotMatter) {
    EXPECT_EQ(text(ScopeTree(built(ops({"/a/x", "a/y", "//a//z", "a//b/u", "a/b//v"})))), "a(0 1 2 b(3 4))");
    EXPECT_EQ(text(ScopeTree(built(ops({"/x", "/", "//", "x"})))), "0 1 2 3");
    EXPECT_EQ(text(ScopeTree(built(ops({"a/", "a/x"})))), "a(0 1)") << "a trailing slash is a scope too";
}

TEST(ScopeTree, AnOpAndAScopeMayHaveOneName) {
    const Graph graph = built(ops({"a", "a/b", "a/b/c"}));
    const ScopeTree tree(graph);
    EXPECT_EQ(text(tree), "0 a(1 b(2))");
    expectSound(graph, tree);
}

TEST(ScopeTree, OneNameBelowTwoParentsAreTwoScopes) {
    EXPECT_EQ(text(ScopeTree(built(ops({"a/x/1", "b/x/2", "x/3"})))), "a(x(0)) b(x(1)) x(2)");
}

TEST(ScopeTree, TakesNamesInAnyScript) {
    const ScopeTree tree(built(ops({"κωδικοποιητής/層1/행렬곱", "κωδικοποιητής/層2/😀"})));
    EXPECT_EQ(text(tree), "κωδικοποιητής(層1(0) 層2(1))");
    EXPECT_EQ(tree.path(tree.scopeOf(OpId(1))), "κωδικοποιητής/層2");
}

TEST(ScopeTree, TakesVeryLongNames) {
    const std::string part(10'000, 'n');
    const ScopeTree tree(built(ops({part, part + "/" + part})));
    EXPECT_EQ(tree.scopeCount(), 2u);
    EXPECT_EQ(tree.path(tree.scopeOf(OpId(1))), part);
}

TEST(ScopeTree, IsTenThousandScopesDeep) {
    constexpr int kDepth = 10'000;
    std::string name;
    for (int i = 0; i < kDepth; ++i)
        name += "s/";
    const Graph graph = built(ops({name + "x", name + "y", "s/z"}));
    const ScopeTree tree(graph);
    EXPECT_EQ(tree.scopeCount(), kDepth + 1u);
    const ScopeId deepest = tree.scopeOf(OpId(1));
    EXPECT_EQ(tree.scopeOf(OpId(0)), deepest);
    EXPECT_EQ(tree.scope(deepest).depth, kDepth);
    EXPECT_EQ(tree.path(deepest) + "/", name);
    EXPECT_EQ(tree.scope(ScopeTree::root()).opsBelow, 3u);
    EXPECT_TRUE(tree.isInside(deepest, tree.scopeOf(OpId(2))));
    EXPECT_THAT(tree.opsBelow(tree.scopeOf(OpId(2))), ElementsAre(OpId(0), OpId(1), OpId(2)));
}

TEST(ScopeTree, LeavesAFewOpsTogether) {
    EXPECT_EQ(ScopeTree(built(test::chain(24))).scopeCount(), 1u);
    EXPECT_GT(ScopeTree(built(test::chain(25))).scopeCount(), 1u);
}

/// n modules without names for them: an op that fans out to three, which join in the next module's op. Every fifth op
/// is a bottleneck.
GraphBuilder modules(std::size_t n) {
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t m = 0; m < n; ++m) {
        const std::size_t head = names.size();
        for (int i = 0; i < 5; ++i)
            names.push_back(fmt::format("n{}", names.size()));
        for (std::size_t i = 1; i < 4; ++i) {
            edges.emplace_back(head, head + i);
            edges.emplace_back(head + i, head + 4);
        }
        if (m > 0)
            edges.emplace_back(head - 1, head);
    }
    return ops(names, edges);
}

TEST(ScopeTree, CutsAFlatGraphAtItsBottlenecks) {
    const Graph graph = built(modules(16));
    const ScopeTree tree(graph);
    expectSound(graph, tree);
    const auto& blocks = tree.scope(ScopeTree::root()).scopes;
    EXPECT_THAT(tree.scope(ScopeTree::root()).ops, IsEmpty());
    ASSERT_EQ(blocks.size(), 16u);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Scope& block = tree.scope(blocks[b]);
        EXPECT_EQ(block.name, fmt::format("block {}", b + 1));
        EXPECT_TRUE(block.fromStructure);
        ASSERT_EQ(block.ops.size(), 5u);
        EXPECT_EQ(block.ops.back(), OpId(5 * b + 4)) << "ends where the paths of a module meet";
    }
}

TEST(ScopeTree, CutsAGraphWithoutBottlenecksByNumber) {
    const Graph graph = built(ops(std::vector<std::string>(100, "same"))); // no edges at all
    const ScopeTree tree(graph);
    expectSound(graph, tree);
    for (const ScopeId block : tree.scope(ScopeTree::root()).scopes) {
        EXPECT_GE(tree.scope(block).ops.size(), 3u);
        EXPECT_LE(tree.scope(block).ops.size(), 15u);
    }
}

TEST(ScopeTree, CutsOnlyTheScopesThatAreFlat) {
    std::vector<std::string> names{"small/a", "small/b"};
    for (int i = 0; i < 30; ++i)
        names.push_back(fmt::format("large/{}", i));
    const Graph graph = built(ops(names));
    const ScopeTree tree(graph);
    expectSound(graph, tree);
    EXPECT_EQ(tree.path(tree.scopeOf(OpId(0))), "small");
    EXPECT_EQ(tree.path(tree.scopeOf(OpId(2))), "large/block 1");
}

TEST(ScopeTree, CutsLargeBlocksAgain) {
    const Graph graph = built(test::chain(80'000));
    const ScopeTree tree(graph);
    std::size_t largest = 0, mostChildren = 0;
    int deepest = 0;
    for (std::size_t s = 0; s < tree.scopeCount(); ++s) {
        largest = std::max(largest, tree.scope(ScopeId(s)).ops.size());
        mostChildren = std::max(mostChildren, tree.scope(ScopeId(s)).scopes.size());
        deepest = std::max(deepest, tree.scope(ScopeId(s)).depth);
    }
    EXPECT_LE(largest, 48u) << "boxes in one scope";
    EXPECT_LE(mostChildren, 20u);
    EXPECT_LE(deepest, 4);
    EXPECT_EQ(tree.scope(ScopeTree::root()).opsBelow, 80'000u);
}

TEST(ScopeTree, FollowsTheOrderOfComputationNotOfTheFile) {
    // The same chain, written backwards.
    std::vector<std::string> names;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    for (std::size_t i = 0; i < 64; ++i) {
        names.push_back(fmt::format("n{}", i));
        if (i > 0)
            edges.emplace_back(i, i - 1);
    }
    const ScopeTree tree(built(ops(names, edges)));
    const Scope& first = tree.scope(tree.scope(ScopeTree::root()).scopes.front());
    EXPECT_THAT(first.ops, ElementsAre(OpId(60), OpId(61), OpId(62), OpId(63)));
}

} // namespace
} // namespace opscape
