// SPDX-License-Identifier: MIT
// Our backward pass against torch's autograd, for every gradient rule on a tiny program of its own and for small
// instances of the models.
#include "torch_check.h"

#include <opscape/zoo/layers.h>
#include <opscape/zoo/zoo.h>

#include <gmock/gmock.h>

#include <functional>
#include <set>

namespace opscape::test {
namespace {

/// Any value made of variables; the test makes a loss of it.
struct Case {
    std::string name;
    std::function<Value(TensorProgram&)> forward;
};

Value variable(TensorProgram& p, const std::string& name, Shape shape) { return p.variable(name, std::move(shape)); }

const std::vector<Case>& cases() {
    using P = TensorProgram;
    static const std::vector<Case> kCases{
        {"AddOfEqualShapes",
         [](P& p) {
             return p.add(variable(p, "a", {2, 3}), variable(p, "b", {2, 3}));
         }},
        {"AddBroadcastsBothOperands",
         [](P& p) {
             return p.add(variable(p, "a", {4, 1, 3}), variable(p, "b", {5, 1}));
         }},
        {"AddOfAValueToItself",
         [](P& p) {
             const Value a = variable(p, "a", {3});
             return p.add(a, a);
         }},
        {"Sub",
         [](P& p) {
             return p.sub(variable(p, "a", {2, 3}), variable(p, "b", {3}));
         }},
        {"Mul",
         [](P& p) {
             return p.mul(variable(p, "a", {2, 3}), variable(p, "b", {2, 1}));
         }},
        {"MulByAConstant",
         [](P& p) {
             return p.mul(variable(p, "a", {2, 3}), p.scalar(-1.5));
         }},
        {"Div",
         [](P& p) {
             return p.div(variable(p, "a", {2, 3}), p.add(p.exp(variable(p, "b", {3})), p.scalar(0.5)));
         }},
        {"AddN",
         [](P& p) {
             return p.addN(std::array{variable(p, "a", {2, 3}), variable(p, "b", {2, 3}), variable(p, "c", {2, 3})});
         }},
        {"Neg", [](P& p) { return p.neg(variable(p, "a", {4})); }},
        {"Exp", [](P& p) { return p.exp(variable(p, "a", {4})); }},
        {"Log", [](P& p) { return p.log(p.exp(variable(p, "a", {4}))); }},
        {"Sqrt", [](P& p) { return p.sqrt(p.exp(variable(p, "a", {4}))); }},
        {"Relu", [](P& p) { return p.relu(variable(p, "a", {9})); }},
        {"Sigmoid", [](P& p) { return p.sigmoid(variable(p, "a", {9})); }},
        {"Tanh", [](P& p) { return p.tanh(variable(p, "a", {9})); }},
        {"Gelu", [](P& p) { return p.gelu(variable(p, "a", {9})); }},
        {"Dropout", [](P& p) { return p.dropout(variable(p, "a", {20}), 0.3).result; }},
        {"MatMul",
         [](P& p) {
             return p.matMul(variable(p, "a", {2, 3}), variable(p, "b", {3, 4}));
         }},
        {"MatMulTransposedA",
         [](P& p) {
             return p.matMul(variable(p, "a", {3, 2}), variable(p, "b", {3, 4}), true);
         }},
        {"MatMulTransposedB",
         [](P& p) {
             return p.matMul(variable(p, "a", {2, 3}), variable(p, "b", {4, 3}), false, true);
         }},
        {"MatMulTransposedBoth",
         [](P& p) {
             return p.matMul(variable(p, "a", {3, 2}), variable(p, "b", {4, 3}), true, true);
         }},
        {"MatMulOfBatches",
         [](P& p) {
             return p.matMul(variable(p, "a", {5, 2, 3}), variable(p, "b", {5, 3, 4}));
         }},
        {"MatMulOfTransposedBatches",
         [](P& p) {
             return p.matMul(variable(p, "a", {5, 3, 2}), variable(p, "b", {5, 4, 3}), true, true);
         }},
        {"MatMulByOneSharedMatrix",
         [](P& p) {
             return p.matMul(variable(p, "a", {5, 2, 3}), variable(p, "b", {3, 4}));
         }},
        {"MatMulByOneSharedTransposedMatrix",
         [](P& p) {
             return p.matMul(variable(p, "a", {5, 2, 3}), variable(p, "b", {4, 3}), false, true);
         }},
        {"MatMulOfASharedTransposedMatrix",
         [](P& p) {
             return p.matMul(variable(p, "a", {3, 2}), variable(p, "b", {5, 3, 4}), true);
         }},
        {"MatMulBroadcastsBatches",
         [](P& p) {
             return p.matMul(variable(p, "a", {5, 1, 2, 3}), variable(p, "b", {4, 3, 2}));
         }},
        {"ConvOfImages",
         [](P& p) {
             return p.conv(variable(p, "x", {2, 3, 5, 6}), variable(p, "w", {4, 3, 3, 2}),
                           {{2, 1}, {1, 0, 1, 1}, {1, 2}});
         }},
        {"ConvOfImagesWithOddPadding",
         [](P& p) {
             return p.conv(variable(p, "x", {2, 2, 6, 6}), variable(p, "w", {2, 2, 3, 3}),
                           Window::same({2, 2, 6, 6}, {3, 3}, {2, 2}));
         }},
        {"ConvInGroups",
         [](P& p) {
             Window window = Window::square(1, 1);
             window.group = 2;
             return p.conv(variable(p, "x", {2, 4, 4, 4}), variable(p, "w", {6, 2, 3, 3}), window);
         }},
        {"ConvOfSequences",
         [](P& p) {
             return p.conv(variable(p, "x", {2, 3, 9}), variable(p, "w", {4, 3, 2}), Window::causal(2, 4));
         }},
        {"MaxPool",
         [](P& p) {
             return p.maxPool(variable(p, "x", {2, 3, 5, 6}), {3, 2}, {{2, 2}, {1, 0, 1, 1}, {}});
         }},
        {"AveragePool",
         [](P& p) {
             return p.averagePool(variable(p, "x", {2, 3, 5, 6}), {3, 3}, Window::square(1, 1));
         }},
        {"GlobalAveragePool",
         [](P& p) {
             return p.globalAveragePool(variable(p, "x", {2, 3, 4, 5}));
         }},
        {"Softmax",
         [](P& p) {
             return p.softmax(variable(p, "x", {2, 3, 4}));
         }},
        {"SoftmaxOverAnInnerAxis",
         [](P& p) {
             return p.softmax(variable(p, "x", {2, 3, 4}), 1);
         }},
        {"LayerNormalization",
         [](P& p) {
             return p.layerNormalization(variable(p, "x", {2, 3, 7}), variable(p, "s", {7}), variable(p, "b", {7}))
                 .result;
         }},
        {"BatchNormalization",
         [](P& p) {
             return p.batchNormalization(variable(p, "x", {4, 3, 2, 5}), variable(p, "s", {3}), variable(p, "b", {3}))
                 .result;
         }},
        {"BatchNormalizationOfRows",
         [](P& p) {
             return p.batchNormalization(variable(p, "x", {6, 3}), variable(p, "s", {3}), variable(p, "b", {3})).result;
         }},
        {"LRN",
         [](P& p) {
             return p.localResponseNormalization(variable(p, "x", {2, 7, 3, 3}), 5);
         }},
        {"ReduceSum",
         [](P& p) {
             return p.reduceSum(variable(p, "x", {2, 3, 4}), {0, 2});
         }},
        {"ReduceSumOfTheLeadingAxis",
         [](P& p) {
             return p.reduceSum(variable(p, "x", {2, 3}), {0});
         }},
        {"ReduceSumKeepingDimensions",
         [](P& p) {
             return p.reduceSum(variable(p, "x", {2, 3, 4}), {-1}, true);
         }},
        {"ReduceMean",
         [](P& p) {
             return p.reduceMean(variable(p, "x", {2, 3, 4}), {1});
         }},
        {"ReduceMeanOfAll",
         [](P& p) {
             return p.reduceMean(variable(p, "x", {2, 3, 4}));
         }},
        {"CrossEntropyMean",
         [](P& p) {
             return p.softmaxCrossEntropy(variable(p, "x", {4, 5}), p.input("labels", {4}, DType::I64)).loss;
         }},
        {"CrossEntropySum",
         [](P& p) {
             return p
                 .softmaxCrossEntropy(variable(p, "x", {2, 3, 5}), p.input("labels", {2, 3}, DType::I64),
                                      P::Reduction::Sum)
                 .loss;
         }},
        {"CrossEntropyPerLabel",
         [](P& p) {
             return p
                 .softmaxCrossEntropy(variable(p, "x", {2, 3, 5}), p.input("labels", {2, 3}, DType::I64),
                                      P::Reduction::None)
                 .loss;
         }},
        {"Gather",
         [](P& p) {
             return p.gather(variable(p, "t", {4, 3}), p.input("i", {2, 5}, DType::I64));
         }},
        {"Concat",
         [](P& p) {
             return p.concat(std::array{variable(p, "a", {2, 3}), variable(p, "b", {2, 4})}, 1);
         }},
        {"ConcatWithAConstant",
         [](P& p) {
             return p.concat(
                 std::array{variable(p, "a", {3, 2}), p.constant("memory", {1, 2}), variable(p, "b", {2, 2})}, 0);
         }},
        {"Split",
         [](P& p) {
             const auto parts = p.split(variable(p, "x", {2, 7}), 1, Sizes{2, 2, 3});
             return p.concat(std::array{p.mul(parts[0], parts[1]), parts[2]}, 1);
         }},
        {"SplitOfWhichAPartIsNotUsed",
         [](P& p) {
             return p.split(variable(p, "x", {6, 2}), 0, 3)[1];
         }},
        {"Slice",
         [](P& p) {
             return p.slice(variable(p, "x", {2, 7}), -1, 2, 6);
         }},
        {"Pad",
         [](P& p) {
             return p.pad(variable(p, "x", {2, 3, 2}), 1, 2, 1);
         }},
        {"Transpose",
         [](P& p) {
             return p.transpose(variable(p, "x", {2, 3, 4}), {2, 0, 1});
         }},
        {"Reshape",
         [](P& p) {
             return p.reshape(variable(p, "x", {2, 6}), {3, -1});
         }},
        {"Expand",
         [](P& p) {
             return p.expand(variable(p, "x", {3, 1}), {2, 3, 4});
         }},
        {"Identity", [](P& p) { return p.identity(variable(p, "x", {3})); }},
        {"StopGradient",
         [](P& p) {
             const Value x = variable(p, "x", {3});
             return p.mul(x, p.stopGradient(p.exp(x)));
         }},
        {"AWeightUsedInThreeSteps",
         [](P& p) {
             const Value w = variable(p, "w", {3, 3});
             Value h = p.input("h", {2, 3});
             for (int step = 0; step < 3; ++step)
                 h = p.tanh(p.matMul(h, w));
             return h;
         }},
        {"LstmCell",
         [](P& p) {
             const LstmWeights weights = lstmWeights(p, 3, 4);
             LstmState state{p.input("h", {2, 4}), p.input("c", {2, 4})};
             for (int step = 0; step < 3; ++step)
                 state = lstmCell(p, weights, p.input("x", {2, 3}), state);
             return p.mul(state.hidden, state.cell);
         }},
        {"DenseAndLayerNorm",
         [](P& p) {
             const auto scope = p.scope("layer");
             const Value h = p.gelu(dense(p, p.input("x", {2, 5, 3}), 4));
             const auto norm = p.scope("norm");
             return layerNorm(p, h);
         }},
        {"ConvolutionWithBias",
         [](P& p) {
             return p.relu(convolution(p, p.input("x", {3, 2, 5, 5}), 4, {3, 3}, Window::square(2, 1), true));
         }},
        {"ConvolutionAndBatchNorm",
         [](P& p) {
             const auto scope = p.scope("layer");
             const Value h = convolution(p, p.input("x", {3, 2, 5, 5}), 4, {3, 3}, Window::square(2, 1), false);
             const auto norm = p.scope("norm");
             return p.relu(batchNorm(p, h));
         }},
    };
    return kCases;
}

/// A training step whose loss weighs each element of the result differently, so that no mistake averages out.
Graph trainingStep(const Case& test) {
    TensorProgram p(test.name);
    const Value result = test.forward(p);
    minimize(p, p.reduceSum(p.mul(result, p.constant("weighing", p.shape(result)))), UpdateRule::Sgd);
    return std::move(p).build();
}

void expectEqualGradients(const Graph& graph, double tolerance) {
    const auto differences = compareWithAutograd(graph, 7);
    EXPECT_FALSE(differences.empty());
    for (const GradientDifference& difference : differences) {
        EXPECT_LT(difference.largest, tolerance) << difference.weight;
        EXPECT_GT(difference.magnitude, 0) << difference.weight << " has no effect on the loss: nothing was tested";
    }
}

class GradientRules : public testing::TestWithParam<std::size_t> {};

TEST_P(GradientRules, GiveTheGradientsOfAutograd) { expectEqualGradients(trainingStep(cases()[GetParam()]), 1e-10); }

INSTANTIATE_TEST_SUITE_P(Each, GradientRules, testing::Range(std::size_t{0}, cases().size()),
                         [](const auto& each) { return cases()[each.param].name; });

TEST(Gradients, EveryRuleIsTriedByACase) {
    std::set<std::string> tried;
    for (const Case& test : cases()) {
        const Graph graph = trainingStep(test);
        for (std::size_t i = 0; i < graph.opCount(); ++i) {
            if (graph.op(OpId(i)).phase == Phase::Forward)
                tried.insert(graph.op(OpId(i)).type);
        }
    }
    for (const std::string_view type : differentiableOps())
        EXPECT_TRUE(tried.contains(std::string(type))) << type;
}

TEST(Gradients, AWrongGradientIsSeen) {
    TensorProgram q("wrong");
    const Value v = q.variable("w", {3});
    const Value right = gradients(q, q.reduceSum(q.mul(v, v)), std::array{v})[0];
    Value wrong;
    {
        const auto backward = q.scopeAt("gradients", Phase::Backward);
        wrong = q.neg(right);
    }
    const auto update = q.scopeAt("train", Phase::Update);
    q.update("SGD", q.variables()[0], std::array{q.variables()[0].weight, wrong});
    EXPECT_NEAR(compareWithAutograd(std::move(q).build(), 7)[0].largest, 2, 1e-12);
}

struct SmallModel {
    std::string id;
    std::map<std::string, std::string> settings;
};

class ModelGradients : public testing::TestWithParam<SmallModel> {};

TEST_P(ModelGradients, AreThoseOfAutograd) {
    const auto graph = buildZooModel(GetParam().id, "small", GetParam().settings);
    ASSERT_TRUE(graph) << graph.error().message;
    expectEqualGradients(*graph, 1e-8);
}

/// As small as keeps the structure: every family, one layer of each kind, odd sizes.
const std::vector<SmallModel>& smallModels() {
    static const std::vector<SmallModel> kModels{
        {"rnnlm2", {{"steps", "3"}, {"batch", "2"}, {"hidden", "5"}, {"vocabulary", "7"}}},
        {"gnmt4", {{"source-steps", "3"}, {"target-steps", "2"}, {"batch", "2"}, {"hidden", "6"}, {"vocabulary", "7"}}},
        {"txl2",
         {{"hidden", "6"},
          {"heads", "2"},
          {"inner", "7"},
          {"vocabulary", "9"},
          {"batch", "2"},
          {"segment", "3"},
          {"memory", "3"},
          {"segments", "2"}}},
        {"inception32",
         {{"batch", "1"},
          {"classes", "3"},
          {"modules-35", "1"},
          {"modules-17", "1"},
          {"modules-8", "1"},
          {"auxiliary", "no"}}},
        {"amoebanet",
         {{"batch", "2"}, {"image", "64"}, {"classes", "3"}, {"cells", "1"}, {"filters", "24"}, {"stem-filters", "8"}}},
        {"wavenet2",
         {{"layers", "4"}, {"batch", "2"}, {"samples", "24"}, {"chunks", "2"}, {"residual", "5"}, {"skip", "4"}}},
        {"resnet50", {{"batch", "2"}, {"image", "64"}, {"classes", "3"}}},
        {"vgg19", {{"batch", "1"}, {"image", "32"}, {"classes", "3"}}},
        {"alexnet", {{"batch", "1"}, {"image", "63"}, {"classes", "3"}}},
        {"bert",
         {{"layers", "2"},
          {"hidden", "6"},
          {"heads", "2"},
          {"inner", "7"},
          {"vocabulary", "9"},
          {"batch", "2"},
          {"sequence", "5"},
          {"predictions", "2"}}},
        {"gpt2",
         {{"layers", "2"},
          {"hidden", "6"},
          {"heads", "2"},
          {"inner", "7"},
          {"vocabulary", "9"},
          {"batch", "2"},
          {"sequence", "5"}}},
    };
    return kModels;
}

INSTANTIATE_TEST_SUITE_P(Small, ModelGradients, testing::ValuesIn(smallModels()),
                         [](const auto& each) { return each.param.id; });

TEST(Gradients, EveryFamilyIsTried) {
    std::set<decltype(ZooModel::build)> tried;
    for (const SmallModel& model : smallModels())
        tried.insert(findZooModel(model.id)->build);
    for (const ZooModel& model : zooModels())
        EXPECT_TRUE(tried.contains(model.build)) << model.id;
}

} // namespace
} // namespace opscape::test
