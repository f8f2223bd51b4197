// SPDX-License-Identifier: MIT
// Ops that combine many values into one: pooling, reductions, normalisation, softmax. Counted per element, as each
// formula says: e.g. softmax is a maximum, a difference, an exponential, a sum and a quotient.
#include <opscape/cost/op_rules.h>

#include <array>

namespace opscape {
namespace {

/// Scale and shift; in training the statistics, too.
double batchNormalization(const OpView& op) {
    const bool isTraining = op.integer("training_mode", 0) != 0 || op.integer("is_training", 0) != 0;
    return (isTraining ? 7 : 2) * op.outputElements();
}

/// TensorFlow calls the window ksize, with a 1 each for images and channels.
double pool(const OpView& op) { return op.outputElements() * op.product("kernel_shape") * op.product("ksize"); }

/// Square, window - 1 sums, scale, bias, power, quotient.
double localResponse(const OpView& op) {
    return op.outputElements() * (static_cast<double>(op.integer("size", 1)) + 4);
}

constexpr std::string_view kPool = "|out| * kernel", kIn = "|in|", kIn2 = "2 * |in|", kIn4 = "4 * |in|",
                           kNormalise = "7 * |in|: mean, difference, square, sum, quotient, scale, shift",
                           kSoftmax = "5 * |in|";

constexpr std::array kRules{
    RuleRow{"ArgMax", kIn, perInput<1>},
    RuleRow{"ArgMin", kIn, perInput<1>},
    RuleRow{"AveragePool", kPool, pool},
    RuleRow{"BatchNormalization", "2 * |out|: scale and shift, statistics folded in; in training 7 * |out|",
            batchNormalization},
    RuleRow{"CumSum", kIn, perInput<1>},
    RuleRow{"GlobalAveragePool", kIn, perInput<1>},
    RuleRow{"GlobalLpPool", kIn2, perInput<2>},
    RuleRow{"GlobalMaxPool", kIn, perInput<1>},
    RuleRow{"GroupNormalization", kNormalise, perInput<7>},
    RuleRow{"Hardmax", kIn2, perInput<2>},
    RuleRow{"InstanceNormalization", kNormalise, perInput<7>},
    RuleRow{"LRN", "|out| * (size + 4)", localResponse},
    RuleRow{"LayerNormalization", kNormalise, perInput<7>},
    RuleRow{"LogSoftmax", kSoftmax, perInput<5>},
    RuleRow{"LpNormalization", "3 * |in|", perInput<3>},
    RuleRow{"LpPool", kPool, pool},
    RuleRow{"MaxPool", kPool, pool},
    RuleRow{"MeanVarianceNormalization", "5 * |in|", perInput<5>},
    RuleRow{"RMSNormalization", kIn4, perInput<4>},
    RuleRow{"ReduceL1", kIn2, perInput<2>},
    RuleRow{"ReduceL2", kIn2, perInput<2>},
    RuleRow{"ReduceLogSum", kIn, perInput<1>},
    RuleRow{"ReduceLogSumExp", kIn4, perInput<4>},
    RuleRow{"ReduceMax", kIn, perInput<1>},
    RuleRow{"ReduceMean", kIn, perInput<1>},
    RuleRow{"ReduceMin", kIn, perInput<1>},
    RuleRow{"ReduceProd", kIn, perInput<1>},
    RuleRow{"ReduceSum", kIn, perInput<1>},
    RuleRow{"ReduceSumSquare", kIn2, perInput<2>},
    RuleRow{"Softmax", kSoftmax, perInput<5>},
    RuleRow{"TopK", kIn, perInput<1>},
};

} // namespace

std::span<const RuleRow> reductionRules() { return kRules; }

} // namespace opscape
