// SPDX-License-Identifier: MIT
// Ops that move values without computing. A view (Reshape, Identity, ...; Dropout outside training) touches no byte; a
// slice or gather reads as much of its source as it writes; the others read and write everything once.
#include <opscape/cost/op_rules.h>

#include <array>

namespace opscape {
namespace {

bool isTraining(const OpView& op) { return op.integer("training_mode", 0) != 0; }

/// In training a random number, a comparison and a product each.
double dropout(const OpView& op) { return isTraining(op) ? 3 * op.outputElements() : 0; }
double dropoutTraffic(const OpView& op) { return isTraining(op) ? everything(op) : 0; }

double resize(const OpView& op) { return op.text("mode", "nearest") == "nearest" ? 0 : 8 * op.outputElements(); }

constexpr std::string_view kView = "0; a view, no bytes moved";
constexpr std::string_view kSelect = "0; reads what it writes";
constexpr std::string_view kWrite = "0; written only";
constexpr std::string_view kMove = "0; everything read and written";
constexpr std::string_view kResize = "8 * |out|, 0 for nearest";

constexpr std::array kRules{
    RuleRow{"Cast", kMove, noFlops},
    RuleRow{"CastLike", kMove, noFlops},
    RuleRow{"CenterCropPad", kSelect, noFlops, selected},
    RuleRow{"Compress", kSelect, noFlops, selected},
    RuleRow{"Concat", kMove, noFlops},
    RuleRow{"Constant", kView, noFlops, nothing},
    RuleRow{"ConstantOfShape", kWrite, noFlops, writtenOnly},
    RuleRow{"DepthToSpace", kMove, noFlops},
    RuleRow{"Dropout", "0; a view, no bytes moved; in training 3 * |out|", dropout, dropoutTraffic},
    RuleRow{"Expand", kMove, noFlops},
    RuleRow{"EyeLike", kWrite, noFlops, writtenOnly},
    RuleRow{"Flatten", kView, noFlops, nothing},
    RuleRow{"Gather", kSelect, noFlops, selected},
    RuleRow{"GatherElements", kSelect, noFlops, selected},
    RuleRow{"GatherND", kSelect, noFlops, selected},
    RuleRow{"GridSample", "8 * |out|", perOutput<8>},
    RuleRow{"Identity", kView, noFlops, nothing},
    RuleRow{"NonZero", kMove, noFlops},
    RuleRow{"OneHot", kMove, noFlops},
    RuleRow{"Pad", kMove, noFlops},
    RuleRow{"RandomNormal", kWrite, noFlops, writtenOnly},
    RuleRow{"RandomNormalLike", kWrite, noFlops, writtenOnly},
    RuleRow{"RandomUniform", kWrite, noFlops, writtenOnly},
    RuleRow{"RandomUniformLike", kWrite, noFlops, writtenOnly},
    RuleRow{"ReadVariable", kView, noFlops, nothing},
    RuleRow{"Range", kWrite, noFlops, writtenOnly},
    RuleRow{"Reshape", kView, noFlops, nothing},
    RuleRow{"Resize", kResize, resize},
    RuleRow{"ReverseSequence", kMove, noFlops},
    RuleRow{"Scatter", kMove, noFlops},
    RuleRow{"ScatterElements", kMove, noFlops},
    RuleRow{"ScatterND", kMove, noFlops},
    RuleRow{"Shape", kWrite, noFlops, writtenOnly},
    RuleRow{"Size", kWrite, noFlops, writtenOnly},
    RuleRow{"Slice", kSelect, noFlops, selected},
    RuleRow{"SpaceToDepth", kMove, noFlops},
    RuleRow{"Split", kMove, noFlops},
    RuleRow{"StopGradient", kView, noFlops, nothing},
    RuleRow{"Squeeze", kView, noFlops, nothing},
    RuleRow{"Tile", kMove, noFlops},
    RuleRow{"Transpose", kMove, noFlops},
    RuleRow{"Trilu", kMove, noFlops},
    RuleRow{"Unsqueeze", kView, noFlops, nothing},
    RuleRow{"Upsample", kResize, resize},
};

} // namespace

std::span<const RuleRow> movementRules() { return kRules; }

} // namespace opscape
