// SPDX-License-Identifier: MIT
// The tree of name scopes over a graph's ops: "encoder/layer_0/MatMul" lies in scope encoder/layer_0. A scope with many
// ops directly in it (a graph whose names carry no scopes, a flat layer) is split into blocks by structure, and a large
// block again: in topological order, cut where possible at bottlenecks, i.e. ops that every path from the start to the
// end passes.
#pragma once

#include <opscape/graph/graph.h>

namespace opscape {

struct Scope {
    std::string name;            ///< last part of the path, e.g. "layer_0"; empty for the root
    ScopeId parent;              ///< invalid for the root
    int depth = 0;               ///< 0 for the root
    std::vector<ScopeId> scopes; ///< sub-scopes, in order of their first op
    std::vector<OpId> ops;       ///< ops directly inside, ascending
    std::uint32_t opsBelow = 0;  ///< ops inside, at any depth
    bool fromStructure = false;  ///< made from the graph's shape, not from names
};

class ScopeTree {
public:
    explicit ScopeTree(const Graph& graph);

    [[nodiscard]] static constexpr ScopeId root() { return ScopeId(0); }
    [[nodiscard]] std::size_t scopeCount() const { return m_scopes.size(); }
    [[nodiscard]] const Scope& scope(ScopeId id) const { return m_scopes[id.index()]; }
    /// The innermost scope of an op.
    [[nodiscard]] ScopeId scopeOf(OpId op) const { return m_scopeOf[op.index()]; }
    /// "encoder/layer_0"; empty for the root.
    [[nodiscard]] std::string path(ScopeId id) const;
    /// Every op inside, at any depth, ascending.
    [[nodiscard]] std::vector<OpId> opsBelow(ScopeId id) const;
    /// True when both are the same, too; false for an invalid id.
    [[nodiscard]] bool isInside(ScopeId inner, ScopeId outer) const;

private:
    ScopeId addScope(ScopeId parent, std::string name);
    void fromNames(const Graph& graph);
    void splitFlatScopes(const Graph& graph);

    std::vector<Scope> m_scopes;
    std::vector<ScopeId> m_scopeOf;
};

} // namespace opscape
