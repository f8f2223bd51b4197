// SPDX-License-Identifier: MIT
// A training step from a sketch of its forward pass: kernels with relative sizes, what they read, and the variables
// they use. Gradients, their sums and the updates of the variables follow by themselves, named as the zoo names them.
// Sizes are settled at the end, so that the whole has the ratio of communication to computation that is asked for.
// Unlike a tensor program (tensor_program.h) it computes nothing that has a meaning.
#pragma once

#include <opscape/base/result.h>
#include <opscape/graph/graph.h>
#include <opscape/zoo/training.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace opscape {

/// Op types of a kernel and of its gradients.
struct SketchKernel {
    std::string_view type, inputGradient;
    std::string_view weightGradient{}; ///< empty: it has no weights, and its work is to move its bytes
};

struct SketchSizes {
    double activationBytes = 1e6; ///< mean over the outputs of the forward pass, raised where the ratio asks for it
    /// Time to send every output of the forward pass once, at kSketchBandwidth, to the time of its kernels on an
    /// accelerator of about the size of a P100.
    double ratio = .5;
    UpdateRule update = UpdateRule::Sgd;
};
inline constexpr double kSketchBandwidth = 12e9; ///< bytes per second

class GraphSketch {
public:
    using Node = std::uint32_t;
    using Variable = std::uint32_t;
    static constexpr Variable kNone = 0xffffffffu;

    /// In a scope, e.g. "layer_1".
    Variable variable(std::string scope, std::int64_t elements);
    /// Sizes are relative to those of other nodes. Repeated inputs count once; a node without inputs reads one from
    /// outside of the step.
    Node add(std::string scope, const SketchKernel& kernel, std::span<const Node> inputs, double elements,
             double work = 1, Variable variable = kNone);

    [[nodiscard]] std::size_t nodeCount() const { return m_nodes.size(); }
    [[nodiscard]] double elements(Node node) const { return m_nodes[node].elements; }
    /// Nobody reads it yet.
    [[nodiscard]] bool isUnread(Node node) const { return m_nodes[node].readers == 0; }
    /// Ops of the whole step, had it ended here.
    [[nodiscard]] std::size_t opCount() const { return m_ops; }

    /// Ends with a loss over all that nobody reads.
    [[nodiscard]] Result<Graph> build(const std::string& name, const SketchSizes& sizes) &&;

private:
    friend class SketchBuilder;
    struct NodeEntry {
        std::string scope;
        SketchKernel kernel;
        std::vector<Node> inputs;
        double elements, work;
        Variable variable;
        bool learns = false; ///< a gradient flows through it: it, or what it reads, has weights
        std::uint32_t readers = 0;
    };
    struct VariableEntry {
        std::string scope;
        std::int64_t elements;
        std::uint32_t users = 0;
    };

    std::vector<NodeEntry> m_nodes; ///< each after what it reads
    std::vector<VariableEntry> m_variables;
    std::size_t m_ops = 0;
};

} // namespace opscape
