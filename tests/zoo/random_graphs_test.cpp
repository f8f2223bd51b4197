// SPDX-License-Identifier: MIT
#include "support/sentence.h"

#include <opscape/cost/cost_model.h>
#include <opscape/search/layer_tree.h>
#include <opscape/zoo/graph_sketch.h>
#include <opscape/zoo/random_graphs.h>

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <set>

namespace opscape {
namespace {

constexpr std::uint64_t kSeeds = 30;

Graph made(const RandomGraphOptions& options) {
    auto graph = randomGraph(options);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().message);
    return graph ? *std::move(graph) : Graph();
}

/// Time to send all outputs of the forward pass to that of its kernels, on a P100.
double ratioOf(const Graph& graph) {
    static const Cluster kCluster = *Cluster::load("p100x2");
    Diagnostics diagnostics;
    const CostModel cost(graph, kCluster, diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << graph.name();
    double sentS = 0, computedS = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        if (op.phase != Phase::Forward || op.type == "ReadVariable")
            continue;
        computedS += static_cast<double>(cost.opNs(OpId(i), KindId(0))) * 1e-9;
        for (const TensorId output : graph.outputs(OpId(i)))
            sentS += static_cast<double>(graph.tensorBytes(output)) / kSketchBandwidth;
    }
    return sentS / computedS;
}

class RandomGraphs : public testing::TestWithParam<RandomFamily> {};

TEST_P(RandomGraphs, AreTrainingStepsOfThePromisedSizes) {
    std::size_t least = 1 << 30, most = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const Graph graph = made({GetParam(), seed}); // the builder has checked that there is no cycle
        least = std::min(least, graph.opCount());
        most = std::max(most, graph.opCount());
        std::map<Phase, std::size_t> phases;
        std::set<std::string> types;
        std::int64_t weights = 0;
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            ++phases[graph.op(OpId(i)).phase];
            types.insert(graph.op(OpId(i)).type);
        }
        for (std::size_t t = 0; t < graph.tensorCount(); ++t)
            weights += graph.tensor(TensorId(t)).kind == TensorKind::Weight ? graph.tensorBytes(TensorId(t)) : 0;
        EXPECT_GT(phases[Phase::Forward], graph.opCount() / 5) << graph.name();
        EXPECT_GT(phases[Phase::Backward], graph.opCount() / 5) << graph.name();
        EXPECT_GT(phases[Phase::Update], 0u) << graph.name();
        EXPECT_EQ(phases[Phase::Update], graph.colocationGroups().size()) << "each beside the weights that it changes";
        EXPECT_GE(types.size(), 5u) << graph.name();
        EXPECT_GT(weights, 0) << graph.name();
    }
    EXPECT_GE(least, 140u);
    EXPECT_LE(most, 2000u);
    EXPECT_LT(least, 250u) << "small ones are among them";
    EXPECT_GT(most, 1200u) << "and large ones";
}

TEST_P(RandomGraphs, AreTheSameForTheSameSeedAndOthersForOthers) {
    std::set<std::string> hashes;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const Graph graph = made({GetParam(), seed});
        EXPECT_EQ(graph.hash(), made({GetParam(), seed}).hash());
        hashes.insert(graph.hash());
    }
    EXPECT_EQ(hashes.size(), kSeeds);
}

TEST_P(RandomGraphs, CommunicateAsMuchAsTheyAreTold) {
    for (const double ratio : {.05, .3, 2.}) {
        for (std::uint64_t seed = 1; seed <= 10; ++seed) {
            const double found = ratioOf(made({GetParam(), seed, 140, 800, ratio}));
            EXPECT_GT(found, ratio / 1.5) << ratio << " " << seed;
            EXPECT_LT(found, ratio * 1.5) << ratio << " " << seed;
        }
    }
    double least = HUGE_VAL, most = 0;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        const double found = ratioOf(made({GetParam(), seed, 140, 800}));
        least = std::min(least, found);
        most = std::max(most, found);
    }
    EXPECT_LT(least, 2 * kLeastRatio) << "untold, from little";
    EXPECT_GT(most, kMostRatio / 2) << "to much";
}

TEST_P(RandomGraphs, HaveScopesThatGroupTheirOpsIntoLayers) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Graph graph = made({GetParam(), seed});
        const ScopeTree scopes(graph);
        const LayerTree tree(graph, scopes);
        std::map<std::uint32_t, std::set<Phase>> phasesOf; // of each layer
        bool repeats = false;
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            const std::uint32_t node = tree.nodeOf(OpId(i));
            phasesOf[tree.layerOf(node)].insert(graph.op(OpId(i)).phase);
            repeats = repeats || tree.node(node).repeats;
        }
        const auto whole = std::ranges::count_if(phasesOf, [](const auto& layer) { return layer.second.size() == 3; });
        EXPECT_GE(whole, 2) << graph.name() << ": a layer is forward, backward and update";
        EXPECT_LT(phasesOf.size(), graph.opCount() / 4) << graph.name();
        EXPECT_EQ(repeats, GetParam() == RandomFamily::Grid) << graph.name() << ": the steps of a grid share weights";
    }
}

INSTANTIATE_TEST_SUITE_P(Families, RandomGraphs, testing::ValuesIn(kRandomFamilies), [](const auto& tested) {
    std::string name(toString(tested.param));
    std::erase(name, '-');
    return name;
});

TEST(RandomGraphBounds, ThatNoGraphMeetsAreRefusedInASentence) {
    for (const auto& [least, most] : {std::pair<std::size_t, std::size_t>{10, 20}, {300, 300}, {500, 400}}) {
        const auto graph = randomGraph({RandomFamily::Layered, 1, least, most});
        ASSERT_FALSE(graph);
        EXPECT_THAT(graph.error().message, test::IsOneSentence());
    }
}

TEST(RandomFamilies, AreKnownByName) {
    for (const RandomFamily family : kRandomFamilies)
        EXPECT_EQ(parseRandomFamily(toString(family)), family);
    EXPECT_FALSE(parseRandomFamily("rnnlm"));
}

} // namespace
} // namespace opscape
