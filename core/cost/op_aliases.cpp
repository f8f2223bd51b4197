// SPDX-License-Identifier: MIT
#include <opscape/cost/op_aliases.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace opscape {
namespace {

struct Aliases {
    std::string_view rule;
    std::string_view types; ///< a blank between
};

constexpr std::array kTensorflow{
    Aliases{"Adagrad", "ApplyAdagrad ApplyAdagradV2 ResourceApplyAdagrad ResourceApplyAdagradV2"},
    Aliases{"Adam", "ApplyAdam ResourceApplyAdam"},
    Aliases{"Add", "AddV2 AssignAdd AssignAddVariableOp BiasAdd BiasAddV1"},
    Aliases{"And", "LogicalAnd"},
    Aliases{"Atan", "Atan2"},
    Aliases{"AveragePool", "AvgPool AvgPool3D"},
    Aliases{"AveragePoolGrad", "AvgPoolGrad AvgPool3DGrad"},
    Aliases{"BatchNormalization", "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3"},
    Aliases{"BatchNormalizationGrad", "FusedBatchNormGrad FusedBatchNormGradV2 FusedBatchNormGradV3"},
    Aliases{"Cast", "Assign AssignVariableOp DeepCopy Snapshot"},
    Aliases{"Clip", "ClipByValue Relu6"},
    Aliases{"Concat", "ConcatV2 Pack ParallelConcat"},
    Aliases{"Constant", "Assert ControlTrigger NoOp"},
    Aliases{"ConstantOfShape", "Empty Fill OnesLike ZerosLike"},
    Aliases{"CumSum", "Cumprod Cumsum"},
    Aliases{"Div", "DivNoNan FloorDiv RealDiv TruncateDiv Xdivy"},
    Aliases{"Equal", "NotEqual"},
    Aliases{"Exp", "Expm1"},
    Aliases{"Expand", "BroadcastTo"},
    Aliases{"Gather", "GatherV2 ResourceGather"},
    Aliases{"GatherND", "GatherNd"},
    Aliases{"GreaterOrEqual", "GreaterEqual"},
    Aliases{"Identity", "Bitcast CheckNumerics Enter Exit IdentityN LoopCond Merge NextIteration "
                        "PlaceholderWithDefault RefEnter RefExit RefIdentity RefMerge RefNextIteration RefSwitch "
                        "Switch _Retval"},
    Aliases{"IsInf", "IsFinite"},
    Aliases{"IsNaN", "IsNan"},
    Aliases{"LessOrEqual", "LessEqual"},
    Aliases{"Log", "Log1p"},
    Aliases{"MatMul", "BatchMatMul BatchMatMulV2 BatchMatMulV3"},
    Aliases{"Max", "Maximum"},
    Aliases{"MaxPool", "MaxPool3D MaxPoolV2"},
    Aliases{"MaxPoolGrad", "MaxPool3DGrad MaxPoolGradV2"},
    Aliases{"Min", "Minimum"},
    Aliases{"Mod", "FloorMod TruncateMod"},
    Aliases{"Momentum", "ApplyMomentum ResourceApplyKerasMomentum ResourceApplyMomentum"},
    Aliases{"Mul", "MulNoNan Square"},
    Aliases{"Not", "LogicalNot"},
    Aliases{"Or", "LogicalOr"},
    Aliases{"Pad", "MirrorPad PadV2"},
    Aliases{"RandomNormal", "RandomStandardNormal RandomUniformInt StatelessRandomNormal StatelessRandomUniform "
                            "TruncatedNormal"},
    Aliases{"ReadVariable", "ReadVariableOp"},
    Aliases{"Reciprocal", "Inv"},
    Aliases{"ReduceMax", "All Any"},
    Aliases{"ReduceProd", "Prod"},
    Aliases{"ReduceSum", "BiasAddGrad SegmentSum UnsortedSegmentSum"},
    Aliases{"ReduceSumSquare", "L2Loss"},
    Aliases{"ReluGrad", "LeakyReluGrad Relu6Grad"},
    Aliases{"Round", "Rint"},
    Aliases{"SGD", "ApplyGradientDescent ResourceApplyGradientDescent"},
    Aliases{"ScatterND", "ScatterNd TensorScatterUpdate"},
    Aliases{"SigmoidGrad", "EluGrad InvGrad ReciprocalGrad RsqrtGrad SqrtGrad"},
    Aliases{"Size", "Rank"},
    Aliases{"Slice", "StridedSlice"},
    Aliases{"SoftmaxCrossEntropyLoss", "SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits"},
    Aliases{"Split", "SplitV Unpack"},
    Aliases{"Sqrt", "Rsqrt"},
    Aliases{"StopGradient", "PreventGradient"},
    Aliases{"Sub", "AssignSub AssignSubVariableOp SquaredDifference"},
    Aliases{"TopK", "TopKV2"},
    Aliases{"Transpose", "Reverse ReverseV2"},
    Aliases{"Unsqueeze", "ExpandDims"},
    Aliases{"Where", "Select SelectV2"},
};

/// The halves of what runs beside other work: the start does it, and nothing is left to do at the end.
constexpr std::array kXla{
    Aliases{"Abs", "abs count-leading-zeros map population-count"},
    Aliases{"Add", "add"},
    Aliases{"And", "and"},
    Aliases{"Atan", "atan2"},
    Aliases{"BatchNormalization", "batch-norm-inference"},
    Aliases{"BatchNormalizationGrad", "batch-norm-grad"},
    Aliases{"BitShift", "shift-left shift-right-arithmetic shift-right-logical"},
    Aliases{"Cast", "complex convert copy copy-start imag real reduce-precision stochastic-convert"},
    Aliases{"Ceil", "ceil"},
    Aliases{"Clip", "clamp"},
    Aliases{"Concat", "concatenate"},
    Aliases{"Constant", "constant parameter"},
    Aliases{"Cos", "cosine"},
    Aliases{"Div", "divide"},
    Aliases{"Equal", "compare"},
    Aliases{"Erf", "erf"},
    Aliases{"Exp", "exponential exponential-minus-one"},
    Aliases{"Expand", "broadcast dynamic-reshape"},
    Aliases{"Floor", "floor"},
    Aliases{"Gather", "gather"},
    Aliases{"GroupNormalization", "batch-norm-training"},
    Aliases{"Identity", "add-dependency after-all all-gather-done all-reduce-done async-done async-update bitcast "
                        "bitcast-convert collective-permute-done copy-done domain get-tuple-element "
                        "optimization-barrier recv-done send-done set-dimension-size tuple"},
    Aliases{"IsInf", "is-finite"},
    Aliases{"Log", "log log-plus-one"},
    Aliases{"Max", "maximum"},
    Aliases{"Min", "minimum"},
    Aliases{"Mod", "remainder"},
    Aliases{"Mul", "multiply"},
    Aliases{"Neg", "negate"},
    Aliases{"Not", "not"},
    Aliases{"Or", "or"},
    Aliases{"Pad", "pad"},
    Aliases{"Pow", "power"},
    Aliases{"RandomUniform", "rng rng-bit-generator rng-get-and-update-state"},
    Aliases{"Range", "iota"},
    Aliases{"ReduceSum", "reduce"},
    Aliases{"Reshape", "reshape"},
    Aliases{"Round", "round-nearest-afz round-nearest-even"},
    Aliases{"Scatter", "scatter select-and-scatter"},
    Aliases{"Shape", "get-dimension-size partition-id replica-id"},
    Aliases{"Sigmoid", "logistic"},
    Aliases{"Sign", "sign"},
    Aliases{"Sin", "sine"},
    Aliases{"Slice", "dynamic-slice slice"},
    Aliases{"Sqrt", "cbrt rsqrt sqrt"},
    Aliases{"Sub", "subtract"},
    Aliases{"Tan", "tan"},
    Aliases{"Tanh", "tanh"},
    Aliases{"TopK", "sort topk"},
    Aliases{"Transpose", "reverse transpose"},
    Aliases{"Where", "select"},
    Aliases{"Xor", "xor"},
    Aliases{"all-gather", "all-gather-start"},
    Aliases{"all-reduce", "all-reduce-start"},
    Aliases{"collective-permute", "collective-permute-start"},
    Aliases{"dot", "ragged-dot"},
};

const std::unordered_map<std::string_view, std::string_view>& table() {
    static const std::unordered_map<std::string_view, std::string_view> kTable = [] {
        std::unordered_map<std::string_view, std::string_view> made;
        const auto add = [&made](const Aliases& row) {
            for (std::size_t begin = 0, end = 0; begin < row.types.size(); begin = end + 1) {
                end = std::min(row.types.find(' ', begin), row.types.size());
                made.emplace(row.types.substr(begin, end - begin), row.rule);
            }
        };
        std::ranges::for_each(kTensorflow, add);
        std::ranges::for_each(kXla, add);
        return made;
    }();
    return kTable;
}

} // namespace

std::string_view ruleTypeOf(std::string_view type) {
    const auto found = table().find(type);
    return found == table().end() ? type : found->second;
}

std::string_view ruleTypeOf(const Op& op) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kReductions{
        {{"Max", "ReduceMax"}, {"Mean", "ReduceMean"}, {"Min", "ReduceMin"}, {"Sum", "ReduceSum"}}};
    const auto reduction =
        std::ranges::find(kReductions, op.type.str(), &std::pair<std::string_view, std::string_view>::first);
    if (reduction == kReductions.end())
        return ruleTypeOf(op.type);
    const bool isTensorflow = std::ranges::any_of(
        op.attributes, [](const Attribute& a) { return a.name == "T" || a.name == "Tidx" || a.name == "keep_dims"; });
    return isTensorflow ? reduction->second : reduction->first;
}

} // namespace opscape
