// SPDX-License-Identifier: MIT
// What people place together lies in one scope: the analyses by which searches and the expert find layers see in the
// families what a person would name.
#include "../../plugins/optimizers/expert/layers.h"

#include <opscape/search/layer_tree.h>
#include <opscape/zoo/zoo.h>

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Graph small(std::string_view id, const std::map<std::string, std::string>& settings = {}) {
    auto graph = buildZooModel(id, "small", settings);
    EXPECT_TRUE(graph) << (graph ? "" : graph.error().message);
    return graph ? *std::move(graph) : Graph();
}

/// Layers by LayerTree of the ops whose names, without what says the phase, begin with `scope`.
std::set<std::uint32_t> layersUnder(const Graph& graph, std::string_view scope) {
    const ScopeTree scopes(graph);
    const LayerTree tree(graph, scopes);
    std::set<std::uint32_t> layers;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        std::string_view name = graph.op(OpId(i)).name;
        for (const std::string_view phase : {"gradients/", "train/"}) {
            if (name.starts_with(phase))
                name.remove_prefix(phase.size());
        }
        if (name.starts_with(scope) && name.substr(scope.size()).starts_with('/'))
            layers.insert(tree.layerOf(tree.nodeOf(OpId(i))));
    }
    EXPECT_FALSE(layers.empty()) << scope;
    return layers;
}

TEST(LayersFacts, TheExpertFindsTheRecurrentLayersOfGnmtAndNoOthers) {
    using enum LayerSide;
    EXPECT_THAT(recurrentLayers(small("gnmt4")),
                ElementsAre(LayerName{Encoder, 0}, LayerName{Encoder, 1}, LayerName{Encoder, 2}, LayerName{Encoder, 3},
                            LayerName{Decoder, 0}, LayerName{Decoder, 1}, LayerName{Decoder, 2},
                            LayerName{Decoder, 3}));
    for (const char* id : {"txl4", "inception32", "amoebanet", "wavenet4", "bert", "gpt2", "resnet50"})
        EXPECT_THAT(recurrentLayers(small(id)), IsEmpty()) << id;
}

/// All steps of a layer, forward, backward and update, are one layer, and different from the others.
void expectLayers(const Graph& graph, std::initializer_list<std::string_view> scopes) {
    std::set<std::uint32_t> seen;
    for (const std::string_view scope : scopes) {
        const auto layers = layersUnder(graph, scope);
        EXPECT_EQ(layers.size(), 1u) << scope;
        for (const std::uint32_t layer : layers)
            EXPECT_TRUE(seen.insert(layer).second) << scope;
    }
}

TEST(LayersFacts, AnUnrolledLayerIsOneLayerWhateverTheStepAndThePhase) {
    expectLayers(small("gnmt4"), {"encoder/layer_0/fw", "encoder/layer_0/bw", "encoder/layer_1", "encoder/layer_3",
                                  "decoder/layer_0", "decoder/layer_3", "decoder/attention", "decoder/softmax"});
    expectLayers(small("gnmt8"), {"encoder/layer_7", "decoder/layer_7"});
    expectLayers(small("txl8"), {"layer_0", "layer_7", "softmax"});
    expectLayers(small("wavenet2"), {"front", "stack_0/layer_0", "stack_1/layer_8", "head"});
}

TEST(LayersFacts, TheOutputLayerOfTransformerXlSumsItsGradientsBeforeTheyGoToTheTable) {
    const Graph graph = small("txl2");
    const OpId sum = graph.findOp("gradients/embedding/table_grad/AddN");
    ASSERT_TRUE(sum.valid());
    EXPECT_EQ(graph.inputs(sum).size(), 2u) << "one of the embedding, one of the output layer";
}

TEST(LayersFacts, TheSegmentsOfTransformerXlDependOnOneAnotherForwardsOnly) {
    // No gradient flows through the memory, so that the backward pass of a segment reads forward values only.
    const Graph graph = small("txl2");
    const auto segmentOf = [](std::string_view name) {
        const std::size_t at = name.find("segment_");
        return at == std::string_view::npos ? -1 : std::stoi(std::string(name.substr(at + 8)));
    };
    std::size_t seen = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        const int segment = segmentOf(op.name);
        if (op.phase != Phase::Backward || segment < 0)
            continue;
        for (const OpId before : graph.predecessors(OpId(i))) {
            if (graph.op(before).phase == Phase::Backward && segmentOf(graph.op(before).name) >= 0) {
                EXPECT_EQ(segmentOf(graph.op(before).name), segment) << op.name;
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 100u);
}

} // namespace
} // namespace opscape
