// SPDX-License-Identifier: MIT
#include <opscape/cost/op_aliases.h>
#include <opscape/fusion/fusion_kind.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace opscape {
namespace {

struct Kinds {
    FusionKind kind;
    std::string_view types; ///< in the order of the alphabet, a blank between
};

const std::unordered_map<std::string_view, FusionKind>& table() {
    static const std::unordered_map<std::string_view, FusionKind> kTable = [] {
        const std::array kinds{
            Kinds{FusionKind::View, "Constant Flatten Identity Reshape Squeeze StopGradient Unsqueeze"},
            Kinds{FusionKind::Elementwise,
                  "Abs Acos Acosh Add AddN And Asin Asinh Atan Atanh BatchNormalization BitShift BitwiseAnd "
                  "BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu Clip Cos Cosh DequantizeLinear Div "
                  "DropoutGrad Elu Equal Erf Exp Floor Gelu GeluGrad Greater GreaterOrEqual HardSigmoid HardSwish "
                  "IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow "
                  "QuantizeLinear Reciprocal Relu ReluGrad Round Selu Shrink Sigmoid SigmoidGrad Sign Silu Sin Sinh "
                  "Softplus Softsign Sqrt Sub Sum Swish Tan Tanh TanhGrad ThresholdedRelu Where Xor"},
            Kinds{FusionKind::Broadcast,
                  "ConstantOfShape Expand GlobalAveragePoolGrad OneHot SoftmaxCrossEntropyGrad Tile"},
            Kinds{FusionKind::Movement,
                  "CenterCropPad Concat DepthToSpace EyeLike Gather GatherElements GatherND GridSample Pad Range "
                  "Resize ReverseSequence RotaryEmbedding Shape Size Slice SpaceToDepth Split Transpose Trilu "
                  "Upsample"},
            Kinds{FusionKind::Reduce,
                  "ArgMax ArgMin AveragePool AveragePoolGrad BatchNormalizationGrad DynamicQuantizeLinear "
                  "GlobalAveragePool GlobalLpPool GlobalMaxPool GroupNormalization Hardmax InstanceNormalization "
                  "LRN LRNGrad LayerNormalization LayerNormalizationGrad LogSoftmax LpNormalization LpPool MaxPool "
                  "MaxPoolGrad MeanVarianceNormalization NegativeLogLikelihoodLoss RMSNormalization ReduceL1 "
                  "ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
                  "ReduceSumSquare Softmax SoftmaxCrossEntropyLoss SoftmaxGrad reduce-window"},
            Kinds{FusionKind::Contraction,
                  "Conv Conv2D Conv2DBackpropFilter Conv2DBackpropInput Conv3D Conv3DBackpropFilterV2 "
                  "Conv3DBackpropInputV2 ConvGradFilter ConvGradInput ConvInteger ConvTranspose "
                  "DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput "
                  "Einsum Gemm MatMul MatMulInteger QLinearConv QLinearMatMul convolution dot"},
            // Whole networks, updates, randomness, sizes known only afterwards, scans and sorts, scattered writes, and
            // what goes to other devices.
            Kinds{
                FusionKind::Opaque,
                "Adagrad Adam Attention Bernoulli Compress CumSum DeformConv Dropout GRU GatherGrad LSTM Momentum "
                "MovingAverage NonZero RNN RandomNormal RandomNormalLike RandomUniform RandomUniformLike "
                "ReadVariable SGD Scatter ScatterElements ScatterND TopK all-gather all-reduce all-to-all "
                "collective-broadcast collective-permute dynamic-update-slice infeed outfeed recv reduce-scatter send"},
        };
        std::unordered_map<std::string_view, FusionKind> made;
        for (const Kinds& row : kinds) {
            for (std::size_t begin = 0, end = 0; end < row.types.size(); begin = end + 1) {
                end = std::min(row.types.find(' ', begin), row.types.size());
                made.emplace(row.types.substr(begin, end - begin), row.kind);
            }
        }
        return made;
    }();
    return kTable;
}

/// Some activation that the op reads has fewer elements than its result.
bool widens(const Graph& graph, OpId op) {
    const auto elements = [&graph](TensorId id) -> std::optional<std::int64_t> {
        const Tensor& tensor = graph.tensor(id);
        return tensor.shapeKnown ? elementCount(tensor.shape) : std::nullopt;
    };
    const auto out = elements(graph.outputs(op)[0]);
    return out && std::ranges::any_of(graph.dataInputs(op), [&](TensorId id) {
               const auto in = elements(id);
               return in && *in < *out;
           });
}

/// Elementwise, broadcast or movement: a loop over the values out.
bool isLoop(FusionKind kind) { return kind >= FusionKind::Elementwise && kind <= FusionKind::Movement; }

} // namespace

std::string_view toString(FusionKind kind) {
    constexpr std::array<std::string_view, 7> kNames{"view",   "elementwise", "broadcast", "movement",
                                                     "reduce", "contraction", "opaque"};
    return kNames[static_cast<std::size_t>(kind)];
}

bool hasFusionKind(std::string_view type) { return table().contains(ruleTypeOf(type)); }

FusionKind fusionKind(std::string_view type) {
    const auto found = table().find(ruleTypeOf(type));
    return found == table().end() ? FusionKind::Opaque : found->second;
}

FusionKind fusionKind(const Graph& graph, OpId op) {
    const FusionKind kind = fusionKind(ruleTypeOf(graph.op(op)));
    const std::size_t outputs = graph.outputs(op).size();
    if (graph.op(op).phase == Phase::Update || outputs == 0)
        return FusionKind::Opaque;
    if (kind == FusionKind::View && graph.dataInputs(op).empty())
        return FusionKind::Opaque;
    if (kind != FusionKind::Elementwise)
        return kind;
    if (outputs > 1) // statistics beside the values, as a normalisation has in training
        return FusionKind::Reduce;
    return widens(graph, op) ? FusionKind::Broadcast : kind;
}

std::optional<FusionKind> joined(FusionKind producer, FusionKind consumer) {
    if (producer == FusionKind::Opaque || consumer == FusionKind::Opaque)
        return std::nullopt;
    if (consumer == FusionKind::View)
        return producer;
    if (consumer == FusionKind::Contraction)
        return std::nullopt;
    if (producer == FusionKind::View)
        return consumer;
    if (producer == FusionKind::Reduce)
        return consumer == FusionKind::Elementwise ? std::optional(producer) : std::nullopt;
    if (producer == FusionKind::Contraction) {
        const bool isEpilogue = consumer == FusionKind::Elementwise || consumer == FusionKind::Broadcast;
        return isEpilogue ? std::optional(producer) : std::nullopt;
    }
    return isLoop(consumer) ? std::max(producer, consumer) : consumer;
}

} // namespace opscape
