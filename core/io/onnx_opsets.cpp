// SPDX-License-Identifier: MIT
// What sets 18 to 21 changed that shapes depend on, by the change log of the standard: axes of reductions became an
// input (18), Pad and Resize take axes (18), pools dilations (18, 19), DFT its axis as an input (20); new are bitwise
// ops, Mish, GroupNormalization (18) and Gelu (20), which keep the shape of their inputs. Split without sizes, types
// and everything else go by the older rule.
#include <opscape/io/onnx_index.h>
#include <opscape/io/onnx_opsets.h>
#include <opscape/io/wire.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {
namespace {

using Values = std::map<std::string, std::vector<std::int64_t>, std::less<>>; ///< of constants of whole numbers

bool isOneOf(std::string_view type, auto... types) { return ((type == types) || ...); }

std::optional<std::vector<std::int64_t>> wholeNumbers(const onnx::TensorProto& tensor) {
    constexpr std::size_t kMost = 64; // axes of a tensor
    if (tensor.data_type() != onnx::TensorProto::INT64)
        return std::nullopt;
    std::vector<std::int64_t> values(tensor.int64_data().begin(), tensor.int64_data().end());
    const std::string& raw = tensor.raw_data();
    if (raw.size() > kMost * sizeof(std::int64_t) || values.size() > kMost)
        return std::nullopt;
    for (std::size_t at = 0; at + sizeof(std::int64_t) <= raw.size(); at += sizeof(std::int64_t)) {
        values.push_back(
            static_cast<std::int64_t>(littleEndian(std::string_view(raw).substr(at, sizeof(std::int64_t)))));
    }
    return values;
}

bool hasInput(const onnx::NodeProto& node, int i) { return i < node.input_size() && !node.input(i).empty(); }

void keepFirstInput(onnx::NodeProto& node) {
    while (node.input_size() > 1)
        node.mutable_input()->RemoveLast();
}

void hide(onnx::NodeProto& node) { node.set_op_type("without rule"); }

void becomeIdentity(onnx::NodeProto& node) {
    node.set_op_type("Identity");
    node.clear_attribute();
    keepFirstInput(node);
}

void reduce(onnx::NodeProto& node, const Values& values) {
    const bool hasAxes = hasInput(node, 1);
    const auto axes = hasAxes ? values.find(node.input(1)) : values.end();
    if (hasAxes && axes == values.end())
        return hide(node);
    keepFirstInput(node);
    if (hasAxes && !axes->second.empty()) {
        onnx::AttributeProto& attribute = *node.add_attribute();
        attribute.set_name("axes");
        attribute.set_type(onnx::AttributeProto::INTS);
        attribute.mutable_ints()->Add(axes->second.begin(), axes->second.end());
        return;
    }
    if (const auto* noop = attributeOf(node, "noop_with_empty_axes"); noop != nullptr && noop->i() != 0)
        becomeIdentity(node);
}

void change(onnx::NodeProto& node, const Values& values) {
    const std::string& type = node.op_type();
    const auto dilations = attributeOf(node, "dilations");
    const auto ceil = attributeOf(node, "ceil_mode");
    const auto ratio = attributeOf(node, "keep_aspect_ratio_policy");
    if (isOneOf(type, "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
                "ReduceProd", "ReduceSumSquare"))
        reduce(node, values);
    else if (isOneOf(type, "Gelu", "Mish", "GroupNormalization", "BitwiseNot"))
        becomeIdentity(node);
    else if (isOneOf(type, "BitwiseAnd", "BitwiseOr", "BitwiseXor"))
        node.set_op_type("Add");
    else if ((isOneOf(type, "AveragePool", "LpPool") && dilations != nullptr &&
              std::ranges::any_of(dilations->ints(), [](std::int64_t d) { return d != 1; })) ||
             (type == "LpPool" && ceil != nullptr && ceil->i() != 0) || (type == "Pad" && hasInput(node, 3)) ||
             (type == "Resize" &&
              (attributeOf(node, "axes") != nullptr || (ratio != nullptr && ratio->s() != "stretch"))) ||
             (type == "DFT" && hasInput(node, 2)))
        hide(node);
}

void change(onnx::GraphProto& graph, Values values) {
    for (const auto& initializer : graph.initializer()) {
        if (auto numbers = wholeNumbers(initializer))
            values[initializer.name()] = std::move(*numbers);
    }
    for (const auto& node : graph.node()) {
        if (node.op_type() != "Constant" || node.output_size() != 1)
            continue;
        const auto* tensor = attributeOf(node, "value");
        if (const auto* numbers = attributeOf(node, "value_ints"))
            values[node.output(0)].assign(numbers->ints().begin(), numbers->ints().end());
        else if (auto found = tensor == nullptr ? std::nullopt : wholeNumbers(tensor->t()))
            values[node.output(0)] = std::move(*found);
    }
    for (auto& node : *graph.mutable_node()) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_g())
                change(*attribute.mutable_g(), values);
        }
        if (node.domain().empty())
            change(node, values);
    }
}

} // namespace

void toPlainOpset(onnx::GraphProto& graph) { change(graph, {}); }

} // namespace opscape
