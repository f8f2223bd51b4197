// SPDX-License-Identifier: MIT
// The name scopes of a graph as a search wants them: a layer is one thing whether its ops run forward, backward or
// update its weights ("gradients/layer_0" is layer_0), and repetition in time is innermost, so that step_3/layer_0 and
// layer_0/step_3 both read layer_0, then step_3. Which scopes repeat is told by the weights they share.
#pragma once

#include <opscape/graph/scopes.h>

namespace opscape {

class LayerTree {
public:
    static constexpr std::uint32_t kRoot = 0;

    struct Node {
        std::uint32_t parent; ///< lower than its own index; kRoot for the root
        bool repeats;         ///< one of several runs of the same weights, e.g. an unrolled step
    };

    LayerTree(const Graph& graph, const ScopeTree& scopes);

    [[nodiscard]] std::uint32_t nodeCount() const { return static_cast<std::uint32_t>(m_nodes.size()); }
    [[nodiscard]] const Node& node(std::uint32_t index) const { return m_nodes[index]; }
    /// The innermost node of an op.
    [[nodiscard]] std::uint32_t nodeOf(OpId op) const { return m_nodeOf[op.index()]; }
    /// What people call the layer of a node: the outermost scope around it (or itself) whose parts repeat, as an
    /// unrolled recurrent layer has them, below the root; where there is none, the innermost that does not repeat.
    [[nodiscard]] std::uint32_t layerOf(std::uint32_t index) const { return m_layerOf[index]; }

private:
    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_nodeOf;
    std::vector<std::uint32_t> m_layerOf; ///< per node
};

} // namespace opscape
