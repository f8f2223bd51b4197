// SPDX-License-Identifier: MIT
// Where every visible box and edge of a graph lies: the scope tree with some scopes expanded, each open scope laid out
// alone, its result a box in its parent. An edge is lifted to the two siblings below the lowest common scope of its ends.
// Units are abstract points, y downwards; text is taken to be 12 points high.
#pragma once

#include <memory>
#include <opscape/graph/scopes.h>
#include <set>
#include <vector>

namespace opscape {

struct LayoutPoint {
    float x = 0, y = 0;
};

struct LayoutRect {
    float x = 0, y = 0, width = 0, height = 0; ///< top left corner and size
};

/// A visible box: an op, a collapsed scope, or an expanded scope around its children.
struct SceneNode {
    OpId op;                 ///< valid for an op
    ScopeId scope;           ///< valid for a scope
    bool expanded = false;   ///< an expanded scope: a frame with a title line
    int parent = -1;         ///< index of the enclosing node; -1 at the top
    int depth = 0;
    LayoutRect rect;         ///< in the scene
    std::string label;       ///< last part of the name
};

struct SceneEdge {
    int from = -1, to = -1;          ///< indices of nodes, siblings
    std::vector<LayoutPoint> points; ///< polyline or, when curved, cubic Bezier: 3k+1 points
    bool curved = false;
    std::uint32_t edges = 0;         ///< edges of the graph it stands for
    std::int64_t bytes = 0;          ///< sum of the distinct tensors on it
    std::vector<std::pair<OpId, OpId>> ends; ///< producer and consumer of each of these edges
};

struct GraphScene {
    std::vector<SceneNode> nodes; ///< parents before children
    std::vector<SceneEdge> edges;
    float width = 0, height = 0;
    /// The visible node that shows an op: the op itself or the innermost collapsed scope around it; -1 when none.
    [[nodiscard]] int nodeOf(const ScopeTree& scopes, OpId op) const;
    std::vector<int> nodeOfOp;    ///< per op, the same
};

using ExpandedScopes = std::set<ScopeId>;

/// Scopes to expand at first: from the root down, level by level, while at most `budget` boxes are visible.
[[nodiscard]] ExpandedScopes expandToBudget(const ScopeTree& scopes, std::size_t budget);

class DotProcess;

/// Lays out scopes by our own layered engine, or by Graphviz dot where the helper process answers in time. Remembers
/// each scope's layout by content, so that expanding one scope lays out only it and its ancestors.
class GraphLayout {
public:
    /// Without a helper program only the own engine is used.
    explicit GraphLayout(std::string helperProgram = {});
    ~GraphLayout();

    [[nodiscard]] GraphScene layout(const Graph& graph, const ScopeTree& scopes, const ExpandedScopes& expanded);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// <program folder>/opscape-layout
[[nodiscard]] std::string defaultLayoutHelper();

} // namespace opscape
