// SPDX-License-Identifier: MIT
#include <opscape/cost/op_aliases.h>
#include <opscape/io/tensorflow/tensorflow_numbers.h>
#include <opscape/io/wire.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

namespace tf = tensorflow;

TfNumbers numbersOf(const Shape& shape) {
    TfNumbers numbers(shape.begin(), shape.end());
    std::ranges::replace_if(
        numbers, [](std::int64_t dim) { return dim < 0; }, kOpenNumber);
    return numbers;
}

/// One behind the other, of the first inputs; of scalars also where one is not known.
std::optional<TfNumbers> joined(const TfNodeView& node, std::size_t inputs) {
    const bool areScalars = node.def.op() == "Pack" && std::ranges::any_of(node.shapes, [](const Shape* shape) {
                                return shape != nullptr && shape->empty(); // all have one shape
                            });
    TfNumbers numbers;
    for (std::size_t i = 0; i < inputs && numbers.size() <= kMostTfNumbers; ++i) {
        if (node.value(i) != nullptr)
            numbers.insert(numbers.end(), node.value(i)->begin(), node.value(i)->end());
        else if (areScalars)
            numbers.push_back(kOpenNumber);
        else
            return std::nullopt;
    }
    return numbers;
}

std::optional<TfNumbers> part(const TfNodeView& node) {
    const TfNumbers* from = node.value(0);
    if (from == nullptr || !isPlainSlice(node) || node.value(1)->size() != 1)
        return std::nullopt;
    const auto size = static_cast<std::int64_t>(from->size());
    const bool isOne = node.integer("shrink_axis_mask", 0) != 0;
    const TfStride stride = strideOf(node, 0, size);
    if (isOne) {
        const std::int64_t at = (*node.value(1))[0];
        const auto axis = axisOf(at, from->size());
        return axis ? std::optional(TfNumbers{(*from)[*axis]}) : std::nullopt;
    }
    TfNumbers numbers;
    for (std::int64_t i = 0; i < stride.count; ++i)
        numbers.push_back((*from)[static_cast<std::size_t>(stride.begin + i * stride.step)]);
    return stride.count < 0 ? std::nullopt : std::optional(numbers);
}

std::optional<TfNumbers> calculated(const TfNodeView& node) {
    const TfNumbers *a = node.value(0), *b = node.value(1);
    if (a == nullptr || b == nullptr || (a->size() != b->size() && a->size() != 1 && b->size() != 1))
        return std::nullopt;
    TfNumbers numbers(std::max(a->size(), b->size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::int64_t x = (*a)[a->size() == 1 ? 0 : i], y = (*b)[b->size() == 1 ? 0 : i];
        const bool overflows = node.def.op() == "Mul"   ? __builtin_mul_overflow(x, y, &numbers[i])
                               : node.def.op() == "Sub" ? __builtin_sub_overflow(x, y, &numbers[i])
                                                        : __builtin_add_overflow(x, y, &numbers[i]);
        if (overflows || x == kOpenNumber || y == kOpenNumber)
            numbers[i] = kOpenNumber;
    }
    return numbers;
}

std::optional<TfNumbers> productOf(const TfNodeView& node) {
    if (node.value(0) == nullptr)
        return std::nullopt;
    std::int64_t all = 1;
    for (const std::int64_t number : *node.value(0))
        all = dimProduct(all, number);
    return TfNumbers{all < 0 ? kOpenNumber : all};
}

} // namespace

std::optional<TfNumbers> constantValue(const tf::TensorProto& tensor) {
    const bool isLong = tensor.dtype() == tf::DT_INT64;
    if (!isLong && tensor.dtype() != tf::DT_INT32)
        return std::nullopt;
    std::int64_t count = 1;
    for (const auto& dim : tensor.tensor_shape().dim())
        count = dimProduct(count, dim.size());
    if (count < 0 || count > static_cast<std::int64_t>(kMostTfNumbers))
        return std::nullopt;
    TfNumbers numbers(tensor.int64_val().begin(), tensor.int64_val().end());
    if (!isLong)
        numbers.assign(tensor.int_val().begin(), tensor.int_val().end());
    const std::string& raw = tensor.tensor_content();
    const std::size_t bytes = isLong ? 8 : 4;
    if (raw.size() == bytes * static_cast<std::size_t>(count)) {
        numbers.clear();
        for (std::size_t at = 0; at < raw.size(); at += bytes) {
            const std::uint64_t number = littleEndian(std::string_view(raw).substr(at, bytes));
            numbers.push_back(isLong ? static_cast<std::int64_t>(number)
                                     : std::int64_t{static_cast<std::int32_t>(number)});
        }
    }
    if (numbers.empty() && count > 0)
        numbers.push_back(0);                                                              // what is left out is zero
    numbers.resize(static_cast<std::size_t>(count), numbers.empty() ? 0 : numbers.back()); // the last one is repeated
    return numbers;
}

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank) {
    const auto size = static_cast<std::int64_t>(rank);
    if (axis < -size || axis >= size)
        return std::nullopt;
    return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::optional<std::int64_t> numberOf(const TfNumbers* value) {
    return value && value->size() == 1 && value->front() != kOpenNumber ? std::optional(value->front()) : std::nullopt;
}

std::int64_t dimProduct(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &result) ? kUnknownDim : result;
}

std::int64_t dimSum(std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &result) ? kUnknownDim : result;
}

TfStride strideOf(const TfNodeView& node, std::size_t d, std::int64_t size) {
    const auto has = [&](std::string_view mask) { return (node.integer(mask, 0) >> d & 1) != 0; };
    TfStride stride{0, kUnknownDim, (*node.value(3))[d]};
    const bool isOpen = (*node.value(1))[d] == kOpenNumber || (*node.value(2))[d] == kOpenNumber;
    if (size < 0 || stride.step == 0 || stride.step == kOpenNumber || isOpen)
        return stride;
    const bool isForward = stride.step > 0;
    const auto clamp = [&](std::int64_t at) {
        at = at < -size ? -1 : at < 0 ? at + size : at;
        return isForward ? std::clamp<std::int64_t>(at, 0, size) : std::clamp<std::int64_t>(at, -1, size - 1);
    };
    stride.begin = has("begin_mask") ? (isForward ? 0 : size - 1) : clamp((*node.value(1))[d]);
    const std::int64_t end = has("end_mask") ? (isForward ? size : -1) : clamp((*node.value(2))[d]);
    const std::int64_t way = isForward ? end - stride.begin : stride.begin - end;
    const std::int64_t step = isForward ? stride.step : -stride.step;
    stride.count = way <= 0 ? 0 : (way - 1) / step + 1;
    return stride;
}

bool isPlainSlice(const TfNodeView& node) {
    const auto isWhole = [&](std::size_t i) { return node.value(i) != nullptr; };
    return isWhole(1) && isWhole(2) && isWhole(3) && node.value(1)->size() == node.value(2)->size() &&
           node.value(1)->size() == node.value(3)->size() && node.integer("ellipsis_mask", 0) == 0 &&
           node.integer("new_axis_mask", 0) == 0;
}

bool handsOn(std::string_view type) {
    constexpr std::array<std::string_view, 4> kRules{"Cast", "Identity", "ReadVariable", "StopGradient"};
    return type != "_Retval" && std::ranges::find(kRules, ruleTypeOf(type)) != kRules.end();
}

std::int64_t TfNodeView::integer(std::string_view attribute, std::int64_t otherwise) const {
    const auto value = findAttribute(def.attr(), attribute);
    return value && value->value_case() == tf::AttrValue::kI ? value->i() : otherwise;
}

bool TfNodeView::flag(std::string_view attribute) const {
    const auto value = findAttribute(def.attr(), attribute);
    return value && value->b();
}

std::string TfNodeView::text(std::string_view attribute) const {
    const auto value = findAttribute(def.attr(), attribute);
    return value ? value->s() : std::string();
}

TfNumbers TfNodeView::integers(std::string_view attribute) const {
    const auto value = findAttribute(def.attr(), attribute);
    return value ? TfNumbers(value->list().i().begin(), value->list().i().end()) : TfNumbers();
}

std::optional<TfNumbers> inferredValue(const TfNodeView& node) {
    const std::string& type = node.def.op();
    std::optional<TfNumbers> value;
    const auto constant = roleOf(node.def) == TfRole::Constant ? findAttribute(node.def.attr(), "value") : std::nullopt;
    if (constant)
        value = constantValue(constant->tensor());
    else if (type == "Shape" && node.shape(0) != nullptr)
        value = numbersOf(*node.shape(0));
    else if (type == "Pack" && node.integer("axis", 0) == 0)
        value = joined(node, node.inputs());
    else if (type == "ConcatV2" && node.inputs() > 0)
        value = joined(node, node.inputs() - 1);
    else if (type == "StridedSlice")
        value = part(node);
    else if (type == "Add" || type == "AddV2" || type == "Sub" || type == "Mul")
        value = calculated(node);
    else if (type == "Prod")
        value = productOf(node);
    else if ((handsOn(type) || type == "ExpandDims" || type == "Reshape" || type == "Squeeze") &&
             node.value(0) != nullptr)
        value = *node.value(0);
    return value && value->size() <= kMostTfNumbers ? value : std::nullopt;
}

} // namespace opscape
