// SPDX-License-Identifier: MIT
#include "support/sentence.h"

#include <opscape/cost/op_cost.h>
#include <opscape/search/layer_tree.h>
#include <opscape/zoo/counts.h>
#include <opscape/zoo/zoo.h>

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace opscape {
namespace {

using testing::HasSubstr;

Graph built(std::string_view id, std::string_view preset, const std::map<std::string, std::string>& settings = {}) {
    auto graph = buildZooModel(id, preset, settings);
    EXPECT_TRUE(graph.has_value()) << (graph ? "" : graph.error().message);
    return graph ? *std::move(graph) : Graph();
}

TEST(Models, HaveIdsOfTheirOwnAndParametersWithinBounds) {
    std::set<std::string> ids;
    for (const ZooModel& model : zooModels()) {
        EXPECT_TRUE(ids.insert(model.id).second) << model.id;
        EXPECT_EQ(findZooModel(model.id), &model);
        EXPECT_FALSE(model.title.empty() || model.summary.empty() || model.build == nullptr) << model.id;
        std::set<std::string> names;
        for (const ZooParameter& parameter : model.parameters) {
            EXPECT_TRUE(names.insert(parameter.name).second) << model.id << " " << parameter.name;
            for (const std::int64_t value : {parameter.small, parameter.paper}) {
                ZooValues values(model.parameters, false);
                EXPECT_TRUE(values.set(parameter.name, parameter.text(value))) << model.id << " " << parameter.name;
                EXPECT_EQ(values[parameter.name], value);
            }
        }
        EXPECT_TRUE(names.contains("optimizer")) << model.id;
    }
}

class EachModel : public testing::TestWithParam<std::size_t> {
protected:
    [[nodiscard]] const ZooModel& model() const { return zooModels()[GetParam()]; }
};

TEST_P(EachModel, IsSmallInThePresetSmallAndLargerInThePresetPaper) {
    const Graph small = built(model().id, "small"), paper = built(model().id, "paper");
    EXPECT_LE(small.opCount(), 3000u);
    if (model().devices > 1) { // one of the published workloads; a network that people know has the ops it has
        EXPECT_GE(small.opCount(), 500u);
        EXPECT_GT(paper.opCount(), 1000u);
        EXPECT_GE(paper.opCount(), small.opCount());
    }
    EXPECT_EQ(small.name(), model().id);
}

TEST_P(EachModel, IsAWholeTrainingStep) {
    const Graph graph = built(model().id, "small");
    std::set<Phase> phases;
    std::size_t weights = 0, updates = 0;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const Op& op = graph.op(OpId(i));
        phases.insert(op.phase);
        EXPECT_TRUE(hasOpRule(op.type)) << op.type;
        EXPECT_EQ(op.phase == Phase::Backward, op.name.starts_with("gradients/")) << op.name;
        for (const OpId before : graph.predecessors(OpId(i)))
            EXPECT_LE(graph.op(before).phase, op.phase) << op.name;
        const auto inputs = graph.inputs(OpId(i));
        updates += op.phase == Phase::Update && graph.tensor(inputs[0]).kind == TensorKind::Weight ? 1 : 0;
    }
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        weights += graph.tensor(TensorId(t)).kind == TensorKind::Weight ? 1 : 0;
        EXPECT_TRUE(graph.tensor(TensorId(t)).shapeKnown);
    }
    EXPECT_EQ(phases.size(), 3u);
    EXPECT_EQ(updates, weights);
    EXPECT_EQ(graph.colocationGroups().size(), weights) << "each weight and its update are together";
}

TEST_P(EachModel, CostsAboutTwiceAsMuchBackwardAsForward) {
    const GraphCounts counts = countGraph(built(model().id, "small"));
    EXPECT_GT(counts.forwardMultiplyAdds, 0);
    EXPECT_GT(counts.backwardMultiplyAdds, 1.85 * counts.forwardMultiplyAdds);
    EXPECT_LE(counts.backwardMultiplyAdds, 2 * counts.forwardMultiplyAdds);
}

TEST_P(EachModel, IsTheSameEachTime) {
    EXPECT_EQ(built(model().id, "small").hash(), built(model().id, "small").hash());
}

TEST_P(EachModel, KeepsTheStateOfTheUpdateRule) {
    const auto state = [this](const char* rule) {
        const Graph graph = built(model().id, "small", {{"optimizer", rule}});
        std::int64_t bytes = 0;
        for (std::size_t t = 0; t < graph.tensorCount(); ++t)
            bytes += graph.tensor(TensorId(t)).kind == TensorKind::OptimizerState ? graph.tensorBytes(TensorId(t)) : 0;
        return bytes;
    };
    const std::int64_t weights = 4 * countGraph(built(model().id, "small")).parameters, sgd = state("sgd");
    EXPECT_EQ(state("momentum") - sgd, weights);
    EXPECT_EQ(state("adam") - sgd, 2 * weights);
}

INSTANTIATE_TEST_SUITE_P(Zoo, EachModel, testing::Range(std::size_t{0}, zooModels().size()),
                         [](const auto& each) { return zooModels()[each.param].id; });

TEST(Models, WhatCannotBeIsRefusedInASentence) {
    const auto refusal = [](std::string_view id, std::string_view preset, const std::string& name = "",
                            const std::string& value = "") {
        const auto graph = buildZooModel(
            id, preset, name.empty() ? std::map<std::string, std::string>{} : std::map{std::pair{name, value}});
        EXPECT_FALSE(graph.has_value());
        const std::string message = graph ? "" : graph.error().message;
        EXPECT_THAT(message, test::IsOneSentence());
        return message;
    };
    EXPECT_THAT(refusal("rnnlm3", "small"), HasSubstr("there is no model \"rnnlm3\"; choose among rnnlm2, "));
    EXPECT_THAT(refusal("rnnlm2", "tiny"), HasSubstr("there is no preset tiny; choose among small, paper."));
    EXPECT_THAT(refusal("rnnlm2", "small", "depth", "3"),
                HasSubstr("there is no parameter depth; choose among layers"));
    EXPECT_THAT(refusal("rnnlm2", "small", "layers", "0"),
                HasSubstr("rnnlm2: parameter layers cannot be \"0\"; it must be an integer from 1 to 64."));
    EXPECT_THAT(refusal("rnnlm2", "small", "layers", "2x"), HasSubstr("\"2x\""));
    EXPECT_THAT(refusal("rnnlm2", "small", "optimizer", "lion"), HasSubstr("one of sgd, momentum, adam"));
}

TEST(Models, RnnlmIsSeenAsItsLayers) {
    const Graph graph = built("rnnlm4", "small");
    const ScopeTree scopes(graph);
    const LayerTree tree(graph, scopes);
    std::map<std::uint32_t, std::set<std::string>> layers; // the outermost scope of each op
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        std::string_view name = graph.op(OpId(i)).name;
        for (const std::string_view phase : {"gradients/", "train/"})
            name.remove_prefix(name.starts_with(phase) ? phase.size() : 0);
        layers[tree.layerOf(tree.nodeOf(OpId(i)))].emplace(name.substr(0, name.find('/')));
    }
    EXPECT_EQ(layers.size(), 6u) << "embedding, four layers, softmax";
    for (const auto& [layer, names] : layers)
        EXPECT_EQ(names.size(), 1u) << testing::PrintToString(names);
}

TEST(Models, RnnlmHasTheParametersAndProductsOfItsCells) {
    const std::int64_t layers = 3, steps = 4, batch = 5, hidden = 6, vocabulary = 70;
    const GraphCounts counts = countGraph(built(
        "rnnlm2", "small", {{"layers", "3"}, {"steps", "4"}, {"batch", "5"}, {"hidden", "6"}, {"vocabulary", "70"}}));
    EXPECT_EQ(counts.parameters,
              vocabulary * hidden + layers * (2 * hidden * 4 * hidden + 4 * hidden) + hidden * vocabulary + vocabulary);
    EXPECT_EQ(counts.forwardMultiplyAdds,
              static_cast<double>(steps * batch * (layers * 2 * hidden * 4 * hidden + hidden * vocabulary)));
    EXPECT_EQ(counts.backwardMultiplyAdds, 2 * counts.forwardMultiplyAdds) << "words have gradients, too";
}

} // namespace
} // namespace opscape
