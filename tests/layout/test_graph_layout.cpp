// SPDX-License-Identifier: MIT
#include "layout_graphs.h"

#include <opscape/layout/arrangement.h>
#include <opscape/layout/dot_process.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace opscape {
namespace {

bool overlap(const LayoutRect& a, const LayoutRect& b) {
    constexpr float kEps = 0.01F;
    return a.x + kEps < b.right() && b.x + kEps < a.right() && a.y + kEps < b.bottom() && b.y + kEps < a.bottom();
}

/// Everything that must hold for any scene of a graph.
void expectSound(const Graph& graph, const ScopeTree& scopes, const GraphScene& scene) {
    const LayoutRect page{0, 0, scene.width, scene.height};
    std::map<int, std::vector<int>> siblings;
    for (int i = 0; i < static_cast<int>(scene.nodes.size()); ++i) {
        const SceneNode& node = scene.nodes[static_cast<std::size_t>(i)];
        ASSERT_LT(node.parent, i) << "parents come first";
        const LayoutRect& outer = node.parent < 0 ? page : scene.nodes[static_cast<std::size_t>(node.parent)].rect;
        EXPECT_GE(node.rect.x, outer.x - 0.5F);
        EXPECT_GE(node.rect.y, outer.y - 0.5F);
        EXPECT_LE(node.rect.right(), outer.right() + 0.5F) << node.label;
        EXPECT_LE(node.rect.bottom(), outer.bottom() + 0.5F) << node.label;
        siblings[node.parent].push_back(i);
        if (node.parent >= 0) {
            EXPECT_LE(node.end, scene.nodes[static_cast<std::size_t>(node.parent)].end);
        }
        EXPECT_FALSE(node.label.empty());
    }
    for (auto& [parent, list] : siblings) {
        std::ranges::sort(list, {}, [&](int i) { return scene.nodes[static_cast<std::size_t>(i)].rect.x; });
        for (std::size_t a = 0; a < list.size(); ++a) {
            const LayoutRect& first = scene.nodes[static_cast<std::size_t>(list[a])].rect;
            for (std::size_t b = a + 1; b < list.size(); ++b) {
                const LayoutRect& second = scene.nodes[static_cast<std::size_t>(list[b])].rect;
                if (second.x >= first.right())
                    break;
                EXPECT_FALSE(overlap(first, second)) << scene.nodes[static_cast<std::size_t>(list[a])].label << " and "
                                                     << scene.nodes[static_cast<std::size_t>(list[b])].label;
            }
        }
    }
    ASSERT_EQ(scene.nodeOfOp.size(), graph.opCount());
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const int at = scene.nodeOf(OpId(i));
        ASSERT_GE(at, 0);
        const SceneNode& node = scene.nodes[static_cast<std::size_t>(at)];
        EXPECT_FALSE(node.expanded);
        EXPECT_TRUE(node.op.valid() ? node.op == OpId(i) : scopes.isInside(scopes.scopeOf(OpId(i)), node.scope));
    }
    // Edges: each joins siblings, begins and ends at their boxes, and together they are all that is not hidden in one
    // box.
    std::size_t shown = 0;
    for (const SceneEdge& edge : scene.edges) {
        const SceneNode& from = scene.nodes[static_cast<std::size_t>(edge.from)];
        const SceneNode& to = scene.nodes[static_cast<std::size_t>(edge.to)];
        EXPECT_EQ(from.parent, to.parent);
        EXPECT_NE(edge.from, edge.to);
        EXPECT_EQ(edge.ends.size(), edge.edges);
        EXPECT_EQ(edge.tensors.size(), edge.edges);
        ASSERT_GE(edge.points.size(), 4U);
        EXPECT_EQ(edge.points.size() % 3, 1U);
        const auto touches = [](const LayoutRect& r, LayoutPoint p) {
            return p.x >= r.x - 2 && p.x <= r.right() + 2 && p.y >= r.y - 2 && p.y <= r.bottom() + 2;
        };
        EXPECT_TRUE(touches(from.rect, edge.points.front())) << from.label << " to " << to.label;
        EXPECT_TRUE(touches(to.rect, edge.points.back())) << from.label << " to " << to.label;
        for (const auto& [producer, consumer] : edge.ends) {
            const auto inside = [&](OpId op, int node) {
                const int at = scene.nodeOfOp[op.index()];
                return at >= node && at < scene.nodes[static_cast<std::size_t>(node)].end;
            };
            EXPECT_TRUE(inside(producer, edge.from));
            EXPECT_TRUE(inside(consumer, edge.to));
        }
        shown += edge.edges;
    }
    std::size_t crossing = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        for (const TensorId tensor : graph.dataInputs(OpId(i)))
            crossing += scene.nodeOfOp[graph.producer(tensor).index()] != scene.nodeOfOp[i] ? 1 : 0;
        for (const OpId before : graph.controlPredecessors(OpId(i)))
            crossing += scene.nodeOfOp[before.index()] != scene.nodeOfOp[i] ? 1 : 0;
    }
    EXPECT_EQ(shown, crossing);
}

TEST(GraphLayout, AnEmptyGraphGivesAnEmptyScene) {
    const Graph graph = makeGraph({}, {});
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    EXPECT_TRUE(scene.nodes.empty());
    EXPECT_TRUE(scene.edges.empty());
    EXPECT_EQ(scene.width, 0);
}

TEST(GraphLayout, ASingleOpIsOneBox) {
    const Graph graph = makeGraph({"only"}, {});
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    ASSERT_EQ(scene.nodes.size(), 1U);
    EXPECT_EQ(scene.nodes[0].op, OpId(0));
    EXPECT_EQ(scene.nodes[0].label, "only");
    expectSound(graph, scopes, scene);
}

TEST(GraphLayout, RandomNestedGraphsAreSoundAtEveryExpansion) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        SCOPED_TRACE(seed);
        const Graph graph = randomGraph(seed, 20 + static_cast<int>(seed) * 35);
        const ScopeTree scopes(graph);
        GraphLayout layout;
        expectSound(graph, scopes, layout.layout(graph, scopes, {}));
        expectSound(graph, scopes, layout.layout(graph, scopes, everyScope(scopes)));
        expectSound(graph, scopes, layout.layout(graph, scopes, expandToBudget(scopes, 60)));
    }
}

TEST(GraphLayout, DotsRowsAreTakenWhereTheyAreBetterAndTheSceneStaysSound) {
    int better = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        SCOPED_TRACE(seed);
        const Graph graph = randomGraph(seed, 120);
        const ScopeTree scopes(graph);
        GraphLayout layout(OPSCAPE_BINARY_DIR "/bin/opscape-layout");
        expectSound(graph, scopes, layout.layout(graph, scopes, everyScope(scopes)));
        better += layout.improve() ? 1 : 0;
        expectSound(graph, scopes, layout.layout(graph, scopes, everyScope(scopes)));
        EXPECT_FALSE(layout.improve()) << "each arrangement is asked about once";
    }
    EXPECT_GT(better, 0);
}

TEST(Arrangement, DotsRowsHaveFewerCrossings) {
    Random random(5);
    DotProcess dot(OPSCAPE_BINARY_DIR "/bin/opscape-layout");
    int better = 0;
    for (int round = 0; round < 10; ++round) {
        BoxProblem problem;
        for (int i = 0; i < 40; ++i) {
            problem.boxes.push_back({80, 30});
            for (int k = 0; k < 2 && i > 0; ++k) {
                const BoxEdge edge{static_cast<int>(random.below(static_cast<std::uint32_t>(i))), i};
                if (std::ranges::find(problem.edges, edge) == problem.edges.end())
                    problem.edges.push_back(edge);
            }
        }
        const Arrangement own = arrange(problem);
        const auto other = improved(problem, own, dot, {});
        if (!other)
            continue;
        ++better;
        EXPECT_LT(other->crossings(), own.crossings());
    }
    EXPECT_GT(better, 0);
}

TEST(GraphLayout, ScopesThatFeedEachOtherInACycleAreDrawn) {
    // a -> b -> a between scopes, though the ops form none
    const Graph graph = makeGraph({"a/1", "b/1", "a/2", "b/2"}, {{0, 1}, {1, 2}, {2, 3}});
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    ASSERT_EQ(scene.nodes.size(), 2U);
    ASSERT_EQ(scene.edges.size(), 2U);
    EXPECT_EQ(scene.edges[0].edges + scene.edges[1].edges, 3U);
    expectSound(graph, scopes, scene);
}

TEST(GraphLayout, ControlEdgesAreLiftedWithoutBytes) {
    GraphBuilder builder("control");
    for (const char* name : {"a/x", "b/y"}) {
        Op op;
        op.name = name;
        builder.addOp(op);
    }
    builder.addControl(OpId(0), OpId(1));
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    ASSERT_EQ(scene.edges.size(), 1U);
    EXPECT_EQ(scene.edges[0].bytes, 0);
    EXPECT_FALSE(scene.edges[0].tensors[0].valid());
    expectSound(graph, scopes, scene);
}

TEST(GraphLayout, ATensorReadTwiceByAScopeCountsItsBytesOnce) {
    const Graph graph = makeGraph({"a/x", "b/y", "b/z"}, {{0, 1}, {0, 2}});
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, {});
    ASSERT_EQ(scene.edges.size(), 1U);
    EXPECT_EQ(scene.edges[0].edges, 2U);
    EXPECT_EQ(scene.edges[0].bytes, 1024);
}

TEST(GraphLayout, ExpandingAScopeLeavesTheInsideOfOthersAlone) {
    const Graph graph = randomGraph(5, 300);
    const ScopeTree scopes(graph);
    GraphLayout layout;
    const auto& top = scopes.scope(ScopeTree::root()).scopes;
    ASSERT_GE(top.size(), 2U);
    const GraphScene before = layout.layout(graph, scopes, {top[0]});
    const GraphScene after = layout.layout(graph, scopes, {top[0], top[1]});
    const auto insideOf = [&](const GraphScene& scene) {
        std::vector<LayoutRect> rects;
        for (const SceneNode& node : scene.nodes) {
            if (node.scope == top[0]) {
                for (int i = static_cast<int>(&node - scene.nodes.data()) + 1; i < node.end; ++i) {
                    LayoutRect rect = scene.nodes[static_cast<std::size_t>(i)].rect;
                    rects.push_back({rect.x - node.rect.x, rect.y - node.rect.y, rect.width, rect.height});
                }
            }
        }
        return rects;
    };
    const auto a = insideOf(before), b = insideOf(after);
    ASSERT_FALSE(a.empty());
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(a[i].x, b[i].x, 0.01);
        EXPECT_NEAR(a[i].y, b[i].y, 0.01);
    }
}

std::string pathOf(const Graph& graph, const ScopeTree& scopes, const SceneNode& node) {
    return node.op.valid() ? graph.op(node.op).name : scopes.path(node.scope) + "/";
}

/// Everything outside the opened scope and those around it stays where it is in its frame; in those around it the boxes
/// keep their order: what was left of or above a sibling still is.
void expectStable(const Graph& graph, const ScopeTree& scopes, const GraphScene& before, const GraphScene& after,
                  ScopeId opened) {
    const auto byPath = [&](const GraphScene& scene) {
        std::map<std::string, int> nodes;
        for (std::size_t i = 0; i < scene.nodes.size(); ++i)
            nodes[pathOf(graph, scopes, scene.nodes[i])] = static_cast<int>(i);
        return nodes;
    };
    const auto at = [](const GraphScene& scene, int i) -> const SceneNode& {
        return scene.nodes[static_cast<std::size_t>(i)];
    };
    const auto old = byPath(before), now = byPath(after);
    std::map<int, std::vector<std::pair<int, int>>> siblings; // by parent before: the same node before and after
    for (const auto& [path, i] : old) {
        const auto found = now.find(path);
        ASSERT_NE(found, now.end()) << path;
        siblings[at(before, i).parent].emplace_back(i, found->second);
    }
    for (const auto& [parent, nodes] : siblings) {
        const bool around = parent < 0 || scopes.isInside(opened, at(before, parent).scope);
        for (const auto& [i, j] : nodes) {
            if (!around) {
                const LayoutRect &was = at(before, i).rect, &is = at(after, j).rect,
                                 &frameWas = at(before, parent).rect, &frameIs = at(after, at(after, j).parent).rect;
                EXPECT_NEAR(was.x - frameWas.x, is.x - frameIs.x, 0.05);
                EXPECT_NEAR(was.y - frameWas.y, is.y - frameIs.y, 0.05);
                EXPECT_EQ(was.width, is.width);
                EXPECT_EQ(was.height, is.height);
                continue;
            }
            for (const auto& [k, l] : nodes) {
                const LayoutRect &a = at(before, i).rect, &b = at(before, k).rect, &c = at(after, j).rect,
                                 &d = at(after, l).rect;
                const auto middle = [](const LayoutRect& r) { return r.y + r.height / 2; };
                const bool oneRow = std::abs(middle(a) - middle(b)) < 1;
                if (oneRow && a.right() <= b.x) {
                    EXPECT_LE(c.right(), d.x + 0.1F) << at(before, i).label << " left of " << at(before, k).label;
                }
                const bool oneColumn = a.x < b.right() && b.x < a.right();
                if (oneColumn && a.bottom() <= b.y) {
                    EXPECT_LE(c.bottom(), d.y + 0.1F) << at(before, i).label << " above " << at(before, k).label;
                }
            }
        }
    }
}

/// Layers in turn, each of a few parts of a few ops, with a bypass around every second layer.
Graph layeredModel() {
    std::vector<std::string> names;
    std::vector<std::pair<int, int>> edges;
    int last = -1, bypass = -1;
    for (int layer = 0; layer < 9; ++layer) {
        const int entry = last;
        for (int part = 0; part < 3; ++part) {
            for (int op = 0; op < 5; ++op) {
                names.push_back(fmt::format("model/layer_{}/part_{}/op_{}", layer, part, op));
                const int id = static_cast<int>(names.size()) - 1;
                if (op > 0)
                    edges.emplace_back(id - 1, id);
                else if (entry >= 0)
                    edges.emplace_back(entry, id);
            }
        }
        names.push_back(fmt::format("model/layer_{}/sum", layer));
        last = static_cast<int>(names.size()) - 1;
        for (int part = 0; part < 3; ++part)
            edges.emplace_back(last - 1 - 5 * part, last);
        if (layer % 2 == 0) {
            if (bypass >= 0)
                edges.emplace_back(bypass, last);
            bypass = last;
        }
    }
    return makeGraph(names, edges);
}

TEST(GraphLayout, WhenAGroupIsOpenedOnlyThoseAroundItMove) {
    const Graph graph = layeredModel();
    const ScopeTree scopes(graph);
    for (const char* helper : {"", OPSCAPE_BINARY_DIR "/bin/opscape-layout"}) {
        GraphLayout layout(helper);
        ExpandedScopes expanded = expandToBudget(scopes, 20);
        GraphScene before = layout.layout(graph, scopes, expanded);
        if (layout.improve())
            before = layout.layout(graph, scopes, expanded);
        for (std::size_t s = 1; s < scopes.scopeCount(); s += 2) {
            for (ScopeId id(s); id.valid(); id = scopes.scope(id).parent) {
                if (expanded.contains(id) || !expanded.contains(scopes.scope(id).parent))
                    continue;
                SCOPED_TRACE(scopes.path(id));
                expanded.insert(id);
                GraphScene after = layout.layout(graph, scopes, expanded);
                expectStable(graph, scopes, before, after, id);
                before = std::move(after);
            }
        }
    }
}

TEST(GraphLayout, ClosingAGroupAgainGivesBackTheSceneBefore) {
    const Graph graph = layeredModel();
    const ScopeTree scopes(graph);
    GraphLayout layout;
    ExpandedScopes expanded = expandToBudget(scopes, 20);
    const GraphScene before = layout.layout(graph, scopes, expanded);
    ExpandedScopes more = everyScope(scopes);
    (void)layout.layout(graph, scopes, more);
    const GraphScene after = layout.layout(graph, scopes, expanded);
    ASSERT_EQ(before.nodes.size(), after.nodes.size());
    for (std::size_t i = 0; i < before.nodes.size(); ++i)
        EXPECT_EQ(before.nodes[i].rect, after.nodes[i].rect);
}

TEST(GraphLayout, TheSameGraphTwiceGivesTheSameScene) {
    const Graph graph = randomGraph(9, 400);
    const ScopeTree scopes(graph);
    GraphLayout first, second;
    const GraphScene a = first.layout(graph, scopes, everyScope(scopes));
    const GraphScene b = second.layout(graph, scopes, everyScope(scopes));
    const GraphScene c = first.layout(graph, scopes, everyScope(scopes));
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        EXPECT_EQ(a.nodes[i].rect, b.nodes[i].rect);
        EXPECT_EQ(a.nodes[i].rect, c.nodes[i].rect);
    }
    ASSERT_EQ(a.edges.size(), b.edges.size());
    for (std::size_t i = 0; i < a.edges.size(); ++i)
        EXPECT_EQ(a.edges[i].points, b.edges[i].points);
}

TEST(GraphLayout, AChainOf50000OpsFitsAPageInsteadOfAThread) {
    constexpr int kOps = 50'000;
    std::vector<std::string> names;
    std::vector<std::pair<int, int>> edges;
    for (int i = 0; i < kOps; ++i) {
        names.push_back(fmt::format("op_{}", i));
        if (i > 0)
            edges.emplace_back(i - 1, i);
    }
    const Graph graph = makeGraph(names, edges);
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, everyScope(scopes));
    EXPECT_GT(scene.width / scene.height, 0.4);
    EXPECT_LT(scene.width / scene.height, 5.0);
    expectSound(graph, scopes, scene);
}

TEST(GraphLayout, NamesNested5000DeepDoNotOverflow) {
    std::string path;
    for (int i = 0; i < 5000; ++i)
        path += "s/";
    const Graph graph = makeGraph({path + "x", path + "y"}, {{0, 1}});
    const ScopeTree scopes(graph);
    const GraphScene scene = GraphLayout().layout(graph, scopes, everyScope(scopes));
    EXPECT_EQ(scene.nodes.size(), 5002U);
    EXPECT_EQ(scene.nodes[0].end, 5002);
}

TEST(GraphLayout, ScopesWithThousandsOfDirectChildrenAreSound) {
    // one source read by 3,000 scopes, all read by one sink
    std::vector<std::string> names{"source"};
    std::vector<std::pair<int, int>> edges;
    for (int i = 1; i <= 3000; ++i) {
        names.push_back(fmt::format("wide/part_{}/op", i));
        edges.emplace_back(0, i);
    }
    names.emplace_back("sink");
    for (int i = 1; i <= 3000; ++i)
        edges.emplace_back(i, 3001);
    const Graph graph = makeGraph(names, edges);
    const ScopeTree scopes(graph);
    ScopeId wide;
    for (const ScopeId scope : scopes.scope(ScopeTree::root()).scopes)
        wide = scopes.scope(scope).name == "wide" ? scope : wide;
    const GraphScene scene = GraphLayout().layout(graph, scopes, {wide});
    EXPECT_EQ(scene.nodes.size(), 3003U);
    EXPECT_LT(scene.width / scene.height, 6.0);
    EXPECT_GT(scene.width / scene.height, 0.2);
    expectSound(graph, scopes, scene);
}

TEST(BoxText, TheTypeIsASecondLineUnlessTheNameSaysIt) {
    EXPECT_EQ(boxText("Conv_3", "Conv").second, "");
    EXPECT_EQ(boxText("conv_3", "Conv").second, "");
    EXPECT_EQ(boxText("kernel", "Variable").first, "kernel");
    EXPECT_EQ(boxText("kernel", "Variable").second, "Variable");
    EXPECT_EQ(boxText("n12", "Conv").first, "Conv");
    EXPECT_EQ(boxText("n12", "Conv").second, "n12");
    EXPECT_EQ(boxText("anything", "").second, "");
}

} // namespace
} // namespace opscape
