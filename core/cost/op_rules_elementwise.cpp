// SPDX-License-Identifier: MIT
// One value out per value in, with broadcasting. An arithmetic operation, a comparison and an elementary function (exp,
// log, tanh, erf, square root, ...) count one each; these ops are bound by memory on every device there is, so a finer
// weight would change nothing.
#include <opscape/cost/op_rules.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

/// AddN, Sum, Mean, Max and Min of any number of operands.
double variadic(const OpView& op) {
    return static_cast<double>(std::max<std::size_t>(op.inputCount(), 1) - 1) * op.outputElements();
}

constexpr std::string_view kOne = "|out|", kTwo = "2 * |out|", kThree = "3 * |out|", kFour = "4 * |out|",
                           kFive = "5 * |out|", kVariadic = "(operands - 1) * |out|";

constexpr std::array kRules{
    RuleRow{"Abs", kOne, perOutput<1>},
    RuleRow{"Acos", kOne, perOutput<1>},
    RuleRow{"Acosh", kOne, perOutput<1>},
    RuleRow{"Add", kOne, perOutput<1>},
    RuleRow{"AddN", kVariadic, variadic},
    RuleRow{"And", kOne, perOutput<1>},
    RuleRow{"Asin", kOne, perOutput<1>},
    RuleRow{"Asinh", kOne, perOutput<1>},
    RuleRow{"Atan", kOne, perOutput<1>},
    RuleRow{"Atanh", kOne, perOutput<1>},
    RuleRow{"Bernoulli", kOne, perOutput<1>},
    RuleRow{"BitShift", kOne, perOutput<1>},
    RuleRow{"BitwiseAnd", kOne, perOutput<1>},
    RuleRow{"BitwiseNot", kOne, perOutput<1>},
    RuleRow{"BitwiseOr", kOne, perOutput<1>},
    RuleRow{"BitwiseXor", kOne, perOutput<1>},
    RuleRow{"Ceil", kOne, perOutput<1>},
    RuleRow{"Celu", kFive, perOutput<5>},
    RuleRow{"Clip", kTwo, perOutput<2>},
    RuleRow{"Cos", kOne, perOutput<1>},
    RuleRow{"Cosh", kOne, perOutput<1>},
    RuleRow{"DequantizeLinear", kTwo, perOutput<2>},
    RuleRow{"Div", kOne, perOutput<1>},
    RuleRow{"DynamicQuantizeLinear", kFour, perOutput<4>},
    RuleRow{"Elu", kThree, perOutput<3>},
    RuleRow{"Equal", kOne, perOutput<1>},
    RuleRow{"Erf", kOne, perOutput<1>},
    RuleRow{"Exp", kOne, perOutput<1>},
    RuleRow{"Floor", kOne, perOutput<1>},
    RuleRow{"Gelu", kFive, perOutput<5>},
    RuleRow{"Greater", kOne, perOutput<1>},
    RuleRow{"GreaterOrEqual", kOne, perOutput<1>},
    RuleRow{"HardSigmoid", kFour, perOutput<4>},
    RuleRow{"HardSwish", kFive, perOutput<5>},
    RuleRow{"IsInf", kOne, perOutput<1>},
    RuleRow{"IsNaN", kOne, perOutput<1>},
    RuleRow{"LeakyRelu", kTwo, perOutput<2>},
    RuleRow{"Less", kOne, perOutput<1>},
    RuleRow{"LessOrEqual", kOne, perOutput<1>},
    RuleRow{"Log", kOne, perOutput<1>},
    RuleRow{"Max", kVariadic, variadic},
    RuleRow{"Mean", kVariadic, variadic},
    RuleRow{"Min", kVariadic, variadic},
    RuleRow{"Mish", kFive, perOutput<5>},
    RuleRow{"Mod", kOne, perOutput<1>},
    RuleRow{"Mul", kOne, perOutput<1>},
    RuleRow{"Neg", kOne, perOutput<1>},
    RuleRow{"Not", kOne, perOutput<1>},
    RuleRow{"Or", kOne, perOutput<1>},
    RuleRow{"PRelu", kTwo, perOutput<2>},
    RuleRow{"Pow", kOne, perOutput<1>},
    RuleRow{"QuantizeLinear", kThree, perOutput<3>},
    RuleRow{"Reciprocal", kOne, perOutput<1>},
    RuleRow{"Relu", kOne, perOutput<1>},
    RuleRow{"RotaryEmbedding", kThree, perOutput<3>},
    RuleRow{"Round", kOne, perOutput<1>},
    RuleRow{"Selu", kFour, perOutput<4>},
    RuleRow{"Shrink", kTwo, perOutput<2>},
    RuleRow{"Sigmoid", kFour, perOutput<4>},
    RuleRow{"Sign", kOne, perOutput<1>},
    RuleRow{"Silu", kFive, perOutput<5>},
    RuleRow{"Sin", kOne, perOutput<1>},
    RuleRow{"Sinh", kOne, perOutput<1>},
    RuleRow{"Softplus", kThree, perOutput<3>},
    RuleRow{"Softsign", kThree, perOutput<3>},
    RuleRow{"Sqrt", kOne, perOutput<1>},
    RuleRow{"Sub", kOne, perOutput<1>},
    RuleRow{"Sum", kVariadic, variadic},
    RuleRow{"Swish", kFive, perOutput<5>},
    RuleRow{"Tan", kOne, perOutput<1>},
    RuleRow{"Tanh", kOne, perOutput<1>},
    RuleRow{"ThresholdedRelu", kOne, perOutput<1>},
    RuleRow{"Where", kOne, perOutput<1>},
    RuleRow{"Xor", kOne, perOutput<1>},
};

} // namespace

std::span<const RuleRow> elementwiseRules() { return kRules; }

} // namespace opscape
