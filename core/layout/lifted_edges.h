// SPDX-License-Identifier: MIT
// Every scope as a small graph of its own: its children (sub-scopes and ops) and the edges between them. An edge of the
// graph belongs to the lowest scope around both of its ends and joins the two children of it that hold them.
#pragma once

#include <opscape/graph/scopes.h>

#include <span>
#include <vector>

namespace opscape {

/// A child of a scope; one of the two ids is valid.
struct ScopeChild {
    ScopeId scope;
    OpId op;
};

/// One edge of the graph: a tensor and an op that reads it, or a control edge (no tensor).
struct GraphEdge {
    OpId producer, consumer;
    TensorId tensor;
};

/// All edges of the graph from one child to another.
struct LiftedEdge {
    std::uint32_t from = 0, to = 0;     ///< positions among the scope's children
    std::uint32_t first = 0, count = 0; ///< range of its graph edges
    std::int64_t bytes = 0;             ///< of the distinct tensors on it
};

class LiftedEdges {
public:
    LiftedEdges(const Graph& graph, const ScopeTree& scopes);

    /// In the order of reading (siblingOrder), a series as its tree has it.
    [[nodiscard]] std::span<const ScopeChild> children(ScopeId scope) const {
        return {m_children.data() + m_childFirst[scope.index()], m_children.data() + m_childFirst[scope.index() + 1]};
    }
    /// By from, then to.
    [[nodiscard]] std::span<const LiftedEdge> edges(ScopeId scope) const {
        return {m_edges.data() + m_edgeFirst[scope.index()], m_edges.data() + m_edgeFirst[scope.index() + 1]};
    }
    /// By tensor, then consumer; control edges last.
    [[nodiscard]] std::span<const GraphEdge> graphEdges(const LiftedEdge& edge) const {
        return {m_graphEdges.data() + edge.first, edge.count};
    }

private:
    void orderChildren(const Graph& graph, const ScopeTree& scopes);
    void lift(const Graph& graph, const ScopeTree& scopes);

    std::vector<ScopeChild> m_children;
    std::vector<std::uint32_t> m_childFirst;
    std::vector<std::uint32_t> m_positionOfScope, m_positionOfOp; ///< among the children of its parent
    std::vector<LiftedEdge> m_edges;
    std::vector<std::uint32_t> m_edgeFirst;
    std::vector<GraphEdge> m_graphEdges;
};

} // namespace opscape
