// SPDX-License-Identifier: MIT
// What training adds: losses, gradients that are no op of the forward pass, and the update of the weights. An update
// reads (weight, gradient, state...) and, where it has no outputs, writes weight and state in place.
#include <opscape/cost/op_rules.h>

#include <array>

namespace opscape {
namespace {

/// Per weight; an update has `Tensors` tensors of the size of the weight among its inputs, beside scalars.
template <int Factor, int Tensors>
double update(const OpView& op) {
    double elements = 0;
    for (std::size_t i = 0; i < op.inputCount(); ++i)
        elements += op.inputShape(i).empty() ? 0 : op.inputElements(i);
    return Factor * elements / Tensors;
}

double updateTraffic(const OpView& op) {
    const double inPlace = op.inputBytes() - op.inputBytes(1); // all but the gradient
    return op.inputBytes() + (op.hasOutputs() ? op.outputBytes() : inPlace);
}

/// Adds rows of the gradient (the first input) into a table of zeros: the rows are read twice and written once.
double scatterTraffic(const OpView& op) { return 2 * op.inputBytes(0) + op.inputBytes(1) + op.outputBytes(); }

/// Of the gradient of what the pool wrote, the last input: each value goes to its window.
double poolGrad(const OpView& op) {
    return op.inputElements(op.inputCount() - 1) * op.product("kernel_shape") * op.product("ksize");
}

double localResponseGrad(const OpView& op) {
    return op.outputElements() * (2 * static_cast<double>(op.integer("size", 1)) + 8);
}

constexpr std::string_view kPoolGrad = "|dout| * kernel";

constexpr std::array kRules{
    RuleRow{"Adagrad", "6 per weight", update<6, 3>, updateTraffic},
    RuleRow{"Adam", "12 per weight", update<12, 4>, updateTraffic},
    RuleRow{"AveragePoolGrad", kPoolGrad, poolGrad, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"BatchNormalizationGrad", "10 * |in|: two sums, then the gradient of each value", perInput<10>, everything,
            DType::Unknown, OpClass::Reduction},
    RuleRow{"DropoutGrad", "2 * |out|", perOutput<2>},
    RuleRow{"GatherGrad", "|in|", perInput<1>, scatterTraffic, DType::Unknown, OpClass::Movement},
    RuleRow{"GeluGrad", "8 * |out|", perOutput<8>},
    RuleRow{"GlobalAveragePoolGrad", "|out|", perOutput<1>},
    RuleRow{"LRNGrad", "|out| * (2 * size + 8)", localResponseGrad, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"LayerNormalizationGrad", "12 * |in|", perInput<12>, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"MaxPoolGrad", kPoolGrad, poolGrad, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"Momentum", "4 per weight", update<4, 3>, updateTraffic},
    RuleRow{"MovingAverage", "3 per value", update<3, 2>, updateTraffic},
    RuleRow{"NegativeLogLikelihoodLoss", "1 per label; reads one value per label",
            [](const OpView& op) { return op.inputElements(1); },
            [](const OpView& op) { return 2 * op.inputBytes(1) + op.outputBytes(); }, DType::Unknown,
            OpClass::Reduction},
    RuleRow{"ReluGrad", "|out|", perOutput<1>},
    RuleRow{"SGD", "2 per weight", update<2, 2>, updateTraffic},
    RuleRow{"SigmoidGrad", "3 * |out|", perOutput<3>},
    RuleRow{"SoftmaxCrossEntropyGrad", "2 * |out|", perOutput<2>, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"SoftmaxCrossEntropyLoss", "6 * |in|", perInput<6>, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"SoftmaxGrad", "4 * |out|", perOutput<4>, everything, DType::Unknown, OpClass::Reduction},
    RuleRow{"TanhGrad", "3 * |out|", perOutput<3>},
};

} // namespace

std::span<const RuleRow> trainingRules() { return kRules; }

} // namespace opscape
