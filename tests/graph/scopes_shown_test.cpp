// SPDX-License-Identifier: MIT
#include "small_graph.h"

#include <opscape/graph/scopes_order.h>
#include <opscape/graph/scopes_sections.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using test::built;
using test::ops;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

/// What must hold for every tree: every op in one scope, parents before children, and nothing too large to take in.
void expectSound(const Graph& graph, const ScopeTree& tree) {
    std::vector<int> seen(graph.opCount());
    for (std::size_t s = 0; s < tree.scopeCount(); ++s) {
        const Scope& scope = tree.scope(ScopeId(s));
        ASSERT_EQ(scope.parent.valid(), s != 0);
        if (scope.parent.valid()) {
            EXPECT_LT(scope.parent.index(), s);
            EXPECT_EQ(scope.depth, tree.scope(scope.parent).depth + 1);
            EXPECT_EQ(std::ranges::count(tree.scope(scope.parent).scopes, ScopeId(s)), 1);
            EXPECT_GT(scope.opsBelow, 1U) << "a frame around one op";
            EXPECT_FALSE(scope.name.empty());
        }
        EXPECT_TRUE(std::ranges::is_sorted(scope.ops));
        EXPECT_LE(scope.ops.size() + scope.scopes.size(), 24U) << scope.name;
        for (const OpId op : scope.ops) {
            ++seen[op.index()];
            EXPECT_EQ(tree.scopeOf(op), ScopeId(s));
        }
    }
    EXPECT_THAT(seen, testing::Each(1));
}

std::vector<std::string> namesOf(const ScopeTree& tree, ScopeId scope = ScopeTree::root()) {
    std::vector<std::string> names;
    for (const ScopeId id : tree.scope(scope).scopes)
        names.push_back(tree.scope(id).name);
    return names;
}

/// `count` scopes of three ops in a chain, each reading the one before.
std::pair<std::vector<std::string>, Edges> steps(int count) {
    std::vector<std::string> names;
    Edges edges;
    for (int step = 0; step < count; ++step) {
        for (int op = 0; op < 3; ++op) {
            names.push_back(fmt::format("rnn/step_{}/op_{}", step, op));
            if (names.size() > 1)
                edges.emplace_back(names.size() - 2, names.size() - 1);
        }
    }
    names.emplace_back("head/a");
    names.emplace_back("head/b");
    names.emplace_back("head/c");
    return {names, edges};
}

TEST(ShownScopes, ManyNumberedSiblingsAreOneSeriesInSections) {
    const auto [names, edges] = steps(66);
    const Graph graph = built(ops(names, edges));
    const ScopeTree tree = shownScopes(graph);
    expectSound(graph, tree);
    // The series is all there is in its scope, and so is one with it only by name: sections come inside.
    const ScopeId rnn = tree.scope(ScopeTree::root()).scopes.front();
    EXPECT_EQ(tree.scope(rnn).name, "rnn");
    EXPECT_THAT(namesOf(tree, rnn), ElementsAre("step [x66]"));
    const ScopeId series = tree.scope(rnn).scopes.front();
    EXPECT_TRUE(tree.scope(series).series);
    EXPECT_FALSE(tree.scope(series).fromStructure);
    const std::vector<std::string> sections = namesOf(tree, series);
    EXPECT_EQ(sections.front().substr(0, 8), "step_0..");
    EXPECT_EQ(sections.back().substr(sections.back().size() - 4), "..65");
    const ScopeId step = tree.scopeOf(OpId(3 * 40));
    EXPECT_EQ(tree.path(step), "rnn/step_40") << "what is folded keeps its own path";
    EXPECT_EQ(tree.nameInside(graph, OpId(3 * 40)), "op_0");
    EXPECT_TRUE(tree.isInside(step, series));
}

TEST(ShownScopes, AFewNumberedSiblingsAreLeftAsTheyAre) {
    const auto [names, edges] = steps(12);
    const Graph graph = built(ops(names, edges));
    const ScopeTree tree = shownScopes(graph);
    expectSound(graph, tree);
    EXPECT_THAT(namesOf(tree, tree.scope(ScopeTree::root()).scopes.front()), SizeIs(12));
}

TEST(ShownScopes, SiblingsWovenIntoOthersAreNotFolded) {
    // conv_0 -> norm_0 -> conv_1 -> norm_1 ...: two boxes would hide what feeds what
    std::vector<std::string> names;
    Edges edges;
    for (int i = 0; i < 40; ++i) {
        for (const char* part : {"conv", "norm"}) {
            for (int op = 0; op < 3; ++op) {
                names.push_back(fmt::format("{}_{}/op_{}", part, i, op));
                if (names.size() > 1)
                    edges.emplace_back(names.size() - 2, names.size() - 1);
            }
        }
    }
    const Graph graph = built(ops(names, edges));
    const ScopeTree tree = shownScopes(graph);
    expectSound(graph, tree);
    for (std::size_t s = 0; s < tree.scopeCount(); ++s)
        EXPECT_FALSE(tree.scope(ScopeId(s)).series);
    EXPECT_EQ(namesOf(tree).front(), "block 1");
}

TEST(ShownScopes, SideBySideStepsAreInTheOrderOfTheirNumbers) {
    // written in another order than numbered, nothing between them
    std::vector<std::string> names;
    for (const int step : {5, 6, 7, 0, 1, 2, 3, 4}) {
        for (int op = 0; op < 3; ++op)
            names.push_back(fmt::format("step_{}/op_{}", step, op));
    }
    const ScopeTree tree = shownScopes(built(ops(names)));
    EXPECT_THAT(namesOf(tree),
                ElementsAre("step_0", "step_1", "step_2", "step_3", "step_4", "step_5", "step_6", "step_7"));
}

TEST(ShownScopes, StepsThatRunBackwardsAreReadBackwards) {
    std::vector<std::string> names;
    Edges edges;
    for (int step = 3; step >= 0; --step) {
        for (int op = 0; op < 3; ++op) {
            names.push_back(fmt::format("step_{}/op_{}", step, op));
            if (names.size() > 1)
                edges.emplace_back(names.size() - 2, names.size() - 1);
        }
    }
    EXPECT_THAT(namesOf(shownScopes(built(ops(names, edges)))), ElementsAre("step_3", "step_2", "step_1", "step_0"));
}

TEST(ShownScopes, AScopeAroundOneOpIsMergedAndItsNameKept) {
    const Graph graph = built(ops({"/conv1/Conv", "/conv1/bn/Norm", "/fc/Gemm", "/a/x", "/a/y", "/a/z"}));
    const ScopeTree tree = shownScopes(graph);
    expectSound(graph, tree);
    EXPECT_THAT(namesOf(tree), ElementsAre("a"));
    EXPECT_THAT(tree.scope(ScopeTree::root()).ops, ElementsAre(OpId(0), OpId(1), OpId(2)));
    EXPECT_EQ(tree.nameInside(graph, OpId(0)), "conv1/Conv");
    EXPECT_EQ(tree.nameInside(graph, OpId(1)), "conv1/bn/Norm");
    EXPECT_EQ(tree.nameInside(graph, OpId(3)), "x");
}

TEST(ShownScopes, AScopeWhoseOnlyChildIsAScopeIsOneWithIt) {
    const Graph graph = built(ops({"model/cell/lstm/x", "model/cell/lstm/y", "model/cell/lstm/z"}));
    const ScopeTree tree = shownScopes(graph);
    EXPECT_THAT(namesOf(tree), ElementsAre("model/cell/lstm"));
    EXPECT_EQ(tree.path(tree.scopeOf(OpId(0))), "model/cell/lstm");
    EXPECT_EQ(tree.nameInside(graph, OpId(0)), "x");
}

TEST(ShownScopes, ThousandsOfChildrenAreInSectionsOfSections) {
    std::vector<std::string> names;
    for (int i = 0; i < 3000; ++i) {
        for (int op = 0; op < 3; ++op)
            names.push_back(
                fmt::format("wide/{}{}/op_{}", static_cast<char>('a' + i % 26), std::string(i / 26, 'x'), op));
    }
    const Graph graph = built(ops(names));
    expectSound(graph, shownScopes(graph));
}

TEST(ShownScopes, AChainWithoutScopesOf80000IsInBlocks) {
    const Graph graph = built(test::chain(80'000));
    const ScopeTree tree = shownScopes(graph);
    expectSound(graph, tree);
    EXPECT_TRUE(tree.scope(tree.scopeOf(OpId(0))).fromStructure);
    EXPECT_EQ(tree.scope(ScopeTree::root()).opsBelow, 80'000U);
    const ScopeId third = tree.scope(ScopeTree::root()).scopes[2];
    EXPECT_EQ(tree.scope(third).name, "block 3");
    EXPECT_EQ(tree.scope(tree.scope(third).scopes[1]).name, "block 3.2");
}

TEST(ShownScopes, NamesTenThousandScopesDeepDoNotOverflow) {
    std::string name;
    for (int i = 0; i < 10'000; ++i)
        name += "s/";
    const Graph graph = built(ops({name + "x", name + "y", name + "z", "s/u"}));
    expectSound(graph, shownScopes(graph));
}

TEST(ShownScopes, OfNothingIsARoot) {
    const ScopeTree tree = shownScopes(built(GraphBuilder("empty")));
    EXPECT_EQ(tree.scopeCount(), 1U);
    EXPECT_THAT(tree.opsBelow(ScopeTree::root()), IsEmpty());
}

TEST(Sections, BeginAtBottlenecks) {
    // modules of five: a head feeds three that join in a tail, which feeds the next head
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t head = 0; head < 100; head += 5) {
        for (std::uint32_t i = 1; i < 4; ++i) {
            edges.emplace_back(head, head + i);
            edges.emplace_back(head + i, head + 4);
        }
        if (head > 0)
            edges.emplace_back(head - 1, head);
    }
    for (const std::uint32_t start : cutSections(100, edges))
        EXPECT_TRUE(start % 5 == 0 || start % 5 == 4 || start % 5 == 1) << start;
}

TEST(Sections, HaveAboutEqualShares) {
    for (const std::size_t count : {1U, 2U, 5U, 25U, 110U, 1000U, 80'000U}) {
        std::vector<std::uint32_t> starts = cutSections(count, {});
        EXPECT_EQ(starts.front(), 0U);
        EXPECT_LE(starts.size(), 24U) << count;
        starts.push_back(static_cast<std::uint32_t>(count));
        for (std::size_t i = 0; i + 1 < starts.size(); ++i)
            EXPECT_LT(starts[i], starts[i + 1]) << "none is empty";
    }
}

TEST(ReadingOrder, AnOpWithoutInputsComesJustBeforeItsFirstReader) {
    // 0 weights of 4, 1 -> 2 -> 3 -> 4
    const Graph graph = built(ops({"w", "a", "b", "c", "d"}, {{1, 2}, {2, 3}, {3, 4}, {0, 4}}));
    EXPECT_THAT(readingOrder(graph), ElementsAre(3U, 0U, 1U, 2U, 4U));
}

TEST(NumberedName, TakesTheNumberOfTheFirstPart) {
    EXPECT_EQ(NumberedName("layer_12").stem, "layer_");
    EXPECT_EQ(NumberedName("layer_12/cell").number, 12U);
    EXPECT_EQ(NumberedName("12").stem, "");
    EXPECT_TRUE(NumberedName("12").numbered);
    EXPECT_FALSE(NumberedName("layer").numbered);
    EXPECT_FALSE(NumberedName("x99999999999999999999999").numbered) << "no number that fits";
}

} // namespace
} // namespace opscape
