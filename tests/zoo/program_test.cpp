// SPDX-License-Identifier: MIT
#include <opscape/cost/op_cost.h>
#include <opscape/zoo/layers.h>
#include <opscape/zoo/training.h>

#include <gmock/gmock.h>

namespace opscape {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> opNames(const Graph& graph) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        names.push_back(graph.op(OpId(i)).name);
    return names;
}

TEST(Program, NamesFollowScopesAndAreNumberedWhereTaken) {
    TensorProgram p("names");
    const Value x = p.input("x", {2});
    p.relu(x);
    {
        const auto decoder = p.scope("decoder");
        p.relu(x);
        {
            const auto layer = p.scope("layer_0/step_1");
            p.relu(x);
            p.relu(x);
            p.relu(x, "gate");
        }
        p.relu(x);
    }
    {
        const auto again = p.scope("decoder/layer_0/step_1");
        p.relu(x, "Relu_1");
    }
    p.relu(x);
    EXPECT_THAT(opNames(std::move(p).build()),
                ElementsAre("Relu", "decoder/Relu", "decoder/layer_0/step_1/Relu", "decoder/layer_0/step_1/Relu_1",
                            "decoder/layer_0/step_1/gate", "decoder/Relu_1", "decoder/layer_0/step_1/Relu_1_1",
                            "Relu_1"));
}

TEST(Program, AnAbsoluteScopeAndAPhaseEndWithTheirBlock) {
    TensorProgram p("phases");
    const auto layer = p.scope("layer");
    const Value x = p.input("x", {2});
    {
        const auto backward = p.scopeAt("gradients/layer", Phase::Backward);
        p.relu(x);
        const auto update = p.phase(Phase::Update);
        p.relu(x);
    }
    p.relu(x);
    const Graph graph = std::move(p).build();
    EXPECT_THAT(opNames(graph), ElementsAre("gradients/layer/Relu", "gradients/layer/Relu_1", "layer/Relu"));
    EXPECT_EQ(graph.op(OpId(0)).phase, Phase::Backward);
    EXPECT_EQ(graph.op(OpId(1)).phase, Phase::Update);
    EXPECT_EQ(graph.op(OpId(2)).phase, Phase::Forward);
}

TEST(Program, AVariableIsReadByOneOpThatLivesWithItsUpdate) {
    TensorProgram p("variable");
    const Value x = p.input("x", {4, 3});
    {
        const auto scope = p.scope("layer");
        const Value w = p.variable("weights", {3, 2});
        minimize(p, p.reduceSum(p.add(p.matMul(x, w), p.matMul(x, w))), UpdateRule::Adam);
    }
    const Graph graph = std::move(p).build();
    ASSERT_EQ(graph.colocationGroups().size(), 1u);
    const auto& group = graph.colocationGroups()[0];
    ASSERT_EQ(group.size(), 2u);
    EXPECT_EQ(graph.op(group[0]).name, "layer/weights");
    EXPECT_EQ(graph.op(group[1]).name, "train/layer/update_weights");
    EXPECT_EQ(graph.op(group[1]).phase, Phase::Update);
    EXPECT_TRUE(graph.outputs(group[1]).empty());
    std::vector<TensorKind> kinds;
    for (const TensorId input : graph.inputs(group[1])) {
        kinds.push_back(graph.tensor(input).kind);
        EXPECT_EQ(graph.tensor(input).shape, (Shape{3, 2}));
    }
    EXPECT_THAT(kinds, ElementsAre(TensorKind::Weight, TensorKind::Activation, TensorKind::OptimizerState,
                                   TensorKind::OptimizerState));
    EXPECT_EQ(graph.consumers(graph.inputs(group[0])[0]).size(), 2u) << "the weight is read by nobody else";
}

TEST(Program, ShapesAreInferred) {
    TensorProgram p("shapes");
    const auto in = [&p](Shape shape) { return p.input("x", std::move(shape)); };
    const auto is = [&p](Value value, const Shape& shape) { EXPECT_EQ(p.shape(value), shape); };
    is(p.matMul(in({7, 1, 2, 3}), in({5, 3, 4})), {7, 5, 2, 4});
    is(p.matMul(in({3, 2}), in({4, 3}), true, true), {2, 4});
    is(p.add(in({4, 1, 3}), in({5, 1})), {4, 5, 3});
    is(p.conv(in({2, 8, 12, 14}), in({16, 8, 3, 3})), {2, 16, 10, 12});
    is(p.conv(in({1, 3, 299, 299}), in({32, 3, 3, 3}), Window::square(2)), {1, 32, 149, 149});
    is(p.conv(in({1, 3, 224, 224}), in({64, 3, 7, 7}), Window::square(2, 3)), {1, 64, 112, 112});
    is(p.conv(in({1, 3, 225, 224}), in({64, 3, 7, 7}), Window::same({1, 3, 225, 224}, {7, 7}, {2, 2})),
       {1, 64, 113, 112});
    is(p.conv(in({1, 4, 100}), in({4, 4, 2}), Window::causal(2, 16)), {1, 4, 100});
    is(p.maxPool(in({1, 4, 9, 9}), {3, 3}, Window::square(2)), {1, 4, 4, 4});
    is(p.globalAveragePool(in({2, 4, 9, 9})), {2, 4, 1, 1});
    is(p.reduceSum(in({2, 3, 4}), {-1, 0}), {3});
    is(p.reduceMean(in({2, 3, 4}), {1}, true), {2, 1, 4});
    is(p.reduceMean(in({2, 3, 4})), {});
    is(p.softmaxCrossEntropy(in({2, 3, 4}), p.input("l", {2, 3}, DType::I64)).loss, {});
    is(p.gather(in({10, 6}), p.input("i", {2, 3}, DType::I64)), {2, 3, 6});
    is(p.concat(std::array{in({2, 3}), in({2, 4})}, -1), {2, 7});
    is(p.split(in({2, 6}), 1, Sizes{1, 5})[1], {2, 5});
    is(p.slice(in({2, 6}), 1, 2, 5), {2, 3});
    is(p.pad(in({2, 6}), 0, 2, 5), {9, 6});
    is(p.transpose(in({2, 3, 4}), {2, 0, 1}), {4, 2, 3});
    is(p.reshape(in({2, 3, 4}), {-1, 4}), {6, 4});
    is(p.expand(in({3, 1}), {2, 3, 4}), {2, 3, 4});
}

TEST(Program, WhatChangesNothingAddsNoOp) {
    TensorProgram p("nothing");
    const Value x = p.input("x", {2, 3});
    EXPECT_EQ(p.reshape(x, {2, -1}), x);
    EXPECT_EQ(p.expand(x, {2, 3}), x);
    EXPECT_EQ(p.slice(x, 1, 0, 3), x);
    EXPECT_EQ(p.pad(x, 1, 0, 0), x);
    EXPECT_EQ(p.addN(std::array{x}), x);
    EXPECT_EQ(p.concat(std::array{x}, 0), x);
    EXPECT_EQ(p.scalar(0.5), p.scalar(0.5));
    EXPECT_EQ(p.opCount(), 0u);
}

TEST(Program, AShapeThatDoesNotFitIsSaidWithItsScope) {
    TensorProgram p("wrong");
    const auto scope = p.scope("encoder");
    const Value a = p.input("a", {2, 3}), b = p.input("b", {4, 5}), image = p.input("i", {1, 3, 8, 8});
    const auto says = [](const char* text) { return ThrowsMessage<std::logic_error>(HasSubstr(text)); };
    EXPECT_THAT([&] { p.matMul(a, b); }, says("in scope \"encoder/\": MatMul of 2x3 and 4x5"));
    EXPECT_THAT([&] { p.add(a, b); }, says("Add of 2x3 and 4x5"));
    EXPECT_THAT([&] { p.conv(image, p.input("w", {4, 2, 3, 3})); }, says("with weights 4x2x3x3"));
    EXPECT_THAT([&] { p.conv(image, p.input("w", {4, 3, 9, 9})); }, says("nothing to slide over"));
    EXPECT_THAT([&] { p.maxPool(image, {3, 3}, Window::square(1, 2)); }, says("padding"));
    EXPECT_THAT([&] { p.softmaxCrossEntropy(a, b); }, says("logits 2x3 and labels 4x5"));
    EXPECT_THAT([&] { p.concat(std::array{a, b}, 0); }, says("Concat of 2x3 and 4x5"));
    EXPECT_THAT([&] { p.split(a, 1, 2); }, says("into 2 equal parts"));
    EXPECT_THAT([&] { p.slice(a, 1, 2, 4); }, says("Slice [2, 4) of axis 1 of 2x3"));
    EXPECT_THAT([&] { p.transpose(a, {0, 0}); }, says("Transpose of 2x3"));
    EXPECT_THAT([&] { p.reshape(a, {4, -1}); }, says("Reshape of 2x3"));
    EXPECT_THAT([&] { p.expand(a, {2, 4}); }, says("Expand of 2x3 to 2x4"));
    EXPECT_THAT([&] { p.softmax(a, 2); }, says("axis 2 of a tensor of shape 2x3"));
    EXPECT_THAT([&] { p.reduceSum(a, {0, -2}); }, says("an axis twice"));
    EXPECT_THAT([&] { p.layerNormalization(a, p.input("s", {2}), p.input("b", {3})); }, says("with scale 2"));
    p.variable("w", {1});
    EXPECT_THAT([&] { p.variable("w", {1}); }, says("an op encoder/w already"));
}

TEST(Program, TheSameCallsGiveTheSameGraph) {
    const auto make = [] {
        TensorProgram p("twice");
        const Value h = dense(p, p.input("x", {4, 3}), 5);
        minimize(p, p.softmaxCrossEntropy(h, p.input("labels", {4}, DType::I64)).loss, UpdateRule::Momentum);
        return std::move(p).build();
    };
    EXPECT_EQ(make().hash(), make().hash());
}

TEST(Program, EveryOpOfLayersAndTheirGradientsHasACostRule) {
    TensorProgram p("layers");
    Value x = p.input("images", {2, 3, 8, 8});
    {
        const auto scope = p.scope("conv");
        x = p.localResponseNormalization(
            p.relu(batchNorm(p, convolution(p, x, 4, {3, 3}, Window::square(1, 1), false))), 5);
        x = p.averagePool(p.maxPool(x, {2, 2}, Window::square(2)), {2, 2}, Window::square(1));
        x = p.reshape(p.globalAveragePool(x), {2, 4});
    }
    {
        const auto scope = p.scope("norm");
        x = layerNorm(p, x);
    }
    x = p.dropout(p.gelu(dense(p, x, 6)), 0.1).result;
    minimize(p, p.softmaxCrossEntropy(x, p.input("labels", {2}, DType::I64)).loss, UpdateRule::Adam);
    const Graph graph = std::move(p).build();
    for (std::size_t i = 0; i < graph.opCount(); ++i)
        EXPECT_TRUE(hasOpRule(graph.op(OpId(i)).type)) << graph.op(OpId(i)).type;
}

} // namespace
} // namespace opscape
