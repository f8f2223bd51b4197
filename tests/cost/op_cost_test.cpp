// SPDX-License-Identifier: MIT
#include <opscape/cost/op_aliases.h>
#include <opscape/cost/op_cost.h>
#include <opscape/graph/graph_builder.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace opscape {
namespace {

struct Operand {
    Shape shape;
    DType dtype = DType::F32;
    bool omitted = false;
};

const Operand kOmitted{{}, DType::F32, true};

/// The cost of one op with inputs and outputs of these shapes.
OpCost costOf(std::string type, const std::vector<Operand>& inputs, const std::vector<Operand>& outputs,
              std::vector<Attribute> attributes = {}) {
    GraphBuilder builder("one");
    Op op;
    op.name = "op";
    op.type = std::move(type);
    op.attributes = std::move(attributes);
    const OpId id = builder.addOp(std::move(op));
    for (const Operand& input : inputs)
        builder.addInput(id, input.omitted
                                 ? TensorId()
                                 : builder.addResident({"in", TensorKind::Input, input.dtype, true, input.shape, -1}));
    for (const Operand& output : outputs)
        builder.addOutput(id, {"out", TensorKind::Activation, output.dtype, true, output.shape, -1});
    Diagnostics diagnostics;
    return opCost(*std::move(builder).build(diagnostics), id);
}

double flopsOf(std::string type, const std::vector<Operand>& inputs, const std::vector<Operand>& outputs,
               std::vector<Attribute> attributes = {}) {
    return costOf(std::move(type), inputs, outputs, std::move(attributes)).flops;
}

double bytesOf(std::string type, const std::vector<Operand>& inputs, const std::vector<Operand>& outputs) {
    return costOf(std::move(type), inputs, outputs).bytesMoved;
}

using Ints = std::vector<std::int64_t>;

TEST(OpRules, EachTypeHasOneRowWithAFormulaAndTheRowsAreSorted) {
    std::set<std::string_view> types;
    for (const OpRule& rule : opRules()) {
        EXPECT_TRUE(types.insert(rule.type).second) << rule.type;
        EXPECT_FALSE(rule.formula.empty()) << rule.type;
        EXPECT_TRUE(hasOpRule(rule.type));
    }
    EXPECT_TRUE(std::ranges::is_sorted(opRules(), {}, &OpRule::type));
    EXPECT_GT(opRules().size(), 150u);
    EXPECT_FALSE(hasOpRule("NoSuchOp"));
    EXPECT_FALSE(hasOpRule(""));
}

TEST(OpRules, ARuleGivesWhatItsFormulaSays) {
    const double in = 2 * 3 * 4, out = 5 * 7;
    for (const OpRule& rule : opRules()) {
        const std::string formula(rule.formula.substr(0, rule.formula.find(':')));
        for (int factor = 1; factor < 20; ++factor) {
            for (const auto& [symbol, elements] : {std::pair{"|in|", in}, std::pair{"|out|", out}}) {
                if (formula == fmt::format("{} * {}", factor, symbol) || (factor == 1 && formula == symbol)) {
                    EXPECT_EQ(flopsOf(std::string(rule.type), {{{2, 3, 4}}}, {{{5, 7}}}), factor * elements)
                        << rule.type;
                }
            }
        }
        if (rule.formula.starts_with("0;")) {
            EXPECT_EQ(flopsOf(std::string(rule.type), {{{2, 3, 4}}}, {{{5, 7}}}), 0) << rule.type;
        }
    }
}

TEST(OpRules, AnUnknownShapeAddsNoWork) {
    for (const OpRule& rule : opRules()) {
        const OpCost cost = costOf(std::string(rule.type), {{{kUnknownDim, 8}}, {{kUnknownDim, 8}}, {{kUnknownDim}}},
                                   {{{kUnknownDim, 8}}});
        EXPECT_EQ(cost.flops, 0) << rule.type;
        EXPECT_EQ(cost.bytesMoved, 0) << rule.type;
        EXPECT_TRUE(cost.known) << rule.type;
        EXPECT_EQ(costOf(std::string(rule.type), {}, {}).flops, 0) << rule.type;
    }
}

TEST(OpRules, AMatrixProductIsTwoMNK) {
    const double m = 5, n = 7, k = 11;
    EXPECT_EQ(flopsOf("MatMul", {{{5, 11}}, {{11, 7}}}, {{{5, 7}}}), 2 * m * n * k);
    EXPECT_EQ(flopsOf("MatMul", {{{3, 5, 11}}, {{11, 7}}}, {{{3, 5, 7}}}), 3 * 2 * m * n * k);
    EXPECT_EQ(flopsOf("MatMul", {{{11}}, {{11, 7}}}, {{{7}}}), 2 * n * k);
    EXPECT_EQ(flopsOf("MatMul", {{{3, 11, 5}}, {{3, 7, 11}}}, {{{3, 5, 7}}},
                      {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}),
              3 * 2 * m * n * k);
    EXPECT_EQ(flopsOf("Gemm", {{{5, 11}}, {{11, 7}}}, {{{5, 7}}}), 2 * m * n * k);
    EXPECT_EQ(flopsOf("Gemm", {{{5, 11}}, {{11, 7}}, {{7}}}, {{{5, 7}}}), 2 * m * n * k + m * n);
    EXPECT_EQ(
        flopsOf("Gemm", {{{11, 5}}, {{7, 11}}}, {{{5, 7}}}, {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}),
        2 * m * n * k);
    EXPECT_EQ(flopsOf("Einsum", {{{5, 11}}, {{11, 7}}}, {{{5, 7}}}, {{"equation", "ik, kj -> ij"}}), 2 * m * n * k);
    EXPECT_EQ(flopsOf("Einsum", {{{5, 11}}, {{11, 7}}}, {{{5, 7}}}, {{"equation", "ik,kj"}}), 2 * m * n * k);
    EXPECT_EQ(flopsOf("Einsum", {{{3, 5, 11}}, {{3, 7, 11}}}, {{{3, 5, 7}}}, {{"equation", "...ik,...jk->...ij"}}),
              3 * 2 * m * n * k);
    EXPECT_EQ(flopsOf("QLinearMatMul", {{{5, 11}}, {{}}, {{}}, {{11, 7}}}, {{{5, 7}}}), 2 * m * n * k);
}

TEST(OpRules, AConvolutionIsTwoPerOutputAndWeightOfItsChannel) {
    const double out = 2.0 * 16 * 10 * 12;
    EXPECT_EQ(flopsOf("Conv", {{{2, 8, 12, 14}}, {{16, 8, 3, 3}}}, {{{2, 16, 10, 12}}}), 2 * out * 8 * 9);
    EXPECT_EQ(flopsOf("Conv", {{{2, 8, 12, 14}}, {{16, 8, 3, 3}}, {{16}}}, {{{2, 16, 10, 12}}}), 2 * out * 8 * 9 + out);
    EXPECT_EQ(flopsOf("Conv", {{{2, 8, 12, 14}}, {{16, 2, 3, 3}}}, {{{2, 16, 10, 12}}}, {{"group", std::int64_t{4}}}),
              2 * out * 2 * 9);
    EXPECT_EQ(flopsOf("Conv", {{{1, 4, 100}}, {{6, 4, 5}}}, {{{1, 6, 96}}}), 2.0 * 6 * 96 * 4 * 5);
    EXPECT_EQ(flopsOf("ConvTranspose", {{{1, 4, 10}}, {{4, 6, 5}}}, {{{1, 6, 14}}}), 2.0 * 4 * 10 * 6 * 5);
    EXPECT_EQ(
        flopsOf("QLinearConv", {{{1, 4, 9}}, {{}}, {{}}, {{6, 4, 5}}, {{}}, {{}}, {{}}, {{}}, {{6}}}, {{{1, 6, 5}}}),
        6.0 * 5 * (2 * 4 * 5 + 1));
}

TEST(OpRules, TheGradientsOfAConvolutionCostAsMuchAsItEach) {
    const double forward = flopsOf("Conv", {{{2, 8, 12, 14}}, {{16, 2, 3, 3}}}, {{{2, 16, 10, 12}}});
    EXPECT_EQ(flopsOf("ConvGradInput", {{{16, 2, 3, 3}}, {{2, 16, 10, 12}}}, {{{2, 8, 12, 14}}}), forward);
    EXPECT_EQ(flopsOf("ConvGradFilter", {{{2, 8, 12, 14}}, {{2, 16, 10, 12}}}, {{{16, 2, 3, 3}}}), forward);
}

TEST(OpRules, TrainingAddsStatisticsAndRandomNumbers) {
    const std::vector<Attribute> training{{"training_mode", std::int64_t{1}}};
    EXPECT_EQ(flopsOf("BatchNormalization", {{{2, 3, 4}}}, {{{2, 3, 4}}}), 2 * 24);
    EXPECT_EQ(flopsOf("BatchNormalization", {{{2, 3, 4}}}, {{{2, 3, 4}}}, training), 7 * 24);
    const OpCost dropped = costOf("Dropout", {{{10}}}, {{{10}}, {{10}, DType::Bool}}, training);
    EXPECT_EQ(dropped.flops, 30);
    EXPECT_EQ(dropped.bytesMoved, 40 + 40 + 10);
    EXPECT_EQ(costOf("Dropout", {{{10}}}, {{{10}}}).bytesMoved, 0);
}

TEST(OpRules, ARecurrentLayerIsItsProductsAndItsGates) {
    const double t = 3, b = 2, input = 5, hidden = 7;
    for (const auto& [type, gates] : {std::pair{"LSTM", 4}, std::pair{"GRU", 3}, std::pair{"RNN", 1}}) {
        const double wide = gates * hidden;
        EXPECT_EQ(flopsOf(type, {{{3, 2, 5}}, {{1, gates * 7, 5}}, {{1, gates * 7, 7}}}, {{{3, 1, 2, 7}}}),
                  t * b * (2 * wide * input + 2 * wide * hidden + 8 * wide))
            << type;
    }
}

TEST(OpRules, AttentionIsItsTwoProductsAndASoftmax) {
    const double b = 2, h = 3, l = 4, s = 5, e = 6, f = 7;
    const double expected = b * h * l * s * (2 * e + 5 + 2 * f);
    EXPECT_EQ(flopsOf("Attention", {{{2, 3, 4, 6}}, {{2, 3, 5, 6}}, {{2, 3, 5, 7}}}, {{{2, 3, 4, 7}}}), expected);
    EXPECT_EQ(flopsOf("Attention", {{{2, 4, 18}}, {{2, 5, 18}}, {{2, 5, 21}}}, {{{2, 4, 21}}},
                      {{"q_num_heads", std::int64_t{3}}}),
              expected);
}

TEST(OpRules, PoolingAndLocalResponseDependOnTheirWindow) {
    EXPECT_EQ(flopsOf("MaxPool", {{{1, 4, 8, 8}}}, {{{1, 4, 4, 4}}}, {{"kernel_shape", Ints{3, 2}}}), 64 * 6);
    EXPECT_EQ(flopsOf("AveragePool", {{{1, 4, 8, 8}}}, {{{1, 4, 4, 4}}}, {{"kernel_shape", Ints{2, 2}}}), 64 * 4);
    EXPECT_EQ(flopsOf("MaxPoolGrad", {{{1, 4, 8, 8}}, {{1, 4, 4, 4}}, {{1, 4, 4, 4}}}, {{{1, 4, 8, 8}}},
                      {{"kernel_shape", Ints{3, 2}}}),
              64 * 6);
    EXPECT_EQ(flopsOf("AveragePoolGrad", {{{1, 4, 4, 4}}}, {{{1, 4, 8, 8}}}, {{"kernel_shape", Ints{2, 2}}}), 64 * 4);
    EXPECT_EQ(flopsOf("LRNGrad", {{{1, 4, 8, 8}}}, {{{1, 4, 8, 8}}}, {{"size", std::int64_t{5}}}), 256 * 18);
    EXPECT_EQ(flopsOf("LRN", {{{1, 4, 8, 8}}}, {{{1, 4, 8, 8}}}, {{"size", std::int64_t{5}}}), 256 * 9);
}

TEST(OpRules, AnElementwiseOpCountsItsBroadcastResult) {
    EXPECT_EQ(flopsOf("Add", {{{4, 1, 3}}, {{5, 1}}}, {{{4, 5, 3}}}), 60);
    EXPECT_EQ(flopsOf("Sum", {{{6}}, {{6}}, {{6}}}, {{{6}}}), 12);
    EXPECT_EQ(flopsOf("AddN", {{{6}}, {{6}}, {{6}}}, {{{6}}}), 12);
    EXPECT_EQ(flopsOf("Max", {{{6}}}, {{{6}}}), 0);
    EXPECT_EQ(flopsOf("Resize", {{{6}}}, {{{12}}}, {{"mode", "nearest"}}), 0);
    EXPECT_EQ(flopsOf("Resize", {{{6}}}, {{{12}}}, {{"mode", "linear"}}), 96);
}

TEST(OpRules, TrafficIsEachTensorOnce) {
    EXPECT_EQ(bytesOf("Conv", {{{1, 2, 4}}, {{3, 2, 1}}, {{3}}}, {{{1, 3, 4}}}), 4 * (8 + 6 + 3 + 12));
    EXPECT_EQ(bytesOf("Clip", {{{10}, DType::F16}, kOmitted, {{}, DType::F16}}, {{{10}, DType::F16}}),
              2 * (10 + 1 + 10));

    GraphBuilder builder("square"); // x * x reads x once
    const OpId id = builder.addOp({"op", "Mul", Phase::Forward, "", "", -1, -1, 0, {}, {}});
    const TensorId x = builder.addResident({"x", TensorKind::Input, DType::F32, true, {100}, -1});
    builder.addInput(id, x);
    builder.addInput(id, x);
    builder.addOutput(id, {"y", TensorKind::Activation, DType::F32, true, {100}, -1});
    Diagnostics diagnostics;
    EXPECT_EQ(opCost(*std::move(builder).build(diagnostics), id).bytesMoved, 800);
}

TEST(OpRules, AViewMovesNothingAndASelectionReadsWhatItWrites) {
    for (const char* view : {"Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout", "ReadVariable"})
        EXPECT_EQ(bytesOf(view, {{{1000}}, {{2}, DType::I64}}, {{{10, 100}}}), 0) << view;
    EXPECT_EQ(bytesOf("Gather", {{{50000, 64}}, {{10}, DType::I64}}, {{{10, 64}}}), 2 * 10 * 64 * 4 + 10 * 8);
    EXPECT_EQ(bytesOf("Slice", {{{50000}}}, {{{10}}}), 2 * 40);
    EXPECT_EQ(bytesOf("Shape", {{{50000, 64}}}, {{{2}, DType::I64}}), 16);
    EXPECT_EQ(bytesOf("Transpose", {{{30, 20}}}, {{{20, 30}}}), 2 * 2400);
}

TEST(OpRules, AnUpdateIsCountedPerWeightAndWritesInPlace) {
    EXPECT_EQ(flopsOf("SGD", {{{100}}, {{100}}, {{}}}, {}), 200);
    EXPECT_EQ(bytesOf("SGD", {{{100}}, {{100}}}, {}), 3 * 400);
    EXPECT_EQ(bytesOf("SGD", {{{100}}, {{100}}}, {{{100}}}), 3 * 400);
    EXPECT_EQ(flopsOf("Adam", {{{100}}, {{100}}, {{100}}, {{100}}}, {}), 1200);
    EXPECT_EQ(bytesOf("Adam", {{{100}}, {{100}}, {{100}}, {{100}}}, {}), 7 * 400);
    EXPECT_EQ(flopsOf("MovingAverage", {{{100}}, {{100}}}, {}), 300);
    EXPECT_EQ(bytesOf("MovingAverage", {{{100}}, {{100}}}, {}), 3 * 400);
    EXPECT_EQ(flopsOf("GatherGrad", {{{10, 64}}, {{10}, DType::I64}}, {{{50000, 64}}}), 640);
}

TEST(OpRules, TypesOfTensorflowAndXlaHaveTheWorkOfTheRuleTheyStandFor) {
    for (const auto& [type, rule] :
         {std::pair{"AddV2", "Add"}, std::pair{"add", "Add"}, std::pair{"StridedSlice", "Slice"},
          std::pair{"ResourceApplyAdam", "Adam"}, std::pair{"exponential", "Exp"}, std::pair{"bitcast", "Identity"},
          std::pair{"all-reduce-start", "all-reduce"}, std::pair{"Relu", "Relu"}, std::pair{"NoSuchOp", "NoSuchOp"}})
        EXPECT_EQ(ruleTypeOf(type), rule);
    EXPECT_EQ(flopsOf("rsqrt", {{{5, 7}}}, {{{5, 7}}}), 35);
    EXPECT_EQ(bytesOf("ExpandDims", {{{5, 7}}}, {{{5, 7, 1}}}), 0) << "a view";
    EXPECT_TRUE(costOf("NoOp", {}, {}).known);
    EXPECT_FALSE(costOf("NoOp", {}, {}).launches) << "nothing runs, and nothing is handed on";
    EXPECT_TRUE(costOf("Sub", {}, {}).launches);
    EXPECT_EQ(flopsOf("Sum", {{{4, 5}}, {{2}, DType::I32}}, {{{}}}, {{"Tidx", "i32"}}), 20) << "TensorFlow's";
    EXPECT_EQ(flopsOf("Sum", {{{4, 5}}, {{4, 5}}, {{4, 5}}}, {{{4, 5}}}), 40) << "ONNX's";
    EXPECT_EQ(flopsOf("BatchMatMulV2", {{{9, 7, 5}}, {{9, 7, 3}}}, {{{9, 5, 3}}}, {{"adj_x", std::int64_t{1}}}),
              2 * 9 * 5 * 3 * 7);
}

TEST(OpRules, WeightsLieAsEachFormatHasThem) {
    const Ints stride{1, 2, 2, 1};
    EXPECT_EQ(flopsOf("Conv2D", {{{2, 9, 9, 3}}, {{3, 3, 3, 16}}}, {{{2, 4, 4, 16}}}), 2.0 * (2 * 4 * 4 * 16) * 27);
    EXPECT_EQ(flopsOf("Conv2DBackpropInput", {{{4}, DType::I32}, {{3, 3, 3, 16}}, {{2, 4, 4, 16}}}, {{{2, 9, 9, 3}}}),
              2.0 * (2 * 4 * 4 * 16) * 27);
    EXPECT_EQ(flopsOf("Conv2DBackpropFilter", {{{2, 9, 9, 3}}, {{4}, DType::I32}, {{2, 4, 4, 16}}}, {{{3, 3, 3, 16}}}),
              2.0 * (2 * 4 * 4 * 16) * 27);
    EXPECT_EQ(flopsOf("DepthwiseConv2dNative", {{{2, 9, 9, 8}}, {{3, 3, 8, 2}}}, {{{2, 4, 4, 16}}}),
              2.0 * (2 * 4 * 4 * 16) * 9);
    EXPECT_EQ(costOf("Conv2D", {{{2, 9, 9, 3}}, {{1, 1, 3, 16}}}, {{{2, 9, 9, 16}}}).workspaceBytes, 0);
    EXPECT_EQ(
        costOf("Conv2D", {{{2, 9, 9, 3}}, {{1, 1, 3, 16}}}, {{{2, 4, 4, 16}}}, {{"strides", stride}}).workspaceBytes,
        4 * 3 * 4 * 4);
    EXPECT_EQ(flopsOf("MaxPool", {{{2, 9, 9, 3}}}, {{{2, 4, 4, 3}}}, {{"ksize", Ints{1, 3, 3, 1}}}), 2 * 4 * 4 * 3 * 9);
    EXPECT_EQ(flopsOf("convolution", {{{2, 3, 9, 9}}, {{16, 3, 3, 3}}}, {{{2, 16, 4, 4}}},
                      {{"dim_labels", "bf01_oi01->bf01"}}),
              2.0 * (2 * 4 * 4 * 16) * 27);
    EXPECT_EQ(flopsOf("dot", {{{9, 7, 5}}, {{9, 7, 3}}}, {{{9, 5, 3}}}, {{"lhs_contracting_dims", Ints{1}}}),
              2 * 9 * 5 * 3 * 7);
    EXPECT_EQ(flopsOf("reduce-window", {{{8, 8}}, {{}}}, {{{4, 4}}}, {{"window", "{size=2x3 stride=2x2}"}}), 16 * 6);
    EXPECT_EQ(bytesOf("dynamic-update-slice", {{{1000, 64}}, {{1, 64}}, {{}, DType::I32}}, {{{1000, 64}}}), 2 * 64 * 4);
}

TEST(OpRules, GivenFiguresTakePrecedence) {
    GraphBuilder builder("given");
    const OpId relu = builder.addOp({"relu", "Relu", Phase::Forward, "", "", 123, 456, 0, {}, {}});
    const OpId unknown = builder.addOp({"unknown", "Frobnicate", Phase::Forward, "", "", 789, -1, 0, {}, {}});
    const OpId bare = builder.addOp({"bare", "Frobnicate", Phase::Forward, "", "", -1, -1, 0, {}, {}});
    for (const OpId id : {relu, unknown, bare})
        builder.addOutput(id, {"y", TensorKind::Activation, DType::F32, true, {100}, -1});
    Diagnostics diagnostics;
    const Graph graph = *std::move(builder).build(diagnostics);
    EXPECT_EQ(opCost(graph, relu).flops, 123);
    EXPECT_EQ(opCost(graph, relu).bytesMoved, 456);
    EXPECT_EQ(opCost(graph, unknown).flops, 789);
    EXPECT_EQ(opCost(graph, unknown).bytesMoved, 400);
    EXPECT_TRUE(opCost(graph, unknown).known);
    EXPECT_FALSE(opCost(graph, bare).known);
    EXPECT_EQ(opCost(graph, bare).flops, 0);
    EXPECT_EQ(opCost(graph, bare).bytesMoved, 400);
}

TEST(OpRules, ThePeakIsThatOfTheFirstFloatingInput) {
    EXPECT_EQ(costOf("MatMul", {{{2, 2}, DType::F16}, {{2, 2}, DType::F32}}, {{{2, 2}}}).computeType, DType::F16);
    EXPECT_EQ(costOf("Gather", {{{2}, DType::I64}, {{2}, DType::BF16}}, {{{2}}}).computeType, DType::BF16);
    EXPECT_EQ(costOf("Add", {{{2}, DType::I32}}, {{{2}, DType::I32}}).computeType, DType::F32);
    EXPECT_EQ(costOf("Add", {}, {}).computeType, DType::F32);
    EXPECT_EQ(costOf("MatMulInteger", {{{2, 2}, DType::U8}, {{2, 2}, DType::I8}}, {{{2, 2}}}).computeType, DType::I8);
}

} // namespace
} // namespace opscape
