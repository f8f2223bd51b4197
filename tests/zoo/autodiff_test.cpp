// SPDX-License-Identifier: MIT
// What the backward pass is made of; that its numbers are right is in gradient_test.cpp.
#include <opscape/zoo/counts.h>
#include <opscape/zoo/layers.h>
#include <opscape/zoo/training.h>

#include <gmock/gmock.h>

#include <algorithm>

namespace opscape {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> backwardOps(const TensorProgram& p) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < p.opCount(); ++i) {
        if (p.op(OpId(i)).phase == Phase::Backward)
            names.push_back(p.op(OpId(i)).name);
    }
    return names;
}

TEST(Autodiff, GradientsLieInTheScopeOfTheirForwardOp) {
    TensorProgram p("scopes");
    const Value x = p.input("x", {4, 3});
    Value w, loss;
    {
        const auto layer = p.scope("layer_1");
        w = p.variable("weights", {3, 2});
        const auto step = p.scope("step_3");
        loss = p.reduceSum(p.relu(p.matMul(x, w)));
    }
    (void)gradients(p, loss, std::array{w});
    EXPECT_THAT(backwardOps(p), testing::ElementsAre("gradients/layer_1/step_3/ReduceSum_grad/Expand",
                                                     "gradients/layer_1/step_3/Relu_grad/ReluGrad",
                                                     "gradients/layer_1/step_3/MatMul_grad/MatMul"));
}

TEST(Autodiff, AWeightSharedByStepsGetsOneSumOverThem) {
    TensorProgram p("shared");
    const auto layer = p.scope("layer");
    const Value w = p.variable("weights", {3, 3});
    Value h = p.input("h", {2, 3});
    for (int step = 0; step < 5; ++step)
        h = p.matMul(h, w);
    const Value gradient = gradients(p, p.reduceSum(h), std::array{w})[0];
    const OpId sum = p.producer(gradient);
    EXPECT_EQ(p.op(sum).name, "gradients/layer/weights_grad/AddN");
    EXPECT_EQ(p.op(sum).phase, Phase::Backward);
    EXPECT_EQ(p.inputs(sum).size(), 5u);
    EXPECT_EQ(p.shape(gradient), (Shape{3, 3}));
    EXPECT_EQ(std::ranges::count_if(backwardOps(p), [](const std::string& n) { return n.ends_with("/AddN"); }), 1);
}

TEST(Autodiff, AWeightSharedByManyStepsIsSummedInPartsThatDoNotWaitForOneAnother) {
    TensorProgram p("many");
    const Value w = p.variable("weights", {3, 3});
    Value h = p.input("h", {2, 3});
    for (int step = 0; step < 20; ++step)
        h = p.matMul(h, w);
    const OpId last = p.producer(gradients(p, p.reduceSum(h), std::array{w})[0]);
    EXPECT_EQ(p.op(last).type, "AddN");
    std::size_t parts = 0, terms = 0;
    for (const Value input : p.inputs(last)) {
        const OpId before = p.producer(input);
        ++(p.op(before).type == "AddN" ? parts : terms);
        if (p.op(before).type != "AddN")
            continue;
        for (const Value term : p.inputs(before))
            terms += p.op(p.producer(term)).type == "MatMul" ? 1 : 0;
    }
    EXPECT_EQ(parts, 2u);
    EXPECT_EQ(terms, 20u);
}

TEST(Autodiff, BranchesThatLeadToNoVariableOrFromNoLossAreNotBuilt) {
    TensorProgram p("dead");
    const Value x = p.input("x", {2, 3});
    const Value w = p.variable("w", {3, 3}), unasked = p.variable("u", {3, 3});
    const Value features = p.tanh(p.matMul(x, unasked), "features");
    const Value h = p.matMul(features, w);
    p.exp(h, "beside"); // not on the way to the loss
    (void)gradients(p, p.reduceSum(h), std::array{w});
    EXPECT_THAT(backwardOps(p),
                testing::ElementsAre("gradients/ReduceSum_grad/Expand", "gradients/MatMul_1_grad/MatMul"));
}

TEST(Autodiff, NothingFlowsThroughStopGradient) {
    TensorProgram p("stop");
    const Value w = p.variable("w", {3}), v = p.variable("v", {3});
    const Value memory = p.stopGradient(p.exp(w));
    const auto result = gradients(p, p.reduceSum(p.mul(memory, v)), std::array{w, v});
    EXPECT_FALSE(result[0].valid());
    EXPECT_TRUE(result[1].valid());
    for (const std::string& name : backwardOps(p))
        EXPECT_THAT(name, testing::Not(HasSubstr("Exp_grad")));
}

TEST(Autodiff, GradientsOfInputsAndOfValuesOnTheWayAreShapedLikeThem) {
    TensorProgram p("values");
    const Value x = p.input("x", {2, 3}), w = p.variable("w", {3, 4});
    const Value h = p.matMul(x, w);
    const auto result = gradients(p, p.reduceMean(p.mul(h, h)), std::array{x, h, w});
    EXPECT_EQ(p.shape(result[0]), p.shape(x));
    EXPECT_EQ(p.shape(result[1]), p.shape(h));
    EXPECT_EQ(p.shape(result[2]), p.shape(w));
}

TEST(Autodiff, MistakesOfAProgramAreSaid) {
    TensorProgram p("mistakes");
    const Value w = p.variable("w", {3});
    EXPECT_THAT([&] { (void)gradients(p, w, std::array{w}); },
                ThrowsMessage<std::logic_error>(HasSubstr("a loss of shape 3 is not a scalar")));
    const Value odd = p.op("Ceil", std::array{w}, std::array{Shape{3}})[0];
    EXPECT_THAT([&] { (void)gradients(p, p.reduceSum(odd), std::array{w}); },
                ThrowsMessage<std::logic_error>(HasSubstr("no gradient for the Ceil Ceil")));
    const Value other = p.variable("other", {3});
    EXPECT_THAT([&] { minimize(p, p.reduceSum(other), UpdateRule::Sgd); },
                ThrowsMessage<std::logic_error>(HasSubstr("does not depend on variable w")));
}

TEST(Autodiff, ABackwardPassIsTwiceTheForwardPassSaveForTheFirstLayer) {
    constexpr std::int64_t kBatch = 8, kWidth = 16;
    TensorProgram p("twice");
    Value x = p.input("x", {kBatch, kWidth});
    for (int layer = 0; layer < 10; ++layer) {
        const auto scope = p.scope(fmt::format("layer_{}", layer));
        x = p.relu(dense(p, x, kWidth));
    }
    minimize(p, p.reduceSum(x), UpdateRule::Sgd);
    const GraphCounts counts = countGraph(std::move(p).build());
    constexpr double kLayer = kBatch * kWidth * kWidth;
    EXPECT_EQ(counts.parameters, 10 * (kWidth * kWidth + kWidth));
    EXPECT_EQ(counts.forwardMultiplyAdds, 10 * kLayer);
    EXPECT_EQ(counts.backwardMultiplyAdds, 19 * kLayer) << "nobody asks for the gradient of the input";
}

TEST(Autodiff, TheGradientsOfAConvolutionCostAsMuchAsItEach) {
    TensorProgram p("conv");
    const Value x = p.variable("x", {2, 4, 9, 9}), w = p.variable("w", {6, 2, 3, 3});
    Window window = Window::square(2, 1);
    window.group = 2;
    minimize(p, p.reduceSum(p.conv(x, w, window)), UpdateRule::Sgd);
    const GraphCounts counts = countGraph(std::move(p).build());
    EXPECT_EQ(counts.forwardMultiplyAdds, 2.0 * 6 * 5 * 5 * 2 * 3 * 3);
    EXPECT_EQ(counts.backwardMultiplyAdds, 2 * counts.forwardMultiplyAdds);
}

} // namespace
} // namespace opscape
