// SPDX-License-Identifier: MIT
// Operations that compute: products, windows, elementwise, normalisation, reductions, loss. Each checks the shapes of
// what it is given and works out those of its results.
#include <opscape/zoo/tensor_program.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace opscape {
namespace {

constexpr double kEpsilon = 1e-5;

Attribute integer(std::string_view name, std::int64_t value) { return {std::string(name), value}; }

/// What is left empty in a window, filled in for a number of spatial dimensions.
Window filled(Window window, std::size_t dims) {
    if (window.strides.empty())
        window.strides.assign(dims, 1);
    if (window.dilations.empty())
        window.dilations.assign(dims, 1);
    if (window.pads.empty())
        window.pads.assign(2 * dims, 0);
    return window;
}

std::vector<Attribute> windowAttributes(const Sizes& kernel, const Window& window) {
    return {{"kernel_shape", kernel}, {"strides", window.strides}, {"pads", window.pads}};
}

bool fits(const Window& window, const Sizes& kernel) {
    return window.strides.size() == kernel.size() && window.dilations.size() == kernel.size() &&
           window.pads.size() == 2 * kernel.size();
}

/// Batch and channels are left to the caller.
Shape slide(const Shape& input, const Sizes& kernel, const Window& window) {
    Shape result(input.begin(), input.begin() + 2);
    for (std::size_t d = 0; d < kernel.size(); ++d) {
        const std::int64_t reach = window.dilations[d] * (kernel[d] - 1) + 1;
        const std::int64_t room = input[d + 2] + window.pads[d] + window.pads[d + kernel.size()] - reach;
        result.push_back(room < 0 ? 0 : room / window.strides[d] + 1);
    }
    return result;
}

bool allPositive(const Shape& shape) {
    return std::ranges::all_of(shape, [](std::int64_t size) { return size > 0; });
}

} // namespace

std::optional<Shape> broadcastShape(const Shape& a, const Shape& b) {
    const Shape& longer = a.size() >= b.size() ? a : b;
    const Shape& shorter = a.size() >= b.size() ? b : a;
    Shape result = longer;
    const std::size_t offset = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::int64_t& size = result[offset + i];
        if (size != shorter[i] && size != 1 && shorter[i] != 1)
            return std::nullopt;
        size = std::max(size, shorter[i]);
    }
    return result;
}

Window Window::same(const Shape& input, const Sizes& kernel, Sizes strides, Sizes dilations) {
    Window window = filled({std::move(strides), {}, std::move(dilations)}, kernel.size());
    for (std::size_t d = 0; d < kernel.size(); ++d) {
        const std::int64_t size = input[d + 2];
        const std::int64_t results = (size + window.strides[d] - 1) / window.strides[d];
        const std::int64_t reach = window.dilations[d] * (kernel[d] - 1) + 1;
        const std::int64_t missing = std::max<std::int64_t>(0, (results - 1) * window.strides[d] + reach - size);
        window.pads[d] = missing / 2;
        window.pads[d + kernel.size()] = missing - missing / 2;
    }
    return window;
}

Window Window::causal(std::int64_t kernel, std::int64_t dilation) {
    return {{1}, {dilation * (kernel - 1), 0}, {dilation}};
}

Window Window::square(std::int64_t stride, std::int64_t pad) { return {{stride, stride}, {pad, pad, pad, pad}, {}}; }

Value TensorProgram::matMul(Value a, Value b, bool transposeA, bool transposeB, std::string_view name) {
    const Shape &left = shape(a), &right = shape(b);
    require(left.size() >= 2 && right.size() >= 2, "MatMul of {} and {}", toString(left), toString(right));
    const auto [m, k] = std::pair(dim(a, transposeA ? -1 : -2), dim(a, transposeA ? -2 : -1));
    const auto [inner, n] = std::pair(dim(b, transposeB ? -1 : -2), dim(b, transposeB ? -2 : -1));
    auto result = broadcastShape(Shape(left.begin(), left.end() - 2), Shape(right.begin(), right.end() - 2));
    require(k == inner && result.has_value(), "MatMul of {}{} and {}{}", toString(left),
            transposeA ? " transposed" : "", toString(right), transposeB ? " transposed" : "");
    result->insert(result->end(), {m, n});
    std::vector<Attribute> attributes;
    if (transposeA)
        attributes.push_back(integer("transA", 1));
    if (transposeB)
        attributes.push_back(integer("transB", 1));
    return one("MatMul", {a, b}, std::move(*result), name, std::move(attributes));
}

Value TensorProgram::conv(Value x, Value weights, const Window& given, std::string_view name) {
    const Shape &input = shape(x), &filters = shape(weights);
    require(input.size() >= 3 && filters.size() == input.size() && filters[1] * given.group == input[1] &&
                filters[0] % given.group == 0,
            "Conv of {} with weights {} in {} group(s)", toString(input), toString(filters), given.group);
    const Sizes kernel(filters.begin() + 2, filters.end());
    const Window window = filled(given, kernel.size());
    require(fits(window, kernel), "the window of a Conv must have {} dimensions", kernel.size());
    Shape result = slide(input, kernel, window);
    result[1] = filters[0];
    require(allPositive(result), "Conv of {} with weights {} has nothing to slide over", toString(input),
            toString(filters));
    std::vector<Attribute> attributes = windowAttributes(kernel, window);
    attributes.push_back({"dilations", window.dilations});
    attributes.push_back(integer("group", window.group));
    return one("Conv", {x, weights}, std::move(result), name, std::move(attributes));
}

Value TensorProgram::pool(std::string_view type, Value x, const Sizes& kernel, const Window& given,
                          std::string_view name) {
    const Shape& input = shape(x);
    const Window window = filled(given, kernel.size());
    require(input.size() == kernel.size() + 2 && fits(window, kernel), "{} of {} with a kernel of {}", type,
            toString(input), toString(kernel));
    for (std::size_t d = 0; d < kernel.size(); ++d)
        require(window.dilations[d] == 1 && 2 * window.pads[d] <= kernel[d],
                "{} slides windows that lie in the padding or are dilated", type);
    Shape result = slide(input, kernel, window);
    require(allPositive(result), "{} of {} has nothing to slide over", type, toString(input));
    return one(type, {x}, std::move(result), name, windowAttributes(kernel, window));
}

Value TensorProgram::maxPool(Value x, const Sizes& kernel, const Window& window, std::string_view name) {
    return pool("MaxPool", x, kernel, window, name);
}

Value TensorProgram::averagePool(Value x, const Sizes& kernel, const Window& window, std::string_view name) {
    return pool("AveragePool", x, kernel, window, name);
}

Value TensorProgram::globalAveragePool(Value x, std::string_view name) {
    Shape result = shape(x);
    require(result.size() >= 3, "GlobalAveragePool of {}", toString(result));
    std::fill(result.begin() + 2, result.end(), 1);
    return one("GlobalAveragePool", {x}, std::move(result), name);
}

Value TensorProgram::elementwise(std::string_view type, Value a, Value b, std::string_view name) {
    auto result = broadcastShape(shape(a), shape(b));
    require(result.has_value(), "{} of {} and {}", type, toString(shape(a)), toString(shape(b)));
    return one(type, {a, b}, std::move(*result), name);
}

Value TensorProgram::unary(std::string_view type, Value x, std::string_view name) {
    return one(type, {x}, shape(x), name);
}

Value TensorProgram::add(Value a, Value b, std::string_view name) { return elementwise("Add", a, b, name); }
Value TensorProgram::sub(Value a, Value b, std::string_view name) { return elementwise("Sub", a, b, name); }
Value TensorProgram::mul(Value a, Value b, std::string_view name) { return elementwise("Mul", a, b, name); }
Value TensorProgram::div(Value a, Value b, std::string_view name) { return elementwise("Div", a, b, name); }
Value TensorProgram::neg(Value x, std::string_view name) { return unary("Neg", x, name); }
Value TensorProgram::exp(Value x, std::string_view name) { return unary("Exp", x, name); }
Value TensorProgram::log(Value x, std::string_view name) { return unary("Log", x, name); }
Value TensorProgram::sqrt(Value x, std::string_view name) { return unary("Sqrt", x, name); }
Value TensorProgram::relu(Value x, std::string_view name) { return unary("Relu", x, name); }
Value TensorProgram::sigmoid(Value x, std::string_view name) { return unary("Sigmoid", x, name); }
Value TensorProgram::tanh(Value x, std::string_view name) { return unary("Tanh", x, name); }
Value TensorProgram::gelu(Value x, std::string_view name) { return unary("Gelu", x, name); }

Value TensorProgram::addN(std::span<const Value> values, std::string_view name) {
    require(!values.empty(), "a sum of nothing");
    if (values.size() == 1)
        return values[0];
    for (const Value value : values)
        require(shape(value) == shape(values[0]), "AddN of {} and {}", toString(shape(values[0])),
                toString(shape(value)));
    const OpId id = addOp("AddN", values, {}, name);
    return addOutput(id, dtype(values[0]), shape(values[0]));
}

TensorProgram::Dropped TensorProgram::dropout(Value x, double rate, std::string_view name) {
    require(rate >= 0 && rate < 1, "a dropout rate of {}", rate);
    const OpId id = addOp("Dropout", {&x, 1}, {{"ratio", rate}, integer("training_mode", 1)}, name);
    const Value result = addOutput(id, dtype(x), shape(x));
    return {result, addOutput(id, DType::Bool, shape(x))};
}

Value TensorProgram::softmax(Value x, std::int64_t axis, std::string_view name) {
    const auto at = static_cast<std::int64_t>(axisOf(x, axis));
    return one("Softmax", {x}, shape(x), name, {integer("axis", at)});
}

TensorProgram::Normalized TensorProgram::normalize(std::string_view type, Value x, Value scale, Value bias,
                                                   std::int64_t axis, Shape statistics,
                                                   std::vector<Attribute> attributes, std::string_view name) {
    const Shape wanted{dim(x, axis)};
    require(shape(scale) == wanted && shape(bias) == wanted, "{} of {} with scale {} and bias {}", type,
            toString(shape(x)), toString(shape(scale)), toString(shape(bias)));
    attributes.push_back({"epsilon", kEpsilon});
    const OpId id = addOp(type, std::array{x, scale, bias}, std::move(attributes), name);
    Normalized made;
    made.result = addOutput(id, dtype(x), shape(x));
    made.mean = addOutput(id, dtype(x), statistics);
    made.variance = addOutput(id, dtype(x), std::move(statistics));
    return made;
}

TensorProgram::Normalized TensorProgram::layerNormalization(Value x, Value scale, Value bias, std::string_view name) {
    Shape statistics = shape(x);
    statistics[axisOf(x, -1)] = 1;
    return normalize("LayerNormalization", x, scale, bias, -1, std::move(statistics), {integer("axis", -1)}, name);
}

TensorProgram::Normalized TensorProgram::batchNormalization(Value x, Value scale, Value bias, std::string_view name) {
    return normalize("BatchNormalization", x, scale, bias, 1, {dim(x, 1)}, {integer("training_mode", 1)}, name);
}

Value TensorProgram::localResponseNormalization(Value x, std::int64_t size, std::string_view name) {
    require(shape(x).size() >= 3 && size > 0, "LRN of {} across {} channels", toString(shape(x)), size);
    return one("LRN", {x}, shape(x), name, {integer("size", size), {"alpha", 1e-4}, {"beta", 0.75}, {"bias", 1.0}});
}

Value TensorProgram::reduce(std::string_view type, Value x, Sizes axes, bool keepDims, std::string_view name) {
    if (axes.empty()) {
        axes.resize(shape(x).size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    for (std::int64_t& axis : axes)
        axis = static_cast<std::int64_t>(axisOf(x, axis));
    std::ranges::sort(axes);
    require(std::ranges::adjacent_find(axes) == axes.end(), "{} over an axis twice", type);
    Shape result = shape(x);
    for (std::size_t i = axes.size(); i-- > 0;) {
        const auto at = result.begin() + axes[i];
        if (keepDims)
            *at = 1;
        else
            result.erase(at);
    }
    return one(type, {x}, std::move(result), name, {{"axes", std::move(axes)}, integer("keepdims", keepDims ? 1 : 0)});
}

Value TensorProgram::reduceSum(Value x, Sizes axes, bool keepDims, std::string_view name) {
    return reduce("ReduceSum", x, std::move(axes), keepDims, name);
}

Value TensorProgram::reduceMean(Value x, Sizes axes, bool keepDims, std::string_view name) {
    return reduce("ReduceMean", x, std::move(axes), keepDims, name);
}

TensorProgram::Loss TensorProgram::softmaxCrossEntropy(Value logits, Value labels, Reduction reduction,
                                                       std::string_view name) {
    const Shape& scores = shape(logits);
    require(!scores.empty() && shape(labels) == Shape(scores.begin(), scores.end() - 1),
            "SoftmaxCrossEntropyLoss of logits {} and labels {}", toString(scores), toString(shape(labels)));
    const char* text = reduction == Reduction::Mean ? "mean" : reduction == Reduction::Sum ? "sum" : "none";
    const OpId id =
        addOp("SoftmaxCrossEntropyLoss", std::array{logits, labels}, {{"reduction", std::string(text)}}, name);
    const Value loss = addOutput(id, dtype(logits), reduction == Reduction::None ? shape(labels) : Shape{});
    return {loss, addOutput(id, dtype(logits), shape(logits))};
}

} // namespace opscape
