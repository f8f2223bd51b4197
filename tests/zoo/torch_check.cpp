// SPDX-License-Identifier: MIT
// Every op type has one function from input tensors to output tensors. Those of the forward pass are differentiable by
// torch. The gradient ops are written from their formulas, or, where the formula is long, as the vector-Jacobian
// product of the forward function at the op's own inputs; either way they see nothing but what the graph hands them.
#include "torch_check.h"

#include <opscape/zoo/tensor_program.h>

#include <torch/torch.h>

#include <charconv>
#include <functional>
#include <map>
#include <numeric>

namespace opscape::test {
namespace {

using Tensor = torch::Tensor;
using Tensors = std::vector<Tensor>;

/// One op with the values of its inputs.
struct Call {
    const Graph& graph;
    OpId id;
    Tensors in;

    template <class T>
    T get(std::string_view name, T otherwise) const {
        for (const Attribute& attribute : graph.op(id).attributes) {
            if (attribute.name == name)
                return std::get<T>(attribute.value);
        }
        return otherwise;
    }
    std::int64_t integer(std::string_view name, std::int64_t otherwise = 0) const { return get(name, otherwise); }
    Sizes sizes(std::string_view name) const { return get(name, Sizes()); }
    /// Of an output, as the graph says.
    const Shape& shape(std::size_t output = 0) const { return graph.tensor(graph.outputs(id)[output]).shape; }
};

using Function = std::function<Tensors(const Call&)>;

/// Of the last dimensions, as torch wants them: the last one first.
Tensor padded(const Tensor& x, const Sizes& pads, double value = 0) {
    Sizes reversed;
    for (std::size_t d = pads.size() / 2; d-- > 0;)
        reversed.insert(reversed.end(), {pads[d], pads[d + pads.size() / 2]});
    return at::constant_pad_nd(x, reversed, value);
}

Tensor conv(const Call& c, const Tensor& x, const Tensor& weights) {
    const Sizes none(c.sizes("strides").size(), 0);
    return at::convolution(padded(x, c.sizes("pads")), weights, {}, c.sizes("strides"), none, c.sizes("dilations"),
                           false, none, c.integer("group", 1));
}

/// All windows of the spatial dimensions as one last dimension.
Tensor windows(const Call& c, Tensor x) {
    const Sizes kernel = c.sizes("kernel_shape"), strides = c.sizes("strides");
    for (std::size_t d = 0; d < kernel.size(); ++d)
        x = x.unfold(static_cast<std::int64_t>(d) + 2, kernel[d], strides[d]);
    return x.flatten(static_cast<std::int64_t>(kernel.size()) + 2);
}

Tensor maxPool(const Call& c, const Tensor& x) {
    return windows(c, padded(x, c.sizes("pads"), -std::numeric_limits<double>::infinity())).amax(-1);
}

Tensor averagePool(const Call& c, const Tensor& x) {
    return windows(c, padded(x, c.sizes("pads"))).sum(-1) /
           windows(c, padded(torch::ones_like(x), c.sizes("pads"))).sum(-1);
}

Tensor localResponse(const Call& c, const Tensor& x) {
    const std::int64_t size = c.integer("size");
    const auto number = [&c](std::string_view name) { return c.get(name, 0.0); };
    Tensor squares = x.square().movedim(1, -1);
    squares = at::constant_pad_nd(squares, {(size - 1) / 2, size / 2}).unfold(-1, size, 1).sum(-1).movedim(-1, 1);
    return x / (number("bias") + number("alpha") / static_cast<double>(size) * squares).pow(number("beta"));
}

Tensors layerNorm(const Call& c, const Tensor& x, const Tensor& scale, const Tensor& bias) {
    const Tensor mean = x.mean(-1, true), variance = (x - mean).square().mean(-1, true);
    return {(x - mean) / (variance + c.get("epsilon", 0.0)).sqrt() * scale + bias, mean, variance};
}

Tensors batchNorm(const Call& c, const Tensor& x, const Tensor& scale, const Tensor& bias) {
    Sizes others{0}, channels(static_cast<std::size_t>(x.dim()), 1);
    for (std::int64_t d = 2; d < x.dim(); ++d)
        others.push_back(d);
    channels[1] = x.size(1);
    const Tensor mean = x.mean(others), variance = (x - mean.view(channels)).square().mean(others);
    const Tensor normal = (x - mean.view(channels)) / (variance.view(channels) + c.get("epsilon", 0.0)).sqrt();
    return {normal * scale.view(channels) + bias.view(channels), mean, variance};
}

/// The gradients by `inputs` of a function whose result has this gradient.
Tensors pullBack(const std::function<Tensor(const Tensors&)>& function, const Tensors& inputs, const Tensor& gradient) {
    const torch::AutoGradMode on(true);
    Tensors leaves;
    for (const Tensor& input : inputs)
        leaves.push_back(input.detach().clone().requires_grad_());
    return torch::autograd::grad({function(leaves)}, leaves, {gradient});
}

Tensor crossEntropy(const Call& c, const Tensor& logits, const Tensor& labels) {
    const Tensor each = -logits.log_softmax(-1).gather(-1, labels.unsqueeze(-1)).squeeze(-1);
    const auto reduction = c.get("reduction", std::string());
    return reduction == "none" ? each : reduction == "sum" ? each.sum() : each.mean();
}

Tensor crossEntropyGrad(const Call& c) {
    const Tensor labels = c.in[1];
    const Tensor difference = c.in[0] - torch::one_hot(labels, c.in[0].size(-1));
    const auto reduction = c.get("reduction", std::string());
    if (reduction == "none")
        return difference * c.in[2].unsqueeze(-1);
    return difference * c.in[2] / (reduction == "mean" ? static_cast<double>(labels.numel()) : 1.0);
}

Tensor matMul(const Call& c) {
    const auto operand = [&c](std::size_t slot, std::string_view flag) {
        return c.integer(flag) != 0 ? c.in[slot].transpose(-1, -2) : c.in[slot];
    };
    return torch::matmul(operand(0, "transA"), operand(1, "transB"));
}

Tensor gatherGrad(const Call& c) {
    const Shape& table = c.shape();
    Shape rows = table;
    rows[0] = c.in[1].numel();
    return torch::zeros(table, torch::kDouble).index_add(0, c.in[1].flatten(), c.in[0].reshape(rows));
}

Tensor slice(const Call& c) {
    const Sizes axes = c.sizes("axes"), starts = c.sizes("starts"), ends = c.sizes("ends");
    Tensor x = c.in[0];
    for (std::size_t i = 0; i < axes.size(); ++i)
        x = x.slice(axes[i], starts[i], ends[i]);
    return x;
}

/// Functions of one result.
Function one(std::function<Tensor(const Call&)> function) {
    return [function = std::move(function)](const Call& c) { return Tensors{function(c)}; };
}

const std::map<std::string, Function>& functions() {
    static const std::map<std::string, Function> kFunctions{
        {"Add", one([](const Call& c) { return c.in[0] + c.in[1]; })},
        {"AddN", one([](const Call& c) {
             return std::accumulate(c.in.begin() + 1, c.in.end(), c.in[0],
                                    [](const Tensor& a, const Tensor& b) { return a + b; });
         })},
        {"AveragePool", one([](const Call& c) { return averagePool(c, c.in[0]); })},
        {"AveragePoolGrad",
         [](const Call& c) {
             return pullBack([&c](const Tensors& x) { return averagePool(c, x[0]); },
                             {torch::zeros(c.shape(), torch::kDouble)}, c.in[0]);
         }},
        {"BatchNormalization", [](const Call& c) { return batchNorm(c, c.in[0], c.in[1], c.in[2]); }},
        {"BatchNormalizationGrad",
         [](const Call& c) {
             return pullBack([&c](const Tensors& x) { return batchNorm(c, x[0], x[1], x[2])[0]; },
                             {c.in[1], c.in[2], torch::zeros_like(c.in[2])}, c.in[0]);
         }},
        {"Concat", one([](const Call& c) { return torch::cat(c.in, c.integer("axis")); })},
        {"ConstantOfShape", one([](const Call& c) { return torch::zeros(c.shape(), torch::kDouble); })},
        {"Conv", one([](const Call& c) { return conv(c, c.in[0], c.in[1]); })},
        {"ConvGradFilter",
         [](const Call& c) {
             return pullBack([&c](const Tensors& w) { return conv(c, c.in[0], w[0]); },
                             {torch::zeros(c.shape(), torch::kDouble)}, c.in[1]);
         }},
        {"ConvGradInput",
         [](const Call& c) {
             return pullBack([&c](const Tensors& x) { return conv(c, x[0], c.in[0]); },
                             {torch::zeros(c.shape(), torch::kDouble)}, c.in[1]);
         }},
        {"Div", one([](const Call& c) { return c.in[0] / c.in[1]; })},
        {"Dropout",
         [](const Call& c) {
             const double rate = c.get("ratio", 0.0);
             // Spread evenly, so that what is dropped as a whole (a path of a network) stays for some of a batch.
             const Tensor place = torch::arange(*elementCount(c.shape()), torch::kDouble).reshape(c.shape());
             const Tensor mask = (place * rate).floor() == ((place + 1) * rate).floor();
             return Tensors{c.in[0] * mask / (1 - rate), mask};
         }},
        {"DropoutGrad", one([](const Call& c) { return c.in[0] * c.in[1] / (1 - c.get("ratio", 0.0)); })},
        {"Exp", one([](const Call& c) { return c.in[0].exp(); })},
        {"Expand", one([](const Call& c) { return c.in[0].expand(c.shape()); })},
        {"Gather", one([](const Call& c) { return c.in[0].index_select(0, c.in[1].flatten()).reshape(c.shape()); })},
        {"GatherGrad", one(gatherGrad)},
        {"Gelu", one([](const Call& c) { return torch::gelu(c.in[0]); })},
        {"GeluGrad",
         [](const Call& c) {
             return pullBack([](const Tensors& x) { return torch::gelu(x[0]); }, {c.in[0]}, c.in[1]);
         }},
        {"GlobalAveragePool", one([](const Call& c) { return c.in[0].flatten(2).mean(-1).reshape(c.shape()); })},
        {"GlobalAveragePoolGrad", one([](const Call& c) {
             const double results = static_cast<double>(c.in[0].numel());
             return c.in[0].expand(c.shape()) * results / static_cast<double>(*elementCount(c.shape()));
         })},
        {"Identity", one([](const Call& c) { return c.in[0]; })},
        {"LRN", one([](const Call& c) { return localResponse(c, c.in[0]); })},
        {"LRNGrad",
         [](const Call& c) {
             return pullBack([&c](const Tensors& x) { return localResponse(c, x[0]); }, {c.in[0]}, c.in[2]);
         }},
        {"LayerNormalization", [](const Call& c) { return layerNorm(c, c.in[0], c.in[1], c.in[2]); }},
        {"LayerNormalizationGrad",
         [](const Call& c) {
             return pullBack([&c](const Tensors& x) { return layerNorm(c, x[0], x[1], x[2])[0]; },
                             {c.in[1], c.in[2], torch::zeros_like(c.in[2])}, c.in[0]);
         }},
        {"Log", one([](const Call& c) { return c.in[0].log(); })},
        {"MatMul", one(matMul)},
        {"MaxPool", one([](const Call& c) { return maxPool(c, c.in[0]); })},
        {"MaxPoolGrad",
         [](const Call& c) {
             return pullBack([&c](const Tensors& x) { return maxPool(c, x[0]); }, {c.in[0]}, c.in[2]);
         }},
        {"Mul", one([](const Call& c) { return c.in[0] * c.in[1]; })},
        {"Neg", one([](const Call& c) { return -c.in[0]; })},
        {"Pad", one([](const Call& c) { return padded(c.in[0], c.sizes("pads")); })},
        {"ReadVariable", one([](const Call& c) { return c.in[0]; })},
        {"ReduceMean", one([](const Call& c) { return c.in[0].mean(c.sizes("axes"), c.integer("keepdims") != 0); })},
        {"ReduceSum", one([](const Call& c) { return c.in[0].sum(c.sizes("axes"), c.integer("keepdims") != 0); })},
        {"Relu", one([](const Call& c) { return c.in[0].relu(); })},
        {"ReluGrad", one([](const Call& c) { return c.in[1] * (c.in[0] > 0); })},
        {"Reshape", one([](const Call& c) { return c.in[0].reshape(c.shape()); })},
        {"Sigmoid", one([](const Call& c) { return c.in[0].sigmoid(); })},
        {"SigmoidGrad", one([](const Call& c) { return c.in[1] * c.in[0] * (1 - c.in[0]); })},
        {"Slice", one(slice)},
        {"Softmax", one([](const Call& c) { return c.in[0].softmax(c.integer("axis", -1)); })},
        {"SoftmaxCrossEntropyGrad", one(crossEntropyGrad)},
        {"SoftmaxCrossEntropyLoss",
         [](const Call& c) {
             return Tensors{crossEntropy(c, c.in[0], c.in[1]), c.in[0].softmax(-1)};
         }},
        {"SoftmaxGrad", one([](const Call& c) {
             const Tensor product = c.in[0] * c.in[1];
             return product - c.in[0] * product.sum(c.integer("axis", -1), true);
         })},
        {"Split", [](const Call& c) { return c.in[0].split_with_sizes(c.sizes("split"), c.integer("axis")); }},
        {"Sqrt", one([](const Call& c) { return c.in[0].sqrt(); })},
        {"StopGradient", one([](const Call& c) { return c.in[0].detach(); })},
        {"Sub", one([](const Call& c) { return c.in[0] - c.in[1]; })},
        {"Tanh", one([](const Call& c) { return c.in[0].tanh(); })},
        {"TanhGrad", one([](const Call& c) { return c.in[1] * (1 - c.in[0].square()); })},
        {"Transpose", one([](const Call& c) { return c.in[0].permute(c.sizes("perm")); })},
    };
    return kFunctions;
}

class Interpreter {
public:
    Interpreter(const Graph& graph, std::uint64_t seed) : m_graph(graph), m_values(graph.tensorCount()) {
        torch::manual_seed(seed);
        for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
            if (!graph.producer(TensorId(t)).valid())
                m_values[t] = resident(TensorId(t));
        }
    }

    Tensor& value(TensorId id) { return m_values[id.index()]; }

    void runPhase(Phase phase) {
        for (std::size_t i = 0; i < m_graph.opCount(); ++i) {
            if (m_graph.op(OpId(i)).phase == phase)
                run(OpId(i));
        }
    }

    void detach() {
        for (Tensor& tensor : m_values) {
            if (tensor.defined())
                tensor = tensor.detach();
        }
    }

private:
    Tensor resident(TensorId id) {
        const opscape::Tensor& tensor = m_graph.tensor(id);
        if (tensor.dtype == DType::I64)
            return torch::randint(numbersBelow(id), tensor.shape, torch::kLong);
        constexpr std::string_view kNumber = "constants/";
        double number = 0;
        if (tensor.kind == TensorKind::Constant && tensor.name.starts_with(kNumber)) {
            std::from_chars(tensor.name.data() + kNumber.size(), tensor.name.data() + tensor.name.size(), number);
            return torch::full(tensor.shape, number, torch::kDouble);
        }
        const Tensor random = torch::randn(tensor.shape, torch::kDouble);
        if (tensor.kind != TensorKind::Weight)
            return random;
        // Sized such that values neither grow nor vanish through many layers, and that most rectifiers are open.
        const std::size_t rank = tensor.shape.size();
        if (rank < 2)
            return (random.abs() + 0.3).requires_grad_();
        const std::int64_t summed = rank == 2 ? tensor.shape[0] : random.numel() / tensor.shape[0];
        return (random / std::sqrt(static_cast<double>(summed))).requires_grad_();
    }

    /// Rows of the table that it indexes, or classes of the loss that it is the label of.
    std::int64_t numbersBelow(TensorId id) {
        for (const OpId reader : m_graph.consumers(id)) {
            const Shape& table = m_graph.tensor(m_graph.inputs(reader)[0]).shape;
            if (m_graph.op(reader).type == "Gather")
                return table.front();
            if (m_graph.op(reader).type == "SoftmaxCrossEntropyLoss")
                return table.back();
        }
        throw std::runtime_error("nobody says what the numbers of " + m_graph.tensor(id).name + " mean");
    }

    void run(OpId id) {
        const Op& op = m_graph.op(id);
        const auto function = functions().find(op.type);
        if (function == functions().end())
            throw std::runtime_error("unknown op type " + op.type.str());
        Call call{m_graph, id, {}};
        for (const TensorId input : m_graph.inputs(id))
            call.in.push_back(input.valid() ? value(input) : Tensor());
        const Tensors results = function->second(call);
        for (std::size_t i = 0; i < m_graph.outputs(id).size(); ++i) {
            const Shape& shape = call.shape(i);
            if (results.at(i).sizes() != c10::IntArrayRef(shape))
                throw std::runtime_error(fmt::format(
                    "{} {} makes {}, not {}", op.type, op.name,
                    toString(Shape(results[i].sizes().begin(), results[i].sizes().end())), toString(shape)));
            value(m_graph.outputs(id)[i]) = results[i];
        }
    }

    const Graph& m_graph;
    Tensors m_values; ///< per tensor of the graph
};

TensorId lossOf(const Graph& graph) {
    TensorId loss;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const auto outputs = graph.outputs(OpId(i));
        if (graph.op(OpId(i)).phase == Phase::Forward && !outputs.empty() && graph.tensor(outputs[0]).shape.empty())
            loss = outputs[0];
    }
    return loss;
}

} // namespace

std::vector<GradientDifference> compareWithAutograd(const Graph& graph, std::uint64_t seed) {
    torch::set_num_threads(1);
    Interpreter interpreter(graph, seed);
    interpreter.runPhase(Phase::Forward);
    interpreter.value(lossOf(graph)).backward();
    std::map<std::uint32_t, Tensor> expected;
    for (std::size_t t = 0; t < graph.tensorCount(); ++t) {
        if (graph.tensor(TensorId(t)).kind == TensorKind::Weight)
            expected[static_cast<std::uint32_t>(t)] = interpreter.value(TensorId(t)).grad();
    }
    interpreter.detach();
    const torch::NoGradGuard off;
    interpreter.runPhase(Phase::Backward);

    std::vector<GradientDifference> differences;
    for (std::size_t i = 0; i < graph.opCount(); ++i) {
        const auto inputs = graph.inputs(OpId(i));
        if (graph.op(OpId(i)).phase != Phase::Update || graph.tensor(inputs[0]).kind != TensorKind::Weight)
            continue;
        const Tensor& wanted = expected.at(inputs[0].value);
        if (!wanted.defined())
            throw std::runtime_error("torch has no gradient for " + graph.tensor(inputs[0]).name);
        const double magnitude = wanted.abs().max().item<double>();
        const double apart = (interpreter.value(inputs[1]) - wanted).abs().max().item<double>();
        differences.push_back({graph.tensor(inputs[0]).name, apart / std::max(magnitude, 1e-3), magnitude});
    }
    return differences;
}

} // namespace opscape::test
