// SPDX-License-Identifier: MIT
// Ops of TensorFlow and XLA whose operands lie otherwise than in ONNX, so that none of its rules fits: convolutions
// (TensorFlow's weights are kernel x Ci/g x Co, XLA says where each dimension is), products over any dimensions, and
// what XLA sends between devices: only what is read and written on the device is counted, the way between devices
// belongs to the cluster.
#include <opscape/cost/op_rules.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace opscape {
namespace {

double last(const Shape& shape) {
    return shape.empty() ? 0 : static_cast<double>(std::max<std::int64_t>(shape.back(), 0));
}
double ratio(double a, double b) { return b > 0 ? a / b : 0; }

/// One multiply-add per value of the result and weight of its channel. Weights are kernel x Ci/g x Co.
double convolution(double results, const Shape& weights) {
    return 2 * results * ratio(elementsFrom(weights, 0), last(weights));
}
double conv2d(const OpView& op) { return convolution(op.outputElements(), op.inputShape(1)); }
double conv2dGradInput(const OpView& op) { return convolution(op.inputElements(2), op.inputShape(1)); }
double conv2dGradFilter(const OpView& op) { return convolution(op.inputElements(2), op.outputShape()); }

/// Weights are Kh x Kw x Ci x multiplier: each channel has a kernel of its own.
double depthwise(double results, const Shape& weights) {
    return weights.size() == 4 ? 2 * results * elementsFrom({weights[0], weights[1]}, 0) : 0;
}
double depthwiseConv(const OpView& op) { return depthwise(op.outputElements(), op.inputShape(1)); }
double depthwiseGradInput(const OpView& op) { return depthwise(op.inputElements(2), op.inputShape(1)); }
double depthwiseGradFilter(const OpView& op) { return depthwise(op.inputElements(2), op.outputShape()); }

/// As for Conv: one image, lowered to a column per position of the result (see op_rules_matrix.cpp).
double lowered(const OpView& op) {
    const Shape& weights = op.inputShape(1);
    const Shape& result = op.outputShape();
    if (weights.size() < 3 || result.empty() || op.outputElements() <= 0)
        return 0;
    const double column = ratio(elementsFrom(weights, 0), last(weights));
    if (column == static_cast<double>(weights[weights.size() - 2]) && op.product("strides") == 1)
        return 0;
    const double positions = ratio(op.outputElements(), static_cast<double>(result[0]) * last(weights));
    return column * positions * op.outputBytes() / op.outputElements();
}

double at(const Shape& shape, std::int64_t dim) {
    const bool exists = dim >= 0 && dim < static_cast<std::int64_t>(shape.size());
    return exists ? static_cast<double>(std::max<std::int64_t>(shape[static_cast<std::size_t>(dim)], 0)) : 0;
}

/// The dimensions that are summed over, of the first operand.
double dot(const OpView& op) {
    double summed = 1;
    for (const std::int64_t dim : op.integers("lhs_contracting_dims"))
        summed *= at(op.inputShape(0), dim);
    return 2 * op.outputElements() * summed;
}

/// dim_labels=b01f_01io->b01f: in the weights, the second part, o is the dimension of the result's channels.
double xlaConvolution(const OpView& op) {
    std::string_view labels = op.text("dim_labels", "");
    labels.remove_prefix(std::min(labels.find('_'), labels.size()));
    labels = labels.substr(0, labels.find("->"));
    const std::size_t o = labels.find('o');
    if (o == std::string_view::npos || o == 0)
        return 0;
    const Shape& weights = op.inputShape(1);
    return 2 * op.outputElements() * ratio(elementsFrom(weights, 0), at(weights, static_cast<std::int64_t>(o) - 1));
}

/// window={size=2x3 stride=...}
double reduceWindow(const OpView& op) {
    std::string_view window = op.text("window", "");
    constexpr std::string_view kSize = "size=";
    const std::size_t begin = window.find(kSize);
    if (begin == std::string_view::npos)
        return op.outputElements();
    window.remove_prefix(begin + kSize.size());
    double values = 1;
    for (;;) {
        std::int64_t size = 1;
        const auto [end, ec] = std::from_chars(window.data(), window.data() + window.size(), size);
        values *= ec == std::errc() ? static_cast<double>(std::max<std::int64_t>(size, 0)) : 1;
        window.remove_prefix(static_cast<std::size_t>(end - window.data()));
        if (!window.starts_with('x'))
            return values * op.outputElements();
        window.remove_prefix(1);
    }
}

/// The part that is replaced, read and written; the rest stays where it is.
double updated(const OpView& op) { return 2 * op.inputBytes(1); }

constexpr std::string_view kConv = "2 * |out| * Ci/g * kernel", kConvGrad = "2 * |dout| * Ci/g * kernel",
                           kSend = "0; everything read and written", kReduce = "|in|";

constexpr std::array kRules{
    RuleRow{"Conv2D", kConv, conv2d, everything, DType::Unknown, OpClass::Convolution, lowered},
    RuleRow{"Conv2DBackpropFilter", kConvGrad, conv2dGradFilter, everything, DType::Unknown, OpClass::Convolution},
    RuleRow{"Conv2DBackpropInput", kConvGrad, conv2dGradInput, everything, DType::Unknown, OpClass::Convolution},
    RuleRow{"Conv3D", kConv, conv2d, everything, DType::Unknown, OpClass::Convolution, lowered},
    RuleRow{"Conv3DBackpropFilterV2", kConvGrad, conv2dGradFilter, everything, DType::Unknown, OpClass::Convolution},
    RuleRow{"Conv3DBackpropInputV2", kConvGrad, conv2dGradInput, everything, DType::Unknown, OpClass::Convolution},
    RuleRow{"DepthwiseConv2dNative", "2 * |out| * kernel", depthwiseConv, everything, DType::Unknown,
            OpClass::GroupedConvolution},
    RuleRow{"DepthwiseConv2dNativeBackpropFilter", "2 * |dout| * kernel", depthwiseGradFilter, everything,
            DType::Unknown, OpClass::GroupedConvolution},
    RuleRow{"DepthwiseConv2dNativeBackpropInput", "2 * |dout| * kernel", depthwiseGradInput, everything, DType::Unknown,
            OpClass::GroupedConvolution},
    RuleRow{"all-gather", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"all-reduce", kReduce, perInput<1>, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"all-to-all", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"collective-broadcast", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"collective-permute", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"convolution", kConv, xlaConvolution, everything, DType::Unknown, OpClass::Convolution},
    RuleRow{"dot", "2 * |out| * product of the summed dimensions", dot},
    RuleRow{"dynamic-update-slice", "0; what is replaced, read and written", noFlops, updated, DType::Unknown,
            OpClass::Movement},
    RuleRow{"infeed", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"outfeed", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"recv", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"reduce-scatter", kReduce, perInput<1>, everything, DType::Unknown, OpClass::Movement},
    RuleRow{"reduce-window", "|out| * window", reduceWindow, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"send", kSend, noFlops, everything, DType::Unknown, OpClass::Movement},
};

} // namespace

std::span<const RuleRow> compilerRules() { return kRules; }

} // namespace opscape
