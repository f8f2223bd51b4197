// SPDX-License-Identifier: MIT
// Matrix products, convolutions, recurrent cells and attention: what most of a network's work is. A product of an m x k
// and a k x n matrix is 2 m n k operations.
#include <opscape/cost/op_rules.h>

#include <algorithm>
#include <array>
#include <map>

namespace opscape {
namespace {

template <std::size_t A, std::size_t B>
double matMul(const OpView& op) {
    const Shape& a = op.inputShape(A);
    const bool isTransposed =
        op.integer("transA", 0) != 0 || op.integer("transpose_a", 0) != 0 || op.integer("adj_x", 0) != 0;
    const std::size_t fromEnd = isTransposed ? 2 : 1; // where the dimension is that is summed over
    if (a.size() < fromEnd || !op.hasInput(B))
        return 0;
    return 2 * op.outputElements() * static_cast<double>(std::max<std::int64_t>(a[a.size() - fromEnd], 0));
}

double gemm(const OpView& op) {
    const Shape& a = op.inputShape(0);
    if (a.size() != 2)
        return 0;
    const auto k = static_cast<double>(std::max<std::int64_t>(a[op.integer("transA", 0) != 0 ? 0 : 1], 0));
    return op.outputElements() * (2 * k + (op.hasInput(2) ? 1 : 0));
}

/// Weights are Co x Ci/g x kernel: one multiply-add per output element and weight of its channel.
template <std::size_t Weights, std::size_t Bias>
double conv(const OpView& op) {
    return op.outputElements() * (2 * elementsFrom(op.inputShape(Weights), 1) + (op.hasInput(Bias) ? 1 : 0));
}

/// Both gradients pair the same values as the convolution itself: each of the result's gradient, slot 1, with each
/// weight of its channel.
double convGradInput(const OpView& op) { return 2 * op.inputElements(1) * elementsFrom(op.inputShape(0), 1); }
double convGradFilter(const OpView& op) { return 2 * op.inputElements(1) * elementsFrom(op.outputShape(), 1); }

/// Weights are Ci x Co/g x kernel: one multiply-add per input element and weight of its channel.
double convTranspose(const OpView& op) {
    return 2 * op.inputElements(0) * elementsFrom(op.inputShape(1), 1) + (op.hasInput(2) ? op.outputElements() : 0);
}

/// Scratch memory of a convolution: one image of the input, lowered to the matrix whose product with the weights is the
/// output (Chellapilla, Puri, Simard 2006; the method GEMM of cuDNN, Chetlur et al. 2014): a column per position of the
/// output, with the input values under the kernel there. A 1 x 1 kernel that skips nothing needs none: the image is
/// that matrix.
double lowered(const OpView& op, const Shape& weights, const Shape& result) {
    if (weights.size() < 3 || op.outputElements() <= 0)
        return 0;
    if (elementsFrom(weights, 2) == 1 && op.product("strides") == 1)
        return 0;
    const double column = elementsFrom(weights, 1) * static_cast<double>(op.integer("group", 1));
    return column * elementsFrom(result, 2) * (op.outputBytes() / op.outputElements());
}

template <std::size_t Weights>
double loweredImage(const OpView& op) {
    return lowered(op, op.inputShape(Weights), op.outputShape());
}

/// The gradient by the input is such a matrix before it is added up into the image; the gradient by the weights is a
/// product with one. Slot 1 is the gradient of the result.
double loweredForGradient(const OpView& op, const Shape& weights) { return lowered(op, weights, op.inputShape(1)); }

/// X is T x B x I (or B x T x I), W is D x GH x I, R is D x GH x H. Each of the GH gate values has a bias, an
/// activation of about 4 and 3 more to combine it.
double recurrent(const OpView& op) {
    const Shape& x = op.inputShape(0);
    const Shape& w = op.inputShape(1);
    if (x.size() != 3 || w.size() != 3)
        return 0;
    const double steps = elementsFrom({x[0], x[1]}, 0);
    const double gates = elementsFrom({w[0], w[1]}, 0);
    return steps * (2 * op.inputElements(1) + 2 * op.inputElements(2) + 8 * gates);
}

/// Q is B x H x L x E, K is B x H x S x E, V is B x H x S x F; without the dimension H where heads lie side by side.
double attention(const OpView& op) {
    const Shape& q = op.inputShape(0);
    const Shape& k = op.inputShape(1);
    const Shape& v = op.inputShape(2);
    if (q.size() != k.size() || q.size() != v.size() || (q.size() != 3 && q.size() != 4))
        return 0;
    const std::size_t length = q.size() - 2;
    const double heads = q.size() == 4 ? 1 : static_cast<double>(op.integer("q_num_heads", 1));
    const double pairs = elementsFrom(Shape(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(length) + 1), 0) *
                         static_cast<double>(std::max<std::int64_t>(k[length], 0));
    const auto width = [](const Shape& shape) { return static_cast<double>(std::max<std::int64_t>(shape.back(), 0)); };
    return pairs * (2 * width(q) + 5 * heads + 2 * width(v));
}

/// Every index that is not in the result is summed over: for each element of the result, one multiply-add per
/// combination of those and per operand after the first.
double einsum(const OpView& op) {
    std::string equation;
    std::ranges::copy_if(op.text("equation", ""), std::back_inserter(equation), [](char c) { return c != ' '; });
    const std::size_t arrow = equation.find("->");
    const std::string_view operands = std::string_view(equation).substr(0, arrow);
    std::map<char, std::int64_t> size;
    std::map<char, int> times;
    std::size_t slot = 0;
    for (std::size_t begin = 0; begin <= operands.size(); ++slot) {
        const std::string_view indices = operands.substr(begin, operands.find(',', begin) - begin);
        begin += indices.size() + 1;
        const Shape& shape = op.inputShape(slot);
        const std::size_t dots = indices.find("...");
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] == '.')
                continue;
            // Behind an ellipsis, which stands for any number of dimensions, count from the end.
            const std::size_t at = dots == std::string_view::npos || i < dots ? i : shape.size() - (indices.size() - i);
            size[indices[i]] = at < shape.size() ? std::max<std::int64_t>(shape[at], 0) : 0;
            ++times[indices[i]];
        }
    }
    double summed = 1;
    for (const auto& [index, dim] : size) {
        const bool inResult =
            arrow == std::string::npos ? times[index] == 1 : equation.find(index, arrow) != std::string::npos;
        summed *= inResult ? 1 : static_cast<double>(dim);
    }
    const auto products = static_cast<double>(std::max<std::size_t>(slot, 2) - 1);
    return 2 * products * summed * op.outputElements();
}

constexpr std::string_view kConv = "|out| * (2 * Ci/g * kernel + bias)";
constexpr std::string_view kMatMul = "2 * |out| * k";

constexpr std::array kRules{
    RuleRow{"Attention", "B * H * L * S * (2 * E + 5 + 2 * F)", attention, everything, DType::Unknown,
            OpClass::Attention},
    RuleRow{"Conv", kConv, conv<1, 2>, everything, DType::Unknown, OpClass::Convolution, loweredImage<1>},
    RuleRow{"ConvGradFilter", "2 * |dout| * Ci/g * kernel", convGradFilter, everything, DType::Unknown,
            OpClass::Convolution, [](const OpView& op) { return loweredForGradient(op, op.outputShape()); }},
    RuleRow{"ConvGradInput", "2 * |dout| * Ci/g * kernel", convGradInput, everything, DType::Unknown,
            OpClass::Convolution, [](const OpView& op) { return loweredForGradient(op, op.inputShape(0)); }},
    RuleRow{"ConvInteger", kConv, conv<1, 99>, everything, DType::I8, OpClass::Convolution, loweredImage<1>},
    RuleRow{"ConvTranspose", "2 * |in| * Co/g * kernel + bias * |out|", convTranspose, everything, DType::Unknown,
            OpClass::Convolution},
    RuleRow{"DeformConv", kConv, conv<1, 3>, everything, DType::Unknown, OpClass::Convolution, loweredImage<1>},
    RuleRow{"Einsum", "2 * |out| * product of the summed indices * (operands - 1)", einsum},
    RuleRow{"GRU", "T * B * (2 * |W| + 2 * |R| + 8 * D * 3H)", recurrent, everything, DType::Unknown,
            OpClass::Recurrent},
    RuleRow{"Gemm", "|out| * (2 * k + bias)", gemm},
    RuleRow{"LSTM", "T * B * (2 * |W| + 2 * |R| + 8 * D * 4H)", recurrent, everything, DType::Unknown,
            OpClass::Recurrent},
    RuleRow{"MatMul", kMatMul, matMul<0, 1>},
    RuleRow{"MatMulInteger", kMatMul, matMul<0, 1>, everything, DType::I8},
    RuleRow{"QLinearConv", kConv, conv<3, 8>, everything, DType::I8, OpClass::Convolution, loweredImage<3>},
    RuleRow{"QLinearMatMul", kMatMul, matMul<0, 3>, everything, DType::I8},
    RuleRow{"RNN", "T * B * (2 * |W| + 2 * |R| + 8 * D * H)", recurrent, everything, DType::Unknown,
            OpClass::Recurrent},
};

} // namespace

std::span<const RuleRow> matrixRules() { return kRules; }

} // namespace opscape
