// SPDX-License-Identifier: MIT
// Sizes: kernels without weights take the time to move their bytes. What those with weights take is scaled by one
// factor, so that all together take the bytes of all outputs / bandwidth / ratio. Where launches alone take longer,
// everything is made larger first.
#include <opscape/graph/graph_builder.h>
#include <opscape/zoo/graph_sketch.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace opscape {
namespace {

constexpr double kElementBytes = 4;
// About what a P100 reaches; of the rate a matrix product reaches half at kHalfFlops.
constexpr double kFlopRate = 8e12, kHalfFlops = 4e8, kMemoryRate = 5e11, kLaunchS = 5e-6;
constexpr double kSpare = 1.25; ///< time for work with weights, beside the rest, at least a fifth of all
constexpr SketchKernel kLoss{"SoftmaxCrossEntropyLoss", "SoftmaxCrossEntropyGrad"};

std::string_view updateType(UpdateRule rule) {
    return rule == UpdateRule::Adam ? "Adam" : rule == UpdateRule::Momentum ? "Momentum" : "SGD";
}

int stateCount(UpdateRule rule) { return rule == UpdateRule::Adam ? 2 : rule == UpdateRule::Momentum ? 1 : 0; }

std::int64_t whole(double value) { return std::max<std::int64_t>(1, std::llround(value)); }

} // namespace

/// Turns a sketch into ops.
class SketchBuilder {
public:
    SketchBuilder(const std::string& name, const GraphSketch& sketch, const SketchSizes& sizes)
        : m_sketch(sketch),
          m_sizes(sizes),
          m_builder(name) {}

    Result<Graph> build() {
        settleSizes();
        variables();
        for (std::size_t n = 0; n < m_sketch.m_nodes.size(); ++n)
            forward(n);
        m_gradients.resize(m_sketch.m_nodes.size());
        m_weightGradients.resize(m_sketch.m_variables.size());
        for (std::size_t n = m_sketch.m_nodes.size(); n-- > 0;)
            backward(n);
        for (std::size_t v = 0; v < m_sketch.m_variables.size(); ++v)
            update(v);
        Diagnostics diagnostics; // sizes are all given and names are unique, so there is nothing to be said
        return std::move(m_builder).build(diagnostics);
    }

private:
    using NodeEntry = GraphSketch::NodeEntry;

    [[nodiscard]] static bool hasWeights(const NodeEntry& node) { return !node.kernel.weightGradient.empty(); }
    [[nodiscard]] double movedElements(const NodeEntry& node) const {
        double sum = node.elements + (node.inputs.empty() ? node.elements : 0);
        for (const GraphSketch::Node input : node.inputs)
            sum += m_sketch.m_nodes[input].elements;
        return sum;
    }

    void settleSizes() {
        double out = 0, moved = 0, fixed = 0, work = 0, heavy = 0;
        for (const NodeEntry& node : m_sketch.m_nodes) {
            out += node.elements;
            fixed += kLaunchS + (node.kernel.type == "MatMul" ? kHalfFlops / kFlopRate : 0);
            moved += hasWeights(node) ? 0 : movedElements(node);
            work += hasWeights(node) ? node.work : 0;
            heavy += hasWeights(node) ? 1 : 0;
        }
        const double allowed = kElementBytes * out / kSketchBandwidth / m_sizes.ratio; // s, per unit of scale
        const double moving = kElementBytes * moved / kMemoryRate;
        m_scale = m_sizes.activationBytes / kElementBytes * static_cast<double>(m_sketch.m_nodes.size()) / out;
        if (allowed > kSpare * moving)
            m_scale = std::max(m_scale, kSpare * fixed / (allowed - kSpare * moving));
        const double rest = std::max(0., m_scale * (allowed - moving) - fixed);
        m_flops = work > 0 ? rest * kFlopRate / work : 0;
    }

    [[nodiscard]] std::int64_t elements(const NodeEntry& node) const { return whole(node.elements * m_scale); }

    OpId addOp(const std::string& scope, std::string_view type, Phase phase, double flops, double movedElementCount) {
        Op op;
        const std::string path = scope.empty() ? std::string(type) : fmt::format("{}/{}", scope, type);
        const int known = m_names[path]++;
        op.name = known == 0 ? path : fmt::format("{}_{}", path, known);
        op.type = type;
        op.phase = phase;
        op.flops = whole(flops);
        op.bytesMoved = whole(movedElementCount * kElementBytes);
        return m_builder.addOp(std::move(op));
    }
    static Tensor tensor(std::string name, TensorKind kind, std::int64_t count) {
        return {std::move(name), kind, DType::F32, true, {count}};
    }
    TensorId output(OpId op, std::int64_t count, int index = 0) {
        return m_builder.addOutput(
            op, tensor(fmt::format("{}:{}", m_builder.op(op).name, index), TensorKind::Activation, count));
    }

    void variables() {
        for (std::size_t v = 0; v < m_sketch.m_variables.size(); ++v) {
            const auto& [scope, count, users] = m_sketch.m_variables[v];
            const std::string path = scope + "/weights";
            const int known = m_names[path]++;
            Op op;
            op.name = known == 0 ? path : fmt::format("{}_{}", path, known);
            op.type = "ReadVariable";
            op.colocation = op.name;
            m_weights.push_back(m_builder.addResident(tensor(op.name, TensorKind::Weight, count)));
            m_reads.push_back(m_builder.addOp(std::move(op)));
            m_builder.addInput(m_reads.back(), m_weights.back());
            m_values.push_back(output(m_reads.back(), count));
        }
    }

    void forward(std::size_t n) {
        const NodeEntry& node = m_sketch.m_nodes[n];
        const double moved = movedElements(node) * m_scale;
        const OpId op = addOp(node.scope, node.kernel.type, Phase::Forward,
                              hasWeights(node) ? node.work * m_flops : node.elements * m_scale, moved);
        for (const GraphSketch::Node input : node.inputs)
            m_builder.addInput(op, m_outputs[input]);
        if (node.inputs.empty())
            m_builder.addInput(
                op, m_builder.addResident(tensor(m_builder.op(op).name + "/input", TensorKind::Input, elements(node))));
        if (node.variable != GraphSketch::kNone)
            m_builder.addInput(op, m_values[node.variable]);
        m_ops.push_back(op);
        m_outputs.push_back(output(op, elements(node)));
    }

    /// The gradient of what node `n` puts out; invalid for the loss.
    TensorId summed(std::size_t n, const std::string& scope) {
        const std::vector<TensorId>& parts = m_gradients[n];
        return parts.empty() ? TensorId() : sum(parts, scope, elements(m_sketch.m_nodes[n]));
    }
    TensorId sum(std::span<const TensorId> parts, const std::string& scope, std::int64_t count) {
        if (parts.size() == 1)
            return parts[0];
        const double size = static_cast<double>(count), inputs = static_cast<double>(parts.size());
        const OpId op = addOp(scope, "AddN", Phase::Backward, size * (inputs - 1), size * (inputs + 1));
        for (const TensorId part : parts)
            m_builder.addInput(op, part);
        return output(op, count);
    }

    void backward(std::size_t n) {
        const NodeEntry& node = m_sketch.m_nodes[n];
        if (!node.learns)
            return;
        const std::string scope = fmt::format("gradients/{}_grad", m_builder.op(m_ops[n]).name);
        const TensorId gradient = summed(n, scope);
        const double flops = hasWeights(node) ? node.work * m_flops : 3 * node.elements * m_scale;
        const double moved = (movedElements(node) + node.elements) * m_scale;
        const auto addInputs = [&](OpId op) {
            if (gradient.valid())
                m_builder.addInput(op, gradient);
            for (const GraphSketch::Node input : node.inputs)
                m_builder.addInput(op, m_outputs[input]);
        };
        if (node.variable != GraphSketch::kNone) {
            const OpId op = addOp(scope, node.kernel.weightGradient, Phase::Backward, flops, moved);
            addInputs(op);
            m_weightGradients[node.variable].push_back(output(op, m_sketch.m_variables[node.variable].elements));
        }
        const auto learns = [this](GraphSketch::Node input) { return m_sketch.m_nodes[input].learns; };
        if (std::ranges::none_of(node.inputs, learns))
            return;
        const OpId op = addOp(scope, node.kernel.inputGradient, Phase::Backward, flops, moved);
        addInputs(op);
        if (node.variable != GraphSketch::kNone)
            m_builder.addInput(op, m_values[node.variable]);
        int index = 0;
        for (const GraphSketch::Node input : node.inputs) {
            if (learns(input))
                m_gradients[input].push_back(output(op, elements(m_sketch.m_nodes[input]), index++));
        }
    }

    void update(std::size_t v) {
        const auto& [scope, count, users] = m_sketch.m_variables[v];
        const std::string name = m_builder.op(m_reads[v]).name; // ops are added below, and move
        const TensorId gradient = sum(m_weightGradients[v], fmt::format("gradients/{}_grad", name), count);
        const int states = stateCount(m_sizes.update);
        const double size = static_cast<double>(count);
        Op op;
        op.name = fmt::format("train/{}/update_{}", scope, name.substr(scope.size() + 1));
        op.type = updateType(m_sizes.update);
        op.phase = Phase::Update;
        op.colocation = name;
        op.flops = whole(size * (2 + 5 * states));
        op.bytesMoved = whole(size * kElementBytes * (3 + 2 * states));
        const std::string state = op.name;
        const OpId id = m_builder.addOp(std::move(op));
        m_builder.addInput(id, m_weights[v]);
        for (int s = 0; s < states; ++s)
            m_builder.addInput(id, m_builder.addResident(tensor(fmt::format("{}/state_{}", state, s),
                                                                TensorKind::OptimizerState, count)));
        m_builder.addInput(id, gradient);
    }

    const GraphSketch& m_sketch;
    const SketchSizes& m_sizes;
    GraphBuilder m_builder;
    double m_scale = 1;                                                ///< elements per relative element
    double m_flops = 0;                                                ///< FLOP per relative work
    std::unordered_map<std::string, int> m_names;                      ///< how often a name was asked for
    std::vector<OpId> m_ops, m_reads;                                  ///< per node, per variable
    std::vector<TensorId> m_outputs;                                   ///< per node
    std::vector<TensorId> m_weights, m_values;                         ///< per variable
    std::vector<std::vector<TensorId>> m_gradients, m_weightGradients; ///< per node, per variable
};

GraphSketch::Variable GraphSketch::variable(std::string scope, std::int64_t elements) {
    m_variables.push_back({std::move(scope), elements});
    m_ops += 2; // read and update
    return static_cast<Variable>(m_variables.size() - 1);
}

GraphSketch::Node GraphSketch::add(std::string scope, const SketchKernel& kernel, std::span<const Node> inputs,
                                   double elements, double work, Variable variable) {
    NodeEntry node{std::move(scope), kernel, {}, elements, work, variable, variable != kNone};
    ++m_ops;
    bool needsInputGradient = false;
    for (const Node input : inputs) {
        if (std::ranges::count(node.inputs, input) > 0)
            continue;
        node.inputs.push_back(input);
        NodeEntry& read = m_nodes[input];
        needsInputGradient = needsInputGradient || read.learns;
        m_ops += ++read.readers == 2 && read.learns ? 1 : 0; // the sum of their gradients
    }
    node.learns = node.learns || needsInputGradient;
    m_ops += needsInputGradient ? 1 : 0;
    if (variable != kNone)
        m_ops += ++m_variables[variable].users == 2 ? 2 : 1;
    m_nodes.push_back(std::move(node));
    return static_cast<Node>(m_nodes.size() - 1);
}

Result<Graph> GraphSketch::build(const std::string& name, const SketchSizes& sizes) && {
    std::vector<Node> ends;
    for (Node n = 0; n < m_nodes.size(); ++n) {
        if (isUnread(n))
            ends.push_back(n);
    }
    add("loss", kLoss, ends, elements(ends.front()));
    return SketchBuilder(name, *this, sizes).build();
}

} // namespace opscape
