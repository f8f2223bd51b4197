// SPDX-License-Identifier: MIT
// Each rule is the textbook derivative, written with as few ops as the frameworks use: the gradients of products are
// products with an operand transposed, those of a convolution are two ops that cost as much as the convolution, those
// of activations read what the forward op wrote rather than what it read.
#include <opscape/zoo/autodiff.h>
#include <opscape/zoo/gradient_rules.h>

#include <algorithm>
#include <array>

namespace opscape {
namespace {

/// Sums over the dimensions along which a value of the given shape was broadcast.
Value reduceTo(TensorProgram& p, Value gradient, const Shape& shape) {
    const Shape wide = p.shape(gradient);
    Sizes axes;
    const std::size_t offset = wide.size() - shape.size();
    for (std::size_t i = 0; i < wide.size(); ++i) {
        if (i < offset || (shape[i - offset] == 1 && wide[i] != 1))
            axes.push_back(static_cast<std::int64_t>(i));
    }
    return axes.empty() ? gradient : p.reshape(p.reduceSum(gradient, std::move(axes)), shape);
}

/// The gradient of a reduction is the same for all values that went into one sum.
Value spread(BackwardOp& op, Value gradient) {
    TensorProgram& p = op.program;
    const Shape wide = op.shapeOf(0);
    Shape kept = wide;
    for (const std::int64_t axis : op.attribute<Sizes>("axes"))
        kept[static_cast<std::size_t>(axis)] = 1;
    if (!p.shape(gradient).empty()) // a scalar broadcasts as it is
        gradient = p.reshape(gradient, std::move(kept));
    return p.expand(gradient, wide);
}

void passOn(BackwardOp& op) { std::ranges::fill(op.inputGradients, op.gradients[0]); }

/// An op of its own, with the attributes of the forward op and one output shaped like input `like`.
Value gradientOp(BackwardOp& op, std::string_view type, std::initializer_list<Value> inputs, std::size_t like) {
    const Shape shape = op.shapeOf(like);
    return op.program.op(type, std::span(inputs.begin(), inputs.size()), {&shape, 1}, op.attributes)[0];
}

void add(BackwardOp& op) {
    for (std::size_t i = 0; i < 2; ++i) {
        if (op.isNeeded[i])
            op.inputGradients[i] = reduceTo(op.program, op.gradients[0], Shape(op.shapeOf(i)));
    }
}

void sub(BackwardOp& op) {
    add(op);
    if (op.isNeeded[1])
        op.inputGradients[1] = op.program.neg(op.inputGradients[1]);
}

void mul(BackwardOp& op) {
    for (std::size_t i = 0; i < 2; ++i) {
        if (op.isNeeded[i])
            op.inputGradients[i] =
                reduceTo(op.program, op.program.mul(op.gradients[0], op.inputs[1 - i]), Shape(op.shapeOf(i)));
    }
}

void div(BackwardOp& op) {
    TensorProgram& p = op.program;
    const Value quotient = p.div(op.gradients[0], op.inputs[1]);
    if (op.isNeeded[0])
        op.inputGradients[0] = reduceTo(p, quotient, Shape(op.shapeOf(0)));
    if (op.isNeeded[1])
        op.inputGradients[1] = p.neg(reduceTo(p, p.mul(quotient, op.outputs[0]), Shape(op.shapeOf(1))));
}

void matMul(BackwardOp& op) {
    TensorProgram& p = op.program;
    const Value a = op.inputs[0], b = op.inputs[1], d = op.gradients[0];
    const bool transA = op.flag("transA"), transB = op.flag("transB");
    const Shape shapeA = op.shapeOf(0), shapeB = op.shapeOf(1);
    if (op.isNeeded[0])
        op.inputGradients[0] =
            reduceTo(p, transA ? p.matMul(b, d, transB, true) : p.matMul(d, b, false, !transB), shapeA);
    if (!op.isNeeded[1])
        return;
    // Rows that share one matrix are one long matrix, so that its gradient is one product.
    const bool isShared = shapeB.size() == 2 && shapeA.size() > 2 && !transA;
    const Value rows = isShared ? p.reshape(a, {-1, shapeA.back()}) : a;
    const Value rowGradients = isShared ? p.reshape(d, {-1, p.dim(d, -1)}) : d;
    op.inputGradients[1] = reduceTo(
        p, transB ? p.matMul(rowGradients, rows, true, transA) : p.matMul(rows, rowGradients, !transA, false), shapeB);
}

void conv(BackwardOp& op) {
    if (op.isNeeded[0])
        op.inputGradients[0] = gradientOp(op, "ConvGradInput", {op.inputs[1], op.gradients[0]}, 0);
    if (op.isNeeded[1])
        op.inputGradients[1] = gradientOp(op, "ConvGradFilter", {op.inputs[0], op.gradients[0]}, 1);
}

/// Layer and batch normalisation: the gradients of input, scale and bias come from one op.
void normalization(BackwardOp& op, std::string_view type) {
    const std::array inputs{op.gradients[0], op.inputs[0], op.inputs[1], op.outputs[1], op.outputs[2]};
    const std::array<Shape, 3> shapes{op.shapeOf(0), op.shapeOf(1), op.shapeOf(2)};
    op.inputGradients = op.program.op(type, inputs, shapes, op.attributes);
}

void concat(BackwardOp& op) {
    const std::int64_t axis = op.attribute<std::int64_t>("axis");
    Sizes sizes;
    for (const Value input : op.inputs)
        sizes.push_back(op.program.dim(input, axis));
    if (std::ranges::find(op.isNeeded, false) == op.isNeeded.end()) {
        op.inputGradients = op.program.split(op.gradients[0], axis, sizes);
        return;
    }
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < sizes.size(); begin += sizes[i++]) {
        if (op.isNeeded[i])
            op.inputGradients[i] = op.program.slice(op.gradients[0], axis, begin, begin + sizes[i]);
    }
}

void split(BackwardOp& op) {
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        if (!op.gradients[i].valid())
            op.gradients[i] = op.program.zeros(op.program.shape(op.outputs[i]));
    }
    op.inputGradients[0] = op.program.concat(op.gradients, op.attribute<std::int64_t>("axis"));
}

void slice(BackwardOp& op) {
    const std::int64_t axis = op.attribute<Sizes>("axes")[0], begin = op.attribute<Sizes>("starts")[0],
                       end = op.attribute<Sizes>("ends")[0];
    op.inputGradients[0] =
        op.program.pad(op.gradients[0], axis, begin, op.shapeOf(0)[static_cast<std::size_t>(axis)] - end);
}

void pad(BackwardOp& op) {
    Value gradient = op.gradients[0];
    const Sizes& pads = op.attribute<Sizes>("pads");
    for (std::size_t axis = 0; 2 * axis < pads.size(); ++axis)
        gradient =
            op.program.slice(gradient, static_cast<std::int64_t>(axis), pads[axis], pads[axis] + op.shapeOf(0)[axis]);
    op.inputGradients[0] = gradient;
}

void transpose(BackwardOp& op) {
    const Sizes& forward = op.attribute<Sizes>("perm");
    Sizes inverse(forward.size());
    for (std::size_t i = 0; i < forward.size(); ++i)
        inverse[static_cast<std::size_t>(forward[i])] = static_cast<std::int64_t>(i);
    op.inputGradients[0] = op.program.transpose(op.gradients[0], std::move(inverse));
}

void reduceMean(BackwardOp& op) {
    const auto all = static_cast<double>(elementCount(op.shapeOf(0)).value_or(1));
    const auto results = static_cast<double>(elementCount(op.program.shape(op.outputs[0])).value_or(1));
    op.inputGradients[0] = spread(op, op.program.mul(op.gradients[0], op.program.scalar(results / all)));
}

struct Row {
    std::string_view type;
    GradientRule rule;
};

constexpr std::array kRules{
    Row{"Add", add},
    Row{"AddN", passOn},
    Row{"AveragePool",
        [](BackwardOp& op) { op.inputGradients[0] = gradientOp(op, "AveragePoolGrad", {op.gradients[0]}, 0); }},
    Row{"BatchNormalization", [](BackwardOp& op) { normalization(op, "BatchNormalizationGrad"); }},
    Row{"Concat", concat},
    Row{"Conv", conv},
    Row{"Div", div},
    Row{"Dropout",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "DropoutGrad", {op.gradients[0], op.outputs[1]}, 0);
        }},
    Row{"Exp", [](BackwardOp& op) { op.inputGradients[0] = op.program.mul(op.gradients[0], op.outputs[0]); }},
    Row{"Expand",
        [](BackwardOp& op) { op.inputGradients[0] = reduceTo(op.program, op.gradients[0], Shape(op.shapeOf(0))); }},
    Row{"Gather",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "GatherGrad", {op.gradients[0], op.inputs[1]}, 0);
        }},
    Row{"Gelu",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "GeluGrad", {op.inputs[0], op.gradients[0]}, 0);
        }},
    Row{"GlobalAveragePool",
        [](BackwardOp& op) { op.inputGradients[0] = gradientOp(op, "GlobalAveragePoolGrad", {op.gradients[0]}, 0); }},
    Row{"Identity", passOn},
    Row{"LRN",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "LRNGrad", {op.inputs[0], op.outputs[0], op.gradients[0]}, 0);
        }},
    Row{"LayerNormalization", [](BackwardOp& op) { normalization(op, "LayerNormalizationGrad"); }},
    Row{"Log", [](BackwardOp& op) { op.inputGradients[0] = op.program.div(op.gradients[0], op.inputs[0]); }},
    Row{"MatMul", matMul},
    Row{"MaxPool",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "MaxPoolGrad", {op.inputs[0], op.outputs[0], op.gradients[0]}, 0);
        }},
    Row{"Mul", mul},
    Row{"Neg", [](BackwardOp& op) { op.inputGradients[0] = op.program.neg(op.gradients[0]); }},
    Row{"Pad", pad},
    Row{"ReduceMean", reduceMean},
    Row{"ReduceSum", [](BackwardOp& op) { op.inputGradients[0] = spread(op, op.gradients[0]); }},
    Row{"Relu",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "ReluGrad", {op.outputs[0], op.gradients[0]}, 0);
        }},
    Row{"Reshape",
        [](BackwardOp& op) { op.inputGradients[0] = op.program.reshape(op.gradients[0], Shape(op.shapeOf(0))); }},
    Row{"Sigmoid",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "SigmoidGrad", {op.outputs[0], op.gradients[0]}, 0);
        }},
    Row{"Slice", slice},
    Row{"Softmax",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "SoftmaxGrad", {op.outputs[0], op.gradients[0]}, 0);
        }},
    Row{"SoftmaxCrossEntropyLoss",
        [](BackwardOp& op) {
            op.inputGradients[0] =
                gradientOp(op, "SoftmaxCrossEntropyGrad", {op.outputs[1], op.inputs[1], op.gradients[0]}, 0);
        }},
    Row{"Split", split},
    Row{"Sqrt",
        [](BackwardOp& op) {
            const Value quotient = op.program.div(op.gradients[0], op.outputs[0]);
            op.inputGradients[0] = op.program.mul(quotient, op.program.scalar(0.5));
        }},
    Row{"Sub", sub},
    Row{"Tanh",
        [](BackwardOp& op) {
            op.inputGradients[0] = gradientOp(op, "TanhGrad", {op.outputs[0], op.gradients[0]}, 0);
        }},
    Row{"Transpose", transpose},
};
static_assert(std::ranges::is_sorted(kRules, {}, &Row::type));

} // namespace

bool BackwardOp::flag(std::string_view name) const {
    const auto it = std::ranges::find(attributes, name, &Attribute::name);
    return it != attributes.end() && std::get<std::int64_t>(it->value) != 0;
}

GradientRule gradientRule(std::string_view opType) {
    const auto it = std::ranges::lower_bound(kRules, opType, {}, &Row::type);
    return it != kRules.end() && it->type == opType ? it->rule : nullptr;
}

std::vector<std::string_view> differentiableOps() {
    std::vector<std::string_view> types;
    for (const Row& row : kRules)
        types.push_back(row.type);
    return types;
}

} // namespace opscape
