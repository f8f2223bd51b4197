// SPDX-License-Identifier: MIT
// A small tensor program: the way in which every model of the zoo is written. Its operations infer and check shapes,
// name ops by scope as TensorFlow does, and end up in a Graph whose op types, inputs and attributes are those of ONNX
// (core/cost has a rule for each). autodiff.h adds the backward pass, training.h the updates of the variables.
//
// How a family is written (rnnlm.cpp is the example):
//
//     TensorProgram p("mlp");
//     const Value x = p.input("images", {batch, 784}), labels = p.input("labels", {batch}, DType::I64);
//     Value h = x;
//     for (int l = 0; l < layers; ++l) {
//         const auto scope = p.scope(fmt::format("layer_{}", l)); // until the end of the block
//         h = p.relu(dense(p, h, units));                          // layers.h: makes layer_0/weights and layer_0/bias
//     }
//     minimize(p, p.softmaxCrossEntropy(h, labels).loss, UpdateRule::Sgd);
//     return std::move(p).build();
//
// - Names. scope("layer_1") inside of scope("decoder") is decoder/layer_1; entering a scope again continues it. An op
// is
//   named by its type or by the name given, and gets "_1", "_2", ... where that is taken: decoder/layer_1/MatMul_1. Put
//   what people would place together in one scope, a time step inside of its layer (layer_1/step_3/...), and create the
//   variables in the layer's scope, outside of the step's: searches and the expert's placement follow these scopes. The
//   backward ops of decoder/layer_1/MatMul go to gradients/decoder/layer_1/MatMul_grad, the update of its weights is
//   train/decoder/layer_1/update_weights; both by themselves.
// - Values are handles. A value is made by one op, or is resident (an input, a constant). Shapes are known entirely.
// - Variables. variable() makes a resident weight and one ReadVariable op of the same name that hands out its value, to
//   be used by any number of ops. That op and the update share a colocation group, so a use on another device costs a
//   transfer, while on its own device the value takes no memory beside the weight. Make each variable once, before a
//   loop over steps. The update does not wait for those that still read the old value: as in TensorFlow, where it would
//   copy on write.
// - Embeddings. Look up all steps with one gather() and split the result: the gradient of a gather is a whole table.
// - What a program does wrong (shapes that do not fit, an axis out of range) is a bug of the family and throws
//   std::logic_error with a sentence. Check what people set beforehand (zoo.h does it by the bounds of the parameters).
// - Layouts: images are N x C x H x W, sequences for conv() N x C x T. Matrix products broadcast leading dimensions.
//   Elementwise operations broadcast as in ONNX and numpy. A negative axis counts from the end.
// - Deterministic: the same calls give the same graph. Ids of ops and tensors follow the order of the calls.
#pragma once

#include <opscape/graph/graph_builder.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opscape {

/// A tensor of a program. Default-constructed: none.
using Value = TensorId;
using Sizes = std::vector<std::int64_t>;

/// How a window slides, per spatial dimension; what is left empty is 1 (strides, dilations) or 0 (pads).
struct Window {
    Sizes strides;
    Sizes pads; ///< before each dimension, then after each
    Sizes dilations;
    std::int64_t group = 1; ///< of a convolution

    /// Pads such that the result has ceil(size / stride) per dimension, what is odd at the end ("SAME").
    [[nodiscard]] static Window same(const Shape& input, const Sizes& kernel, Sizes strides = {}, Sizes dilations = {});
    /// Pads such that position t of a sequence sees nothing after t.
    [[nodiscard]] static Window causal(std::int64_t kernel, std::int64_t dilation);
    /// The same stride and padding in both dimensions of an image.
    [[nodiscard]] static Window square(std::int64_t stride, std::int64_t pad = 0);
};

class TensorProgram {
public:
    struct Variable {
        std::string name; ///< with its scope; also the name of its colocation group
        Value weight;     ///< the resident
        Value value;      ///< what ReadVariable hands out, and what ops use
        OpId read;
    };
    struct Loss {
        Value loss;          ///< a scalar; shaped like the labels for Reduction::None
        Value probabilities; ///< shaped like the logits
    };
    struct Normalized {
        Value result, mean, variance;
    };
    struct Dropped {
        Value result, mask;
    };
    enum class Reduction { Mean, Sum, None };

    /// `dtype` is that of variables and, unless said otherwise, of inputs and constants.
    explicit TensorProgram(std::string name, DType dtype = DType::F32);

    /// Restores scope and phase when it goes. Not to outlive the program; blocks must nest.
    class [[nodiscard]] Scope {
    public:
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();

    private:
        friend class TensorProgram;
        Scope(TensorProgram& program, std::string scope, Phase phase);
        TensorProgram& m_program;
        std::string m_scope;
        Phase m_phase;
    };
    /// Names of the ops and variables made while it lives begin with the current scope and `name`, which may have
    /// several parts ("decoder/layer_0").
    Scope scope(std::string_view name);
    /// The same, but from the root and in another part of the step; for gradients and updates.
    Scope scopeAt(std::string_view path, Phase phase);
    /// In the current scope, in another part of the step.
    Scope phase(Phase phase);

    // What is there before the step.
    Value input(std::string_view name, Shape shape);
    Value input(std::string_view name, Shape shape, DType dtype);
    Value constant(std::string_view name, Shape shape);
    Value constant(std::string_view name, Shape shape, DType dtype);
    /// One number, of the program's dtype; equal numbers are one constant.
    Value scalar(double number);
    /// Returns Variable::value.
    Value variable(std::string_view name, Shape shape);
    /// State kept from step to step beside the variables, e.g. momentum or a moving average.
    Value state(std::string_view name, Shape shape);

    // Matrices and windows.
    /// a [..., m, k] times b [..., k, n]; a transposed operand has its last two dimensions swapped.
    Value matMul(Value a, Value b, bool transposeA = false, bool transposeB = false, std::string_view name = {});
    /// x is N x C x spatial, weights Co x C/group x kernel.
    Value conv(Value x, Value weights, const Window& window = {}, std::string_view name = {});
    Value maxPool(Value x, const Sizes& kernel, const Window& window, std::string_view name = {});
    /// Zeros of the padding do not count.
    Value averagePool(Value x, const Sizes& kernel, const Window& window, std::string_view name = {});
    /// Keeps the spatial dimensions, with size 1.
    Value globalAveragePool(Value x, std::string_view name = {});

    // One value out per value in.
    Value add(Value a, Value b, std::string_view name = {});
    Value sub(Value a, Value b, std::string_view name = {});
    Value mul(Value a, Value b, std::string_view name = {});
    Value div(Value a, Value b, std::string_view name = {});
    /// The sum of one or more values of one shape (of one value: itself).
    Value addN(std::span<const Value> values, std::string_view name = {});
    Value neg(Value x, std::string_view name = {});
    Value exp(Value x, std::string_view name = {});
    Value log(Value x, std::string_view name = {});
    Value sqrt(Value x, std::string_view name = {});
    Value relu(Value x, std::string_view name = {});
    Value sigmoid(Value x, std::string_view name = {});
    Value tanh(Value x, std::string_view name = {});
    Value gelu(Value x, std::string_view name = {});
    /// Zeroes a share of `rate` of the values and scales the others by 1 / (1 - rate).
    Dropped dropout(Value x, double rate, std::string_view name = {});

    // Normalisation, reduction, loss.
    Value softmax(Value x, std::int64_t axis = -1, std::string_view name = {});
    /// Over the last dimension; scale and bias have its size.
    Normalized layerNormalization(Value x, Value scale, Value bias, std::string_view name = {});
    /// Over all dimensions but the second, with the statistics of the batch; scale and bias have the channels' size.
    Normalized batchNormalization(Value x, Value scale, Value bias, std::string_view name = {});
    /// Local response normalisation across `size` channels.
    Value localResponseNormalization(Value x, std::int64_t size, std::string_view name = {});
    /// No axes: over all of them.
    Value reduceSum(Value x, Sizes axes = {}, bool keepDims = false, std::string_view name = {});
    Value reduceMean(Value x, Sizes axes = {}, bool keepDims = false, std::string_view name = {});
    /// Classes are the last dimension of the logits; labels are class numbers, shaped like the rest.
    Loss softmaxCrossEntropy(Value logits, Value labels, Reduction reduction = Reduction::Mean,
                             std::string_view name = {});

    // Moving values.
    /// Rows of a table (dimension 0) by their numbers: indices [...] of a table [n, ...] give [..., ...].
    Value gather(Value table, Value indices, std::string_view name = {});
    Value concat(std::span<const Value> values, std::int64_t axis, std::string_view name = {});
    std::vector<Value> split(Value x, std::int64_t axis, const Sizes& sizes, std::string_view name = {});
    /// Into equal parts.
    std::vector<Value> split(Value x, std::int64_t axis, std::int64_t parts, std::string_view name = {});
    /// [begin, end) of one axis.
    Value slice(Value x, std::int64_t axis, std::int64_t begin, std::int64_t end, std::string_view name = {});
    /// Zeros before and after, along one axis.
    Value pad(Value x, std::int64_t axis, std::int64_t before, std::int64_t after, std::string_view name = {});
    /// Dimension i of the result is dimension permutation[i] of x.
    Value transpose(Value x, Sizes permutation, std::string_view name = {});
    /// One dimension may be -1: what is left.
    Value reshape(Value x, Shape shape, std::string_view name = {});
    /// Broadcasts to a larger shape.
    Value expand(Value x, Shape shape, std::string_view name = {});
    Value zeros(Shape shape, std::string_view name = {});
    Value identity(Value x, std::string_view name = {});
    /// Hands on x; no gradient flows back through it.
    Value stopGradient(Value x, std::string_view name = {});

    /// Any other op: outputs of the given shapes and the program's dtype, nothing checked. A value that is none is an
    /// omitted input. Has a gradient only where autodiff.cpp has a rule for the type.
    std::vector<Value> op(std::string_view type, std::span<const Value> inputs, std::span<const Shape> outputs,
                          std::vector<Attribute> attributes = {}, std::string_view name = {});
    /// An op that changes `variable` in place, in its colocation group; without outputs.
    OpId update(std::string_view type, const Variable& variable, std::span<const Value> inputs,
                std::vector<Attribute> attributes = {}, std::string_view name = {});

    [[nodiscard]] const Shape& shape(Value value) const { return m_builder.tensor(value).shape; }
    [[nodiscard]] std::int64_t dim(Value value, std::int64_t axis) const;
    [[nodiscard]] DType dtype(Value value) const { return m_builder.tensor(value).dtype; }
    [[nodiscard]] DType dtype() const { return m_dtype; }
    [[nodiscard]] const std::vector<Variable>& variables() const { return m_variables; }

    [[nodiscard]] std::size_t opCount() const { return m_builder.opCount(); }
    [[nodiscard]] std::size_t valueCount() const { return m_producer.size(); }
    [[nodiscard]] const Op& op(OpId id) const { return m_builder.op(id); }
    [[nodiscard]] std::span<const Value> inputs(OpId id) const;
    [[nodiscard]] std::span<const Value> outputs(OpId id) const;
    /// Invalid for what is resident.
    [[nodiscard]] OpId producer(Value value) const { return m_producer[value.index()]; }

    /// Ends the program.
    [[nodiscard]] Graph build() &&;

private:
    struct Slots {
        std::uint32_t firstInput, firstOutput;
    };

    [[nodiscard]] std::string uniqueName(std::string_view name);
    Value resident(std::string_view name, TensorKind kind, DType dtype, Shape shape);
    OpId addOp(std::string_view type, std::span<const Value> inputs, std::vector<Attribute> attributes,
               std::string_view name);
    Value addOutput(OpId op, DType dtype, Shape shape);
    /// With one output of the dtype of the first input.
    Value one(std::string_view type, std::initializer_list<Value> inputs, Shape shape, std::string_view name,
              std::vector<Attribute> attributes = {});
    Value elementwise(std::string_view type, Value a, Value b, std::string_view name);
    Value unary(std::string_view type, Value x, std::string_view name);
    Value pool(std::string_view type, Value x, const Sizes& kernel, const Window& window, std::string_view name);
    Value reduce(std::string_view type, Value x, Sizes axes, bool keepDims, std::string_view name);
    Normalized normalize(std::string_view type, Value x, Value scale, Value bias, std::int64_t axis, Shape statistics,
                         std::vector<Attribute> attributes, std::string_view name);
    [[nodiscard]] std::size_t axisOf(Value x, std::int64_t axis) const;
    /// Throws std::logic_error, naming the scope, unless it holds.
    template <class... Args>
    void require(bool holds, fmt::format_string<Args...> message, Args&&... args) const {
        if (!holds)
            throw std::logic_error(
                fmt::format("in scope \"{}\": {}", m_scope, fmt::format(message, std::forward<Args>(args)...)));
    }

    DType m_dtype;
    GraphBuilder m_builder;
    std::string m_scope; ///< empty, or ends in '/'
    Phase m_phase = Phase::Forward;
    std::unordered_map<std::string, int> m_names; ///< full name to how often it was asked for
    std::unordered_map<double, Value> m_scalars;
    std::vector<Slots> m_slots; ///< per op; they end where those of the next op begin
    std::vector<Value> m_inputs, m_outputs;
    std::vector<OpId> m_producer; ///< per value
    std::vector<Variable> m_variables;
};

/// The shape of a and b broadcast against one another; none when they do not fit.
[[nodiscard]] std::optional<Shape> broadcastShape(const Shape& a, const Shape& b);

} // namespace opscape
