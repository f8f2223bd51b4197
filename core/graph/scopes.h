// SPDX-License-Identifier: MIT
// The tree of name scopes over a graph's ops: "encoder/layer_0/MatMul" lies in scope encoder/layer_0. A scope with many
// ops directly in it (a graph whose names carry no scopes, a flat layer) is split into blocks by structure, and a large
// block again: in topological order, cut where possible at bottlenecks, i.e. ops that every path from the start to the
// end passes. The tree that people look at is reshaped for the eye: shownScopes().
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
    bool series = false;         ///< numbered siblings folded into one ("step [x66]"), or a section of them
    int nameParts = 0;           ///< leading parts of its ops' names that its path stands for
};

class ScopeTree {
public:
    explicit ScopeTree(const Graph& graph);

    [[nodiscard]] static constexpr ScopeId root() { return ScopeId(0); }
    [[nodiscard]] std::size_t scopeCount() const { return m_scopes.size(); }
    [[nodiscard]] const Scope& scope(ScopeId id) const { return m_scopes[id.index()]; }
    /// The innermost scope of an op.
    [[nodiscard]] ScopeId scopeOf(OpId op) const { return m_scopeOf[op.index()]; }
    /// "encoder/layer_0"; empty for the root. A series around the scope is no part of it.
    [[nodiscard]] std::string path(ScopeId id) const;
    /// What of an op's name its scopes do not say: "MatMul".
    [[nodiscard]] std::string_view nameInside(const Graph& graph, OpId op) const;
    /// Every op inside, at any depth, ascending.
    [[nodiscard]] std::vector<OpId> opsBelow(ScopeId id) const;
    /// True when both are the same, too; false for an invalid id.
    [[nodiscard]] bool isInside(ScopeId inner, ScopeId outer) const;

private:
    friend class ShownScopes;
    ScopeTree() = default;

    ScopeId addScope(ScopeId parent, std::string name);
    void fromNames(const Graph& graph);
    void splitFlatScopes(const Graph& graph);
    void countOps();

    std::vector<Scope> m_scopes;
    std::vector<ScopeId> m_scopeOf;
};

/// The same ops in a tree to look at: a scope around a single op or a single scope is merged into what is around it;
/// where a scope has many children, numbered siblings are folded into one series ("step [x66]") and what is still too
/// many is cut into sections where few edges pass. No scope has more children than a reader can take in.
[[nodiscard]] ScopeTree shownScopes(const Graph& graph);

} // namespace opscape
